"""Units, and quantities that carry theirs.

Bytes are counted in whole bytes everywhere; a unit matters only when text is read or written. An `Amount` is a number
in one unit; two amounts in different units cannot be divided, added or compared, so that 480 GB ÷ 74.5 GiB = 6.4
cannot happen.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from core.numbers import Number, Unreadable, narrow, plain, significant

System = Literal["decimal", "binary"]


class Unit(msgspec.Struct, frozen=True):
    """A unit of memory: its symbol, how many bytes it is, and the system it belongs to."""

    symbol: str
    size: int
    system: System


BYTE = Unit("B", 1, "decimal")
_POWERS = range(1, 7)
_DECIMAL = tuple(Unit(f"{prefix}B", 1000**power, "decimal") for prefix, power in zip("kMGTPE", _POWERS, strict=True))
_BINARY = tuple(Unit(f"{prefix}iB", 1024**power, "binary") for prefix, power in zip("KMGTPE", _POWERS, strict=True))
LADDERS: dict[System, tuple[Unit, ...]] = {
    "decimal": (BYTE, *_DECIMAL),
    "binary": (BYTE, *_BINARY),
}
_BY_SYMBOL = {unit.symbol.lower(): unit for ladder in LADDERS.values() for unit in ladder}
_BY_SYMBOL |= {"byte": BYTE, "bytes": BYTE}
_BARE_PREFIXES = set("kmgtpe")


KB, MB, GB, TB, PB, EB = _DECIMAL
KIB, MIB, GIB, TIB, PIB, EIB = _BINARY


class UnitMismatch(TypeError):
    """Two amounts in different units met in one operation."""


class Amount(msgspec.Struct, frozen=True):
    """A number in one unit, as a person reads it: 480 GB, 447.03 GiB."""

    value: Number
    unit: Unit

    def _same(self, other: Amount, sign: str) -> None:
        if not isinstance(other, Amount) or other.unit != self.unit:
            what = other.unit.symbol if isinstance(other, Amount) else "a bare number"
            raise UnitMismatch(f"{self.unit.symbol} {sign} {what}: convert both to one unit first")

    def __truediv__(self, other: Amount) -> Fraction:
        self._same(other, "÷")
        return Fraction(self.value) / Fraction(other.value)

    def __add__(self, other: Amount) -> Amount:
        self._same(other, "+")
        return Amount(narrow(self.value + other.value), self.unit)

    def __sub__(self, other: Amount) -> Amount:
        self._same(other, "−")
        return Amount(narrow(self.value - other.value), self.unit)

    def __lt__(self, other: Amount) -> bool:
        self._same(other, "<")
        return self.value < other.value

    @property
    def bytes(self) -> Number:
        """How many bytes this is."""
        return narrow(self.value * self.unit.size)

    def to(self, unit: Unit) -> Amount:
        """The same bytes in another unit."""
        return in_unit(self.bytes, unit)

    def __str__(self) -> str:
        return f"{significant(self.value)} {self.unit.symbol}"


def in_unit(count: Number, unit: Unit) -> Amount:
    """`count` bytes as an amount in `unit`, exactly."""
    return Amount(narrow(Fraction(count) / unit.size), unit)


def ladder_unit(count: Number, system: System = "decimal") -> Unit:
    """The unit in which `count` bytes read best: the largest of its system of which there is at least one."""
    chosen = BYTE
    for unit in LADDERS[system]:
        # 999.6 MB would be written 1,000 MB: it reads as 1 GB instead.
        if max(count, -count) * 2000 >= unit.size * 1999:
            chosen = unit
    return chosen


def bytes_text(count: Number, system: System = "decimal", digits: int = 3) -> str:
    """`count` bytes to `digits` significant digits in the best unit of one system: "480 GB", "447 GiB"."""
    unit = ladder_unit(count, system)
    return f"{significant(Fraction(count) / unit.size, digits)} {unit.symbol}"


def both_text(count: Number) -> str:
    """The same bytes in both systems: "480 GB (447 GiB)"."""
    if max(count, -count) < 1000:
        return f"{plain(count)} B"
    return f"{bytes_text(count)} ({bytes_text(count, 'binary')})"


def count_text(count: Number, digits: int = 3) -> str:
    """A count as people say it, to `digits` significant digits: "70.6B", "405B", "128k"."""
    for suffix, size in (("T", 10**12), ("B", 10**9), ("M", 10**6), ("k", 10**3)):
        if count * 2000 >= size * 1999:
            return f"{significant(Fraction(count) / size, digits)}{suffix}"
    return significant(count, digits)


def shortest_bytes(count: int) -> str:
    """The shortest text that reads back as exactly `count` bytes: "80 GB", "80 GiB", "81,559 MiB"."""
    best = f"{count:,} B"
    for ladder in LADDERS.values():
        for unit in ladder[1:]:
            value = Fraction(count, unit.size)
            if value < 1 or 10**6 % value.denominator:
                continue
            text = f"{plain(value)} {unit.symbol}"
            if len(text) < len(best) or (len(text) == len(best) and unit.system == "decimal"):
                best = text
    return best


def unit_of(symbol: str) -> Unit:
    """The unit a person names, in any case of letters; "" is bytes. Raises Unreadable where GB or GiB is left open."""
    if not symbol:
        return BYTE
    unit = _BY_SYMBOL.get(symbol.lower())
    if unit is not None:
        return unit
    first = symbol[0].upper()
    if symbol.lower() in _BARE_PREFIXES or symbol.lower() in {f"{prefix}i" for prefix in _BARE_PREFIXES}:
        raise Unreadable(f"leaves the unit open: {first}B is decimal, {first}iB is binary")
    raise Unreadable(f"has the unit {symbol[:12]!r}, which is no unit of memory")
