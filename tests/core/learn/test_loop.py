"""The loop: what each stage of a training step reads and writes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from core.account import Account, account
from core.learn.description import Loop
from core.learn.loop import STAGES, accesses, stage_line, traffic
from core.learn.pages import describe
from core.learn.state import State
from core.recipes import OPTIMIZERS, RECIPES
from core.scenario import Scenario, from_texts
from tests.core.strategies import any_scenarios

GB = 10**9


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


def _moved(found: Account) -> set[tuple[str, str, str, object]]:
    return {(row.stage, row.kept.item.name, row.way, row.each) for row in accesses(found)}


# Micikevicius et al. 2018, figure 1, with Adam's two moments: forward and backward read the 16-bit weights, backward
# writes the gradients, the update reads them and changes copy and moments, the weights are rounded from the copy.
def test_the_mixed_recipe_by_hand() -> None:
    found = _account()
    assert _moved(found) == {
        ("forward", "weights", "read", 2),
        ("backward", "weights", "read", 2),
        ("backward", "gradients", "write", 2),
        ("update", "gradients", "read", 2),
        ("update", "master", "read", 4),
        ("update", "master", "write", 4),
        ("update", "momentum", "read", 4),
        ("update", "momentum", "write", 4),
        ("update", "variance", "read", 4),
        ("update", "variance", "write", 4),
        ("refresh", "master", "read", 4),
        ("refresh", "weights", "write", 2),
    }
    assert [stage_line(found, stage).count for stage in STAGES] == [60 * GB, 120 * GB, 780 * GB, 180 * GB]
    assert traffic(found).count == 30 * GB * 38 == 1_140 * GB


# 32-bit gradients: 2 B more written and 2 B more read than in `mixed`.
def test_32_bit_gradients_move_four_bytes_more() -> None:
    assert traffic(_account(precision="mixed-fp32-grads")).count == 30 * GB * 42


# Both gradients: 2 B and 4 B written, the 2 B read back to be added up, the 4 B read by the update.
def test_both_gradients_are_written_and_one_read_by_the_update() -> None:
    rows = [row for row in accesses(_account(precision="mixed-both-grads")) if row.kept.item.name == "gradients"]
    assert [(row.stage, row.way, row.each) for row in rows] == [
        ("backward", "write", 6),
        ("backward", "read", 2),
        ("update", "read", 4),
    ]


@pytest.mark.parametrize("precision", ["autocast", "fp32", "fsdp-mixed", "pure-16"])
def test_without_a_master_copy_the_weights_are_updated_in_place(precision: str) -> None:
    found = _account(precision=precision)
    assert stage_line(found, "refresh").count == 0
    assert {(row.kept.item.name, row.way) for row in accesses(found) if row.stage == "update"} >= {
        ("weights", "read"),
        ("weights", "write"),
    }


def test_inference_is_the_forward_pass_alone() -> None:
    assert _moved(_account(precision="inference")) == {("forward", "weights", "read", 2)}


@pytest.mark.parametrize("optimizer", [row.name for row in OPTIMIZERS])
@pytest.mark.parametrize("recipe", [row.name for row in RECIPES if row.name != "inference"])
def test_every_item_is_written_once_and_read_before_it_is_used(recipe: str, optimizer: str) -> None:
    found = _account(precision=recipe, optimizer=optimizer, params="1M")
    kept = {row.item.name for row in found.kept if row.item.bytes}
    rows = accesses(found)
    written = [row.kept.item.name for row in rows if row.way == "write"]
    assert sorted(written) == sorted(kept)
    assert {row.kept.item.name for row in rows if row.way == "read"} == kept


@given(any_scenarios())
def test_the_traffic_adds_up(scenario: Scenario) -> None:
    found = account(scenario)
    rows = accesses(found)
    assert traffic(found).count == sum(row.line.count for row in rows)
    for row in rows:
        assert 0 <= row.line.count - Fraction(row.each) * found.params.count < 1  # rounded up to a whole byte


def test_the_drawing_marks_what_is_accessed() -> None:
    view = describe("loop", _account(), "decimal", State(step=3))
    (loop,) = view.drawings
    assert isinstance(loop, Loop)
    marks = {
        (loop.stages[mark.stage].label, loop.items[mark.item].label): (mark.read, mark.write) for mark in loop.marks
    }
    assert marks["Update", "Master copy"] == ("120 GB", "120 GB")
    assert marks["Refresh", "Weights"] == ("", "60 GB")
    assert ("Forward", "Gradients") not in marks
    assert loop.chosen == 2
    # Gradients, copy and two moments: 60 + 3 × 120.
    assert view.said.startswith("Update: reads gradients, master copy, momentum and variance, 420 GB; writes")
