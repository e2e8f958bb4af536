"""Sizes that remember what they were made of: polynomials in letters, each letter with its value.

A tensor's shape is written in these, so the number of a term, its formula in letters (h·q·d) and its formula in
figures (4,096 × 32 × 128) are one object and cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Monomial = tuple[tuple[str, int], ...]
"""Letters with their exponents, in the order in which they were first multiplied."""


class Size:
    """A whole number, as a sum of products of letters. `value` is its exact figure.

    Letters are compared by name; two letters of one name in one formula must have one value.
    """

    __slots__ = ("letters", "terms", "value")

    def __init__(self, terms: Mapping[Monomial, int], value: int, letters: Mapping[str, int]) -> None:
        self.terms = terms
        self.value = value
        self.letters = letters

    def __add__(self, other: Size | int) -> Size:
        other = of(other)
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + coefficient
        return Size(terms, self.value + other.value, {**self.letters, **other.letters})

    def __mul__(self, other: Size | int) -> Size:
        if isinstance(other, int):
            return Size({m: c * other for m, c in self.terms.items()}, self.value * other, self.letters)
        terms: dict[Monomial, int] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial = _product(left, right)
                terms[monomial] = terms.get(monomial, 0) + a * b
        return Size(terms, self.value * other.value, {**self.letters, **other.letters})

    __radd__ = __add__
    __rmul__ = __mul__

    def __sub__(self, other: Size | int) -> Size:
        return self + of(other) * -1

    def __int__(self) -> int:
        return self.value

    def in_letters(self) -> str:
        """The polynomial in letters: "2·h·q·d + h"."""
        return _sum((c, [_power(name, exponent) for name, exponent in m]) for m, c in self.terms.items())

    def in_figures(self) -> str:
        """The same polynomial with each letter's value in its place: "2 × 4,096 × 32 × 128 + 4,096"."""
        return _sum(
            ((c, [f"{self.letters[name]:,}" for name, e in m for _ in range(e)]) for m, c in self.terms.items()), " × "
        )

    @property
    def is_sum(self) -> bool:
        """Whether the formula has several terms, and so needs brackets in a product."""
        return sum(1 for c in self.terms.values() if c) > 1


def letter(name: str, value: int) -> Size:
    """The size that is written `name` and counts `value`."""
    return Size({((name, 1),): 1}, value, {name: value})


def of(value: Size | int) -> Size:
    """A size, also from a plain whole number."""
    return value if isinstance(value, Size) else Size({(): value}, value, {})


def product(sizes: Iterable[Size | int]) -> Size:
    """The product of all; 1 of none."""
    result = of(1)
    for size in sizes:
        result = result * size
    return result


def total(sizes: Iterable[Size | int]) -> Size:
    """The sum of all; 0 of none."""
    result = Size({}, 0, {})
    for size in sizes:
        result = result + size
    return result


def _product(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    powers = dict(left)
    for name, exponent in right:
        powers[name] = powers.get(name, 0) + exponent
    return tuple(sorted(powers.items(), key=_order))


_READING_ORDER = "VLhqkdf"


def _order(factor: tuple[str, int]) -> tuple[int, str]:
    position = _READING_ORDER.find(factor[0][0])
    return (position if position >= 0 else len(_READING_ORDER), factor[0])


_POWERS = {1: "", 2: "²", 3: "³", 4: "⁴"}


def _power(name: str, exponent: int) -> str:
    return name + _POWERS.get(exponent, f"^{exponent}")


def _sum(terms: Iterable[tuple[int, list[str]]], times: str = "·") -> str:
    text = ""
    for coefficient, factors in terms:
        if not coefficient:
            continue
        size = abs(coefficient)
        shown = factors if size == 1 and factors else [f"{size:,}", *factors]
        sign = "-" if coefficient < 0 else "+"
        text += f" {sign} " if text else "-" * (coefficient < 0)
        text += times.join(shown)
    return text or "0"
