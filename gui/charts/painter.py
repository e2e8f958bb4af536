"""Paints a layout with a theme: on the screen, into an image, an SVG or a PDF, always the same lines."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPaintEngine, QPainter, QPainterPath, QPen, QPolygonF

from gui import fonts
from gui.charts.parts import Block, Chip, Label, Layout, Row
from gui.theme import Theme

CORNER = 4.5


def paint(painter: QPainter, layout: Layout, theme: Theme) -> None:
    """Everything but the axis: ground of chosen rows, bars, limits, names, values, keys."""
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    _chosen(painter, layout, theme)
    _ghosts(painter, layout, theme)
    for block in layout.blocks:
        _block(painter, block, theme, layout.scale)
    _ghost_ends(painter, layout, theme)
    _breaks(painter, layout, theme)
    _rules(painter, layout, theme)
    for chip in layout.chips:
        painter.fillRect(chip.rect.adjusted(-3, -3, 5, 3), _brush(theme.card))  # nothing passes beneath it
        draw_chip(painter, chip, theme, layout.scale)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for leader in layout.leaders:
        painter.setPen(_pen(theme.quiet, layout.scale))
        painter.drawPolyline(QPolygonF(leader.points))
    for label in layout.labels:
        if label.kind != "tick":
            draw_label(painter, label, theme, _ground(layout, label, theme))


def draw_chip(painter: QPainter, chip: Chip, theme: Theme, scale: float) -> None:
    """The square of a colour before its name."""
    painter.setPen(_pen(theme.outline(chip.role), 1.0))
    painter.setBrush(_brush(theme.band(chip.role)))
    painter.drawRoundedRect(chip.rect.adjusted(0.5, 0.5, -0.5, -0.5), 2 * scale, 2 * scale)


def draw_label(painter: QPainter, label: Label, theme: Theme, ground: str | None = None) -> None:
    """One text, on a ground of its own where something may pass beneath it."""
    rect = label.rect
    if ground is not None:
        painter.fillRect(rect.adjusted(-3, 0, 3, 0), _brush(ground))
    ink = {"text": theme.text, "quiet": theme.quiet, "limit": theme.limit}[label.ink]
    baseline = QPointF(rect.left(), round(rect.top() + fonts.metrics(label.px, label.weight).ascent()))
    draw_text(painter, baseline, label.text, label.px, label.weight, ink)
    if label.kind == "over":
        side = label.px * 0.62
        right, middle = rect.left() - label.px * 0.28, baseline.y() - label.px * 0.36
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_brush(ink))
        painter.drawPolygon(
            QPolygonF(
                [
                    QPointF(right - side, middle + side / 2),
                    QPointF(right, middle + side / 2),
                    QPointF(right - side / 2, middle - side / 2),
                ]
            )
        )
        painter.setBrush(Qt.BrushStyle.NoBrush)


def draw_text(painter: QPainter, baseline: QPointF, text: str, px: int, weight: int, ink: str) -> None:
    """A text from its baseline. In an SVG as outlines, since whoever opens it may not have the font."""
    font = fonts.font(px, weight)
    if painter.paintEngine().type() == QPaintEngine.Type.SVG:
        path = QPainterPath()
        path.addText(baseline, font, text)
        painter.fillPath(path, _brush(ink))
        return
    painter.setFont(font)
    painter.setPen(_colour(ink))
    painter.drawText(baseline, text)


def paint_ring(painter: QPainter, rect: QRectF, theme: Theme, scale: float) -> None:
    """The ring of keyboard focus, just inside a rectangle."""
    width = 2 * scale
    painter.setPen(_pen(theme.accent, width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = width / 2
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), 6 * scale, 6 * scale)


def _chosen(painter: QPainter, layout: Layout, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for row in layout.rows:
        if row.chosen and len(layout.rows) > 1:
            middle, half = row.body.center().y(), min(row.rect.height() / 2, row.body.height() / 2 + 8 * layout.scale)
            strip = QRectF(row.rect.left(), middle - half, row.rect.width(), 2 * half)
            painter.setBrush(_brush(theme.tint))
            painter.drawRoundedRect(strip, 6 * layout.scale, 6 * layout.scale)
            painter.setBrush(_brush(theme.accent))
            painter.drawRoundedRect(
                QRectF(strip.left(), strip.top() + strip.height() * 0.2, 3 * layout.scale, strip.height() * 0.6),
                1.5 * layout.scale,
                1.5 * layout.scale,
            )


def _block(painter: QPainter, block: Block, theme: Theme, scale: float) -> None:
    # Half a pixel in, so that the thin edge falls on whole pixels and stays inside the bar.
    rect = block.rect.adjusted(0.5, 0.5, -0.5, -0.5)
    if rect.width() < 1.5:
        painter.fillRect(block.rect, _brush(theme.band(block.role)))
        return
    painter.setPen(_pen(theme.outline(block.role), 1.0))
    painter.setBrush(_brush(theme.band(block.role)))
    if not block.end:
        painter.drawRect(rect)
        return
    corner = min(CORNER * scale, rect.width(), rect.height() / 2)
    painter.drawPath(_rounded_right(rect, corner))


def _rounded_right(rect: QRectF, corner: float) -> QPainterPath:
    path = QPainterPath(rect.topLeft())
    path.lineTo(rect.right() - corner, rect.top())
    path.quadTo(rect.topRight(), QPointF(rect.right(), rect.top() + corner))
    path.lineTo(rect.right(), rect.bottom() - corner)
    path.quadTo(rect.bottomRight(), QPointF(rect.right() - corner, rect.bottom()))
    path.lineTo(rect.bottomLeft())
    path.closeSubpath()
    return path


def _ghost_rect(layout: Layout, row: Row) -> QRectF:
    over = min(4 * layout.scale, max(1.0, (row.rect.height() - row.body.height()) / 2 - 1))
    right = row.body.left() if row.ghost is None else row.ghost
    return QRectF(row.body.left(), row.body.top() - over, right - row.body.left(), row.body.height() + 2 * over)


def _ghosts(painter: QPainter, layout: Layout, theme: Theme) -> None:
    """The baseline's bars, pale and a little higher, behind the bars of now."""
    for row in layout.rows:
        if row.ghost is not None:
            painter.fillRect(_ghost_rect(layout, row), _brush(theme.ghost))


