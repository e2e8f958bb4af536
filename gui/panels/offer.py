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
        self._turn_down: Callable[[], None] | None = None
        self.sentence = text_label("", wrap=True)
        self.accept = QPushButton()
        self.accept.setProperty("primary", True)
        self.accept.clicked.connect(lambda: self._answer(self._take))
        self.decline = QPushButton()
        self.decline.clicked.connect(lambda: self._answer(self._turn_down))
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 8, 12, 8)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.accept)
        row.addWidget(self.decline)
        self.hide()

    def show_offer(
        self, sentence: str, label: str, take: Callable[[], None] | None, turn_down: Callable[[], None] | None = None
    ) -> None:
        """Offer something. With nothing to take it is a sentence that stays until it has been read."""
        self._take, self._turn_down = take, turn_down
        self.sentence.setText(sentence)
        self.accept.setText(label)
        self.accept.setVisible(take is not None)
        self.decline.setText("OK" if take is None else "No, thanks")
        self.show()

    def _answer(self, act: Callable[[], None] | None) -> None:
        """Hide, and do what the answer asks for, which may be another offer."""
        self.hide()
        if act is not None:
            act()
