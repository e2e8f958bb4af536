"""A Learn page as a picture: the same drawings, laid out at the picture's size, with heading, words and figures."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsScene

from core.charts.description import Chart
from core.learn.description import Drawing, Figure, Split, View
from gui.charts.item import ChartItem
from gui.charts.page import Heading
from gui.charts.painter import draw_label
from gui.charts.parts import Label
from gui.charts.text import advance, elided, line_height, wrapped
from gui.learn.figures import MARKS
from gui.learn.layouts import lay_out
from gui.learn.sketch import paint
from gui.theme import Theme

AREA = 1120 * 630
"""Pixels of a picture on which type has scale 1."""

LEAST_WIDTH, LEAST_HEIGHT = 720, 480
"""Fewer pixels than this a side, and type becomes smaller."""


class LearnPicture:
    """One page of the Learn side, laid out once, painted as often as asked."""

    def __init__(self, view: View, heading: Heading, size: QSize, theme: Theme) -> None:
        self.size, self.theme, self._view, self._heading = size, theme, view, heading
        width, height = float(size.width()), float(size.height())
        grown = math.sqrt(width * height / AREA)
        self._scale = scale = max(0.4, min(grown, width / LEAST_WIDTH, height / LEAST_HEIGHT))
        self._labels: list[Label] = []
        self._cells: list[tuple[Drawing, QRectF]] = []
        self._strip = QRectF()
        margin = min(28 * scale, width * 0.04, height * 0.04)
        room = QRectF(margin, margin, width - 2 * margin, height - 2 * margin)
        top = self._words(room, ((view.title, 26, 600, "text", 1), (view.lead, 14, 400, "text", 2),
                                 (heading.scenario, 12, 400, "quiet", 1)))  # fmt: skip
        bottom = self._foot(room)
        bottom = self._said(room, bottom)
        bottom = self._figures(room, bottom)
        body = QRectF(room.left(), top, room.width(), max(1.0, bottom - top))
        self._split(view.body, body)

    @property
    def ground(self) -> str:
        """Colour beneath everything, as #RRGGBB."""
        return self.theme.window

    def metadata(self) -> dict[str, str]:
        """What is written into the file beside the picture."""
        view = self._view
        said = [view.lead, view.said, self._heading.scenario, *(drawing.spoken for drawing in view.drawings)]
        said += [f"{figure.label}: {figure.text}." for figure in view.figures]
        return {"Title": view.title, "Description": " ".join(filter(None, said)), "Software": self._heading.foot}

    def paint(self, painter: QPainter) -> None:
        """Paints the page from (0, 0) to its size, in pixels."""
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.fillRect(QRectF(0, 0, self.size.width(), self.size.height()), QColor(self.ground))
        if not self._strip.isEmpty():
            self._card(painter, self._strip)
        scene = QGraphicsScene()
        scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        for drawing, cell in self._cells:
            self._card(painter, cell)
            inset = min(12 * self._scale, cell.width() * 0.03)
            inner = cell.adjusted(inset, inset, -inset, -inset * 0.8)
            if isinstance(drawing, Chart):
                self._chart(painter, scene, drawing, inner)
            else:
                painter.save()
                painter.translate(inner.topLeft())
                paint(painter, lay_out(drawing, inner.width(), inner.height(), self._scale), self.theme)
                painter.restore()
        for label in self._labels:
            draw_label(painter, label, self.theme)

    def _card(self, painter: QPainter, cell: QRectF) -> None:
        painter.setPen(QPen(QColor(self.theme.line), max(1.0, self._scale)))
        painter.setBrush(QColor(self.theme.card))
        corner = min(12 * self._scale, cell.height() / 8)
        painter.drawRoundedRect(cell, corner, corner)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _chart(self, painter: QPainter, scene: QGraphicsScene, chart: Chart, inner: QRectF) -> None:
        item = ChartItem(chart, self.theme, self._scale)
        item.resize(inner.size())
        scene.addItem(item)
        whole = QRectF(0, 0, inner.width(), inner.height())
        scene.render(painter, inner, whole, Qt.AspectRatioMode.IgnoreAspectRatio)
        scene.removeItem(item)

    # Where everything stands

    def _label(self, text: str, px: int, weight: int, ink: str, left: float, top: float, room: float) -> Label | None:
        short = elided(text, px, weight, room)
        if not short:
            return None
        rect = QRectF(left, top, advance(short, px, weight), line_height(px, weight))
        return Label("heading", short, text, rect, px, weight, ink)

    def _words(self, room: QRectF, rows: tuple[tuple[str, int, int, str, int], ...]) -> float:
        """Texts from the top, each on at most so many lines, as far as a third of the height goes. Where they end."""
        top = room.top()
        for text, size, weight, ink, most in rows:
            px = max(1, round(size * self._scale))
            lines = wrapped(text, px, weight, room.width())[:most] if most > 1 else [text] if text else []
            for line in lines:
                high = line_height(px, weight)
                label = self._label(line, px, weight, ink, room.left(), top, room.width())
                if label is None or top + high > room.top() + room.height() * 0.33:
                    break
                self._labels.append(label)
                top += high
            top += 3 * self._scale
        return top + 8 * self._scale

    def _foot(self, room: QRectF) -> float:
        """Program, version and unit at the bottom right. Where the room above them ends."""
        px = max(1, round(11 * self._scale))
        label = self._label(self._heading.foot, px, 400, "quiet", room.left(), 0, room.width())
        if label is None or room.height() < 200:
            return room.bottom()
        top = room.bottom() - label.rect.height() + room.top() * 0.4
        place = QRectF(room.right() - label.rect.width(), top, label.rect.width(), label.rect.height())
        self._labels.append(Label("heading", label.text, label.full, place, px, 400, "quiet"))
        return top - 6 * self._scale

    def _said(self, room: QRectF, bottom: float) -> float:
        """What the step says, above the foot. Where the room above it ends."""
        px = max(1, round(14 * self._scale))
        lines = wrapped(self._view.said, px, 400, room.width())[:2]
        high = line_height(px)
        if not lines or room.height() < 300:
            return bottom
        top = bottom - len(lines) * high
        for at, line in enumerate(lines):
            label = self._label(line, px, 400, "text", room.left(), top + at * high, room.width())
            if label is not None:
                self._labels.append(label)
        return top - 8 * self._scale

    def _figures(self, room: QRectF, bottom: float) -> float:
        """The figures in a strip. Where the room above it ends."""
        figures, scale = self._view.figures, self._scale
        styles = ((12, 400, "quiet"), (15, 600, "text"), (12, 400, "quiet"))
        sizes = [max(1, round(px * scale)) for px, _, _ in styles]
        high = sum(line_height(px, weight) for px, (_, weight, _) in zip(sizes, styles, strict=True)) + 16 * scale
        if not figures or room.height() < 3.2 * high:
            return bottom
        self._strip = QRectF(room.left(), bottom - high, room.width(), high)
        each = room.width() / len(figures)
        for at, figure in enumerate(figures):
            top = self._strip.top() + 8 * scale
            left = room.left() + at * each + 14 * scale
            for text, px, (_, weight, ink) in zip(_texts(figure), sizes, styles, strict=True):
                ink_ = "limit" if figure.mark == "wrong" and weight == 600 else ink
                label = self._label(text, px, weight, ink_, left, top, each - 20 * scale)
                if label is not None:
                    self._labels.append(label)
                top += line_height(px, weight)
        return self._strip.top() - 10 * scale

    def _split(self, split: Split, area: QRectF) -> None:
        gap = min(12 * self._scale, area.width() * 0.02)
        whole = sum(part.weight for part in split.parts)
        length = area.width() if split.across else area.height()
        room = length - gap * (len(split.parts) - 1)
        at = area.left() if split.across else area.top()
        for part in split.parts:
            size = max(1.0, room * part.weight / whole)
            if split.across:
                cell = QRectF(at, area.top(), size, area.height())
            else:
                cell = QRectF(area.left(), at, area.width(), size)
            if isinstance(part.content, Split):
                self._split(part.content, cell)
            else:
                self._cells.append((part.content, cell))
            at += size + gap


def _texts(figure: Figure) -> tuple[str, str, str]:
    return figure.label, f"{MARKS.get(figure.mark, '')}{figure.text}", figure.detail
