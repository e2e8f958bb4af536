"""Choices by name: a list to drop down, or a row of segments where there are few."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from core.choice_kinds import Choice
from core.fields import Field
from gui.controls.switch import Switch


class ChoiceBox(QComboBox):
    """A drop-down list of a field's options; an automatic field has its automatic value first.

    The list is filled when it is first needed, so that a catalogue costs nothing at the start.
    """

    edited = Signal(object)
    committed = Signal()
    reverted = Signal()
    refused = Signal(str)

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        assert isinstance(field.kind, Choice)
        self.field = field
        self._filled = False
        self.setAccessibleName(field.label)
        self.setToolTip(field.help)
        self.setMaxVisibleItems(18)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        if field.automatic:
            self.addItem(field.automatic[0].upper() + field.automatic[1:], None)
        self.activated.connect(self._picked)

    def _fill(self) -> None:
        if self._filled:
            return
        self._filled = True
        assert isinstance(self.field.kind, Choice)
        for option in self.field.kind.options():
            self.addItem(option.label, int(option.name) if self.field.kind.whole else option.name)
            self.setItemData(self.count() - 1, option.hint, Qt.ItemDataRole.ToolTipRole)

    def show_value(self, value: Any, stand_in: Any = None) -> None:
        """Show the option of that value."""
        self.refused.emit("")
        if value is not None:
            self._fill()
        self.setCurrentIndex(self.findData(value))

    def refuse(self, sentence: str) -> None:
        """Say why the choice cannot be taken."""
        self.refused.emit(sentence)

    def _picked(self, index: int) -> None:
        self.refused.emit("")
        self.edited.emit({self.field.name: self.itemData(index)})
        self.committed.emit()

    def showPopup(self) -> None:
        """Fill the list before it drops down."""
        self._fill()
        super().showPopup()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Fill the list before a key moves in it."""
        self._fill()
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel changes only a list that has the focus."""
        if self.hasFocus():
            self._fill()
            super().wheelEvent(event)
        else:
            event.ignore()


class Segments(Switch):
    """A row of buttons of which one is down: for fields of a few short choices."""

    edited = Signal(object)
    committed = Signal()
    reverted = Signal()
    refused = Signal(str)

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        assert isinstance(field.kind, Choice)
        options = field.kind.options()
        names, hints = [option.name for option in options], [option.hint for option in options]
        super().__init__(names, field.label, hints, wide=True, parent=parent)
        self.field = field
        self._values: list[Any] = [int(name) if field.kind.whole else name for name in names]
        self.chosen.connect(self._picked)

    def show_value(self, value: Any, stand_in: Any = None) -> None:
        """Press the button of that value."""
        self.press(self._values.index(value))

    def refuse(self, sentence: str) -> None:
        """Say why the choice cannot be taken."""
        self.refused.emit(sentence)

    def _picked(self, place: int) -> None:
        self.refused.emit("")
        self.edited.emit({self.field.name: self._values[place]})
        self.committed.emit()
