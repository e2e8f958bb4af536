"""Undo as laws: what holds for any sequence of changes."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.history import LONGEST, History

States = History[int]

STEPS = st.one_of(
    st.tuples(st.just("apply"), st.integers(0, 4), st.sampled_from(["", "", "a", "b"])),
    st.tuples(st.sampled_from(["undo", "redo", "seal", "revert"]), st.just(0), st.just("")),
)
WALKS = st.lists(STEPS, max_size=40)


def _walked(walk: list[tuple[str, int, str]]) -> States:
    history: States = History(0)
    for word, state, step in walk:
        moves: dict[str, Callable[[], States]] = {
            "apply": lambda h=history, s=state, n=step: h.apply(s, n),  # type: ignore[misc]
            "undo": history.undo,
            "redo": history.redo,
            "seal": history.seal,
            "revert": history.revert,
        }
        history = moves[word]()
    return history


@given(WALKS, st.integers(0, 4))
def test_undo_takes_back_one_change(walk: list[tuple[str, int, str]], state: int) -> None:
    before = _walked(walk).seal()
    after = before.apply(state)
    if state == before.present:
        assert after == before
        return
    assert after.present == state
    assert not after.can_redo
    back = after.undo()
    assert (back.present, back.past) == (before.present, before.past)
    assert back.redo() == after


@given(WALKS)
def test_undo_and_redo_take_each_other_back(walk: list[tuple[str, int, str]]) -> None:
    history = _walked(walk).seal()
    if history.can_undo:
        assert history.undo().redo() == history
    if history.can_redo:
        assert history.redo().undo() == history


@given(WALKS)
def test_every_undo_and_redo_shows_something_new(walk: list[tuple[str, int, str]]) -> None:
    history = _walked(walk)
    states = [*history.seal().past, history.seal().present, *history.seal().future]
    assert all(first != second for first, second in itertools.pairwise(states))
    if history.can_undo:
        assert history.undo().present != history.seal().present
    else:
        assert history.undo().present == history.present
    if not history.can_redo:
        assert history.redo().present == history.present


@given(WALKS, st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_a_drag_is_one_step_however_many_values_it_passed(walk: list[tuple[str, int, str]], values: list[int]) -> None:
    before = _walked(walk).seal()
    dragged = before
    for value in values:
        dragged = dragged.apply(value, "drag")
    assert dragged.present == values[-1]
    done = dragged.seal()
    assert len(done.past) <= len(before.past) + 1
    if values[-1] == before.present:
        assert done.past == before.past, "a drag that came back is no step"
    else:
        assert done.undo().present == before.present


@given(WALKS, st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_revert_takes_back_the_open_step_alone(walk: list[tuple[str, int, str]], values: list[int]) -> None:
    before = _walked(walk).seal()
    dragged = before
    for value in values:
        dragged = dragged.apply(value, "drag")
    reverted = dragged.revert()
    assert (reverted.present, reverted.past) == (before.present, before.past)
    assert not reverted.open_step


def test_revert_without_an_open_step_changes_nothing() -> None:
    history = History(0).apply(1).apply(2, "typed").seal()
    assert history.revert() == history


def test_steps_of_two_names_do_not_merge_and_neither_do_sealed_ones() -> None:
    history = History(0).apply(1, "a").apply(2, "b").apply(3, "b").seal().apply(4, "b")
    assert (history.past, history.present) == ((0, 1, 3), 4)
    unnamed = History(0).apply(1).apply(2)
    assert unnamed.past == (0, 1)


# A field is typed into and cleared again, and then another is changed: undo must not stop at a state that is equal.
def test_a_step_that_came_back_leaves_nothing_to_undo_when_the_next_begins() -> None:
    history = History(0).apply(5, "params").apply(0, "params").apply(7, "cards")
    assert history.past == (0,)
    assert history.undo().present == 0
    assert not history.undo().can_undo


def test_a_change_after_undo_forgets_the_future() -> None:
    history = History(0).apply(1).apply(2).undo().apply(9)
    assert not history.can_redo
    assert (history.past, history.present) == ((0, 1), 9)


def test_the_past_is_bounded_and_keeps_the_latest() -> None:
    history: States = History(0)
    for state in range(1, LONGEST + 201):
        history = history.apply(state)
    assert len(history.past) == LONGEST
    assert history.past == tuple(range(200, LONGEST + 200))
    for _ in range(LONGEST + 10):
        history = history.undo()
    assert (history.present, history.can_undo, len(history.future)) == (200, False, LONGEST)
    for _ in range(LONGEST + 10):
        history = history.redo()
    assert (history.present, history.can_redo) == (LONGEST + 200, False)


def test_a_long_drag_pushes_nothing_out() -> None:
    history = History(0).apply(1)
    for state in range(2, 5000):
        history = history.apply(state, "drag")
    assert history.past == (0, 1)


def test_a_history_is_frozen() -> None:
    with pytest.raises(AttributeError):
        History(0).present = 1  # type: ignore[misc]


@given(WALKS, st.integers(0, 4))
def test_a_step_that_is_dropped_leaves_what_could_be_redone(walk: list[tuple[str, int, str]], state: int) -> None:
    before = _walked(walk).seal()
    dropped = before.apply(state, "typing").revert().seal()
    assert (dropped.present, dropped.future) == (before.present, before.future)
