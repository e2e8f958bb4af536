"""Charts as data: bars add up, axes hold what is drawn on them, and both unit systems say the same."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.account import Account, account
from core.bands import ALL_LABELS
from core.charts.build import share_text
from core.charts.catalogue import CHARTS, PAGES, card_ladder, describe_charts
from core.charts.compare import describe_beside
from core.charts.description import Bar, Chart, Limit
from core.ledger import ledger
from core.numbers import Number, split_number
from core.quantities import LADDERS, System, unit_of
from core.scenario import Scenario, from_texts
from tests.core.strategies import any_scenarios

SYSTEMS: tuple[System, ...] = ("decimal", "binary")
IN_BYTES = ("footprint", "stages", "cards")


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


def _chart(name: str, found: Account, system: System = "decimal") -> Chart:
    return CHARTS[name].describe(found, system)


def _all(found: Account) -> list[Chart]:
    """Every chart that has something to draw, in both unit systems."""
    charts = [_chart(name, found, system) for name in CHARTS for system in SYSTEMS]
    return [chart for chart in charts if chart.bars]


@given(any_scenarios())
def test_every_scenario_has_every_chart(scenario: Scenario) -> None:
    charts = _all(account(scenario))
    drawn = {chart.name for chart in charts}
    assert drawn >= {"per-parameter", "footprint", "stages", "cards"}
    assert ("model" in drawn) == (scenario.model is not None)
    assert drawn >= {"step", "kept"} if account(scenario).stage.bill else not drawn & {"step", "kept"}
    for chart in charts:
        assert chart.title
        assert chart.caption
        assert chart.spoken.startswith(chart.caption)
        for bar in chart.bars:
            assert bar.label in chart.spoken
            assert bar.text in chart.spoken


@given(any_scenarios())
def test_labels_are_unique_and_values_are_no_less_than_nothing(scenario: Scenario) -> None:
    for chart in _all(account(scenario)):
        assert len({bar.label for bar in chart.bars}) == len(chart.bars)
        assert len({limit.label for limit in chart.limits}) == len(chart.limits)
        assert len({tick.text for tick in chart.ticks}) == len(chart.ticks)
        for bar in chart.bars:
            assert bar.segments
            assert len({segment.label for segment in bar.segments}) == len(bar.segments)
            assert all(segment.value >= 0 and segment.role in {*ALL_LABELS, "idle"} for segment in bar.segments)


@given(any_scenarios())
def test_bars_are_the_accounts_figures(scenario: Scenario) -> None:
    found = account(scenario)
    each = _chart("per-parameter", found)
    assert [bar.total for bar in each.bars] == [
        kept.item.bytes for kept in found.kept if kept.item.bytes or kept.item.name != "other"
    ]
    training, inference = _chart("footprint", found).bars
    assert (training.total, inference.total) == (found.training.count, found.inference.count)
    assert [segment.value for segment in training.segments] == [line.count for line in found.bands.values()]
    stages = _chart("stages", found).bars
    assert [bar.total for bar in stages] == [stage.peak.count for stage in found.stages]
    assert [bar.over for bar in stages] == [not stage.fits for stage in found.stages]
    assert [bar.chosen for bar in stages] == [stage.stage == found.stage.stage for stage in found.stages]
    by_cards = _chart("cards", found)
    (chosen,) = [bar for bar in by_cards.bars if bar.chosen]
    assert chosen.total == found.stages[found.stage.stage or 3].peak.count
    if scenario.model is None:
        totals = [bar.total for bar in by_cards.bars]
        assert totals == sorted(totals, reverse=True)


@given(any_scenarios())
def test_every_key_leads_to_a_row_of_the_ledger_with_the_same_figure(scenario: Scenario) -> None:
    found = account(scenario)
    rows = {row.key: row.line.value for row in ledger(found)}
    for chart in _all(found):
        for bar in chart.bars:
            assert not bar.key or bar.key in rows, bar
            if bar.key and chart.name != "kept":  # parts of a sum have the key of the sum
                assert rows[bar.key] == bar.total
            for segment in bar.segments:
                assert not segment.key or segment.key in rows, segment
                if segment.key and segment.key != bar.key:
                    assert rows[segment.key] == segment.value


def test_what_the_forward_pass_keeps_names_the_largest_tensor_and_its_equals() -> None:
    found = account(from_texts({"model": "Llama 3 8B", "seq_len": "2,048"}))
    said = {bar.label: bar.text for bar in _chart("kept", found).bars}
    # The MLP keeps gate, up, SiLU(gate) and their product, each b·s·f numbers: 32 × 2,048 × 14,336 × 2 B = 1.88 GB.
    assert said["MLP"] == "8.05 GB · largest: gate, with 3 as large"
    assert said["Loss"] == "1.05 GB · largest: log-probabilities"  # 2,048 × 128,256 × 4 B, the only one of its size


def test_what_stands_once_is_in_no_layer() -> None:
    found = account(from_texts({"model": "Llama 3 8B"}))
    norms = next(bar for bar in _chart("model", found).bars if bar.label == "Norms")
    # Two norms of 4,096 in each of 32 layers, and one more after them: 2 × 4,096 = 8.19 thousand.
    assert norms.text.endswith("8.19k in each of 32 layers")
    assert norms.total == 65 * 4096


def test_figures_of_an_average_are_cut_to_six_digits() -> None:
    chart = _chart("per-parameter", account(from_texts({"model": "Llama 3 8B", "lora_rank": "16"})))
    assert max(len(word.partition(".")[2]) for word in chart.caption.split()) <= 7


def test_beside_a_baseline_each_bar_says_how_far_it_moved() -> None:
    before = account(from_texts({"params": "30B", "cards": "6"}))
    after = account(from_texts({"params": "60B", "cards": "6"}))
    said = {bar.label: bar.text for bar in describe_beside("footprint", after, before, "decimal").bars}
    # 60 × 10⁹ × 16 B = 960 GB against 480; × 2 B = 120 GB against 60.
    assert said == {"Training": "960 GB · +480 GB, +100 %", "Inference": "120 GB · +60 GB, +100 %"}
    stages = {bar.label: bar.text for bar in describe_beside("stages", after, before, "decimal").bars}
    assert stages["Stage 3"] == "160 GB · +80 GB, +100 %"  # 960 ÷ 6 against 480 ÷ 6
    chart = describe_beside("per-parameter", account(from_texts({"precision": "fp32"})), before, "decimal")
    assert "Weights: 4 B · +2 B, +100 %" in chart.spoken
    same = {bar.label: bar.text for bar in describe_beside("stages", before, before, "decimal").bars}
    assert same["Stage 3"] == "80 GB · fits"


def _worth(text: str, unit: str) -> Number:
    """What a text on a chart stands for: bytes in its unit, or parameters with the letter that people say."""
    number, symbol = split_number(text)
    return number * (unit_of(symbol).size if unit == "B" else {"": 1, "k": 10**3, "M": 10**6, "B": 10**9}[symbol])


@given(any_scenarios())
def test_both_unit_systems_draw_the_same_bytes_and_write_their_own_units(scenario: Scenario) -> None:
    found = account(scenario)
    for name in CHARTS:
        decimal, binary = (_chart(name, found, system) for system in SYSTEMS)
        assert [bar.total for bar in decimal.bars] == [bar.total for bar in binary.bars]
        assert [limit.value for limit in decimal.limits] == [limit.value for limit in binary.limits]
        assert (decimal.maximum, decimal.break_at) == (binary.maximum, binary.break_at)
    for name in IN_BYTES:
        for system in SYSTEMS:
            own = {unit.symbol for unit in LADDERS[system]}
            chart = _chart(name, found, system)
            texts = [segment.text for bar in chart.bars for segment in bar.segments]
            for text in texts + [tick.text for tick in chart.ticks if tick.text != "0"]:
                assert split_number(text)[1] in own, text


@given(any_scenarios())
def test_a_segments_text_is_its_value(scenario: Scenario) -> None:
    for chart in _all(account(scenario)):
        for bar in chart.bars:
            for segment in bar.segments:
                assert abs(Fraction(_worth(segment.text, chart.unit) - segment.value)) <= Fraction(segment.value) / 100


@given(any_scenarios())
def test_ticks_stand_inside_the_axis_at_the_value_they_say(scenario: Scenario) -> None:
    for chart in _all(account(scenario)):
        end = chart.break_at if chart.break_at is not None else chart.maximum
        values = [tick.value for tick in chart.ticks]
        assert values[0] == 0
        assert values == sorted(set(values))
        assert values[-1] <= end
        assert 2 <= len(values) <= 7
        assert len({second - first for first, second in itertools.pairwise(values)}) == 1
        for tick in chart.ticks[1:]:
            assert _worth(tick.text, chart.unit) == tick.value, "a tick is at a round figure, and says it whole"


def _broken(chart: Chart) -> list[Bar]:
    return [bar for bar in chart.bars if bar.total > chart.maximum]


@given(any_scenarios())
def test_the_axis_holds_every_bar_that_is_not_broken_and_every_limit(scenario: Scenario) -> None:
    for chart in _all(account(scenario)):
        assert chart.maximum > 0
        assert all(limit.value <= chart.maximum for limit in chart.limits)
        assert bool(_broken(chart)) == (chart.break_at is not None)
        if chart.break_at is not None:
            assert 0 < chart.break_at < chart.maximum
            assert all(limit.value < chart.break_at for limit in chart.limits)
            # No bar ends in the gap that stands for what is left out.
            assert all(bar.total <= chart.break_at or bar.total > chart.maximum for bar in chart.bars)


# The lesson: 480 GB against 60 GB on cards of 80 GB, lines at each of six cards.
def test_the_footprint_of_the_lesson() -> None:
    chart = _chart("footprint", _account())
    assert chart.caption == "480 GB against 60 GB: the weights alone are one eighth"
    assert [segment.text for segment in chart.bars[0].segments] == ["60 GB", "60 GB", "360 GB"]
    assert (chart.bars[0].text, chart.bars[1].text) == ("480 GB", "60 GB")
    assert {limit.value % (80 * 10**9) for limit in chart.limits} == {0}
    assert chart.limits[0] == Limit(80 * 10**9, "1 card")
    assert chart.limits[-1] == Limit(480 * 10**9, "6 cards")
    binary = _chart("footprint", _account(), "binary")
    assert (binary.bars[0].text, binary.bars[1].text) == ("447 GiB", "55.9 GiB")


@given(any_scenarios())
def test_lines_at_whole_cards_are_few_and_end_at_the_cards_needed(scenario: Scenario) -> None:
    found = account(scenario)
    chart = _chart("footprint", found)
    if found.cards_needed is None:
        assert chart.limits == ()
        return
    room, needed = found.card.room.count, found.cards_needed.count
    assert 1 <= len(chart.limits) <= 7
    counts = [Fraction(limit.value, room) for limit in chart.limits]
    assert all(count.denominator == 1 for count in counts)
    assert counts == sorted(set(counts))
    assert counts[-1] == needed
    for count, limit in zip(counts, chart.limits, strict=True):
        assert limit.label == (f"{int(count):,} cards" if count > 1 else "1 card")
        assert count == needed or limit.value * 50 >= found.training.count, "none is drawn over the axis"


# 505 × 10⁹ × 16 B on 80 GB are 101 cards: a line at 50, but none at 100, on top of the last, and none at the first, a
# hundredth of the way. With 99 cards every twentieth has one.
def test_lines_at_whole_cards_keep_clear_of_the_last_and_of_the_axis() -> None:
    for params, counts in (("505B", (50, 101)), ("495B", (20, 40, 60, 80, 99)), ("30B", (1, 2, 4, 6))):
        chart = _chart("footprint", _account(params=params))
        labels = [f"{count} cards" if count > 1 else "1 card" for count in counts]
        assert [limit.label for limit in chart.limits] == labels


def test_the_stages_of_the_papers_figure() -> None:
    chart = _chart("stages", _account(params="7.5B", cards="64", zero="2"))
    assert [bar.text for bar in chart.bars] == [
        "120 GB · over by 40 GB", "31.4 GB · fits", "16.6 GB · fits", "1.88 GB · fits",
    ]  # fmt: skip
    assert chart.caption == "On 64 cards: from stage 1 on it fits"
    assert chart.limits == (Limit(80 * 10**9, "80 GB, one card"),)


@pytest.mark.parametrize(
    ("texts", "caption"),
    [
        ({}, "On 6 cards: from stage 3 on it fits"),
        ({"params": "1B"}, "On 1 card: it fits at every stage"),
        ({"params": "1T"}, "On 200 cards: from stage 3 on it fits"),
        ({"params": "1T", "cards": "8"}, "On 8 cards: it fits at no stage"),
    ],
)
def test_what_the_chart_of_stages_says(texts: dict[str, str], caption: str) -> None:
    assert _chart("stages", account(from_texts(texts))).caption == caption


@pytest.mark.parametrize(
    ("texts", "caption"),
    [
        ({}, "At stage 3 (stage 0 shares nothing): it fits from 6 cards on"),
        ({"zero": "2"}, "At stage 2: it fits from 22 cards on"),
        ({"zero": "1"}, "At stage 1: it fits on no number of cards"),
        ({"params": "1B", "zero": "3"}, "At stage 3: it fits from 1 card on"),
    ],
)
def test_what_the_chart_by_cards_says(texts: dict[str, str], caption: str) -> None:
    assert _chart("cards", account(from_texts(texts))).caption == caption


@given(st.integers(1, 10**11))
def test_the_ladder_of_cards_is_short_and_holds_one_and_the_chosen(chosen: int) -> None:
    ladder = card_ladder(chosen)
    assert ladder == sorted(set(ladder))
    assert {1, chosen} <= set(ladder)
    assert 3 <= len(ladder) <= 8
    assert all(count & (count - 1) == 0 for count in ladder if count != chosen), "powers of two beside it"


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(60, 480, "one eighth"), (12, 16, "three quarters"), (1, 2, "half"), (4, 16, "a quarter"), (2, 18, "11.1 %")],
)
def test_a_share_is_said_in_words_where_it_is_a_plain_fraction(part: int, whole: int, text: str) -> None:
    assert share_text(part, whole) == text


def test_charts_are_known_by_name_and_each_stands_on_one_page() -> None:
    on_pages = [name for page in PAGES for name in page.charts]
    assert sorted(on_pages) == sorted(CHARTS)
    found = _account()
    assert [chart.name for chart in describe_charts(found, tuple(CHARTS))] == list(CHARTS)
    assert len({chart.title for chart in describe_charts(found, tuple(CHARTS))}) == len(CHARTS)
