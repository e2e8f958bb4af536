"""The verdict and the notes: what is said, when, and that it is true."""

from __future__ import annotations

import pytest
from hypothesis import given

from core.account import Account, account
from core.compare import percent_text
from core.notes import notes
from core.quantities import bytes_text
from core.scenario import Scenario, from_texts
from core.tiles import tiles
from core.verdict import verdict
from tests.core.strategies import any_scenarios


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


def _noted(account_: Account, words: str) -> list[str]:
    return [note for note in notes(account_) if words in note]


@given(any_scenarios())
def test_the_verdict_says_what_the_account_holds(scenario: Scenario) -> None:
    found = account(scenario)
    said = verdict(found)
    if found.cards_needed is None:
        assert said.state == "impossible"
    elif not found.stage.fits:
        assert said.state == "over"
    else:
        # Under a twentieth of the card is no room for context and fragmentation, unless some was set aside.
        tight = found.card.room is found.card.capacity and found.stage.headroom.count * 20 < found.card.capacity.count
        assert said.state == ("tight" if tight else "fits")
    assert f"stage {found.stage.stage}" in said.detail.lower()
    if not found.stage.peak.count and scenario.offload != "none":
        assert "all lies on the host" in said.detail
    else:
        assert bytes_text(found.stage.peak.count) in said.detail
    if found.cards_needed is not None:
        needed = found.cards_needed.count
        cards = "1 card" if needed == 1 else f"{needed:,} cards"
        if found.stage.bill is None:
            assert said.headline == cards
            assert ("if every byte is shared out" in said.condition) == (needed > 1)
        else:  # with activations known, what is said first is whether it fits, and by how much
            left = bytes_text(abs(found.stage.headroom.count))
            assert said.headline == (f"Fits, with {left} left" if found.stage.fits else f"Over by {left}")
            assert said.condition.startswith(cards)
            assert ("(stage 3)" in said.condition) == (needed > 1)
    assert ("over by" in said.detail) == (not found.stage.fits)


def test_one_card_needs_no_condition() -> None:
    said = verdict(_account(params="1B"))
    assert (said.headline, said.condition, said.state) == ("1 card", "enough for the whole training state", "fits")
    assert said.detail == "At stage 0 one card holds 16 GB (14.9 GiB): it fits, with 64 GB (59.6 GiB) to spare."


def test_stage_0_on_six_cards_is_over_though_six_are_needed() -> None:
    said = verdict(_account())
    assert said.state == "over"
    assert said.detail.endswith("480 GB (447 GiB): over by 400 GB (373 GiB).")


def test_stage_3_on_six_cards_just_fits() -> None:
    said = verdict(_account(zero="3"))
    assert said.state == "tight"
    assert said.detail.endswith("80 GB (74.5 GiB): it just fits, with nothing to spare.")


def test_a_reserve_as_large_as_the_card_is_said_not_raised() -> None:
    found = _account(reserve="80 GB")
    assert verdict(found).state == "impossible"
    assert _noted(found, "leaves nothing of a card's 80 GB (74.5 GiB)")


@given(any_scenarios())
def test_what_is_not_counted_is_always_said(scenario: Scenario) -> None:
    found = notes(account(scenario))
    known = account(scenario).stage.bill is not None
    for words in ("kernel workspaces", "CUDA context") if known else ("activations", "fragmentation"):
        assert words in found[0]
    assert len(set(found)) == len(found)


# What was assumed is said exactly where it was assumed.
@pytest.mark.parametrize(
    ("texts", "words", "there"),
    [
        ({}, "20 for each active parameter (600,000,000,000)", True),
        ({"tokens": "600B"}, "20 for each", False),
        ({}, "312 TFLOP/s", True),
        ({"peak_flops": "312 TFLOP/s"}, "312 TFLOP/s", False),
        ({"bytes_gradients": "4"}, "18 B a parameter is a custom recipe", True),
        ({"bytes_gradients": "2"}, "custom recipe", False),
        ({"precision": "autocast"}, "from forward to backward", True),
        ({"precision": "fsdp-mixed"}, "one layer at a time", True),
        ({"precision": "pure-16"}, "rounded away", True),
        ({"optimizer": "adafactor"}, "0.0265 B", True),
        ({"optimizer": "muon"}, "depends on the model", True),
        ({"optimizer": "adamw-8bit"}, "under 4,096 elements", True),
        ({"optimizer": "adamw-4bit-torchao"}, "4,096 elements", True),
    ],
)
def test_an_assumption_is_noted(texts: dict[str, str], words: str, there: bool) -> None:
    assert bool(_noted(account(from_texts(texts)), words)) is there


