"""What each action does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from core import document, report
from core.charts.catalogue import BOARD, CHARTS, PAGES
from core.document import DocumentError
from core.ledger import ledger
from core.scenario import Scenario
from core.version import VERSION
from gui.actions import keys_text
from gui.charts.view import ChartView
from gui.panels.ledger_table import LedgerTable
from gui.panels.summary import FigureCard
from gui.pictures import file_name, picture

if TYPE_CHECKING:
    from gui.main_window import MainWindow


class Commands:
    """The handlers of the actions of one window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def handlers(self) -> dict[str, Callable[[], None]]:
        """A function for each action, by the action's name."""
        window, store, look = self._window, self._window.store, self._window.look
        return {
            "new": self.new,
            "open": self.open,
            "save": lambda: void(self.save()),
            "save_as": lambda: void(self.save_as()),
            "export_board": self.export_board,
            "export_chart": lambda: self.export(self._chart_in_view()),
            "quit": lambda: void(window.close()),
            "undo": store.undo,
            "redo": store.redo,
            "copy_board": lambda: self.copy_picture(BOARD),
            "copy_text": lambda: self._copy_ledger(report.rows_as_text),
            "copy_markdown": lambda: self._copy_ledger(report.rows_as_markdown),
            "copy_csv": lambda: self._copy_ledger(report.rows_as_csv),
            **{f"page_{name}": partial(window.show_page, name) for name in (*(page.name for page in PAGES), "ledger")},
            "unit_decimal": lambda: store.set_system("decimal"),
            "unit_binary": lambda: store.set_system("binary"),
            **{f"theme_{choice}": partial(look.choose, choice) for choice in ("system", "light", "dark")},
            "zoom_in": lambda: look.zoom_by(1),
            "zoom_out": lambda: look.zoom_by(-1),
            "zoom_reset": lambda: look.zoom_by(0),
            "why": self.why,
            "keys": self.keys,
            "about": self.about,
        }

    # Files

    def may_leave(self) -> bool:
        """Whether the document may be left: it is saved, or the person said so."""
        store = self._window.store
        store.commit()
        if not store.dirty:
            return True
        answer = self._window.dialogs.keep_changes(store.path.name if store.path else "this scenario")
        return self.save() if answer == "save" else answer == "discard"

    def new(self) -> None:
        """Begin again with the scenario of the lesson."""
        if self.may_leave():
            self._window.store.replace(Scenario())

    def open(self) -> None:
        """Ask for a file and open it."""
        path = self._window.dialogs.file_to_open(self._folder())
        if path is not None:
            self.open_path(path)

    def open_path(self, path: Path) -> bool:
        """Open a scenario file; a file that cannot be read changes nothing."""
        try:
            scenario = document.load(path)
        except DocumentError as problem:
            self._window.dialogs.warn("The file was not opened", f"{problem}.")
            return False
        if not self.may_leave():
            return False
        try:
            self._window.store.replace(scenario, path)
        except ValueError as problem:
            self._window.dialogs.warn("The file was not opened", f"{path.name}: {problem}.")
            return False
        self._remember(path)
        self._window.say(f"{path.name} opened")
        return True

    def save(self) -> bool:
        """Save to the document's file, or ask for one."""
        path = self._window.store.path
        return self.save_as() if path is None else self._save(path)

    def save_as(self) -> bool:
        """Ask for a file and save to it."""
        store = self._window.store
        suggestion = str(store.path) if store.path else str(Path(self._folder()) / f"scenario{document.SUFFIX}")
        path = self._window.dialogs.file_to_save(suggestion)
        return path is not None and self._save(path)

    def _save(self, path: Path) -> bool:
        try:
            self._window.store.save(path)
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
        recent = self._window.settings.recent
        for name in recent:
            action = QAction(Path(name).name, menu)
            action.setToolTip(name)
            action.triggered.connect(lambda _=False, name=name: self._open_recent(name))
            menu.addAction(action)
        menu.setEnabled(bool(recent))

    def _open_recent(self, name: str) -> None:
        if not self.open_path(Path(name)) and not Path(name).exists():
            self._window.settings.drop_recent(name)
            self.fill_recent()

    def _folder(self) -> str:
        path = self._window.store.path
        return str(path.parent if path else Path.home())

    # Pictures

    def _chart_in_view(self) -> str:
        window = self._window
        board = window.boards.get(window.page) or window.boards[PAGES[0].name]
        focused = QApplication.focusWidget()
        return next((card.name for card in board.cards if card.view is focused), board.cards[0].name)

    def export_board(self) -> None:
        """Export all charts with the verdict."""
        self.export(BOARD)

    def export(self, name: str) -> None:
        """Ask for a file and write a picture to it."""
        from gui.export import write_chart

        window = self._window
        account = window.store.account
        path = window.dialogs.picture_to_save(str(Path(self._folder()) / file_name(account, name)))
        if path is None:
            return
        charts, heading = picture(account, name, window.store.system)
        try:
            write_chart(path, charts, heading, theme=window.look.theme)
        except (ValueError, OSError, MemoryError) as problem:
            window.dialogs.warn("The picture was not written", f"{problem}.")
            return
        window.say(f"{path.name} written")

    def copy_picture(self, name: str) -> None:
        """Put a picture on the clipboard."""
        from gui.export import image

        window = self._window
        charts, heading = picture(window.store.account, name, window.store.system)
        QGuiApplication.clipboard().setImage(image(charts, heading, theme=window.look.theme))
        ends = " (it is gone when Memory Tax quits)" if QGuiApplication.platformName() == "xcb" else ""
        window.say(f"Picture copied{ends}")

    def chart_menu(self, name: str, at: QPoint) -> None:
        """What can be done with one chart."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = QAction("Copy chart as picture", menu)
        copy.triggered.connect(lambda: self.copy_picture(name))
        export = QAction(f"Export “{CHARTS[name].title}”…", menu)
        export.triggered.connect(lambda: self.export(name))
        menu.addActions([copy, export])
        menu.popup(at)

    def _copy_ledger(self, write: Callable[..., str]) -> None:
        rows = ledger(self._window.store.account)
        QGuiApplication.clipboard().setText(write(rows))
        self._window.say(f"Ledger copied, {len(rows)} rows")

    # Help

    def why(self) -> None:
        """Explain the figure that has the focus, or the verdict."""
        focused: QWidget | None = QApplication.focusWidget()
        if isinstance(focused, FigureCard | LedgerTable):
            focused.ask()
        elif isinstance(focused, ChartView) and focused.focus_key():
            focused.activated.emit(focused.focus_key())
        else:
            self._window.summary.verdict.ask()

    def keys(self) -> None:
        """List every key."""
        text = "\n".join(f"{keys}\t{label}" for label, keys in keys_text())
        self._window.dialogs.tell("Keys", text)

    def about(self) -> None:
        """Say what this is and under which licences."""
        self._window.dialogs.tell(
            "About Memory Tax",
            f"Memory Tax {VERSION}\n\nWhat training a neural network keeps in memory, why, and on how many cards it "
            "fits.\n\nMIT licence. It ships Qt under the LGPL and Inter under the Open Font License; all texts lie in "
            "resources/licences.",
        )


def void(_: object) -> None:
    """Drop a result that a menu has no use for."""
