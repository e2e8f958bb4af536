"""What would fit, and the notes: one line that says the first of them, and opens to all."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from core.account import Account
from core.notes import notes
from core.search import short, would_fit
from gui.panels.cards import Popup, TextArea
from gui.panels.labels import ElidedLabel, text_label

_AFTER_MS = 80


class NotesLine(QWidget):
    """What is not counted and what was assumed, always in sight and never in the way."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notes: list[str] = []
        self._answers: list[str] = []
        self._account: Account | None = None
        # What would fit is searched for after the paint, and once only while a number is dragged.
        self._search = QTimer(self)
        self._search.setSingleShot(True)
        self._search.setInterval(_AFTER_MS)
        self._search.timeout.connect(self._find)
        self._first = ElidedLabel("caption")
        self._button = QToolButton()
        self._button.setAutoRaise(True)
        self._button.clicked.connect(self._open)
        self._popup = Popup(self, "Notes")
        self._all = text_label("", wrap=True)
        column = QVBoxLayout(self._popup)
        column.setContentsMargins(20, 16, 20, 16)
        column.addWidget(TextArea(self._all))
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
        self._account, self._answers = account, []
        if account.stage.bill is not None:
            self._search.start()

    def _find(self) -> None:
        """Say what would fit in place of the notes, which the button still opens."""
        if self._account is not None:
            found = would_fit(self._account)
            self._answers = [row.sentence for row in found.all]
            self._first.show_text(" ".join(short(found)))

    def _open(self) -> None:
        self._search.stop()
        if self._account is not None and not self._answers:
            self._answers = [row.sentence for row in would_fit(self._account).all]
        self._all.setText("\n\n".join(filter(None, ["\n".join(self._answers), *self._notes])))
        self._popup.fit(self._all)
        corner = self._button.mapToGlobal(QPoint(self._button.width(), -6))
        self._popup.place(corner - QPoint(self._popup.width(), self._popup.height()))
        self._popup.show()
