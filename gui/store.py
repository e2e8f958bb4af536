"""The one mutable thing: the document's history, the account of its present, and what the views show it in."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core import document
from core.account import Account, account
from core.history import History
from core.quantities import System
from core.scenario import Scenario, change


class Store(QObject):
    """Holds the scenario's history and its account; tells views when either changed.

    A change is accounted for before it is taken: a scenario that cannot be (InputError) leaves everything as it was.
    """

    changed = Signal()
    shown_changed = Signal()
    document_changed = Signal()

    def __init__(self, scenario: Scenario | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        start = scenario or Scenario()
        self._history: History[Scenario] = History(start)
        self._account = account(start)
        self._saved = start
        self.path: Path | None = None
        self._system: System = "decimal"

    @property
    def scenario(self) -> Scenario:
        """The present scenario."""
        return self._history.present

    @property
    def account(self) -> Account:
        """The account of the present scenario."""
        return self._account

    @property
    def system(self) -> System:
        """The unit system that charts are shown in."""
        return self._system

    @property
    def dirty(self) -> bool:
        """Whether the present scenario differs from the saved one."""
        return self.scenario != self._saved

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

    def apply(self, values: dict[str, object], step: str = "") -> None:
        """Change fields to values of their kinds; changes under one `step` name in a row are one step to undo.

        Raises InputError where the result cannot be accounted for; the store is unchanged then.
        """
        self._move(self._history.apply(change(self.scenario, values), step))

    def commit(self) -> None:
        """Close the open step."""
        self._move(self._history.seal())

    def revert(self) -> None:
        """Drop the open step."""
        self._move(self._history.revert())

    def undo(self) -> None:
        """One step back."""
        self._move(self._history.undo())

    def redo(self) -> None:
        """One step forward."""
        self._move(self._history.redo())

    def put(self, scenario: Scenario) -> None:
        """Take another scenario into the same document: one step. Raises InputError where it has no account."""
        self._move(self._history.seal().apply(scenario).seal())

    def replace(self, scenario: Scenario, path: Path | None = None) -> None:
        """Take another document: one step, so that even opening a file can be undone."""
        self.put(scenario)
        self._saved = scenario
        self._set_path(path)

    def save(self, path: Path) -> None:
        """Write the present scenario. Raises DocumentError; the work is kept then."""
        self.commit()
        document.save(path, self.scenario)
        self._saved = self.scenario
        self._set_path(path)

    def _set_path(self, path: Path | None) -> None:
        self.path = path
        self.document_changed.emit()

    def _move(self, history: History[Scenario]) -> None:
        if history is self._history:
            return
        moved = history.present != self._history.present
        if moved:
            self._account = account(history.present)
        self._history = history
        if moved:
            self.changed.emit()
        self.document_changed.emit()
