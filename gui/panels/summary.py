"""What is read first: the verdict, and a few figures beside it."""

from __future__ import annotations

import math

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFontMetrics, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from core.account import Account
from core.tiles import TILES, Tile, tiles
from core.verdict import verdict
from gui.controls.field_row import restyle
from gui.fonts import SEMIBOLD, font
from gui.panels.cards import Card
from gui.panels.labels import ElidedLabel, LinesLabel, text_label, unbroken
from gui.panels.why import tooltip
from gui.theme import HEADING, TITLE, VERDICT

# Pixels: between cards; of the narrowest tile at zoom 1.
_GAP, _NARROWEST = 12, 116
# Pixels left and right of the verdict; its sizes of type, by role, from the usual one down.
_EDGE = 19
_SIZES = (("verdict", VERDICT), ("title", TITLE), ("heading", HEADING))
# Of the five tiles in one row: a time is longer than a size.
_SHARES = (5, 5, 5, 5, 6)


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


def edges(card: QWidget) -> int:
    """Pixels of height that a card's frame takes."""
    card.ensurePolished()
    return card.height() - card.contentsRect().height()


class VerdictCard(FigureCard):
    """The answer in large type, and beside it what holds for the chosen stage and cards."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._width, self._zoom, self._stacked = 0, 1.0, False
        self.headline = text_label("verdict")
        self.condition = ElidedLabel("caption")
        self.detail = LinesLabel("", 2)
        beside = QVBoxLayout()
        beside.setSpacing(2)
        beside.addStretch(1)
        beside.addWidget(self.condition)
        beside.addWidget(self.detail)
        beside.addStretch(1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(_EDGE, 7, _EDGE, 7)
        self._row.addWidget(self.headline)
        self._row.addLayout(beside, 1)

    def show_account(self, account: Account) -> None:
        """Show the verdict of an account."""
        said = verdict(account)
        self.key = said.key
        self.headline.setText(said.headline)
        self._fit()
        self.condition.show_text(f"{said.condition} · {said.nodes}" if said.nodes else said.condition)
        mark = "▲" if said.state in ("over", "impossible") else "✓"
        self.detail.show_text(unbroken(f"{mark}\u00a0{said.detail}"))
        role = "" if said.state == "fits" else "limit"
        if self.detail.property("role") != role:
            self.detail.setProperty("role", role)
            restyle(self.detail)
        self.setAccessibleName(f"Verdict: {said.line}")
        self.setAccessibleDescription(said.detail)
        self.setToolTip(tooltip(account, said.key))

    def _fit(self) -> None:
        """The headline as large as it has room for: cut, it would be another answer.

        Its room grows in steps, so that what stands beside it stays where it is from 6 to 10 cards.
        """
        room = self._width - 2 * _EDGE if self._stacked else self._width * 0.55
        text = self.headline.text()
        fitting = (
            (role, width)
            for role, size in _SIZES
            if (width := QFontMetrics(font(round(size * self._zoom), SEMIBOLD)).horizontalAdvance(text)) <= room
        )
        role, width = next(fitting, (_SIZES[-1][0], round(room)))
        if self.headline.property("role") != role:
            self.headline.setProperty("role", role)
            restyle(self.headline)
        # Beneath one another it may not ask for width: the card would never get the narrow one that it is set for.
        way = QSizePolicy.Policy.Ignored if self._stacked else QSizePolicy.Policy.Minimum
        self.headline.setSizePolicy(way, QSizePolicy.Policy.Preferred)
        step = round(32 * self._zoom)
        self.headline.setMinimumWidth(0 if self._stacked else -(-width // step) * step)

    def height_for(self, width: int, zoom: float) -> int:
        """Pixels that the card needs at a width. They follow from the width alone, so that nothing jumps."""
        self._width, self._zoom = width, zoom
        stacked = self._stacked = width < 500 * zoom
        self._fit()
        lines = 2 if width >= 760 * zoom else 3
        self.detail.set_lines(lines)
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if stacked else QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(2 if stacked else 20)
        text = self.condition.fontMetrics().height() + 2 + lines * self.detail.fontMetrics().lineSpacing()
        large = QFontMetrics(font(round(VERDICT * zoom), SEMIBOLD)).height()
        return (large + 2 + text if stacked else max(text, large)) + 16 + edges(self)


class TileCard(FigureCard):
    """One figure: label, value, and the same in the other unit system or a line about it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = ElidedLabel("caption")
        self.value = text_label("title")
        self.value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.detail = ElidedLabel("caption")
        self._metrics = QFontMetrics(self.value.font())
        column = QVBoxLayout(self)
        column.setContentsMargins(13, 7, 7, 7)
        column.setSpacing(1)
        column.addStretch(1)
        for widget in (self.label, self.value, self.detail):
            column.addWidget(widget)
        column.addStretch(1)
        self._account: Account | None = None

    def show_tile(self, account: Account, tile: Tile) -> None:
        """Show one tile of an account."""
        self._account = account
        self.key = tile.key
        self.label.show_text(tile.label)
        self.value.setText(tile.value)
        self.detail.show_text(f"{tile.detail} · {tile.change}" if tile.change else tile.detail)
        self.setAccessibleName(f"{tile.label}: {tile.value}")
        self.setAccessibleDescription(self.detail.whole)
        self._fit()

    def set_zoom(self, zoom: float) -> None:
        """The size of the value where it has its usual room."""
        self._metrics = QFontMetrics(font(round(TITLE * zoom), SEMIBOLD))
        self._fit()

    @property
    def needed(self) -> int:
        """Pixels of height that the three lines need."""
        captions = self.label.sizeHint().height() + self.detail.sizeHint().height()
        return captions + self._metrics.height() + 2 + 14 + edges(self)

    def _fit(self) -> None:
        """A value that is too long for its card is set smaller: cut, it would be another value."""
        room = self.contentsRect().width() - 20
        role = "title" if self._metrics.horizontalAdvance(self.value.text()) <= room else "heading"
        if self.value.property("role") != role:
            self.value.setProperty("role", role)
            restyle(self.value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the value anew."""
        super().resizeEvent(event)
        self._fit()

    def enterEvent(self, event: QEnterEvent) -> None:
        """The line for hovering is made only when someone looks."""
        if self._account is not None:
            self.setToolTip(tooltip(self._account, self.key))
        super().enterEvent(event)


class Summary(QWidget):
    """The verdict, and the tiles beneath it: in one row, or in as many as the width asks for."""

    asked = Signal(str, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._zoom = 1.0
        self.verdict = VerdictCard()
        self.verdict.asked.connect(self.asked)
        self._grid = QGridLayout()
        self._grid.setSpacing(_GAP)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP)
        column.addWidget(self.verdict)
        column.addLayout(self._grid)
        # Made at once, so that the Tab key meets them here and not after all that is made before the first account.
        self.tiles = [TileCard(self) for _ in range(TILES)]
        for card in self.tiles:
            card.asked.connect(self.asked)
        self._columns = 0

    def show_account(self, account: Account, baseline: Account | None = None) -> None:
        """Show the verdict and the tiles of an account; beside a baseline the tiles say how they differ."""
        self.verdict.show_account(account)
        shown = tiles(account, baseline)
        for card, tile in zip(self.tiles, shown, strict=True):
            card.show_tile(account, tile)
        if not self._columns:
            self._lay_out()

    def set_zoom(self, zoom: float) -> None:
        """Lay everything out for a type size."""
        self._zoom = zoom
        for card in self.tiles:
            card.set_zoom(zoom)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may take another number of rows."""
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        fitting = (self.width() + _GAP) // (round(_NARROWEST * self._zoom) + _GAP)
        columns = next((count for count in (5, 3, 2) if count <= fitting), 1)
        rows = -(-len(self.tiles) // columns)
        if columns != self._columns:
            self._columns = columns
            self._fill(rows)
        for card in self.tiles:
            card.setFixedHeight(card.needed)
        height = self.verdict.height_for(self.width(), self._zoom)
        self.verdict.setFixedHeight(height)
        self.setFixedHeight(height + rows * (self.tiles[0].needed + _GAP))

    def _fill(self, rows: int) -> None:
        """Tiles into the grid, those of a shorter last row wider; their order stays that of the Tab key."""
        for card in self.tiles:
            self._grid.removeWidget(card)
        spans = 1 if rows == 1 else math.lcm(self._columns, len(self.tiles) % self._columns or 1)
        shares = _SHARES if rows == 1 else (1,) * spans
        for place, card in enumerate(self.tiles):
            row, at = divmod(place, self._columns)
            here = min(self._columns, len(self.tiles) - row * self._columns)
            span = 1 if rows == 1 else spans // here
            self._grid.addWidget(card, row, at * span, 1, span)
            # Tiles are made after what stands beneath them, and would be come to last.
            self.setTabOrder(self.tiles[place - 1] if place else self.verdict, card)
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, shares[column] if column < len(shares) else 0)
