"""Worked scenarios to begin from, one click each."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.beginnings import BEGINNINGS


class BeginningsBar(QWidget):
    """A button for each beginning."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 14, 6)
        row.setSpacing(0)
        for beginning in BEGINNINGS:
            button = QPushButton(beginning.label)
            button.setProperty("flat", True)
            button.setProperty("small", True)
            button.setToolTip(beginning.about)
            button.setAccessibleName(f"Begin with: {beginning.label}")
            button.setAccessibleDescription(beginning.about)
            button.clicked.connect(lambda _=False, name=beginning.name: self.chosen.emit(name))
            row.addWidget(button, 1)
