"""On or off."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from core.fields import Field


class FlagBox(QCheckBox):
    """A check box for a field that is on or off."""

    edited = Signal(object)
    committed = Signal()
    reverted = Signal()
    refused = Signal(str)

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field.label, parent)
        self.field = field
        self.setAccessibleName(field.label)
        self.setToolTip(field.help)
        self.clicked.connect(self._picked)

    def show_value(self, value: Any, stand_in: Any = None) -> None:
        """Show whether it is on."""
        self.setChecked(bool(value))

    def refuse(self, sentence: str) -> None:
        """Say why it cannot be so."""
        self.refused.emit(sentence)

    def _picked(self, on: bool) -> None:
        self.refused.emit("")
        self.edited.emit({self.field.name: on})
        self.committed.emit()
