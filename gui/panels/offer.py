"""A line that offers something once, without stopping anyone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from gui.panels.cards import Card
from gui.panels.labels import text_label


class Offer(Card):
    """A sentence, a button that takes the offer, and one that declines it; hidden until something is offered."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._take: Callable[[], None] | None = None
        self.sentence = text_label("")
        self.accept = QPushButton()
        self.accept.setProperty("primary", True)
        self.accept.clicked.connect(self._accepted)
        self.decline = QPushButton("No, thanks")
        self.decline.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 8, 12, 8)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.accept)
        row.addWidget(self.decline)
        self.hide()

    def show_offer(self, sentence: str, label: str, take: Callable[[], None]) -> None:
        """Offer something."""
        self._take = take
        self.sentence.setText(sentence)
        self.accept.setText(label)
        self.show()

    def _accepted(self) -> None:
        self.hide()
        if self._take is not None:
            self._take()
