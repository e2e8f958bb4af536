"""The state shared out: what each stage leaves on a card, and the fewest cards at which that fits."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.numbers import Number
from core.recipes import OPTIMIZERS, RECIPES, Item, items
from core.states import STAGES, cards_to_fit, fit_line, per_card_bytes, shard_bytes

NAMES = ("weights", "gradients", "master", "momentum", "variance", "other")
BANDS = dict(zip(NAMES, ("parameters", "gradients", *["optimizer"] * 4), strict=True))


def _items(*each: Number) -> tuple[Item, ...]:
    return tuple(Item(name, name, BANDS[name], "", "", size) for name, size in zip(NAMES, each, strict=False))


SIZES = st.one_of(st.integers(0, 8), st.fractions(0, 8, max_denominator=64), st.just(0))
ANY_ITEMS = st.one_of(
    st.lists(SIZES, min_size=6, max_size=6).map(lambda sizes: _items(*sizes)),
    st.builds(
        lambda recipe, optimizer: items(recipe.name, optimizer.name, {}),
        st.sampled_from(RECIPES),
        st.sampled_from(OPTIMIZERS),
    ),
)


def _up(value: Number) -> int:
    return -int(-Fraction(value) // 1)


# The definition, item by item: n = ⌈P ÷ N⌉ parameters of what is shared, P of what is not, each item rounded up.
def _by_definition(rows: tuple[Item, ...], parameters: int, stage: int, cards: int) -> int:
    shared = {"optimizer": stage >= 1, "gradients": stage >= 2, "parameters": stage >= 3}
    shard = _up(Fraction(parameters, cards))
    return sum(_up((shard if shared[row.band] else parameters) * row.bytes) for row in rows)


@given(ANY_ITEMS, st.integers(1, 10**12), st.sampled_from(STAGES), st.integers(1, 10**6))
def test_one_cards_share_follows_the_definition(
    rows: tuple[Item, ...], parameters: int, stage: int, cards: int
) -> None:
    found = per_card_bytes(rows, parameters, stage, cards)
    assert list(found) == ["parameters", "gradients", "optimizer"]
    assert sum(found.values()) == _by_definition(rows, parameters, stage, cards)


@given(ANY_ITEMS, st.integers(1, 10**13), st.sampled_from(STAGES), st.integers(1, 10**5), st.integers(0, 10**5))
def test_more_cards_never_cost_more_per_card(
    rows: tuple[Item, ...], parameters: int, stage: int, cards: int, more: int
) -> None:
    fewer, many = (per_card_bytes(rows, parameters, stage, count) for count in (cards, cards + more))
    assert all(many[band] <= fewer[band] for band in fewer)


@given(ANY_ITEMS, st.integers(1, 10**13), st.integers(1, 10**5))
def test_a_higher_stage_never_costs_more(rows: tuple[Item, ...], parameters: int, cards: int) -> None:
    totals = [sum(per_card_bytes(rows, parameters, stage, cards).values()) for stage in STAGES]
    assert totals == sorted(totals, reverse=True)


@given(ANY_ITEMS, st.integers(1, 10**13), st.sampled_from(STAGES))
def test_on_one_card_every_stage_holds_everything(rows: tuple[Item, ...], parameters: int, stage: int) -> None:
    assert sum(per_card_bytes(rows, parameters, stage, 1).values()) == shard_bytes(rows, parameters)


@given(ANY_ITEMS, st.integers(1, 10**12), st.sampled_from(STAGES), st.integers(1, 10**4))
def test_the_cards_together_hold_at_least_the_whole(
    rows: tuple[Item, ...], parameters: int, stage: int, cards: int
) -> None:
    assert cards * sum(per_card_bytes(rows, parameters, stage, cards).values()) >= shard_bytes(rows, parameters)


# Stage 1 leaves weights and gradients whole: 4 B with `mixed`, 8 B with `fp32` (the specification's own figures).
@pytest.mark.parametrize(("recipe", "whole", "shared"), [("mixed", 4, 12), ("fp32", 8, 8), ("pure-16", 4, 4)])
def test_stage_1_leaves_weights_and_gradients_whole(recipe: str, whole: int, shared: int) -> None:
    found = per_card_bytes(items(recipe, "adamw", {}), 10**9, 1, 4)
    assert found["parameters"] + found["gradients"] == whole * 10**9
    assert found["optimizer"] == shared * 10**9 // 4


def test_a_shard_is_rounded_up_to_whole_parameters_and_then_to_whole_bytes() -> None:
    # 10 parameters on 3 cards: 4 of them on a card; 4 × 0.5625 B = 2.25 B, which takes 3 B.
    rows = _items(Fraction(9, 16), 0, 0, 1, 0, 0)
    assert per_card_bytes(rows, 10, 3, 3) == {"parameters": 3, "gradients": 0, "optimizer": 4}


def _by_trial(rows: tuple[Item, ...], parameters: int, stage: int, room: int) -> int | None:
    """The definition of "fewest cards", tried out one number after the other; beyond P cards a shard stays 1."""
    for cards in range(1, parameters + 1):
        if _by_definition(rows, parameters, stage, cards) <= room:
            return cards
    return None


@settings(max_examples=100)
@given(ANY_ITEMS, st.integers(1, 200), st.sampled_from(STAGES), st.integers(-10, 5000))
def test_the_fewest_cards_are_those_that_trying_each_number_finds(
    rows: tuple[Item, ...], parameters: int, stage: int, room: int
) -> None:
    assert cards_to_fit(rows, parameters, stage, room) == _by_trial(rows, parameters, stage, room)


@given(ANY_ITEMS, st.integers(1, 10**15), st.sampled_from(STAGES), st.integers(0, 10**15))
def test_the_fewest_cards_fit_and_one_fewer_does_not(
    rows: tuple[Item, ...], parameters: int, stage: int, room: int
) -> None:
    fewest = cards_to_fit(rows, parameters, stage, room)
    if fewest is None:
        assert _by_definition(rows, parameters, stage, parameters) > room
        return
    assert _by_definition(rows, parameters, stage, fewest) <= room
    assert fewest == 1 or _by_definition(rows, parameters, stage, fewest - 1) > room


@given(ANY_ITEMS, st.integers(1, 10**13), st.integers(-(10**9), 10**15))
def test_stage_0_fits_on_one_card_or_on_none(rows: tuple[Item, ...], parameters: int, room: int) -> None:
    assert cards_to_fit(rows, parameters, 0, room) == (1 if shard_bytes(rows, parameters) <= room else None)


# Two items of half a byte: three parameters take 2 + 2 B, though three times one byte are 3 B; two take 1 + 1 B.
def test_each_item_of_a_shard_rounds_up_on_its_own() -> None:
    rows = _items(Fraction(1, 2), Fraction(1, 2))
    assert [cards_to_fit(rows, 6, 3, room) for room in (1, 2, 3, 4, 6)] == [None, 3, 3, 2, 1]


@pytest.mark.parametrize(
    ("room", "stage", "said"),
    [
        # 10 parameters: 2 + 2 B each stay whole at stage 1, and one of them has 12 B more on its card.
        (50, 1, "a card holds at least 52 B on any number of cards, and has room for 50 B"),
        (159, 0, "a card holds at least 160 B on any number of cards, and has room for 159 B"),
        (-5, 3, "a card holds at least 16 B on any number of cards, and has room for 0 B"),
        (15, 3, "a card holds at least 16 B on any number of cards, and has room for 15 B"),
    ],
)
def test_why_no_number_of_cards_is_enough(room: int, stage: int, said: str) -> None:
    line = fit_line(items("mixed", "adamw", {}), 10, stage, room)
    assert line.value is None
    assert said in line.text()
