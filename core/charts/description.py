"""What a chart shows, as plain data.

A description is complete: whoever paints it (window, PNG, SVG, PDF) or reads it (table, screen reader) adds no
number and no word. Values are in the chart's base unit (bytes, or bytes per parameter); only texts are rounded.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

Number = int | Fraction


class Segment(msgspec.Struct, frozen=True):
    """One part of a stacked bar. `role` is a colour role: a band's name. `key` leads to its derivation."""

    role: str
    label: str
    value: Number
    text: str
    key: str = ""


class Bar(msgspec.Struct, frozen=True):
    """One horizontal bar: its name at the left, its segments from zero, its value written at its end.

    What follows the first " · " of `text` is a remark, which a painter may set more quietly or below the value.
    `over`: it passes a limit of the chart. `chosen`: it is the case the scenario describes. `ghost`: how long this bar
    is in the pinned baseline, where there is one to compare with.
    """

    label: str
    segments: tuple[Segment, ...]
    text: str
    note: str = ""
    key: str = ""
    over: bool = False
    chosen: bool = False
    ghost: Number | None = None

    @property
    def total(self) -> Number:
        """Sum of the segments, in the chart's base unit."""
        return sum((segment.value for segment in self.segments), 0)


class Limit(msgspec.Struct, frozen=True):
    """A labelled line across the bars, such as the memory of one card."""

    value: Number
    label: str


class Tick(msgspec.Struct, frozen=True):
    """A mark of the value axis."""

    value: Number
    text: str


class Chart(msgspec.Struct, frozen=True):
    """Horizontal stacked bars against a linear axis from 0 to `maximum`.

    A bar longer than `maximum` is broken: drawn to scale up to `break_at`, then a break mark, then the rest pressed
    into what is left of the width. `break_at` is None where no bar is.
    """

    name: str
    title: str
    caption: str
    unit: str
    bars: tuple[Bar, ...]
    limits: tuple[Limit, ...]
    ticks: tuple[Tick, ...]
    maximum: Number
    break_at: Number | None
    spoken: str
