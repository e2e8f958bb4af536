"""A page for export: the heading, and one chart or a board of them on cards, at a size of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsScene

from core.bands import ALL_LABELS
from core.charts.description import Chart
from gui.charts.item import ChartItem
from gui.charts.painter import draw_chip, draw_label
from gui.charts.parts import Chip, Label
from gui.charts.text import advance, elided, line_height
from gui.theme import Theme

BEST_SHAPE = 2.1
"""Width to height of a chart that reads well: the board's grid comes as near to it as it can."""


BOARD_AREA, CHART_AREA = 1370 * 770, 1040 * 585
"""Pixels of a page on which type has scale 1."""

LEAST_WIDTH, LEAST_HEIGHT = 560, 420
"""Fewer pixels than this a side, and type becomes smaller."""


class Heading(msgspec.Struct, frozen=True):
    """What a picture says besides its charts. `verdict`: the first line is large. `foot`: program, version, unit."""

    title: str
    verdict: tuple[str, ...] = ()
    scenario: str = ""
    foot: str = ""


def _colours(charts: Sequence[Chart]) -> dict[str, str]:
    """The bands that bars are stacked of, each with its name, in their usual order."""
    stacked = (bar for chart in charts for bar in chart.bars if sum(part.value > 0 for part in bar.segments) > 1)
    found = {part.role: part.label for bar in stacked for part in bar.segments if part.value > 0}
    return {role: found[role] for role in ALL_LABELS if role in found}


