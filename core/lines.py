"""Lines of the account: numbers that know how they came about.

A line is computed from its parts by the function that makes it, so that what a person reads when they ask "why?" is
what was computed. Text is made only when someone looks.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from core.numbers import Number, ceil, narrow, places, plain, significant

Operation = Literal["given", "product", "sum", "difference", "quotient", "up", "search"]


class Line(msgspec.Struct, frozen=True):
    """A quantity: `value` in `unit` (bytes are whole), what it is called, and the parts it is made of.

    `operation` says how: a product is rounded up to a whole number where `whole` is set; "up" is a quotient rounded
    up; "search" is the smallest number of its unit for which `reason` holds. `source` names where a given figure is
    from, `field` the input that decides it.
    """

    name: str
    value: Number | None
    unit: str = ""
    operation: Operation = "given"
    parts: tuple[Line, ...] = ()
    whole: bool = False
    reason: str = ""
    source: str = ""
    field: str = ""

    @property
    def count(self) -> int:
        """The value of a line that is whole by construction (bytes, cards)."""
        assert isinstance(self.value, int), self
        return self.value

    def text(self, named: bool = False) -> str:
        """The derivation in one line of figures: "30,000,000,000 × 16 B = 480,000,000,000 B"."""
        result = amount(self.value, self.unit, whole_text=self.operation == "given")
        if self.operation == "given" or not (self.parts or self.reason):
            return f"{result}{f' ({self.source})' if self.source else ''}"
        if self.operation == "search":
            return f"{result}: {self.reason}"
        exact = all(part._written_exactly() for part in self.parts)
        rounded = self.value is not None and not (exact and _is_short(self.value))
        return f"{self._expression(named)} {'≈' if rounded else '='} {result}"

    def _expression(self, named: bool) -> str:
        # What is added or taken away is of one unit: only names tell the parts apart.
        alike = self.operation in ("sum", "difference")
        parts = [part._within(named, alike) for part in self.parts]
        if self.operation == "product":
            joined = " × ".join(parts)
            return f"⌈{joined}⌉" if self.whole else joined
        if self.operation == "up":
            return f"⌈{' ÷ '.join(parts)}⌉"
        return {"sum": " + ", "difference": " − ", "quotient": " ÷ "}[self.operation].join(parts)

    def _within(self, named: bool, alike: bool) -> str:
        """How the line stands inside another's expression: a shard keeps its quotient, all else is its value."""
        if self.operation == "up" and self.unit == "":
            return self._expression(named)
        # What was given stands with all its digits, so that whoever multiplies by hand gets the result.
        figure = amount(self.value, self.unit, whole_text=self.operation == "given")
        if not (named and self.name) or (self.unit and not alike):
            return figure
        return f"{figure} ({self.name})" if self.unit else f"{figure} {self.name}"

    def _written_exactly(self) -> bool:
        if self.value is None or self.operation == "up":
            return True
        return _is_short(self.value) or (self.operation == "given" and places(self.value) is not None)

    def fields(self) -> list[str]:
        """The inputs that decide the figure, in the order in which its derivation meets them."""
        found = [self.field] if self.field else []
        for part in self.parts:
            found += [name for name in part.fields() if name not in found]
        return found

    def steps(self) -> list[str]:
        """The whole derivation, one line of words and figures for each step, from what is given to the result."""
        seen: list[str] = []
        for part in self.parts:
            if part.operation != "given":
                for step in part.steps():
                    if step not in seen:
                        seen.append(step)
        seen.append(f"{self.name}: {self.text(named=True)}" if self.name else self.text(named=True))
        return seen


def _is_short(value: Number) -> bool:
    """Whether all digits of `value` can be written: whole, or at most six places after the point."""
    return 10**6 % value.denominator == 0


def amount(value: Number | None, unit: str, whole_text: bool = False) -> str:
    """A figure with its unit, all digits where it is whole or `whole_text` is set; "none" where there is no value."""
    if value is None:
        return "none"
    figure = plain(value) if whole_text or _is_short(value) else significant(value, 6)
    if unit in ("cards", "nodes") and value == 1:
        unit = unit[:-1]
    return f"{figure} {unit}".rstrip()


def given(name: str, value: Number, unit: str = "", source: str = "", field: str = "") -> Line:
    """A figure that comes from the scenario or a table; `field` is the input that decides it."""
    return Line(name, value, unit, source=source, field=field)


def product(name: str, unit: str, *parts: Line, whole: bool = False) -> Line:
    """The parts multiplied; rounded up to a whole number where `whole` is set and it is not one."""
    value: Number = 1
    for part in parts:
        value = value * (part.value if part.value is not None else 0)
    value = narrow(value)
    if whole and not isinstance(value, int):
        return Line(name, ceil(value), unit, "product", parts, whole=True)
    return Line(name, value, unit, "product", parts)


def total(name: str, unit: str, parts: tuple[Line, ...]) -> Line:
    """The parts added."""
    return Line(name, narrow(sum((part.value or 0 for part in parts), 0)), unit, "sum", parts)


def difference(name: str, unit: str, first: Line, *rest: Line) -> Line:
    """The first part less the others."""
    assert first.value is not None
    return Line(name, narrow(first.value - sum(part.value or 0 for part in rest)), unit, "difference", (first, *rest))


def quotient(name: str, unit: str, first: Line, *rest: Line) -> Line:
    """The first part divided by the others, exactly."""
    assert first.value is not None
    value = Fraction(first.value)
    for part in rest:
        value /= part.value or 1
    return Line(name, narrow(value), unit, "quotient", (first, *rest))


def quotient_up(name: str, unit: str, first: Line, *rest: Line) -> Line:
    """The first part divided by the others, rounded up to a whole number in integers."""
    assert first.value is not None
    value: Number = first.value
    divisor: Number = 1
    for part in rest:
        divisor = divisor * (part.value or 1)
    if isinstance(value, int) and isinstance(divisor, int):
        return Line(name, -(-value // divisor), unit, "up", (first, *rest))
    return Line(name, ceil(Fraction(value) / divisor), unit, "up", (first, *rest))


def search(name: str, value: int | None, unit: str, reason: str) -> Line:
    """The smallest number of `unit` for which `reason` holds, or None where none does."""
    return Line(name, value, unit, "search", reason=reason)
