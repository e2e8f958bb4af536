"""What is set aside of a card: context, communication buffers, the allocator's slack and a reserve, each its own line.

Expected: subtraction by hand.
"""

from __future__ import annotations

from typing import Any

import pytest

from core.account import Account, account
from core.ledger import ledger
from core.report import to_json
from core.scenario import from_texts
from core.verdict import verdict

GIB = 2**30


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


def test_nothing_is_set_aside_unless_it_is_asked_for() -> None:
    found = _account()
    assert found.card.room is found.card.capacity
    assert not [row.key for row in ledger(found) if row.key in ("card.reserve_bytes", "card.context_bytes")]
    card: Any = to_json(found)["card"]
    assert [card[f"{name}_bytes"] for name in ("reserve", "context", "comm_buffers", "slack")] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("texts", "aside"),
    [
        ({"context_memory": "0.5 GiB"}, GIB // 2),
        ({"comm_buffers": "1.5 GiB"}, 3 * GIB // 2),
        ({"allocator_slack": "5 %"}, 4 * 10**9),
        ({"reserve": "1 GB", "context_memory": "2 GB", "comm_buffers": "3 GB", "allocator_slack": "10 %"}, 14 * 10**9),
        # Of a part of a byte the whole is lost: 0.1 % of 1,000,001 B.
        ({"card_memory": "1,000,001 B", "allocator_slack": "0.1 %"}, 1_001),
    ],
)
def test_each_is_taken_from_the_card(texts: dict[str, str], aside: int) -> None:
    found = _account(**texts)
    assert found.card.room.count == found.card.capacity.count - aside
    rows = {row.key: row.line for row in ledger(found)}
    assert sum(rows[key].count for key in rows if key.startswith("card.") and row_is_aside(key)) == aside
    assert rows["card.room_bytes"].value == found.card.room.count


def row_is_aside(key: str) -> bool:
    return key in ("card.reserve_bytes", "card.context_bytes", "card.comm_buffers_bytes", "card.slack_bytes")


# 480 GB over cards that have 80 − 14 = 66 GB left: ⌈7.27⌉.
def test_more_cards_are_needed() -> None:
    found = _account(reserve="1 GB", context_memory="2 GB", comm_buffers="3 GB", allocator_slack="10 %")
    assert found.cards_needed is not None
    assert found.cards_needed.count == 8
    assert "after 14 GB (13 GiB) set aside" in verdict(found).detail


def test_a_slack_of_everything_leaves_no_card() -> None:
    found = _account(allocator_slack="100 %")
    assert found.cards_needed is None
    assert verdict(found).state == "impossible"