# One card fewer that misses by less than a hundredth of a card is worth knowing.
@pytest.mark.parametrize(
    ("texts", "note"),
    [
        ({"card_memory": "74.5 GiB"}, "6 cards miss by 6.23 MB a card."),
        # 160 GB on one card of 159 GB: over by 1 GB, less than 1.59 GB.
        ({"params": "10B", "card_memory": "159 GB"}, "1 card misses by 1 GB a card."),
        ({"params": "10B", "card_memory": "158 GB"}, None),  # over by 2 GB, more than 1.58 GB
        ({}, None),
        ({"params": "1B"}, None),
    ],
)
def test_a_near_miss_is_noted(texts: dict[str, str], note: str | None) -> None:
    found = [line for line in notes(account(from_texts(texts))) if "miss" in line]
    assert found == ([note] if note else [])


# ⌈4 ÷ 3⌉ = 2 parameters × 16 B = 32 B a card at stage 3, where ⌈64 B ÷ 22 B⌉ = 3 cards would hold 64 B.
def test_shards_that_round_up_to_one_card_more_are_noted() -> None:
    # A card's room is 22 B: 1 MB less a reserve of 999,978 B.
    found = _account(params="4", card_memory="1 MB", reserve="999,978 B")
    assert found.cards_needed is not None
    assert found.cards_needed.count == 3
    assert found.stages[3].to_fit.value == 4
    assert _noted(found, "stage 3 fits on 4 cards, not 3")
    assert not _noted(_account(), "Shards are rounded up")


def test_the_peak_stands_in_the_unit_of_the_card() -> None:
    found = {tile.key: tile for tile in tiles(_account(model="Llama 3 70B", card="H100 SXM", cards="8"))}
    # Stage 0: 16 B each of 70,553,706,496 parameters and 4 B more in the update are 1,314 GiB; 80 GB are 74.5 GiB.
    assert found["per_card.peak"].detail == "1,314 of 74.5 GiB"
    none = {tile.key: tile for tile in tiles(_account(model="Llama 3 70B", card="H100 SXM", reserve="200 GB"))}
    assert none["per_card.peak"].detail == "no room on it"


def test_a_number_beside_a_name_that_has_its_own_is_said_not_to_count() -> None:
    assert _noted(_account(card="H100 SXM", card_memory="40 GB"), "Not counted") == [
        "Not counted: 40 GB a card, since H100 SXM has its own."
    ]
    assert _noted(_account(model="Llama 3 8B", params="7B"), "Not counted") == [
        "Not counted: 7B parameters, since Llama 3 8B has its own."
    ]
    assert _noted(_account(card="H100 SXM"), "Not counted") == []


def test_a_compared_tile_says_what_its_change_is_from() -> None:
    before, after = _account(params="30B", cards="6"), _account(params="30B", cards="3")
    shown = {tile.key: tile for tile in tiles(after, before)}
    days = {tile.key: tile for tile in tiles(before)}["time.days"].value
    assert (shown["time.days"].detail, shown["time.days"].change) == (f"was {days}", "+100 %")  # half the cards
    assert shown["training.bytes"].detail == "447 GiB"  # 480 × 10⁹ ÷ 2³⁰, the other unit stays


def test_nearly_all_is_not_all() -> None:
    assert percent_text(10_000, 2) == "−99.98 %"
    assert percent_text(10_000, 0) == "−100 %"
    assert percent_text(10_000, 20_000) == "+100 %"