def _ghost_ends(painter: QPainter, layout: Layout, theme: Theme) -> None:
    """A firm line where the baseline's bar ends, before the bar or across it."""
    width = max(1, round(2 * layout.scale))
    for row in layout.rows:
        if row.ghost is None:
            continue
        rect = _ghost_rect(layout, row)
        if rect.right() < row.body.right():
            painter.fillRect(QRectF(rect.right() - 2 * width, rect.top(), 3 * width, rect.height()), _brush(theme.card))
        painter.fillRect(QRectF(rect.right() - width, rect.top(), width, rect.height()), _brush(theme.text))


def _breaks(painter: QPainter, layout: Layout, theme: Theme) -> None:
    """Two slanted strokes with the ground between them, across the bar."""
    for rect in layout.breaks:
        lean = min(rect.height() * 0.2, 4 * layout.scale)
        over = 2 * layout.scale
        left = [QPointF(rect.left() - lean, rect.bottom() + over), QPointF(rect.left() + lean, rect.top() - over)]
        right = [QPointF(rect.right() + lean, rect.top() - over), QPointF(rect.right() - lean, rect.bottom() + over)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_brush(theme.card))
        painter.drawPolygon(QPolygonF([*left, *right]))
        painter.setPen(_pen(theme.text, 1.2 * layout.scale))
        painter.drawLine(*left)
        painter.drawLine(*right)


def _rules(painter: QPainter, layout: Layout, theme: Theme) -> None:
    width = max(1, math.floor(1.5 * layout.scale + 0.5))
    halo = _pen(theme.card, width + 2 * layout.scale)  # opaque: Qt blends a translucent line in threads, for 1 ms
    dash = _pen(theme.limit, width, dashes=(3.0, 2.0))
    for rule in layout.rules:
        x = round(rule.x) + 0.5 * (width % 2)  # on whole pixels, so that the line is sharp
        top, bottom = QPointF(x, rule.top), QPointF(x, rule.bottom)
        painter.setPen(halo)
        painter.drawLine(top, bottom)
        painter.setPen(dash)
        painter.drawLine(top, bottom)


def _ground(layout: Layout, label: Label, theme: Theme) -> str | None:
    if not label.backed:
        return None
    chosen = (
        label.kind in ("value", "over", "remark", "excess") and len(layout.rows) > 1 and layout.rows[label.bar].chosen
    )
    return theme.tint if chosen else theme.card


@lru_cache(maxsize=128)
def _colour(colour: str) -> QColor:
    return QColor(colour)


@lru_cache(maxsize=128)
def _brush(colour: str) -> QBrush:
    return QBrush(QColor(colour))


@lru_cache(maxsize=128)
def _pen(colour: str, width: float, dashes: tuple[float, ...] = ()) -> QPen:
    pen = QPen(QColor(colour), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if dashes:
        pen.setDashPattern(list(dashes))
    return pen