class Page:
    """A picture laid out once, painted as often as asked."""

    def __init__(self, charts: Sequence[Chart], heading: Heading, size: QSize, theme: Theme) -> None:
        self.size, self.theme, self._heading = size, theme, heading
        self._charts = tuple(charts)
        width, height = float(size.width()), float(size.height())
        self._board = len(charts) != 1
        # Type grows with the page's area: a board's is 1.4 at 1920 × 1080, that of one chart alone 1.8.
        grown = math.sqrt(width * height / (BOARD_AREA if self._board else CHART_AREA))
        self._scale = max(0.6, min(grown, width / LEAST_WIDTH, height / LEAST_HEIGHT))
        margin = min(28 * self._scale, width * 0.04, height * 0.04)
        self._head: list[Label] = []
        self.chips: list[Chip] = []
        top = self._lay_head(margin, width, height)
        foot = self._lay_foot(margin, width, height)
        self.cells = self._grid(QRectF(margin, top, width - 2 * margin, height - foot - top))

    @property
    def ground(self) -> str:
        """Colour beneath everything, as #RRGGBB."""
        return self.theme.window if self._board else self.theme.card

    def metadata(self) -> dict[str, str]:
        """What is written into the file beside the picture."""
        heading = self._heading
        said = [*heading.verdict, heading.scenario, *(chart.spoken for chart in self._charts)]
        return {"Title": heading.title, "Description": " ".join(filter(None, said)), "Software": heading.foot}

    def paint(self, painter: QPainter) -> None:
        """Paints the page from (0, 0) to its size, in pixels."""
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.fillRect(QRectF(0, 0, self.size.width(), self.size.height()), QColor(self.ground))
        for label in self._head:
            draw_label(painter, label, self.theme)
        for chip in self.chips:
            draw_chip(painter, chip, self.theme, self._scale)
        scene = QGraphicsScene()
        scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        for chart, cell in zip(self._charts, self.cells, strict=True):
            self._paint_cell(painter, scene, chart, cell)

    def _paint_cell(self, painter: QPainter, scene: QGraphicsScene, chart: Chart, cell: QRectF) -> None:
        scale = self._scale
        inner = cell
        if self._board:
            painter.setPen(QPen(QColor(self.theme.line), max(1.0, scale)))
            painter.setBrush(QColor(self.theme.card))
            corner = min(12 * scale, cell.height() / 8)
            painter.drawRoundedRect(cell, corner, corner)
            inset = min(14 * scale, cell.width() * 0.03)
            down = min(18 * scale, cell.height() * 0.05)
            inner = cell.adjusted(inset, down, -inset, -down * 0.7)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        item = ChartItem(chart, self.theme, scale)
        item.resize(inner.size())
        scene.addItem(item)
        scene.render(painter, inner, QRectF(0, 0, inner.width(), inner.height()), Qt.AspectRatioMode.IgnoreAspectRatio)
        scene.removeItem(item)

    def _line(self, text: str, px: float, weight: int, ink: str, left: float, top: float, room: float) -> Label | None:
        size = max(1, round(px * self._scale))
        short = elided(text, size, weight, room)
        if not short:
            return None
        rect = QRectF(left, top, advance(short, size, weight), line_height(size, weight))
        return Label("heading", short, text, rect, size, weight, ink)

    def _lay_head(self, margin: float, width: float, height: float) -> float:
        """Title, verdict and scenario from the top; less of it on a small page. Where the charts begin."""
        heading, scale = self._heading, self._scale
        lines = [(heading.title, 15.0, 500, "quiet", 4.0)] if heading.title else []
        for at, text in enumerate(heading.verdict):
            lines.append((text, 28.0, 600, "text", 4.0) if at == 0 else (text, 15.0, 400, "text", 4.0))
        if heading.scenario:
            lines.append((heading.scenario, 13.0, 400, "quiet", 4.0))
        while lines and sum(line_height(round(px * scale)) + gap * scale for _, px, _, _, gap in lines) > height * 0.3:
            lines.pop(0 if len(lines) > 1 and lines[0][1] < 28 else -1)
        top = margin
        for text, px, weight, ink, gap in lines:
            label = self._line(
                text, px, weight, ink, margin + (0 if self._board else 8 * scale), top, width - 2 * margin
            )
            if label is not None:
                self._head.append(label)
            top += line_height(round(px * scale)) + gap * scale
        return top + (10 * scale if lines else 0)

    def _lay_foot(self, margin: float, width: float, height: float) -> float:
        """Program and version at the bottom right. How much height it takes, margin included."""
        if not self._heading.foot or height < 200:
            return margin
        label = self._line(self._heading.foot, 11.0, 400, "quiet", margin, 0, width - 2 * margin)
        if label is None:
            return margin
        rect = label.rect.translated(
            width - 2 * margin - label.rect.width(), height - margin * 0.55 - label.rect.height()
        )
        self._head.append(msgspec.structs.replace(label, rect=rect))
        if self._board:
            self._lay_key(margin, rect.left(), rect.center().y())
        return height - rect.top() + 8 * self._scale

    def _lay_key(self, left: float, right: float, middle: float) -> None:
        """The names of the colours at the bottom left, since small charts of a board may have no room for them."""
        side, gap = 8 * self._scale, 14 * self._scale
        for role, name in _colours(self._charts).items():
            label = self._line(name, 12.0, 500, "text", left + side + 5 * self._scale, 0, right - left)
            if label is None or label.text != name or label.rect.right() + gap > right:
                return
            rect = label.rect.translated(0, middle - label.rect.height() / 2)
            self.chips.append(Chip(role, QRectF(left, round(middle - side / 2), side, side)))
            self._head.append(msgspec.structs.replace(label, rect=rect))
            left = label.rect.right() + gap

    def _grid(self, area: QRectF) -> list[QRectF]:
        count = len(self._charts)
        if count == 0:
            return []
        gap = min(16 * self._scale, area.width() * 0.02)

        def unfit(columns: int) -> float:
            rows = math.ceil(count / columns)
            shape = (area.width() / columns) / max(1.0, area.height() / rows)
            return abs(math.log(shape / BEST_SHAPE)) + 0.3 * (rows * columns - count)

        columns = min(range(1, count + 1), key=unfit)
        rows = [self._charts[at : at + columns] for at in range(0, count, columns)]
        # A row is as high as its fullest chart asks: head and axis as much as three bars.
        weights = [3 + max(max(2, len(chart.bars)) for chart in row) for row in rows]
        room = area.height() - gap * (len(rows) - 1)
        cells, top = [], area.top()
        for row, weight in zip(rows, weights, strict=True):
            height = max(1.0, room * weight / sum(weights))
            wide = (area.width() - gap * (len(row) - 1)) / len(row)
            cells += [QRectF(area.left() + at * (wide + gap), top, wide, height) for at in range(len(row))]
            top += height + gap
        return cells
