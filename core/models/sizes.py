"""Sizes that remember what they were made of: polynomials in letters, each letter with its value.

A tensor's shape is written in these, so the number of a term, its formula in letters (h·q·d) and its formula in
figures (4,096 × 32 × 128) are one object and cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

Letter = tuple[int, str, int]
"""Place in reading order, name, value. A tuple, so that a product is sorted by comparing letters."""

Monomial = tuple[Letter, ...]
"""Letters in reading order, a squared one twice."""

_READING_ORDER = "VLhqkdf"


class Size:
    """A whole number, as a sum of products of letters. `value` is its exact figure."""

    __slots__ = ("terms", "value")

    def __init__(self, terms: Mapping[Monomial, int], value: int) -> None:
        self.terms = terms
        self.value = value

    def __add__(self, other: Size | int) -> Size:
        other = of(other)
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + coefficient
        return Size(terms, self.value + other.value)

    def __mul__(self, other: Size | int) -> Size:
        if isinstance(other, int):
            return Size({m: c * other for m, c in self.terms.items()}, self.value * other)
        terms: dict[Monomial, int] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial = tuple(sorted(left + right)) if left and right else left or right
                terms[monomial] = terms.get(monomial, 0) + a * b
        return Size(terms, self.value * other.value)

    __radd__ = __add__
    __rmul__ = __mul__

    def __int__(self) -> int:
        return self.value

    def in_letters(self) -> str:
        """The polynomial in letters: "2·h·q·d + h"."""
        return _sum(((c, [_power(name, n) for name, n in _names(m)]) for m, c in self.terms.items()), "·")

    def in_figures(self) -> str:
        """The same polynomial with each letter's value in its place: "2 × 4,096 × 32 × 128 + 4,096"."""
        return _sum(((c, [f"{value:,}" for _, _, value in m]) for m, c in self.terms.items()), " × ")

    @property
    def is_sum(self) -> bool:
        """Whether the formula has several terms, and so needs brackets in a product."""
        return len(self.terms) > 1


def letter(name: str, value: int) -> Size:
    """The size that is written `name` and counts `value`."""
    return Size({((_READING_ORDER.find(name[0]) % 99, name, value),): 1}, value)


def of(value: Size | int) -> Size:
    """A size, also from a plain whole number."""
    return value if isinstance(value, Size) else Size({(): value}, value)


def product(sizes: Iterable[Size | int]) -> Size:
    """The product of all; 1 of none."""
    result = Size({(): 1}, 1)
    for size in sizes:
        result = result * size
    return result


def total(sizes: Iterable[Size]) -> Size:
    """The sum of all; 0 of none."""
    terms: dict[Monomial, int] = {}
    value = 0
    for size in sizes:
        value += size.value
        for monomial, coefficient in size.terms.items():
            terms[monomial] = terms.get(monomial, 0) + coefficient
    return Size(terms, value)


def _names(monomial: Monomial) -> Iterable[tuple[str, int]]:
    """Names with their exponents."""
    return ((letter[1], len(list(same))) for letter, same in groupby(monomial))


_POWERS = {1: "", 2: "²", 3: "³", 4: "⁴"}


def _power(name: str, exponent: int) -> str:
    return name + _POWERS.get(exponent, f"^{exponent}")


def _sum(terms: Iterable[tuple[int, list[str]]], times: str) -> str:
    shown = [times.join(factors if c == 1 and factors else [f"{c:,}", *factors]) for c, factors in terms if c]
    return " + ".join(shown) or "0"
