"""What would make a scenario fit: answers of the search against the account itself, one step to either side.

The account is the measure: a search that finds 12 is right where the account of 12 fits and that of 13 does not.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.account import Account, account
from core.report import as_text, to_json
from core.scenario import Scenario, change, from_texts
from core.search import Found, largest, would_fit
from core.shares import fewest
from tests.core.strategies import scenarios

CASES: list[dict[str, str]] = [
    {"model": "Llama 2 7B", "zero": "3", "cards": "8"},
    {"model": "Llama 2 7B", "sharding": "fsdp2", "cards": "8"},
    {"model": "Llama 2 7B", "sharding": "zero-redundancy", "cards": "16"},
    {"model": "Llama 2 7B", "zero": "2", "cards": "4", "attention": "eager", "recompute": "full"},
    {"model": "Llama 3 8B", "card": "RTX 4090", "lora_rank": "16", "recompute": "full"},
    {"model": "GPT-2", "dropout": "on", "precision": "autocast"},
    {"model": "Gemma 2 2B", "offload": "optimizer"},
]


def _fits(found: Account, **values: Any) -> bool:
    return account(change(found.scenario, {"cards": found.cards.count, **values})).stage.fits


@pytest.mark.parametrize("texts", CASES, ids=lambda texts: "-".join(texts.values()))
def test_one_more_would_not_fit(texts: dict[str, str]) -> None:
    found = account(from_texts(texts))
    answer = would_fit(found)
    for row in (answer.micro_batch, answer.seq_len):
        assert row is not None
        assert row.value is not None
        assert row.stage == found.stage.stage
        assert _fits(found, **{row.field: row.value})
        assert not _fits(found, **{row.field: row.value + 1})
        assert f"{row.value:,}" in row.sentence


@pytest.mark.parametrize("texts", CASES, ids=lambda texts: "-".join(texts.values()))
def test_one_card_fewer_would_not_fit(texts: dict[str, str]) -> None:
    found = account(from_texts(texts))
    for row in would_fit(found).cards:

        def fits(cards: int, row: Found = row) -> bool:
            return account(change(found.scenario, {"cards": cards})).stages[row.stage].fits

        if row.value is None:
            assert not any(fits(cards) for cards in (1, 2, 7, 64, 4096))
            continue
        assert fits(row.value)
        assert row.value == 1 or not fits(row.value - 1)


# 30 B × 16 B on cards of 80 GB: 6 at stage 3, ⌈420 ÷ 20⌉ = 21 and a shard rounded up at stage 2.
def test_the_lesson_has_cards_and_no_batch() -> None:
    answer = would_fit(account(Scenario()))
    assert answer.micro_batch is None
    assert answer.seq_len is None
    assert [row.value for row in answer.cards] == [None, None, 22, 6]
    assert answer.cards[3].sentence == "At stage 3 it fits from 6 cards on."
    assert answer.cards[0].sentence == ("At stage 0 it fits on no number of cards: over by at least 400 GB (373 GiB).")


def test_a_batch_that_never_fits_says_by_how_much() -> None:
    answer = would_fit(account(from_texts({"model": "Llama 2 7B", "cards": "1"})))
    assert answer.micro_batch is not None
    assert answer.micro_batch.value is None
    assert answer.micro_batch.sentence.startswith("No micro-batch fits at stage 0 on 1 card: at 1 it is over by")
    assert answer.seq_len is not None
    assert "at 1 token it is over by" in answer.seq_len.sentence


@given(scenarios())
def test_without_a_model_the_fewest_cards_are_the_accounts(scenario: Scenario) -> None:
    found = account(scenario)
    assert [row.value for row in would_fit(found).cards] == [stage.to_fit.value for stage in found.stages]


@given(st.integers(0, 10**9), st.integers(1, 10**9))
def test_the_searches_find_the_edge(edge: int, most: int) -> None:
    assert largest(lambda count: count <= edge, most) == (min(edge, most) or None)
    assert fewest(lambda count: count >= edge, most) == (max(edge, 1) if edge <= most else None)


def test_the_report_says_what_would_fit() -> None:
    found = account(from_texts(CASES[0]))
    shown: Any = to_json(found)["would_fit"]
    answer = would_fit(found)
    assert answer.micro_batch is not None
    assert shown["micro_batch"] == answer.micro_batch.value
    assert [row["cards"] for row in shown["stages"]] == [row.value for row in answer.cards]
    assert all(sentence in as_text(found) for sentence in shown["sentences"])
    assert to_json(account(Scenario()))["would_fit"]["micro_batch"] is None  # type: ignore[index]


# A search that took a second would be felt; it takes a few milliseconds, and this only catches another order of size.
def test_thousands_of_cards_are_said_to_three_digits_and_found_exactly() -> None:
    found = would_fit(account(from_texts({"model": "Llama 3 70B", "zero": "3", "card": "H100 SXM"})))
    row = next(row for row in found.cards if row.stage == 3)
    assert row.value is not None
    assert row.value > 10_000
    digits = f"{row.value:,}"
    said = row.sentence.removeprefix("At stage 3 it fits from about ").removesuffix(" cards on.").replace(",", "")
    assert said.rstrip("0") == str(int(said) // 10 ** (len(said) - 3)).rstrip("0"), "three digits"
    assert row.value <= int(said) < row.value * 1.01, digits


def test_a_search_is_quick() -> None:
    found = account(from_texts(CASES[0]))
    begin = time.process_time()
    would_fit(found)
    assert time.process_time() - begin < 1
