"""The account: cards needed, reserve, stages and custom bytes, for any scenario."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.account import Account, account
from core.quantities import both_text, in_unit, unit_of
from core.scenario import Scenario, change, from_texts
from tests.core.strategies import any_scenarios, scenarios


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


@given(any_scenarios())
def test_every_scenario_has_an_account(scenario: Scenario) -> None:
    found = account(scenario)
    assert found == account(scenario)
    assert found.scenario is scenario
    assert [stage.stage for stage in found.stages] == [0, 1, 2, 3]
    carried = {"ddp": 0, "ddp-bucket-view": 0, "zero-redundancy": 1, "fsdp2": 3, "hsdp": 3}
    assert found.stage.stage == carried.get(scenario.sharding, scenario.zero)


# The definition: each item rounded up to a whole byte, then added.
@given(any_scenarios())
def test_the_training_state_is_the_sum_of_its_items(scenario: Scenario) -> None:
    found = account(scenario)
    each = [-int(-Fraction(kept.item.bytes) * found.params.count // 1) for kept in found.kept]
    assert [kept.line.count for kept in found.kept] == each
    assert found.training.count == sum(each) == sum(line.count for line in found.bands.values())


# ⌈training ÷ (card − reserve)⌉ in integers; a state of nothing still needs a card.
@given(any_scenarios())
def test_cards_needed_is_a_ceiling_in_integers(scenario: Scenario) -> None:
    found = account(scenario)
    slack = -int(-Fraction(scenario.allocator_slack) * found.card.capacity.count // 1)
    aside = scenario.reserve + scenario.context_memory + scenario.comm_buffers + slack
    room = found.card.capacity.count - aside
    assert found.card.room.count == room
    if room <= 0:
        assert found.cards_needed is None
        return
    assert found.cards_needed is not None
    needed = found.cards_needed.count
    assert needed * room >= found.training.count
    assert needed == 1 or (needed - 1) * room < found.training.count


@given(any_scenarios())
def test_the_cards_are_those_asked_for_or_those_needed(scenario: Scenario) -> None:
    found = account(scenario)
    needed = found.cards_needed.count if found.cards_needed is not None else 1
    assert found.cards.count == (scenario.cards or needed)


@given(any_scenarios())
def test_a_stage_fits_exactly_where_its_share_is_at_most_the_room(scenario: Scenario) -> None:
    found = account(scenario)
    for stage in found.stages:
        assert stage.headroom.count == found.card.room.count - stage.peak.count
        assert stage.fits == (stage.peak.count <= found.card.room.count)
        assert stage.states_fit == (stage.per_card.count <= found.card.room.count)
        assert stage.states_fit or not stage.fits, "the peak is no less than the states it holds"
        fewest = stage.to_fit.value
        assert stage.states_fit == (fewest is not None and found.cards.count >= fewest)


@given(any_scenarios(), st.integers(1, 10**6))
def test_more_cards_never_cost_more_per_card(scenario: Scenario, more: int) -> None:
    fewer = account(scenario)
    count = min(fewer.cards.count, 9 * 10**6)
    few = account(change(scenario, {"cards": count}))
    many = account(change(scenario, {"cards": count + more}))
    for before, after in zip(few.stages, many.stages, strict=True):
        assert after.per_card.count <= before.per_card.count
        assert after.fits or not before.fits


# Shards are rounded up, so the state that fits "if every byte is shared out" can need one card more at stage 3, and
# never fewer.
@given(any_scenarios())
def test_stage_3_needs_at_least_the_cards_needed(scenario: Scenario) -> None:
    found = account(scenario)
    fewest = found.stages[3].to_fit.value
    if fewest is not None and found.cards_needed is not None and scenario.offload == "none":
        assert fewest >= found.cards_needed.count


@pytest.mark.parametrize("unit", ["GB", "GiB", "MiB", "TB", "TiB", "B"])
@given(scenarios(card=None))
@settings(max_examples=15)
def test_no_byte_changes_with_the_unit_a_card_is_written_in(unit: str, scenario: Scenario) -> None:
    written = in_unit(scenario.card_memory, unit_of(unit))
    again = change(scenario, {"card_memory": int(written.bytes)})
    assert account(again) == account(scenario)


# 46,702,792,704 × 16 B = 747.2 GB on 80 GB cards: ten, at stage 3 as well, whatever `params` says.
def test_a_named_model_takes_the_place_of_the_count_everywhere() -> None:
    found = _account(model="Mixtral 8x7B", params="30B", zero="3")
    assert found.cards.count == 10
    assert found.stages[3].to_fit.value == 10
    assert found.stage.per_card.count == 4_670_279_271 * 16  # ⌈46,702,792,704 ÷ 10⌉ parameters


def test_one_byte_more_than_six_cards_hold_needs_a_seventh() -> None:
    # 30 × 10⁹ × 16 B = 6 × 80 × 10⁹ B to the byte; a reserve of one byte on each card leaves six short.
    assert _account().cards.count == 6
    short = _account(reserve="1 B")
    assert short.cards_needed is not None
    assert short.cards_needed.count == 7
    assert _account(params="30,000,000,001").cards.count == 7
    assert _account(params="29,999,999,999").cards.count == 6


def test_the_cards_needed_are_exact_where_doubles_are_not() -> None:
    # 10¹⁵ parameters × 64 B on cards of 10⁶ B: 6.4 × 10¹⁰ cards, and one more for one byte more than that.
    texts = {"params": "1e15", "card_memory": "1 MB", "precision": "inference", "bytes_weights": "64"}
    assert account(from_texts(texts)).cards.count == 64_000_000_000
    assert account(from_texts(texts | {"reserve": "1 B"})).cards.count == -(-64 * 10**15 // 999_999)


# 80 GB less 2 GiB is 77,852,516,352 B; 480 × 10⁹ ÷ 77,852,516,352 = 6.17, so seven.
def test_a_reserve_is_taken_from_each_card() -> None:
    found = _account(reserve="2 GiB")
    assert found.card.room.count == 77_852_516_352
    assert found.cards.count == 7
    assert both_text(found.card.room.count) == "77.9 GB (72.5 GiB)"


@pytest.mark.parametrize("reserve", ["80 GB", "100 GB"])
def test_a_reserve_that_leaves_nothing_is_a_statement_and_no_error(reserve: str) -> None:
    found = _account(reserve=reserve)
    assert found.cards_needed is None
    assert found.cards.count == 1
    assert not any(stage.fits for stage in found.stages)
    assert all(stage.to_fit.value is None for stage in found.stages)


def test_a_state_of_nothing_takes_one_card() -> None:
    nothing = {f"bytes_{name}": "0" for name in ("weights", "gradients", "master", "momentum", "variance")}
    found = account(from_texts(nothing))
    assert found.training.count == found.inference.count == 0
    assert found.cards.count == 1
    assert found.cards_needed is not None
    assert "⌈" not in found.cards_needed.text(), "⌈0 ÷ 80 GB⌉ is not 1"
    assert all(stage.fits for stage in found.stages)


@pytest.mark.parametrize(
    ("texts", "inference"),
    [
        ({}, 60 * 10**9),
        ({"precision": "fp32"}, 60 * 10**9),  # 2 B a parameter whatever training keeps
        ({"precision": "fp8-deepseek-v3"}, 60 * 10**9),
        ({"bytes_weights": "1"}, 30 * 10**9),  # unless a person said how much
        ({"bytes_weights": "4.5 bits"}, 16_875_000_000),
        ({"bytes_weights": "0"}, 0),
        ({"params": "3", "bytes_weights": "4.5 bits"}, 2),  # 1.6875 B takes two bytes
    ],
)
def test_inference_is_two_bytes_a_parameter_unless_weights_were_set(texts: dict[str, str], inference: int) -> None:
    assert account(from_texts(texts)).inference.count == inference


@pytest.mark.parametrize(
    ("texts", "custom"),
    [
        ({}, False),
        ({"bytes_weights": "2"}, False),  # what the recipe has
        ({"bytes_weights": "16 bits"}, False),
        ({"bytes_weights": "1"}, True),
        ({"bytes_other": "0"}, False),
        ({"bytes_other": "0.5"}, True),
        ({"precision": "fp32", "bytes_weights": "2"}, True),
    ],
)
def test_a_recipe_is_custom_where_its_bytes_differ(texts: dict[str, str], custom: bool) -> None:
    assert account(from_texts(texts)).custom is custom


def test_bytes_set_by_hand_stay_set_when_the_recipe_changes() -> None:
    for recipe in ("mixed", "fp32", "pure-16", "inference"):
        found = _account(precision=recipe, bytes_momentum="1")
        assert {kept.item.name: kept.item.bytes for kept in found.kept}["momentum"] == 1


# bitsandbytes' 8-bit AdamW keeps 2.03125 B a parameter beside the recipe's 2 + 2 + 4.
def test_fractions_of_a_byte_are_exact() -> None:
    found = _account(optimizer="adamw-8bit", params="30B")
    assert found.each.value == Fraction(1003125, 100_000)
    assert found.training.count == 300_937_500_000
    odd = _account(optimizer="adamw-8bit", params="3")
    assert odd.training.count == 6 + 6 + 12 + 4 + 4  # 3 × 1.015625 B takes four bytes, twice
