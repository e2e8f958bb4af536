"""Works out a derivation as a reader with a calculator would, from its text alone."""

from __future__ import annotations

import re
from fractions import Fraction

_TOKENS = re.compile(
    r"""\s*(?:
    (?P<number>\d[\d,]*(?:\.\d+)?)(?:\ (?P<unit>[A-Za-z][A-Za-z/'\-]*(?:\ [A-Za-z(][A-Za-z()'\-]*)*))?
    | (?P<sign>[×÷+−⌈⌉])
    )""",
    re.VERBOSE,
)


# Parts of a sum have their names in brackets: "5 B (Parameters) + 3 B (Gradients)".
_NAMES = re.compile(r"(?<=[A-Za-z]) \([A-Za-z][^()]*\)")


def _tokens(text: str) -> list[str]:
    found, place = [], 0
    while place < len(text.rstrip()):
        match = _TOKENS.match(text, place)
        assert match, f"no figure and no sign at {text[place:]!r}"
        found.append((match["number"] or match["sign"]).replace(",", ""))
        place = match.end()
    return found


def _sum(tokens: list[str]) -> Fraction:
    value = _product(tokens)
    while tokens and tokens[0] in {"+", "−"}:
        value = value + _product(tokens) if tokens.pop(0) == "+" else value - _product(tokens)
    return value


def _product(tokens: list[str]) -> Fraction:
    value = _figure(tokens)
    while tokens and tokens[0] in {"×", "÷"}:
        value = value * _figure(tokens) if tokens.pop(0) == "×" else value / _figure(tokens)
    return value


def _figure(tokens: list[str]) -> Fraction:
    token = tokens.pop(0)
    if token == "−":
        return -_figure(tokens)
    if token == "⌈":
        inside = _sum(tokens)
        assert tokens.pop(0) == "⌉"
        return Fraction(-(-inside.numerator // inside.denominator))
    return Fraction(token)


def worked_out(expression: str) -> Fraction:
    """The value of "⌈30,000,000,000 ÷ 64⌉ × 2 B", units left aside."""
    tokens = _tokens(_NAMES.sub("", expression))
    value = _sum(tokens)
    assert not tokens, f"{tokens} is left of {expression!r}"
    return value


def is_sound(derivation: str) -> bool:
    """Whether both sides of "a × b = c" agree: exactly at "=", within rounding to six digits at "≈"."""
    sign = "≈" if "≈" in derivation else "="
    left, _, right = derivation.partition(f" {sign} ")
    found, said = worked_out(left), worked_out(right)
    if sign == "=":
        return found == said
    return abs(found - said) <= abs(said) * Fraction(1, 10**5)
