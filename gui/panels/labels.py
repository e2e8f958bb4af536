"""Labels in the theme's roles of type."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent, QTextLayout
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

# A number and its unit stay on one line.
_UNBROKEN = re.compile(r"(?<=\d) (?=([kMGTPE]?i?B|FLOP(/s)?|cards?|s|days|years)\b)")


def unbroken(text: str) -> str:
    """A text in which no number is parted from its unit at the end of a line."""
    return _UNBROKEN.sub("\u00a0", text)


def text_label(role: str, wrap: bool = False) -> QLabel:
    """A label in one of the theme's roles: verdict, title, heading, field, caption; "" is running text."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role)
    label.setWordWrap(wrap)
    return label


class ElidedLabel(QLabel):
    """One line of text that is cut with … where there is no room; the whole text is its tooltip then."""

    def __init__(self, role: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def whole(self) -> str:
        """The text before it was cut."""
        return self._whole

    def show_text(self, text: str) -> None:
        """Show a text."""
        if text != self._whole:
            self._whole = text
            self._elide()

    def _elide(self) -> None:
        room = self.contentsRect().width() - max(0, self.indent())
        cut = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room)
        self.setText(cut)
        self.setToolTip(self._whole if cut != self._whole else "")

    def sizeHint(self) -> QSize:
        """The whole text's."""
        self.ensurePolished()
        around = self.width() - self.contentsRect().width() + max(0, self.indent())
        return QSize(self.fontMetrics().horizontalAdvance(self._whole) + around + 2, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """No width is needed: the text is cut."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut anew."""
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Cut anew in another font; a label that is not seen does so once it is."""
        super().changeEvent(event)
        if self.isVisible() and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def showEvent(self, event: QShowEvent) -> None:
        """Cut for the room and the font there are now."""
        super().showEvent(event)
        self._elide()


class LinesLabel(ElidedLabel):
    """At most so many lines of text, broken at words; the last is cut with … where there is more."""

    def __init__(self, role: str, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(role, parent)
        self._lines = lines

    def set_lines(self, lines: int) -> None:
        """How many lines there may be."""
        if lines != self._lines:
            self._lines = lines
            self._elide()

    def _elide(self) -> None:
        room, metrics = self.contentsRect().width(), self.fontMetrics()
        layout = QTextLayout(self._whole, self.font())
        layout.beginLayout()
        starts: list[int] = []
        while len(starts) <= self._lines and (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, room))
            starts.append(line.textStart())
        layout.endLayout()
        ends = [*starts[1:], len(self._whole)]
        broken = [self._whole[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        cut = len(broken) > self._lines
        if cut:
            rest = self._whole[starts[self._lines - 1] :]
            broken = [*broken[: self._lines - 1], metrics.elidedText(rest, Qt.TextElideMode.ElideRight, room)]
        self.setText("\n".join(broken))
        self.setToolTip(self._whole if cut else "")
