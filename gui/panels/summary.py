"""What is read first: the verdict, and a few figures beside it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.account import Account
from core.tiles import Tile, tiles
from core.verdict import verdict
from gui.controls.field_row import restyle
from gui.panels.cards import Card
from gui.panels.labels import text_label
from gui.panels.why import tooltip


class FigureCard(Card):
    """A card that explains its figure: hover says it in a line, a click, Enter or F1 opens the derivation."""

    asked = Signal(str, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = ""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.WhatsThisCursor)
        self.setProperty("figure", True)

    def ask(self) -> None:
        """Ask for the derivation of the figure."""
        self.asked.emit(self.key, self.mapToGlobal(QPoint(0, self.height() + 6)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click asks why."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.ask()
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, space and F1 ask why."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_F1):
            self.ask()
        else:
            super().keyPressEvent(event)


class VerdictCard(FigureCard):
    """The answer in large type, and what holds for the chosen stage and cards."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.headline = text_label("verdict")
        self.condition = text_label("caption")
        self.detail = text_label("", wrap=True)
        self.detail.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 8, 20, 8)
        row.setSpacing(12)
        row.addWidget(self.headline)
        row.addWidget(self.condition)
        row.addWidget(self.detail, 1)

    def show_account(self, account: Account) -> None:
        """Show the verdict of an account."""
        said = verdict(account)
        self.key = said.key
        self.headline.setText(said.headline)
        self.condition.setText(f"{said.condition}\n{said.nodes}" if said.nodes else said.condition)
        mark = "▲" if said.state in ("over", "impossible") else "✓"
        self.detail.setText(f"{mark} {said.detail}")
        role = "" if said.state == "fits" else "limit"
        if self.detail.property("role") != role:
            self.detail.setProperty("role", role)
            restyle(self.detail)
        self.setAccessibleName(f"Verdict: {said.headline}, {said.condition}")
        self.setAccessibleDescription(said.detail)
        self.setToolTip(tooltip(account, said.key))


class TileCard(FigureCard):
    """One figure: label, value, and the same in the other unit system or a line about it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = text_label("caption")
        self.value = text_label("title")
        self.detail = text_label("caption")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 10, 10, 12)
        column.setSpacing(1)
        for widget in (self.label, self.value, self.detail):
            column.addWidget(widget)
        column.addStretch(1)
        self._account: Account | None = None

    def show_tile(self, account: Account, tile: Tile) -> None:
        """Show one tile of an account."""
        self._account = account
        self.key = tile.key
        self.label.setText(tile.label)
        self.value.setText(tile.value)
        self.detail.setText(f"{tile.detail} · {tile.change}" if tile.change else tile.detail)
        self.setAccessibleName(f"{tile.label}: {tile.value}")
        self.setAccessibleDescription(self.detail.text())

    def enterEvent(self, event: QEnterEvent) -> None:
        """The line for hovering is made only when someone looks."""
        if self._account is not None:
            self.setToolTip(tooltip(self._account, self.key))
        super().enterEvent(event)


class Summary(QWidget):
    """The verdict, and the tiles beneath it."""

    asked = Signal(str, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.verdict = VerdictCard()
        self.verdict.asked.connect(self.asked)
        self._row = QHBoxLayout()
        self._row.setSpacing(12)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self.verdict, 60)
        column.addLayout(self._row, 80)
        self.tiles: list[TileCard] = []

    def show_account(self, account: Account, baseline: Account | None = None) -> None:
        """Show the verdict and the tiles of an account; beside a baseline the tiles say how they differ."""
        self.verdict.show_account(account)
        shown = tiles(account, baseline)
        while len(self.tiles) < len(shown):
            card = TileCard()
            card.asked.connect(self.asked)
            self.tiles.append(card)
            self._row.addWidget(card, 1)
        for card, tile in zip(self.tiles, shown, strict=True):
            card.show_tile(account, tile)
