"""The store: what it holds, whom it tells, and that a change which cannot be leaves everything as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from core import document
from core.document import DocumentError
from core.fields import InputError
from core.scenario import Scenario, change
from core.workbook import single
from gui.store import Store

GB = 10**9


class Told:
    """Counts what a store says."""

    def __init__(self, store: Store) -> None:
        self.changed = self.shown = self.document = 0
        store.changed.connect(self._changed)
        store.shown_changed.connect(self._shown)
        store.document_changed.connect(self._document)

    def _changed(self) -> None:
        self.changed += 1

    def _shown(self) -> None:
        self.shown += 1

    def _document(self) -> None:
        self.document += 1


@pytest.fixture
def store(qapp: QApplication) -> Iterator[Store]:
    made = Store()
    yield made
    made.deleteLater()


def test_a_store_begins_with_the_lesson_and_its_account(store: Store) -> None:
    assert store.scenario == Scenario()
    assert store.account.training.value == 480 * GB
    assert (store.dirty, store.can_undo, store.can_redo, store.path) == (False, False, False, None)


def test_a_change_is_accounted_for_before_anyone_is_told(store: Store) -> None:
    seen: list[object] = []
    store.changed.connect(lambda: seen.append(store.account.training.value))
    store.apply({"params": 70 * GB})
    assert seen == [1120 * GB]  # 70 B × 16 B


def test_a_change_to_the_same_value_tells_no_one_and_is_no_step(store: Store) -> None:
    told = Told(store)
    store.apply({"params": 30 * GB})
    assert (told.changed, store.can_undo, store.dirty) == (0, False, False)


def test_a_change_that_has_no_account_is_refused_and_leaves_everything(store: Store) -> None:
    store.apply({"card": "A30"})
    told = Told(store)
    before, account = store.scenario, store.account
    with pytest.raises(InputError, match="usable memory of A30 is not known"):
        store.apply({"card_capacity": "usable"})
    assert store.scenario is before
    assert store.account is account
    assert (told.changed, told.document) == (0, 0)
    store.undo()
    assert store.scenario == Scenario(), "the refused change is no step"


def test_changes_under_one_name_are_one_step_until_it_is_committed(store: Store) -> None:
    for params in (1, 12, 123):
        store.apply({"params": params}, step="typing")
    store.commit()
    store.apply({"params": 7}, step="typing")
    store.undo()
    assert store.scenario.params == 123
    store.undo()
    assert store.scenario == Scenario()
    assert not store.can_undo


def test_a_step_that_comes_back_to_where_it_began_is_none(store: Store) -> None:
    store.apply({"params": 1}, step="typing")
    store.apply({"params": 30 * GB}, step="typing")
    store.commit()
    assert not store.can_undo


def test_reverting_drops_the_open_step_alone(store: Store) -> None:
    store.apply({"cards": 64})
    store.apply({"params": 7}, step="typing")
    store.revert("dragging")
    assert store.scenario.params == 7, "the open step is another's"
    store.revert("typing")
    assert store.scenario == change(Scenario(), {"cards": 64})
    store.revert("typing")
    assert store.scenario == change(Scenario(), {"cards": 64}), "there is no open step to drop"


def test_undo_and_redo_end_where_they_began(store: Store) -> None:
    states = [store.scenario]
    for params in (1, 2, 3):
        store.apply({"params": params})
        states.append(store.scenario)
    for state in reversed(states[:-1]):
        store.undo()
        assert store.scenario == state
    store.undo()
    assert store.scenario == states[0]
    for state in states[1:]:
        store.redo()
        assert store.scenario == state
    store.redo()
    assert store.scenario == states[-1]
    assert store.account.params.value == 3


def test_the_unit_is_no_part_of_the_document(store: Store) -> None:
    told = Told(store)
    store.set_system("binary")
    store.set_system("binary")
    assert (told.shown, told.changed, store.dirty, store.can_undo) == (1, 0, False, False)


def test_saving_writes_what_is_open_and_settles_it(store: Store, tmp_path: Path) -> None:
    store.apply({"params": 70 * GB}, step="typing")
    told = Told(store)
    store.save(tmp_path / "a.memtax")
    assert document.load(tmp_path / "a.memtax") == change(Scenario(), {"params": 70 * GB})
    assert (store.dirty, store.path) == (False, tmp_path / "a.memtax")
    assert told.document > 0
    store.undo()
    assert store.dirty, "the step before the saved one is not what is on disk"
    store.redo()
    assert not store.dirty


def test_a_save_that_fails_keeps_the_work_and_the_name(store: Store, tmp_path: Path) -> None:
    store.save(tmp_path / "a.memtax")
    store.apply({"params": 70 * GB})
    with pytest.raises(DocumentError, match=r"cannot write .*b\.memtax: no such file or directory"):
        store.save(tmp_path / "no such folder" / "b.memtax")
    assert (store.dirty, store.path, store.scenario.params) == (True, tmp_path / "a.memtax", 70 * GB)


def test_another_document_takes_the_place_of_this_one_and_can_be_undone(store: Store, tmp_path: Path) -> None:
    store.apply({"cards": 64})
    store.replace(single(change(Scenario(), {"params": 7})), tmp_path / "b.memtax")
    assert (store.scenario.params, store.scenario.cards) == (7, None)
    assert (store.dirty, store.path) == (False, tmp_path / "b.memtax")
    store.undo()
    assert store.scenario == change(Scenario(), {"cards": 64})


def test_undoing_an_open_leads_back_to_the_other_file(store: Store, tmp_path: Path) -> None:
    # Saving after that must not write the one document into the other's file.
    store.save(tmp_path / "a.memtax")
    store.apply({"cards": 64})
    store.replace(single(change(Scenario(), {"params": 7})), tmp_path / "b.memtax")
    store.undo()
    assert (store.path, store.dirty) == (tmp_path / "a.memtax", True)
    store.undo()
    assert (store.path, store.dirty) == (tmp_path / "a.memtax", False)
    store.redo()
    store.redo()
    assert (store.path, store.dirty, store.scenario.params) == (tmp_path / "b.memtax", False, 7)


def test_a_name_that_a_document_was_given_stays_with_all_its_steps(store: Store, tmp_path: Path) -> None:
    store.apply({"cards": 64})
    store.save(tmp_path / "a.memtax")
    store.undo()
    assert (store.path, store.dirty) == (tmp_path / "a.memtax", True)


def test_a_document_with_the_same_content_is_no_step(store: Store, tmp_path: Path) -> None:
    store.replace(single(Scenario()), tmp_path / "a.memtax")
    assert (store.path, store.dirty, store.can_undo) == (tmp_path / "a.memtax", False, False)


def test_pasting_takes_the_scenario_and_not_the_documents_name(store: Store, tmp_path: Path) -> None:
    store.save(tmp_path / "a.memtax")
    store.put(change(Scenario(), {"params": 7}))
    assert (store.dirty, store.path) == (True, tmp_path / "a.memtax")
    store.undo()
    assert not store.dirty
