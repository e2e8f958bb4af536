"""A spin box over an exact Python value: any kind of field, any size, no rounding.

Qt's own boxes overflow at 2³¹, round to their decimals and read "70,5" as 705; this one leaves reading, writing and
stepping to the field.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QWidget

from core.fields import Field, InputError

# An error is said after this pause in typing, or on leaving the field, not at each key.
PAUSE_MS = 700


class ValueBox(QAbstractSpinBox):
    """Shows and edits the value of one field.

    `edited(changes)`, values by field name, is sent at every text that can be read; `committed` when Enter, a step or
    leaving ends the entry, `reverted` at Escape and where a text proves wrong, `refused(sentence)` when text cannot be
    read ("" when it can again).
    """

    edited = Signal(object)
    committed = Signal()
    reverted = Signal()
    refused = Signal(str)

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self._value: Any = None
        self._settled: Any = None
        self._stand_in: Any = None
        self._typing = False
        self._pending = ""
        self._held: Callable[[], None] | None = None
        self._keeping = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._paused)
        # A press on the text may begin a drag, so it must not take the focus; a click gives it afterwards.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.lineEdit().setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccelerated(True)
        self.setKeyboardTracking(True)
        self.setAccessibleName(field.label)
        self.setToolTip(field.help)
        # Spin boxes ignore the padding of a style sheet at the left.
        self.lineEdit().setTextMargins(8, 0, 0, 0)
        self.lineEdit().textEdited.connect(self._read)

    @property
    def value(self) -> Any:
        """The value last shown or read."""
        return self._value

    def show_value(self, value: Any, stand_in: Any = None) -> None:
        """Show `value`; None shows `stand_in`, the automatic value, as a quiet placeholder.

        Text that is being typed is left alone as long as it means the same value.
        """
        same = value == self._value
        self._value, self._settled, self._stand_in = value, value, stand_in
        if self._typing and (same or self._keeping):
            return
        self._typing = False
        self._clear_error()
        placeholder = ""
        if stand_in is not None:
            placeholder = self.field.kind.text(stand_in)
        elif self.field.automatic:
            placeholder = self.field.automatic
        self.lineEdit().setPlaceholderText(placeholder)
        text = self.shown_text()
        if text != self.lineEdit().text():
            self.lineEdit().setText(text)

    def restore(self) -> None:
        """Show again what was shown last, in place of a text that was not taken."""
        self.show_value(self._settled, self._stand_in)

    def drop(self) -> None:
        """Forget what was typed and not taken."""
        self._typing = False
        self._clear_error()
        self.restore()

    def refuse(self, sentence: str) -> None:
        """Say why the value that was read cannot be taken."""
        # What was held back was the beginning of this text, not a value of its own.
        self._held = None
        self._pending = sentence
        self._pause.start()

    def _read(self, text: str) -> None:
        self._typing = True
        try:
            value = self.field.read(text)
        except InputError as problem:
            self.refuse(problem.sentence)
            return
        self._clear_error()
        if value is not None and value < self.field.hold_below:
            self._hold(partial(self._take, value))
            return
        self._take(value)

    def _hold(self, take: Callable[[], None]) -> None:
        """Wait for a pause before a value is taken that is most often the beginning of another."""
        self._held = take
        self._pause.start()

    def changes(self, value: Any) -> dict[str, Any]:
        """What a value changes, by field name."""
        return {self.field.name: value}

    def shown_text(self) -> str:
        """The value in its shortest form; "" for an automatic one."""
        return "" if self._value is None else self.field.kind.text(self._value)

    def _take(self, value: Any) -> None:
        self._value = value
        self.edited.emit(self.changes(value))

    def _paused(self) -> None:
        """A pause in typing: what was held back is taken, what is wrong is said.

        The beginning of a wrong text may have been a value: "A10" of "A100", which names four cards. It does not stay:
        what held before the entry holds again, and the text stays to be mended.
        """
        if self._held is not None:
            take, self._held = self._held, None
            take()
        if self._pending:
            self._keeping = True
            self.reverted.emit()
            self._keeping = False
            self.refused.emit(self._pending)

    def _clear_error(self) -> None:
        self._pause.stop()
        self._pending = ""
        self._held = None
        self.refused.emit("")

    def settle(self) -> None:
        """End an entry that is being typed."""
        if self._typing:
            self._finish()

    def _finish(self) -> None:
        """End the entry: a readable one is committed and written in its shortest form, another one keeps its text."""
        self._pause.stop()
        self._paused()
        if self._pending:
            return
        if self._typing:
            self._typing = False
            self.committed.emit()
            self.show_value(self._value, self._stand_in)

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Any text may be typed; what it means is decided by the field."""
        return (QValidator.State.Acceptable, text, position)

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        """Steps are possible from any value that is within its range."""
        return QAbstractSpinBox.StepEnabledFlag.StepUpEnabled | QAbstractSpinBox.StepEnabledFlag.StepDownEnabled

    def stepBy(self, steps: int) -> None:
        """An arrow, a page or a turn of the wheel: one committed entry."""
        self.nudge(steps)
        self.committed.emit()
        self.lineEdit().selectAll()

    def nudge(self, steps: int, fine: bool = False) -> None:
        """Move by steps, or by tenths of them, without ending the entry."""
        start = self._value if self._value is not None else self._stand_in
        if start is None:
            start = self.field.minimum or 0
        moved = self.field.step(start, steps, fine)
        self._typing = False
        self._clear_error()
        self.lineEdit().setText(self.field.kind.text(moved))
        self._take(moved)

    def event(self, event: QEvent) -> bool:
        """Undo and redo are the document's: the line, asked past its filters, must not claim their keys."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            undo, redo = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
            if event.matches(undo) or event.matches(redo):
                event.ignore()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter commits, Escape goes back to the value before typing."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._finish()
            self.lineEdit().selectAll()
            event.accept()
        elif event.key() == Qt.Key.Key_Escape and (self._typing or self._pending):
            self._typing = False
            self.reverted.emit()
            self.drop()
            self.lineEdit().selectAll()
            event.accept()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The arrows give the focus to their field."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving the field ends the entry; a list that drops down from it does not."""
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._finish()
        super().focusOutEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel steps only a field that has the focus; elsewhere it scrolls what lies behind."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
