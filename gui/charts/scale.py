"""From values to pixels, with the break of a bar that is too long."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from core.charts.description import Bar, Chart, Number


def ratio(part: Number, whole: Number) -> float:
    """A quotient as the nearest float; integers of any size divide exactly before they are rounded."""
    if isinstance(part, int) and isinstance(whole, int):
        return part / whole
    return float(Fraction(part) / whole)


class ValueScale(msgspec.Struct, frozen=True):
    """`width` pixels from `left` for values from 0 to `maximum`; values are compared exactly, only places are floats.

    Past `break_at` a bar longer than `maximum` leaves `gap` pixels for the break mark and has its rest pressed into
    what is left: at least `stub` pixels, and the whole width for a bar of `longest`.
    """

    left: float
    width: float
    maximum: Number
    break_at: Number
    longest: Number
    gap: float
    stub: float

    def x(self, value: Number) -> float:
        """Where a value stands, to scale."""
        return self.left + self.width * ratio(value, self.maximum)

    def broken(self, bar: Bar) -> bool:
        """Whether the bar is too long for the scale."""
        return bar.total > self.maximum

    def end(self, total: Number) -> float:
        """Where a bar of this length ends, broken or not."""
        if total <= self.maximum:
            return self.x(total)
        start = min(self.x(self.break_at) + self.gap, self.left + self.width - self.stub)
        room = max(0.0, self.left + self.width - start - self.stub)
        return start + self.stub + room * ratio(total - self.break_at, self.longest - self.break_at)

    def edges(self, bar: Bar) -> list[float]:
        """Where the segments meet: one more than there are segments, from the zero line on."""
        total = bar.total
        if total > self.maximum:
            end = self.end(total)
            start = min(self.x(self.break_at) + self.gap, end - self.stub)
        edges = [self.left]
        value: Number = 0
        for segment in bar.segments:
            value += segment.value
            if total > self.maximum and value > self.break_at:
                edges.append(start + (end - start) * ratio(value - self.break_at, total - self.break_at))
            else:
                edges.append(self.x(value))
        return edges


def reach(bar: Bar) -> Number:
    """The length of a bar or of its ghost, whichever is longer."""
    return max(bar.total, bar.ghost or 0)


def value_scale(chart: Chart, left: float, width: float, scale: float) -> ValueScale:
    """The scale of a chart over a width in pixels. A chart of nothing but zeros gets a scale from 0 to 1."""
    maximum = chart.maximum if chart.maximum > 0 else 1
    break_at = (
        chart.break_at if chart.break_at is not None and 0 < chart.break_at < maximum else maximum * Fraction(4, 5)
    )
    longest = max((reach(bar) for bar in chart.bars), default=maximum)
    return ValueScale(
        left,
        width,
        maximum,
        break_at,
        max(longest, maximum),
        gap=min(7 * scale, width * 0.08),
        stub=min(10 * scale, width * 0.1),
    )
