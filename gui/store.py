"""The one mutable thing: the document's history, the account of its present, and what the views show it in."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from core import document
from core.account import Account, account
from core.fields import InputError
from core.history import History
from core.quantities import System
from core.scenario import Scenario
from core.workbook import MOST_SCENARIOS, Workbook, single


class Home:
    """Where a document lives: its file, and what is in it. All states that one document went through share one."""

    def __init__(self, path: Path | None, saved: Workbook) -> None:
        self.lies_in(path, saved)

    def lies_in(self, path: Path | None, saved: Workbook) -> None:
        """The document is in this file, as it is now."""
        self.path, self.saved = path, saved
        self._stamp = _stamp(path)

    @property
    def is_changed(self) -> bool:
        """Whether something else has written to the file since; one that is gone was not written to."""
        now = _stamp(self.path)
        return now is not None and now != self._stamp


def _stamp(path: Path | None) -> tuple[int, int] | None:
    """What tells one content of a file from another without reading it."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return None if found is None else (found.st_mtime_ns, found.st_size)


class State(msgspec.Struct, frozen=True):
    """A document as it was at one step. Two documents with the same content are still two: their homes differ."""

    book: Workbook
    home: Home


class Store(QObject):
    """Holds the history of the document and its account; tells views when either changed.

    `replaced`: another document or another scenario of it took the place of the one before.

    `settling` asks whoever holds something that was typed to give it now, before something else is done.

    A change is accounted for before it is taken: a scenario that cannot be (InputError) leaves everything as it was.
    """

    changed = Signal()
    shown_changed = Signal()
    document_changed = Signal()
    replaced = Signal()
    settling = Signal()

    def __init__(self, start: Workbook | Scenario | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        book = start if isinstance(start, Workbook) else single(start or Scenario())
        self._history: History[State] = History(State(book, Home(None, book)))
        self._account = account(book.scenario)
        self._accounts: dict[int, Account] = {}
        self._system: System = "decimal"

    @property
    def book(self) -> Workbook:
        """The present document."""
        return self._history.present.book

    @property
    def path(self) -> Path | None:
        """The file of the present document, once it has one."""
        return self._history.present.home.path

    @path.setter
    def path(self, path: Path | None) -> None:
        home = self._history.present.home
        home.lies_in(path, home.saved)

    @property
    def changed_outside(self) -> bool:
        """Whether another program has written to the document's file since it was read or saved."""
        return self._history.present.home.is_changed

    @property
    def scenario(self) -> Scenario:
        """The current scenario of the present document."""
        return self.book.scenario

    @property
    def account(self) -> Account:
        """The account of the current scenario."""
        return self._account

    @property
    def baseline(self) -> Account | None:
        """The account of the pinned baseline, if one is pinned."""
        pinned = self.book.baseline
        if pinned is None:
            return None
        return self._account_of(pinned.scenario)

    @property
    def accounts(self) -> list[tuple[str, Account]]:
        """The accounts of all scenarios of the document, by name. One that has none any more is left out."""
        found = []
        for named in self.book.scenarios:
            with contextlib.suppress(InputError):
                found.append((named.name, self._account_of(named.scenario)))
        return found

    def _account_of(self, scenario: Scenario) -> Account:
        if scenario is self.scenario:
            return self._account
        kept = self._accounts.get(id(scenario))
        # The key is an identity: the scenario itself is in its account, so that it cannot be another's.
        if kept is None or kept.scenario is not scenario:
            if len(self._accounts) > 2 * MOST_SCENARIOS:
                self._accounts.clear()
            kept = self._accounts[id(scenario)] = account(scenario)
        return kept

    @property
    def system(self) -> System:
        """The unit system that charts are shown in."""
        return self._system

    @property
    def dirty(self) -> bool:
        """Whether the present document differs from the saved one; which scenario is looked at does not count."""
        return self.book.select(0) != self._history.present.home.saved.select(0)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return self._history.can_redo

    def set_system(self, system: System) -> None:
        """Show charts in decimal or binary units; the scenario is not touched."""
        if system != self._system:
            self._system = system
            self.shown_changed.emit()

    def settle(self) -> None:
        """Take what was typed up to now: it belongs to the scenario it was typed for, and to what is done next."""
        self.settling.emit()

    def apply(self, values: dict[str, object], step: str = "") -> None:
        """Change fields to values of their kinds; changes under one `step` name in a row are one step to undo.

        Raises InputError where the result cannot be accounted for; the store is unchanged then.
        """
        self._move(self._history.apply(self._with(self.book.edit(values)), step))

    def change_book(self, book: Workbook, step: str = "") -> None:
        """Take a changed document: one step, or with others under the same `step` name until one is committed.

        Raises InputError where its current scenario has no account.
        """
        if step:
            self._move(self._history.apply(self._with(book), step))
        else:
            self._move(self._history.seal().apply(self._with(book)).seal())

    def _with(self, book: Workbook) -> State:
        """Another content of the present document."""
        return State(book, self._history.present.home)

    def select(self, place: int) -> None:
        """Show another scenario of the document: no step to undo, since nothing is changed."""
        book = self.book.select(place)
        if book.current != self.book.current:
            self._move(self._history.seal().amend(self._with(book)))

    def commit(self) -> None:
        """Close the open step."""
        self._move(self._history.seal())

    def revert(self, step: str) -> None:
        """Drop the open step, if it has that name."""
        if self._history.open_step == step:
            self._move(self._history.revert())

    def undo(self) -> None:
        """One step back."""
        self._move(self._history.undo())

    def redo(self) -> None:
        """One step forward."""
        self._move(self._history.redo())

    def put(self, scenario: Scenario) -> None:
        """Take another scenario in place of the current one: one step. Raises InputError where it has no account."""
        self.change_book(self.book.put(scenario))

    def replace(self, book: Workbook, path: Path | None = None, saved: Workbook | None = None) -> None:
        """Take another document: one step, so that even opening a file can be undone, and back in its own file.

        `saved` is what of it is saved, where that is not the whole.
        Raises InputError where its current scenario has no account.
        """
        taken = State(book, Home(path, saved or book))
        sealed = self._history.seal()
        # Undoing a step between equal contents would do nothing that can be seen.
        self._move(sealed.amend(taken) if book == self.book else sealed.apply(taken).seal())

    def save(self, path: Path) -> None:
        """Write the present document. Raises DocumentError; the work is kept then."""
        self.commit()
        document.save(path, self.book)
        self._history.present.home.lies_in(path, self.book)
        self.document_changed.emit()

    def _move(self, history: History[State]) -> None:
        if history is self._history:
            return
        home, before, after = self._history.present.home, self.book, history.present.book
        if after.scenario is not before.scenario and after.scenario != before.scenario:
            self._account = account(after.scenario)
        self._history = history
        if after != before:
            self.changed.emit()
        places = [(len(book.scenarios), book.current) for book in (before, after)]
        if history.present.home is not home or places[0] != places[1]:
            self.replaced.emit()
        self.document_changed.emit()
