"""Exporting and copying pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu

from core.charts.catalogue import BOARD, CHARTS, PAGES
from gui.pictures import file_name, picture

if TYPE_CHECKING:
    from gui.main_window import MainWindow


class PictureCommands:
    """What can be done with charts."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def chart_in_view(self) -> str:
        """The chart that has the focus, or the first that is seen."""
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
        path = window.dialogs.picture_to_save(str(Path(window.commands.files.folder()) / file_name(account, name)))
        if path is None:
            return
        charts, heading = picture(account, name, window.store.system, window.store.baseline)
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
        charts, heading = picture(window.store.account, name, window.store.system, window.store.baseline)
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
