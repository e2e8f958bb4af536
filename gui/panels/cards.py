"""Surfaces: a rounded card that other panels stand on."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

# Pixels that a popup stays away from the edges of the screen; average letters in a line, and what long texts take.
_EDGE = 8
_LETTERS = (64, 96, 140)


class Card(QFrame):
    """A raised surface in the theme's card colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.setFrameShape(QFrame.Shape.StyledPanel)


class TextArea(QScrollArea):
    """A text that is shown whole where there is room for it, and scrolls where there is not."""

    def __init__(self, text: QLabel) -> None:
        super().__init__()
        self._text = text
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(text)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_scrolling(self, scrolling: bool) -> None:
        """Whether there is less room than the text needs. A bar that comes and goes by itself would hide a line."""
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if scrolling else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        self.updateGeometry()  # layouts remember heights, and do not hear of what is inside

    def showEvent(self, event: QShowEvent) -> None:
        """A text that changed while it could not be seen is laid out now."""
        super().showEvent(event)
        QCoreApplication.sendEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def hasHeightForWidth(self) -> bool:
        """As its text."""
        return True

    def heightForWidth(self, width: int) -> int:
        """All lines of the text, and a little for rounding."""
        return self._text.heightForWidth(width) + 2

    def sizeHint(self) -> QSize:
        """Of no size by itself: the width is given to it, and the height follows."""
        return QSize(0, 0)

    def minimumSizeHint(self) -> QSize:
        """Two lines can be scrolled through."""
        return QSize(0, 2 * self._text.fontMetrics().lineSpacing())


class Popup(Card):
    """A card above the window; Escape or a click elsewhere closes it."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        # Round corners would need a compositor, which not every desktop has.
        self.setProperty("popup", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(name)

    def fit(self, text: QLabel) -> None:
        """As wide as the text is good to read, and as high as it is then; wider where that would be too high."""
        layout, screen = self.layout(), (self.parentWidget() or self).screen().availableGeometry()
        assert layout is not None
        self.ensurePolished()
        text.ensurePolished()
        areas = self.findChildren(TextArea)
        for area in areas:
            area.set_scrolling(False)
        letter, highest = text.fontMetrics().averageCharWidth(), screen.height() - 2 * _EDGE
        width = height = 0
        for letters in _LETTERS:
            width = min(letters * letter, screen.width() - 2 * _EDGE)
            layout.invalidate()
            height = layout.totalHeightForWidth(width)
            if height <= highest:
                break
        for area in areas:
            area.set_scrolling(height > highest)
        self.setFixedSize(width, min(height, highest))

    def place(self, at: QPoint) -> None:
        """Stand there, or as near to it as the screen has room for the whole."""
        screen = (self.parentWidget() or self).screen().availableGeometry()
        x = min(max(at.x(), screen.left() + _EDGE), screen.right() - self.width() - _EDGE)
        y = min(max(at.y(), screen.top() + _EDGE), screen.bottom() - self.height() - _EDGE)
        self.move(x, y)
