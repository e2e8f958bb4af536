"""Two unit systems and two walls."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from core.account import Account, account
from core.charts.description import Chart
from core.learn.description import Plot
from core.learn.pages import describe
from core.learn.units import mixed_quotient, quotient_in, same_step
from core.learn.walls import QUARTER_DAYS, states_on, walls
from core.quantities import GB, GIB, UnitMismatch, in_unit
from core.scenario import Scenario, from_texts
from tests.core.strategies import any_scenarios

LESSON = account(Scenario())


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


# The lesson: 480 GB ÷ 80 GB and 447 GiB ÷ 74.5 GiB are 6; 480 ÷ 74.505806 is 6.44.
def test_the_lessons_three_divisions() -> None:
    assert same_step(LESSON) == (GB, GIB)
    assert quotient_in(LESSON, GB).value == quotient_in(LESSON, GIB).value == 6
    assert mixed_quotient(LESSON) == Fraction(480) / (Fraction(80 * 10**9) / 2**30)
    figures = {figure.key: figure for figure in describe("units", LESSON).figures}
    assert (figures["GB"].label, figures["GB"].text, figures["GB"].mark) == ("480 GB ÷ 80 GB", "6", "right")
    assert (figures["GiB"].label, figures["GiB"].text) == ("447 GiB ÷ 74.5 GiB", "6")
    assert (figures["mixed"].text, figures["mixed"].mark) == ("6.44", "wrong")
    assert figures["needed"].text == "6 cards"


def test_the_mixed_division_is_one_that_amounts_refuse() -> None:
    with pytest.raises(UnitMismatch):
        in_unit(LESSON.training.count, GB) / in_unit(LESSON.card.room.count, GIB)


def test_both_rulers_measure_the_same_bytes() -> None:
    decimal, binary, _ = describe("units", LESSON).drawings
    assert isinstance(decimal, Chart)
    assert isinstance(binary, Chart)
    assert decimal.bars[0].total == binary.bars[0].total == 480_000_000_000
    assert decimal.bars[0].text == binary.bars[0].text == "480,000,000,000 B"
    assert {tick.text.split()[-1] for tick in decimal.ticks[1:]} == {"GB"}
    assert {tick.text.split()[-1] for tick in binary.ticks[1:]} == {"GiB"}


# nvidia-smi shows 81,559 MiB on an H100; PyTorch sees 79.19 GiB.
def test_one_card_has_three_figures() -> None:
    chart = describe("units", _account(card="H100 SXM", card_capacity="reported")).drawings[2]
    assert isinstance(chart, Chart)
    sizes = [bar.total for bar in chart.bars[:3]]
    assert sizes[:2] == [80 * 10**9, 81_559 * 2**20]
    assert abs(sizes[2] - Fraction("79.19") * 2**30) < 10**7
    assert [bar.chosen for bar in chart.bars] == [False, True, *[False] * (len(chart.bars) - 2)]


# 6 × 30 × 10⁹ × 600 × 10⁹ operations over 312 × 10¹² × 0.4 × 86,400 a day: 10,016.03 card days, 111.3 cards for 90.
# Stage 2: 60 GB + ⌈30 × 10⁹ ÷ N⌉ × 14 B fits in 80 GB from N = 22 on (at 21 it is 20,000,000,006 B too many by 6).
def test_the_lessons_walls() -> None:
    found = walls(LESSON)
    assert [line.value for line in found.memory] == [None, None, 22, 6]
    assert found.time.count == 112
    assert (found.deadline, found.assumed) == (QUARTER_DAYS, True)
    assert found.higher(3) == "time"
    assert found.higher(1) == "never"
    assert describe("walls", LESSON).said.startswith("Time is the higher wall: 6 cards hold the state at stage 3")


def test_memory_can_be_the_higher_wall() -> None:
    found = _account(params="1T", tokens="1B", deadline="90", zero="3")
    # 16 TB over 80 GB are 200 cards; 6 × 10²¹ operations take 556.5 card days.
    assert walls(found).higher(3) == "memory"
    assert walls(found).memory[3].count == 200
    assert walls(found).time.count == 7
    assert "Memory is the higher wall" in describe("walls", found).said


@given(any_scenarios())
def test_walls_are_the_accounts(scenario: Scenario) -> None:
    found = account(scenario)
    both = walls(found)
    assert both.memory == tuple(stage.to_fit for stage in found.stages)
    days = Fraction(found.time.days_on_one.value or 0)
    assert both.time.count * Fraction(both.deadline) >= days
    assert (both.time.count - 1) * Fraction(both.deadline) < days
    if scenario.deadline is not None:
        assert found.time.cards_for_deadline is not None
        assert both.time.count == found.time.cards_for_deadline.count


@given(any_scenarios())
def test_the_lines_go_through_the_accounts_figures(scenario: Scenario) -> None:
    found = account(scenario)
    memory, time = describe("walls", found).drawings
    assert isinstance(memory, Plot)
    assert isinstance(time, Plot)
    for stage, line in enumerate(memory.series):
        assert states_on(found, stage, found.cards.count) == found.stages[stage].per_card.count
        for x, y in (line.points[0], line.points[-1]):
            assert y == float(states_on(found, stage, int(x)))
    assert time.series[0].points[0][1] == pytest.approx(float(found.time.days_on_one.value or 0))
    assert memory.x_range == time.x_range
    assert memory.tick_room == time.tick_room
