"""Exporting and copying pictures."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPoint, Qt, QTemporaryDir, QUrl
from PySide6.QtGui import QAction, QDrag, QGuiApplication, QPixmap
from PySide6.QtWidgets import QApplication, QMenu

from core.charts.catalogue import BOARD, CHARTS, PAGES
from gui.pictures import file_name, picture

if TYPE_CHECKING:
    from gui.export import Picture
    from gui.main_window import MainWindow


class PictureCommands:
    """What can be done with charts."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._dragged: QTemporaryDir | None = None

    def chart_in_view(self) -> str:
        """The chart that has the focus, or the first that is seen."""
        window = self._window
        board = window.boards.get(window.page) or window.boards[PAGES[0].name]
        focused = QApplication.focusWidget()
        return next((card.name for card in board.cards if card.view is focused), board.cards[0].name)

    def export_board(self) -> None:
        """Export what is seen as a whole: all charts with the verdict, or the Learn page that is read."""
        self.export(BOARD)

    def export(self, name: str) -> None:
        """Ask for a file and write a picture to it. On the Learn side this is the page that is read."""
        from gui.export import DEFAULT_SIZE, write_picture

        window = self._window
        file = file_name(window.store.account, self._learn_page() or name)
        path = window.dialogs.picture_to_save(str(Path(window.commands.files.folder()) / file))
        if path is None:
            return
        try:
            write_picture(path, DEFAULT_SIZE, lambda: self._picture(name))
        except (ValueError, OSError, MemoryError) as problem:
            window.dialogs.warn("The picture was not written", f"{problem}.")
            return
        window.say(f"{path.name} written")

    def copy_picture(self, name: str) -> None:
        """Put a picture on the clipboard."""
        from gui.export import image_of

        window = self._window
        try:
            shot = image_of(self._picture(name))
        except (ValueError, MemoryError) as problem:
            window.dialogs.warn("The picture was not copied", f"{problem}.")
            return
        QGuiApplication.clipboard().setImage(shot)
        ends = " (it is gone when Memory Tax quits)" if QGuiApplication.platformName() == "xcb" else ""
        window.say(f"Picture copied{ends}")

    def _learn_page(self) -> str:
        """The Learn page that is read; "" on every other side of the window."""
        return f"learn-{self._window.learn.page}" if self._window.page == "learn" else ""

    def _picture(self, name: str) -> Picture:
        """What is exported and copied: a chart, the board, or the Learn page that is read."""
        from gui.charts.page import Page
        from gui.export import DEFAULT_SIZE

        window = self._window
        charts, heading = picture(window.store.account, name, window.store.system, window.store.baseline)
        if self._learn_page() and window.learn.view is not None:
            from gui.learn.picture import LearnPicture

            return LearnPicture(window.learn.view, heading, DEFAULT_SIZE, window.look.theme)
        return Page(charts, heading, DEFAULT_SIZE, window.look.theme)

    def drag(self, name: str) -> None:
        """Let a chart be dropped elsewhere, as a picture and as a PNG file, which stays until the program ends."""
        from gui.export import image_of

        window = self._window
        try:
            shot = image_of(self._picture(name))
            # Each in a folder of its own: what was dropped before must not become another picture.
            folder = Path(tempfile.mkdtemp(dir=self._dragged_to()))
            file = folder / file_name(window.store.account, name)
            if not shot.save(str(file), "PNG"):  # type: ignore[call-overload]
                raise OSError(f"{file} cannot be written")
        except (ValueError, OSError, MemoryError) as problem:
            window.dialogs.warn("The chart cannot be dragged out", f"{problem}.")
            return
        data = QMimeData()
        data.setImageData(shot)
        data.setUrls([QUrl.fromLocalFile(str(file))])
        drag = QDrag(window)
        drag.setMimeData(data)
        drag.setPixmap(QPixmap.fromImage(shot.scaledToWidth(320, Qt.TransformationMode.SmoothTransformation)))
        drag.exec(Qt.DropAction.CopyAction)

    def _dragged_to(self) -> str:
        """The folder of what is dragged out, which goes with the program. Raises OSError."""
        if self._dragged is None or not self._dragged.isValid():
            self._dragged = QTemporaryDir()
        if not self._dragged.isValid():
            raise OSError(f"a folder for it cannot be made: {self._dragged.errorString()}")
        return self._dragged.path()

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
