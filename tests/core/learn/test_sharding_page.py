"""Sharding as cells and messages."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given

from core.account import Account, account
from core.bands import BAND_LABELS
from core.learn.description import Cells
from core.learn.pages import describe
from core.learn.sharding import MOST_DRAWN, messages, sent
from core.learn.state import State
from core.scenario import Scenario, from_texts
from core.shares import carrier
from core.states import SHARED, STAGES
from tests.core.strategies import any_scenarios, scenarios

GB = 10**9


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


def _cells(found: Account, stage: int) -> Cells:
    cells = describe("sharding", found, "decimal", State(step=stage)).drawings[0]
    assert isinstance(cells, Cells)
    return cells


# 30 × 10⁹ parameters on 6 cards: shards of 5 × 10⁹; each message is (6 − 1) shards of 2 B, 50 GB, an all-reduce twice
# that.
@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        (0, [("backward", "all-reduce", 100)]),
        (1, [("backward", "reduce-scatter", 50), ("update", "all-gather", 50)]),
        (2, [("backward", "reduce-scatter", 50), ("update", "all-gather", 50)]),
        (3, [("forward", "all-gather", 50), ("backward", "all-gather", 50), ("backward", "reduce-scatter", 50)]),
    ],
)
def test_messages_of_the_lesson(stage: int, expected: list[tuple[str, str, int]]) -> None:
    found = [(message.moment, message.operation, message.line.count) for message in messages(_account(), stage)]
    assert found == [(moment, operation, size * GB) for moment, operation, size in expected]


# Rajbhandari et al. 2019, sections 7.1 and 7.2: 2Ψ elements for stages 0 to 2, 3Ψ for stage 3, where N is large.
@pytest.mark.parametrize(("stage", "volume"), [(0, 2), (1, 2), (2, 2), (3, 3)])
def test_volumes_approach_the_papers(stage: int, volume: int) -> None:
    found = _account(params="7.5B", cards="1024")
    elements = Fraction(sent(found, stage).count, 2)
    assert elements / (7_500_000_000) == pytest.approx(volume, rel=0.002)


def test_32_bit_gradients_are_sent_in_32_bits() -> None:
    assert sent(_account(precision="mixed-fp32-grads", cards="6"), 0).count == 200 * GB
    assert sent(_account(precision="mixed-both-grads", cards="6"), 0).count == 200 * GB


@given(scenarios(cards=1))
def test_one_card_sends_nothing(scenario: Scenario) -> None:
    assert all(messages(account(scenario), stage) == () for stage in STAGES)


def test_inference_sends_nothing() -> None:
    assert messages(_account(precision="inference", cards="8"), 3) == ()


# The page draws the even shares of the paper.
@given(any_scenarios().filter(lambda one: one.sharding == "paper" and one.offload == "none"))
def test_cells_hold_what_the_account_says(scenario: Scenario) -> None:
    found = account(scenario)
    how = carrier(scenario)  # an implementation pads its shards
    for stage in STAGES:
        cells = _cells(found, stage)
        bands = [band for band in BAND_LABELS if found.bands[band].count]
        first = cells.cards[0]
        assert len(first.slots) == len(bands) == len(cells.bands)
        for band, slot in zip(bands, first.slots, strict=True):
            held = found.stages[stage].bands[band].count
            if held == 0:
                assert slot.begin == slot.end  # it lives on the host
                continue
            if band not in SHARED[stage]:
                assert slot.begin == 0
                assert slot.end == 1
            elif how is None or how.stage != stage:
                # A shard's items are each rounded up to a whole byte.
                assert abs((slot.end - slot.begin) * slot.size - held) < len(found.kept) + 1
        assert cells.over == (found.stages[stage].per_card.count > found.card.room.count)


def test_the_shards_of_all_cards_make_the_whole() -> None:
    cells = _cells(_account(cards="5"), 3)
    assert len(cells.cards) == 5
    for band in range(3):
        slots = [card.slots[band] for card in cells.cards]
        assert slots[0].begin == 0
        assert slots[-1].end == 1
        assert all(one.end == two.begin for one, two in pairwise(slots))


def test_more_parameters_than_fit_evenly_leave_the_last_card_less() -> None:
    cells = _cells(_account(params="10", cards="4"), 3)  # shards of 3, 3, 3 and 1
    assert [card.slots[0].end - card.slots[0].begin for card in cells.cards] == [
        Fraction(3, 10), Fraction(3, 10), Fraction(3, 10), Fraction(1, 10),
    ]  # fmt: skip


def test_of_many_cards_the_first_and_the_last_are_drawn() -> None:
    cells = _cells(_account(cards="1024"), 3)
    assert len(cells.cards) < MOST_DRAWN
    assert [card.label for card in cells.cards] == ["Card 1", "Card 2", "Card 3", "Card 4", "Card 1,024"]
    assert cells.gap_after == 4
    assert cells.cards[-1].slots[0].end == 1


def test_the_page_begins_at_the_scenarios_stage() -> None:
    assert describe("sharding", _account(zero="2")).step == 2


# 30 × 10⁹ parameters on 16 cards in 4 groups of 4: shards of 7.5 × 10⁹. Within a group 3 shards of 2 B are sent, 45 GB
# a message; between the groups each card adds its gradient shard up in an all-reduce, 2 × 3 quarters of 15 GB.
def test_groups_of_cards_share_within_and_add_up_between() -> None:
    found = _account(cards="16", sharding="hsdp", shard_group="4")
    assert [(message.operation, message.line.count) for message in messages(found, 3)] == [
        ("all-gather", 45 * GB),
        ("all-gather", 45 * GB),
        ("reduce-scatter", 45 * GB),
        ("all-reduce", 22_500_000_000),
    ]
    cells = _cells(found, 3)
    assert [card.slots[2].end for card in cells.cards[:4]] == [Fraction(at, 4) for at in (1, 2, 3, 4)]
    assert cells.cards[-1].slots[2].begin == Fraction(3, 4)  # card 16 is the fourth of its group
    assert describe("sharding", found).step == 3


def test_what_lives_on_the_host_is_said() -> None:
    cells = _cells(_account(cards="8", zero="2", offload="optimizer"), 2)
    assert cells.bands[2].text == "on the host"
    assert cells.cards[0].slots[2].begin == cells.cards[0].slots[2].end
