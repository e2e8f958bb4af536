"""What was done, said in passing at the foot of the window, over whatever stands there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from gui.panels.labels import ElidedLabel

SHOWN_MS = 5000
_MARGIN = 28


class Toast(ElidedLabel):
    """A line that goes after a while; it takes no room, no click and no focus, and leaves what is typed into free."""

    def __init__(self, parent: QWidget, free: QWidget) -> None:
        super().__init__("toast", parent)
        self._free = free
        self.setProperty("floating", True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(lambda: self.say(""))
        parent.installEventFilter(self)
        self.hide()

    def say(self, text: str) -> None:
        """Say something for a while; "" ends it."""
        self.show_text(text)
        self.setVisible(bool(text))
        if not text:
            self._timer.stop()
            return
        self._timer.start(SHOWN_MS)
        self._stand()
        self.raise_()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _stand(self) -> None:
        parent = self.parentWidget()
        assert parent is not None
        self.ensurePolished()
        edges = self.width() - self.contentsRect().width()
        wanted = self.fontMetrics().horizontalAdvance(self.whole) + edges + 2
        width = min(wanted, parent.width() - 2 * _MARGIN)
        height = self.fontMetrics().height() * 2
        free = self._free
        foot = free.mapTo(parent, free.rect().topLeft()).y() if free.isVisible() else parent.height() - _MARGIN
        self.setGeometry((parent.width() - width) // 2, foot - height, width, height)

    def changeEvent(self, event: QEvent) -> None:
        """Fit another type size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.isVisible():
            self._stand()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the foot of a window that is resized."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._stand()
        return super().eventFilter(watched, event)
