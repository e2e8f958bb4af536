"""Opening, saving and leaving documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from core import document
from core.beginnings import BEGINNINGS
from core.document import DocumentError
from core.fields import InputError
from core.models.architecture import Architecture
from core.opening import open_any
from core.scenario import DIMENSION_FIELDS
from core.workbook import Workbook

if TYPE_CHECKING:
    from gui.main_window import MainWindow


class FileCommands:
    """What the File menu does with scenarios."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def may_leave(self) -> bool:
        """Whether the document may be left: it is saved, or the person said so."""
        store = self._window.store
        store.settle()
        store.commit()
        if not store.dirty:
            return True
        answer = self._window.dialogs.keep_changes(store.path.name if store.path else "this scenario")
        return self.save() if answer == "save" else answer == "discard"

    def new(self) -> None:
        """Begin again with the scenario of the lesson."""
        if self.may_leave():
            self._window.store.replace(Workbook())

    def begin(self, name: str) -> None:
        """Take a worked scenario in place of the present one: one step, so nothing is lost."""
        beginning = next(row for row in BEGINNINGS if row.name == name)
        self._window.store.settle()
        self._window.store.put(beginning.scenario)
        self._window.say(beginning.about)

    def open(self) -> None:
        """Ask for a file and open it."""
        path = self._window.dialogs.file_to_open(self.folder())
        if path is not None:
            self.open_path(path)

    def open_path(self, path: Path) -> bool:
        """Open a scenario, or take the model of a configuration file; a file that cannot be read changes nothing."""
        self._window.store.settle()
        try:
            found = open_any(path)
        except DocumentError as problem:
            self._window.dialogs.warn("The file was not opened", f"{problem}.")
            return False
        if isinstance(found, Architecture):
            return self._take_model(found)
        if not self.may_leave():
            return False
        self._window.store.replace(found, path)
        self._remember(path)
        self._window.say(f"{path.name} opened")
        return True

    def _take_model(self, model: Architecture) -> bool:
        """A configuration file names the model of the present scenario; dimensions set by hand go with the old one."""
        try:
            self._window.store.apply({"model": model, **dict.fromkeys(DIMENSION_FIELDS)})
        except InputError as problem:
            self._window.dialogs.warn("The model was not taken", f"{problem}.")
            return False
        self._window.store.commit()
        self._window.say(f"{model.name}: {self._window.store.account.params.count:,} parameters")
        return True

    def save(self) -> bool:
        """Save to the document's file, or ask for one."""
        path = self._window.store.path
        return self.save_as() if path is None else self._save(path)

    def save_as(self) -> bool:
        """Ask for a file and save to it."""
        store = self._window.store
        suggestion = str(store.path) if store.path else str(Path(self.folder()) / f"scenario{document.SUFFIX}")
        path = self._window.dialogs.file_to_save(suggestion)
        return path is not None and self._save(path)

    def _save(self, path: Path) -> bool:
        store, dialogs = self._window.store, self._window.dialogs
        if path == store.path and store.changed_outside:
            why = "was changed by another program since it was opened"
            if not dialogs.may_replace(path.name, why):
                return False
        try:
            store.save(path)
        except DocumentError as problem:
            self._window.dialogs.warn("The scenario was not saved", f"{problem}.")
            return False
        self._remember(path)
        self._window.say(f"Saved to {path.name}")
        return True

    def _remember(self, path: Path) -> None:
        self._window.settings.add_recent(path)
        self.fill_recent()

    def fill_recent(self) -> None:
        """Show the recent files in their menu."""
        menu = self._window.actions_by_name["recent"].menu()
        assert isinstance(menu, QMenu)
        menu.clear()
        menu.setToolTipsVisible(True)  # the folder tells files of one name apart
        recent = self._window.settings.recent
        for name in recent:
            action = QAction(Path(name).name.replace("&", "&&"), menu)  # one alone would mark a key
            action.setToolTip(name)
            action.triggered.connect(lambda _=False, name=name: self._open_recent(name))
            menu.addAction(action)
        menu.setEnabled(bool(recent))

    def _open_recent(self, name: str) -> None:
        if not self.open_path(Path(name)) and not Path(name).exists():
            self._window.settings.drop_recent(name)
            self.fill_recent()

    def folder(self) -> str:
        """Where a dialog begins: beside the document."""
        path = self._window.store.path
        return str(path.parent if path else Path.home())
