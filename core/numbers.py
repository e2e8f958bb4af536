"""Text ⇄ exact numbers, without units: the one place where digits are read and where they are rounded."""

from __future__ import annotations

import re
from fractions import Fraction

Number = int | Fraction

LONGEST_TEXT = 80
LARGEST_EXPONENT = 36
MOST_PLACES = 30
TOO_FINE = f"has more than {MOST_PLACES} places after the point"

_SPACES = "[ \u00a0\u2007\u2009\u202f_]"
_NUMBER = re.compile(
    rf"""(?P<sign>[+\-\u2212]?)
    (?P<whole>[1-9]\d{{0,2}}(?:,\d{{3}})+ | [1-9]\d{{0,2}}(?:{_SPACES}\d{{3}})+(?!\d) | \d*)
    (?:\.(?P<part>\d*))?
    (?:[eE](?P<exponent>[+\-\u2212]?\d{{1,4}}))?
    \s*(?P<rest>\D.*)?\s*\Z""",
    re.VERBOSE | re.ASCII,
)


class Unreadable(ValueError):
    """Text that is no value of its kind. `reason` completes the sentence that begins with what was given.

    Where `complete` is set the reason is a sentence of its own that needs nothing before or after it.
    """

    def __init__(self, reason: str, complete: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.complete = complete


def split_number(text: str) -> tuple[Fraction, str]:
    """Read the number at the start of `text` exactly; return it with the stripped rest (a unit, a suffix, or "").

    Groups of three digits may be parted by commas, spaces or underscores. Raises Unreadable for anything that could
    be read in two ways ("70,5", "0,500") or not at all.
    """
    if len(text) > LONGEST_TEXT:
        raise Unreadable(f"is longer than {LONGEST_TEXT} characters")
    text = text.strip()
    if not text:
        raise Unreadable("is empty")
    match = _NUMBER.match(text)
    if match is None or not (match["whole"] or match["part"]):
        raise Unreadable("is not a number")
    rest = (match["rest"] or "").strip()
    if rest.startswith(",") or ("," in match["whole"] and rest[:1].isdigit()):
        raise Unreadable("has a comma that does not part groups of three digits")
    if rest[:1] in {".", "'"} or any(character.isdigit() for character in rest):
        raise Unreadable("is not a number")
    digits = re.sub(r"\D", "", match["whole"], flags=re.ASCII) or "0"
    exponent = int((match["exponent"] or "0").replace("\u2212", "-"))
    if abs(exponent) > LARGEST_EXPONENT:
        raise Unreadable("has too large an exponent")
    part = match["part"] or ""
    if len(part) - exponent > MOST_PLACES:
        raise Unreadable(TOO_FINE)
    value = Fraction(int(digits + part), 10 ** len(part)) * Fraction(10) ** exponent
    return (-value if match["sign"] in {"-", "\u2212"} else value), rest


def narrow(value: Number) -> Number:
    """The same number, as an int where it is whole: ints are many times faster to compute with."""
    return value.numerator if value.denominator == 1 else value


def ceil(value: Number) -> int:
    """Smallest whole number that is not below `value`."""
    return -(-value.numerator // value.denominator)


def ceil_div(numerator: int, denominator: int) -> int:
    """ceil(numerator ÷ denominator) in integers; denominator > 0."""
    return -(-numerator // denominator)


def nearest(value: Number) -> int:
    """Nearest whole number; a half goes to the even neighbour."""
    return round(value)


def places(value: Number) -> int | None:
    """How many places after the point all digits of `value` take; None where they have no end."""
    rest, most = value.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest //= prime
            power += 1
        most = max(most, power)
    return most if rest == 1 else None


def plain(value: Number) -> str:
    """All digits of `value`, thousands parted by commas; an endless fraction is cut at twelve significant digits."""
    if value.denominator == 1:
        return f"{value.numerator:,}".replace("-", "\u2212")
    count = places(value)
    if count is None:
        return significant(value, 12)
    sign = "\u2212" if value < 0 else ""
    whole, part = divmod(abs(value.numerator) * 10**count // value.denominator, 10**count)
    return f"{sign}{whole:,}.{part:0{count}d}"


def significant(value: Number, digits: int = 3) -> str:
    """`value` to `digits` significant digits (whole digits all stay), thousands parted, zeros at the end cut."""
    if value == 0:
        return "0"
    sign = "\u2212" if value < 0 else ""
    top, bottom = abs(value.numerator), value.denominator
    exponent = len(str(top)) - len(str(bottom))
    if top * 10 ** max(-exponent, 0) < bottom * 10 ** max(exponent, 0):
        exponent -= 1
    places = max(digits - 1 - exponent, 0)
    scaled = (2 * top * 10**places + bottom) // (2 * bottom)
    whole, part = divmod(scaled, 10**places)
    text = f"{whole:,}"
    if places:
        text = f"{text}.{part:0{places}d}".rstrip("0").rstrip(".")
    return sign + text


def scientific(value: Number, digits: int = 3) -> str:
    """`value` as a figure and a power of ten, "1.08 × 10²³"; below a million as it is."""
    if value < 10**6:
        return significant(value, digits)
    exponent = len(str(int(value))) - 1
    figure = significant(Fraction(value) / 10**exponent, digits)
    if figure == "10":
        figure, exponent = "1", exponent + 1
    return f"{figure} × 10{str(exponent).translate(_SUPERSCRIPTS)}"


_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
