"""Worked scenarios to begin from, one click each."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.beginnings import BEGINNINGS
from gui.panels.labels import text_label


class BeginningsBar(QWidget):
    """A button for each beginning."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        heading = text_label("caption")
        heading.setText("Begin with")
        heading.setContentsMargins(6, 0, 0, 0)
        row = QHBoxLayout()
        row.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 6)
        column.setSpacing(2)
        column.addWidget(heading)
        column.addLayout(row)
        for beginning in BEGINNINGS:
            button = QPushButton(beginning.label)
            button.setProperty("flat", True)
            button.setProperty("small", True)
            button.setToolTip(beginning.about)
            button.setAccessibleName(f"Begin with: {beginning.label}")
            button.setAccessibleDescription(beginning.about)
            button.clicked.connect(lambda _=False, name=beginning.name: self.chosen.emit(name))
            row.addWidget(button, 1)
