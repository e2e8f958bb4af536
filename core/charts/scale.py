"""The value axis of a chart: its end, its ticks, and where bars too long for it are broken."""

from __future__ import annotations

from fractions import Fraction

from core.charts.description import Bar, Limit, Tick
from core.numbers import Number, narrow, significant
from core.quantities import System, ladder_unit

# A bar this many times the card is broken, rather than shrinking the card to nothing. Where no bar is shorter there is
# nothing to show at the card's size, and bars stay whole up to the second figure.
BREAK_AT_CARDS = 8
BREAK_WHERE_ALL_ARE_LONG = 24
_MOST_TICKS = 6


def tick_step(maximum: Number, most: int = _MOST_TICKS) -> Fraction:
    """The smallest of 1, 2, 5 × 10ⁿ of which at most `most` fit below `maximum`."""
    step = Fraction(1)
    while maximum / step > most:
        step *= 10
    while maximum / step < Fraction(most, 10):
        step /= 10
    for part in (Fraction(1, 5), Fraction(1, 2), Fraction(1)):
        if maximum / (step * part) <= most:
            return step * part
    return step


def byte_ticks(maximum: Number, system: System) -> tuple[Tick, ...]:
    """Ticks at round figures of the unit in which `maximum` reads best; the unit is written at each."""
    if maximum <= 0:
        return ()
    unit = ladder_unit(maximum, system)
    step = tick_step(Fraction(maximum) / unit.size)
    count = int(Fraction(maximum) / unit.size / step)
    return tuple(
        Tick(narrow(step * place * unit.size), f"{significant(step * place, 4)} {unit.symbol}" if place else "0")
        for place in range(count + 1)
    )


def plain_ticks(maximum: Number, unit: str) -> tuple[Tick, ...]:
    """Ticks at round figures, each with `unit`."""
    if maximum <= 0:
        return ()
    step = tick_step(maximum)
    return tuple(
        Tick(narrow(step * place), f"{significant(step * place, 4)} {unit}" if place else "0")
        for place in range(int(maximum / step) + 1)
    )


def reach(bars: tuple[Bar, ...], limits: tuple[Limit, ...]) -> tuple[Number, Number | None]:
    """The end of the axis, and where longer bars are broken: None where every bar is drawn to scale."""
    longest = max((_length(bar) for bar in bars), default=0)
    marks = max((limit.value for limit in limits), default=0)
    short = any(_length(bar) <= BREAK_AT_CARDS * marks for bar in bars)
    if not marks or longest <= (BREAK_AT_CARDS if short else BREAK_WHERE_ALL_ARE_LONG) * marks:
        return max(longest, marks, 1), None
    # Of bars and of baselines: one of them between break and end of the axis would be drawn past a broken one.
    totals = sorted(length for bar in bars for length in (bar.total, bar.ghost or 0))
    whole: Number = max((total for total in totals if total <= BREAK_AT_CARDS * marks), default=0)
    while True:
        break_at = max(Fraction(whole) * Fraction(21, 20), Fraction(marks) * Fraction(8, 5))
        maximum = break_at * Fraction(5, 4)
        # A bar that would end between break and end of the axis is drawn to scale with the others.
        between = [total for total in totals if whole < total <= maximum]
        if not between:
            break
        whole = between[-1]
    return (narrow(maximum), narrow(break_at)) if longest > maximum else (max(longest, marks), None)


def _length(bar: Bar) -> Number:
    """How far a bar reaches, now or in the baseline."""
    return max(bar.total, bar.ghost or 0)
