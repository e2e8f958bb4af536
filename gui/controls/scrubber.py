"""Dragging a number, or its label, to change it: result while dragging, one drag one step to undo."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from gui.controls.value_box import ValueBox

# A press that moves less than this is a click.
DEAD_ZONE = 4
PIXELS_A_STEP = 6


class Scrubber(QObject):
    """Watches a label and the text of a value box. Shift makes steps ten times as large, Ctrl a tenth.

    The text of a box that has the focus is left alone: there a drag selects. Escape ends a drag and takes it back.
    """

    def __init__(self, box: ValueBox, label: QWidget, before: Callable[[], object]) -> None:
        """`before` is called when a drag begins: what is being typed elsewhere is taken first."""
        super().__init__(box)
        self._box, self._before = box, before
        self._label, self._line = label, box.lineEdit()
        self._from: QPointF | None = None
        self._dragging = False
        self._carried = 0.0
        for widget in (label, self._line):
            widget.installEventFilter(self)
        label.setCursor(Qt.CursorShape.SizeHorCursor)
        self._line.setCursor(Qt.CursorShape.SizeHorCursor)

    @property
    def dragging(self) -> bool:
        """Whether a drag is going on."""
        return self._dragging

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Turn a press that moves into a drag; leave everything else to the widget."""
        # The kind of an event takes a while to ask, and most are none of these.
        if isinstance(event, QFocusEvent) and watched is self._line:
            inside = event.gotFocus()
            self._line.setCursor(Qt.CursorShape.IBeamCursor if inside else Qt.CursorShape.SizeHorCursor)
        elif isinstance(event, QMouseEvent) and watched in (self._label, self._line):
            return self._mouse(watched, event)
        elif self._dragging and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.KeyPress:
                self._stop()
                self._box.reverted.emit()
            return True
        return False

    def _mouse(self, watched: QObject, event: QMouseEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            if not self._box.isEnabled() or (watched is self._line and self._line.hasFocus()):
                return False
            self._from, self._carried = event.globalPosition(), 0.0
            return True
        if self._from is None:
            return False
        if kind == QEvent.Type.MouseMove:
            self._drag(event)
            return True
        if kind == QEvent.Type.MouseButtonRelease:
            dragged = self._dragging
            self._stop()
            if dragged:
                self._box.committed.emit()
            else:
                self._box.setFocus(Qt.FocusReason.MouseFocusReason)
                self._line.selectAll()
            return True
        return False

    def _drag(self, event: QMouseEvent) -> None:
        assert self._from is not None
        moved = event.globalPosition().x() - self._from.x()
        if not self._dragging:
            if abs(moved) < DEAD_ZONE:
                return
            self._before()
            self._dragging = True
            # Escape comes to whatever has the focus, which a drag does not take.
            _app().installEventFilter(self)
            QApplication.setOverrideCursor(Qt.CursorShape.SizeHorCursor)
        self._from = event.globalPosition()
        self._carried += moved / PIXELS_A_STEP
        steps = int(self._carried)
        if steps:
            self._carried -= steps
            modifiers = event.modifiers()
            if modifiers & Qt.KeyboardModifier.ShiftModifier:
                self._box.nudge(steps * 10)
            else:
                self._box.nudge(steps, fine=bool(modifiers & Qt.KeyboardModifier.ControlModifier))

    def end(self) -> None:
        """End a drag with what it has come to: something else is about to be done."""
        if self._dragging:
            self._stop()
            self._box.committed.emit()

    def _stop(self) -> None:
        if self._dragging:
            _app().removeEventFilter(self)
            QApplication.restoreOverrideCursor()
        self._from, self._dragging = None, False


def _app() -> QCoreApplication:
    app = QCoreApplication.instance()
    assert app is not None
    return app
