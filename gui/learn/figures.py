"""The row of figures beneath a page's drawings; each explains itself like any figure of the window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from core.learn.description import Figure
from core.ledger import Row
from core.lines import Line
from gui.controls.field_row import restyle
from gui.panels.cards import Card
from gui.panels.labels import ElidedLabel
from gui.panels.summary import FigureCard

MARKS = {"right": "✓ ", "wrong": "✗ "}


class FigureTile(FigureCard):
    """One figure: label, value, and a word about it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.figure: Figure | None = None
        self.label, self.value, self.detail = (ElidedLabel(role) for role in ("caption", "heading", "caption"))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 8, 6)
        column.setSpacing(0)
        for widget in (self.label, self.value, self.detail):
            column.addWidget(widget)

    def show_figure(self, figure: Figure) -> None:
        """Show a figure; what is behind it is its tooltip."""
        self.figure = figure
        self.key = figure.key
        self.label.show_text(figure.label)
        self.value.show_text(f"{MARKS.get(figure.mark, '')}{figure.text}")
        self.detail.show_text(figure.detail)
        role = "limit" if figure.mark == "wrong" else "heading"
        if self.value.property("role") != role:
            self.value.setProperty("role", role)
            restyle(self.value)
        self.setToolTip(figure.line.text(named=True) if figure.line is not None else "")
        self.setAccessibleName(f"{figure.label}: {figure.text}")
        self.setAccessibleDescription(figure.detail)


class FigureStrip(Card):
    """The figures of a page side by side. `asked(row, at)`: someone wants to know how a figure comes about."""

    asked = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(6, 2, 6, 2)
        self._row.setSpacing(0)
        self.tiles: list[FigureTile] = []
        self.wanted = False

    def show_figures(self, section: str, figures: tuple[Figure, ...]) -> None:
        """Show figures, each in a tile of its own; tiles that are not needed are hidden."""
        while len(self.tiles) < len(figures):
            tile = FigureTile()
            tile.asked.connect(lambda _, at, tile=tile: self._ask(tile, at))
            self.tiles.append(tile)
            self._row.addWidget(tile, 1)
        for at, tile in enumerate(self.tiles):
            tile.setVisible(at < len(figures))
            if at < len(figures):
                tile.show_figure(figures[at])
        self._section = section
        self.wanted = bool(figures)

    def _ask(self, tile: FigureTile, at: QPoint) -> None:
        figure = tile.figure
        if figure is not None and figure.line is not None:
            line: Line = figure.line
            self.asked.emit(Row(self._section, figure.key, figure.label, line, figure.detail), at)
