"""One page of several, in whatever room there is."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QWidget

from gui.panels.board import Board


class Pages(QStackedWidget):
    """Pages that fill the room they are given; only what is seen may ask for a least height."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def hasHeightForWidth(self) -> bool:
        """A page scrolls or shrinks; it does not grow."""
        return False

    def sizeHint(self) -> QSize:
        """The least height."""
        return QSize(0, max(self.minimumHeight(), self.minimumSizeHint().height()))

    def minimumSizeHint(self) -> QSize:
        """What the charts need that are seen; other pages scroll within themselves."""
        page = self.currentWidget()
        return QSize(0, page.minimumSizeHint().height() if isinstance(page, Board) else 0)
