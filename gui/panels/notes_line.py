"""The notes: one line that says the first, and opens to all."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from core.account import Account
from core.notes import notes
from gui.panels.cards import Popup
from gui.panels.labels import ElidedLabel, text_label


class NotesLine(QWidget):
    """What is not counted and what was assumed, always in sight and never in the way."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notes: list[str] = []
        self._first = ElidedLabel("caption")
        self._button = QToolButton()
        self._button.setAutoRaise(True)
        self._button.clicked.connect(self._open)
        self._popup = Popup(self, "Notes")
        self._all = text_label("", wrap=True)
        column = QVBoxLayout(self._popup)
        column.setContentsMargins(20, 16, 20, 16)
        column.addWidget(self._all)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 0, 0)
        row.addWidget(self._first, 1)
        row.addWidget(self._button)

    def show_account(self, account: Account) -> None:
        """Show the notes of an account."""
        self._notes = notes(account)
        count = len(self._notes)
        self._button.setText("1 note" if count == 1 else f"{count} notes")
        self._button.setAccessibleDescription(" ".join(self._notes))
        self._first.show_text(" ".join(self._notes))

    def _open(self) -> None:
        self._all.setText("\n\n".join(self._notes))
        self._popup.setFixedWidth(460)
        self._popup.adjustSize()
        corner = self._button.mapToGlobal(QPoint(self._button.width(), -6))
        self._popup.move(corner - QPoint(self._popup.width(), self._popup.height()))
        self._popup.show()
