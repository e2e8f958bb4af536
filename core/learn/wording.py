"""Small numbers as text: powers of two as such, and figures with a power of ten."""

from __future__ import annotations

from fractions import Fraction

from core.numbers import Number, scientific, significant

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def raised(exponent: int) -> str:
    """A whole number as an exponent: −11 is "⁻¹¹"."""
    return str(exponent).translate(_SUPERSCRIPTS)


def power_text(value: Number) -> str:
    """A power of two as one, "2⁻¹¹"; any other number to six digits."""
    size = abs(Fraction(value))
    top, bottom = size.numerator, size.denominator
    if top and top & (top - 1) == 0 and bottom & (bottom - 1) == 0:
        return f"{'−' if value < 0 else ''}2{raised(top.bit_length() - bottom.bit_length())}"
    return real_text(value)


def real_text(value: Number, digits: int = 6) -> str:
    """A real number to so many significant digits, with a power of ten where it is very small or very large."""
    size, sign = abs(Fraction(value)), "−" if value < 0 else ""
    if size == 0:
        return "0"
    if size >= 10**6:
        return sign + scientific(size, digits)
    if size >= Fraction(1, 10**4):
        return sign + significant(size, digits)
    exponent = -4
    while size < Fraction(10) ** exponent:
        exponent -= 1
    figure = significant(size / Fraction(10) ** exponent, digits)
    if figure == "10":
        figure, exponent = "1", exponent + 1
    return f"{sign}10{raised(exponent)}" if figure == "1" else f"{sign}{figure} × 10{raised(exponent)}"
