"""Ctrl and the wheel make everything larger or smaller, wherever the pointer is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget

# What one notch of a wheel turns, in eighths of a degree; a touchpad sends parts of it.
NOTCH = 120


class WheelZoom(QObject):
    """Takes the wheel with Ctrl before anything in the window does: a field or a list under it would step or scroll."""

    def __init__(self, window: QWidget, zoom_by: Callable[[int], None]) -> None:
        super().__init__(window)
        self._zoom_by = zoom_by
        self._turned = 0
        window.winId()  # a window of the system's, which hears first, before it is shown
        handle = window.windowHandle()
        assert handle is not None
        handle.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A whole notch is a step; what is left of a turn the other way is dropped."""
        if event.type() != QEvent.Type.Wheel or not isinstance(event, QWheelEvent):
            return False
        if event.modifiers() != Qt.KeyboardModifier.ControlModifier:
            self._turned = 0
            return False
        turn = event.angleDelta().y()
        self._turned = self._turned + turn if self._turned * turn >= 0 else turn
        steps = int(self._turned / NOTCH)
        if steps:
            self._turned -= steps * NOTCH
            self._zoom_by(1 if steps > 0 else -1)
        return True
