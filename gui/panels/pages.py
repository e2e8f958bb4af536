"""One page of several, in whatever room there is."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget


class Pages(QStackedWidget):
    """Pages that fill the room they are given: none of them asks for more than the least height that is set."""

    def hasHeightForWidth(self) -> bool:
        """A page scrolls or shrinks; it does not grow."""
        return False

    def sizeHint(self) -> QSize:
        """The least height."""
        return QSize(0, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        """No more than was set."""
        return QSize(0, 0)
