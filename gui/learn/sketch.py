"""What a drawing of a Learn page is made of, as plain data: shapes in order, and texts above them.

Colours are names of roles: a colour of the theme ("card", "quiet", …), a band, or "edge:" and a band for its outline.
Sizes are in pixels.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gui import fonts
from gui.charts.painter import draw_text
from gui.charts.parts import Label
from gui.theme import BANDS, Theme, mix


class Box(msgspec.Struct, frozen=True):
    """A rectangle; `fill` or `edge` may be empty. `strength` (0 to 1) fades it."""

    rect: QRectF
    fill: str = ""
    edge: str = ""
    radius: float = 0.0
    strength: float = 1.0


class Stroke(msgspec.Struct, frozen=True):
    """A line through points, with an arrow at its end where `arrow` is its length."""

    points: tuple[QPointF, ...]
    ink: str
    width: float = 1.0
    dash: tuple[float, ...] = ()
    arrow: float = 0.0
    strength: float = 1.0


class Spot(msgspec.Struct, frozen=True):
    """A place that says something when the pointer rests on it."""

    rect: QRectF
    text: str


class Sketch(msgspec.Struct, frozen=True):
    """A drawing laid out at one size."""

    width: float
    height: float
    scale: float
    shapes: tuple[Box | Stroke, ...] = ()
    labels: tuple[Label, ...] = ()
    spots: tuple[Spot, ...] = ()


@lru_cache(maxsize=512)
def ink_of(theme: Theme, name: str) -> str:
    """The colour of a role in a theme, as #RRGGBB."""
    role, sign, band = name.partition(":")
    if sign and role == "edge":
        return theme.outline(band)
    if sign and role == "wash":
        return mix(theme.card, theme.band(band), 0.16)
    if name in BANDS:
        return theme.band(name)
    colour: str = getattr(theme, name)
    return colour


def paint(painter: QPainter, sketch: Sketch, theme: Theme) -> None:
    """Shapes, then texts; a text that shapes may pass beneath has a ground of its own."""
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    for shape in sketch.shapes:
        if isinstance(shape, Box):
            _box(painter, shape, theme)
        else:
            _stroke(painter, shape, theme)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for label in sketch.labels:
        if label.backed:
            painter.fillRect(label.rect.adjusted(-3, 0, 3, 0), QColor(theme.card))
        top = round(label.rect.top() + fonts.metrics(label.px, label.weight).ascent())
        draw_text(
            painter, QPointF(label.rect.left(), top), label.text, label.px, label.weight, ink_of(theme, label.ink)
        )


def _colour(theme: Theme, name: str, strength: float) -> QColor:
    colour = QColor(ink_of(theme, name))
    colour.setAlphaF(strength)
    return colour


def _box(painter: QPainter, box: Box, theme: Theme) -> None:
    rect = box.rect
    if box.edge:
        painter.setPen(QPen(_colour(theme, box.edge, box.strength), 1.0))
        if rect.width() > 2 and rect.height() > 2:
            rect = rect.adjusted(0.5, 0.5, -0.5, -0.5)  # the thin edge falls on whole pixels
    else:
        painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_colour(theme, box.fill, box.strength) if box.fill else Qt.BrushStyle.NoBrush)
    radius = min(box.radius, rect.width() / 2, rect.height() / 2)
    if radius > 0:
        painter.drawRoundedRect(rect, radius, radius)
    else:
        painter.drawRect(rect)


def _stroke(painter: QPainter, stroke: Stroke, theme: Theme) -> None:
    pen = QPen(_colour(theme, stroke.ink, stroke.strength), stroke.width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if stroke.dash:
        pen.setDashPattern(list(stroke.dash))
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    points = list(stroke.points)
    if stroke.arrow and len(points) > 1:
        tip, before = points[-1], points[-2]
        way = tip - before
        length = max(1e-6, (way.x() ** 2 + way.y() ** 2) ** 0.5)
        unit = QPointF(way.x() / length, way.y() / length)
        side = QPointF(-unit.y(), unit.x())
        root = tip - unit * min(stroke.arrow, length)
        points[-1] = root
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(pen.color())
        half = min(stroke.arrow, length) * 0.5
        painter.drawPolygon(QPolygonF([tip, root + side * half, root - side * half]))
        return
    painter.drawPolyline(QPolygonF(points))
