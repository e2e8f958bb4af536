"""The axis of a chart: where it ends, where it breaks, and its ticks."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.charts.description import Bar, Limit, Segment
from core.charts.scale import BREAK_AT_CARDS, byte_ticks, plain_ticks, reach, tick_step
from core.numbers import Number
from core.quantities import System

SYSTEMS: tuple[System, ...] = ("decimal", "binary")


SIZES = st.lists(st.integers(0, 10**6), min_size=1, max_size=8)


@given(SIZES, st.lists(st.integers(1, 10**4), max_size=3))
def test_an_axis_is_broken_only_where_a_bar_is_much_longer_than_the_card(sizes: list[int], marks: list[int]) -> None:
    bars = tuple(Bar(str(place), (Segment("parameters", "", size, ""),), "") for place, size in enumerate(sizes))
    maximum, break_at = reach(bars, tuple(Limit(mark, "") for mark in marks))
    longest = max(sizes)
    if not marks or longest <= BREAK_AT_CARDS * max(marks):
        assert break_at is None
        assert maximum == max(longest, *marks, 1)
        return
    if break_at is None:
        assert maximum == longest
        return
    assert break_at >= max(marks) * Fraction(8, 5), "the card stays readable"
    assert maximum < longest
    assert all(size <= break_at or size > maximum for size in sizes)


# Cards of 100. Nine cards beside 7.9: a break would fall beyond the bar that it is for. With a hundred cards as well
# the nine are drawn to scale, a twentieth short of the break at 945, and the axis ends a quarter further on.
@pytest.mark.parametrize(
    ("sizes", "axis"),
    [
        ((790, 900), (900, None)),
        ((790, 900, 10_000), (Fraction(4725, 4), 945)),
        ((50, 10_000), (200, 160)),
        ((50, 800), (800, None)),
        ((50,), (100, None)),
    ],
)
def test_where_an_axis_ends_and_breaks(sizes: tuple[int, ...], axis: tuple[Number, Number | None]) -> None:
    bars = tuple(Bar(str(size), (Segment("parameters", "", size, ""),), "") for size in sizes)
    assert reach(bars, (Limit(100, ""),)) == axis


@given(SIZES, SIZES, st.integers(1, 10**4))
def test_no_baseline_stands_between_break_and_end_of_the_axis(sizes: list[int], ghosts: list[int], mark: int) -> None:
    # There it would be drawn to scale, past the end of a longer bar that is broken.
    bars = tuple(
        Bar(str(place), (Segment("parameters", "", size, ""),), "", ghost=ghost)
        for place, (size, ghost) in enumerate(zip(sizes, ghosts, strict=False))
    )
    maximum, break_at = reach(bars, (Limit(mark, ""),))
    if break_at is not None:
        assert not [length for bar in bars for length in (bar.total, bar.ghost or 0) if break_at < length <= maximum]


@pytest.mark.parametrize(
    ("maximum", "step"),
    [
        (1, Fraction(1, 5)),
        (6, 1),
        (7, 2),
        (16, 5),
        (30, 5),
        (31, 10),
        (100, 20),
        (480, 100),
        (Fraction(1, 2), Fraction(1, 10)),
    ],
)
def test_ticks_step_by_one_two_or_five(maximum: Number, step: Number) -> None:
    assert tick_step(maximum) == step


@given(st.integers(1, 10**21), st.sampled_from(SYSTEMS))
def test_an_axis_of_bytes_has_a_few_ticks_that_reach_far(maximum: int, system: System) -> None:
    ticks = byte_ticks(maximum, system)
    assert len({tick.text for tick in ticks}) == len(ticks)
    assert 2 <= len(ticks) <= 7
    assert maximum * Fraction(2, 3) <= ticks[-1].value <= maximum


def test_an_empty_axis_has_no_ticks() -> None:
    assert byte_ticks(0, "decimal") == plain_ticks(0, "B") == ()
