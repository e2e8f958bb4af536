"""Lines over an axis each way, named at their ends instead of in a legend."""

from __future__ import annotations

import math
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF

from core.learn.description import Plot, Series
from gui.charts.lanes import spread, stack, thinned
from gui.charts.parts import Label
from gui.charts.text import Typesetter
from gui.learn.frame import finished, heading
from gui.learn.sketch import Box, Sketch, Stroke

_DASHES = {"solid": (), "dashed": (4.0, 2.5), "dotted": (1.2, 2.2)}
_INKS = {"quiet": "quiet", "limit": "limit"}
MOST_NAMES = 0.42
"""Most of the width that the names of the lines take."""


def lay_out(plot: Plot, width: float, height: float, scale: float) -> Sketch:
    """Where everything stands in `width` × `height` pixels."""
    return _Layout(plot, width, height, scale).sketch()


def _share(value: float, low: float, high: float, log: bool) -> float:
    """Where a value lies between two others, 0 to 1; beyond them it goes on."""
    if log:
        value, low, high = (math.log(max(one, 1e-300)) for one in (value, low, high))
    return (value - low) / (high - low) if high > low else 0.5


class _Layout:
    def __init__(self, plot: Plot, width: float, height: float, scale: float) -> None:
        self.plot, self.width, self.height, self.scale = plot, width, height, scale
        self.type = type_ = Typesetter(scale)
        self.labels, area = heading(plot.title, plot.caption, type_, width, height, scale)
        self.shapes: list[Box | Stroke] = []
        left_texts = (*(tick.text for tick in plot.y_ticks), *plot.tick_room)
        ticks = max((type_.width("tick", text) for text in left_texts), default=0.0)
        names = [self._name_width(line) for line in plot.series]
        names += [type_.width("key", name) for name in plot.name_room]
        self.names = min(max(names, default=0.0) + 14 * scale, width * MOST_NAMES)
        left = area.left() + ticks + 8 * scale
        foot = type_.height("tick") + 6 * scale
        self.area = area
        self.ground = QRectF(left, area.top(), max(1.0, area.right() - self.names - left), 1.0)
        self.upright = [rule for rule in plot.rules if rule.upright]
        marks = [self.x(rule.at) for rule in self.upright]
        self.texts = texts = [type_.fit("limit", rule.label, area.width()) for rule in self.upright]
        widths = [type_.width("limit", text) for text in texts]
        self.places = stack(marks, widths, left, area.right(), 8 * scale, 2)
        # A low plot keeps its height for the lines.
        if area.height() < 6 * type_.height("tick"):
            self.places = [None] * len(self.places)
        named = [place for place, text in zip(self.places, texts, strict=True) if place is not None and text]
        lanes = max((place[0] + 1 for place in named), default=0)
        self.lane = type_.height("limit") + 2 * scale
        top = area.top() + (lanes * self.lane if lanes else type_.height("tick") / 2)
        self.ground.setTop(top)
        self.ground.setBottom(max(top + 1, area.bottom() - foot))

    def _name_width(self, line: Series) -> float:
        return max(self.type.width("key", line.label), self.type.width("amount", line.text))

    def x(self, value: float) -> float:
        """Where a value stands along the axis, in pixels."""
        low, high = self.plot.x_range
        return self.ground.left() + self.ground.width() * _share(value, low, high, self.plot.log_x)

    def y(self, value: float) -> float:
        """Where a value stands up the axis, in pixels."""
        low, high = self.plot.y_range
        share = min(max(_share(value, low, high, self.plot.log_y), -0.02), 1.02)
        return self.ground.bottom() - self.ground.height() * share

    def sketch(self) -> Sketch:
        self._grid()
        self._flat_rules()
        ends = [self._line(line) for line in self.plot.series]
        self._upright_rules()
        self._names(ends)
        return finished(self.width, self.height, self.scale, self.shapes, self.labels)

    def _grid(self) -> None:
        type_, scale, ground = self.type, self.scale, self.ground
        high = type_.height("tick")
        last = math.inf
        for tick in self.plot.y_ticks:
            y = self.y(float(tick.value))
            if not ground.top() - 1 <= y <= ground.bottom() + 1:
                continue
            self.shapes.append(Stroke((QPointF(ground.left(), y), QPointF(ground.right(), y)), "grid"))
            text = type_.label("tick", tick.text, 0, y - high / 2)
            if y + high / 2 <= last + 0.5 and y + high / 2 <= ground.bottom() + high / 2:
                rect = text.rect.translated(ground.left() - 6 * scale - text.rect.width(), 0)
                self.labels.append(Label("tick", text.text, text.full, rect, text.px, text.weight, text.ink))
                last = y - high / 2
        self.shapes.append(Stroke((ground.bottomLeft(), ground.bottomRight()), "field_line"))
        ticks = [tick for tick in self.plot.x_ticks if self.plot.x_range[0] <= tick.value <= self.plot.x_range[1]]
        centres = [self.x(float(tick.value)) for tick in ticks]
        texts = [tick.text for tick in ticks]
        widths = [type_.width("tick", text) for text in texts]
        top = ground.bottom() + 5 * scale
        right = 0.0
        for at in thinned(centres, widths, 10 * scale):
            self.shapes.append(
                Stroke(
                    (QPointF(centres[at], ground.bottom()), QPointF(centres[at], ground.bottom() + 3 * scale)),
                    "field_line",
                )
            )
            label = type_.label("tick", texts[at], centres[at] - widths[at] / 2, top)
            self.labels.append(label)
            right = label.rect.right()
        unit = type_.fit("tick", self.plot.x_name, self.width - right - 6 * scale)
        if unit == self.plot.x_name:
            self.labels.append(type_.label("tick", unit, right + 5 * scale, top))

    def _flat_rules(self) -> None:
        type_, scale, ground = self.type, self.scale, self.ground
        for rule in self.plot.rules:
            if rule.upright:
                continue
            y = self.y(rule.at)
            ends = (QPointF(ground.left(), y), QPointF(ground.right(), y))
            self.shapes += [Stroke(ends, "card", 3.5 * scale), Stroke(ends, "limit", 1.5 * scale, (4.0, 2.5))]
            text = type_.fit("limit", rule.label, ground.width() * 0.6)
            above = y - type_.height("limit") - 2 * scale
            top = above if above >= ground.top() else y + 2 * scale
            if text:
                self.labels.append(type_.label("limit", text, ground.left() + 6 * scale, top, rule.label))

    def _upright_rules(self) -> None:
        scale, ground = self.scale, self.ground
        for rule, text, place in zip(self.upright, self.texts, self.places, strict=True):
            x = self.x(rule.at)
            top = ground.top()
            if place is not None and text:
                lane, left = place
                high = ground.top() - self.lane * (lane + 1)
                label = self.type.label("limit", text, left, high, rule.label)
                self.labels.append(label)
                top = high + (self.lane if left < x < label.rect.right() else 2 * scale)
            ends = (QPointF(x, top), QPointF(x, ground.bottom()))
            self.shapes += [Stroke(ends, "card", 3.5 * scale), Stroke(ends, "limit", 1.5 * scale, (4.0, 2.5))]

    def _line(self, line: Series) -> QPointF:
        """Draws a line; where it ends."""
        points = [QPointF(self.x(x), self.y(y)) for x, y in line.points]
        if line.stepped:
            corners = points[:1]
            for before, after in pairwise(points):
                corners += [QPointF(after.x(), before.y()), after]
            points = corners
        width = (2.4 if line.strong else 1.4) * self.scale
        self.shapes.append(Stroke(tuple(points), line.role, width, _DASHES[line.dash]))
        return points[-1] if points else self.ground.bottomRight()

    def _names(self, ends: list[QPointF]) -> None:
        """The names right of the lines' ends, as near to them as they can be without covering each other."""
        type_, scale = self.type, self.scale
        order = sorted(range(len(ends)), key=lambda at: ends[at].y())
        for texts in (True, False):
            heights = [
                type_.height("key") + (type_.height("amount") if texts and self.plot.series[at].text else 0.0)
                for at in order
            ]
            wanted = [ends[at].y() - high / 2 for at, high in zip(order, heights, strict=True)]
            low, high = self.area.top(), self.ground.bottom() + 4 * scale
            places = spread(wanted, heights, low, high, 3 * scale if texts else 0.0)
            if places is not None:
                break
        else:
            return
        left = self.ground.right() + 14 * scale
        room = self.width - left
        for at, top, high in zip(order, places, heights, strict=True):
            line, end = self.plot.series[at], ends[at]
            name = type_.fit("key", line.label, room)
            if not name:
                continue
            ink = _INKS.get(line.role, "text")
            label = type_.label("key", name, left, top, line.label)
            rows = [Label("key", label.text, label.full, label.rect, label.px, label.weight, ink)]
            text = type_.fit("amount", line.text, room) if texts else ""
            if text:
                second = type_.label("amount", text, left, top + type_.height("key"), line.text)
                rows.append(Label("amount", second.text, second.full, second.rect, second.px, second.weight, "quiet"))
            self.labels += rows
            middle = top + high / 2
            foot = QPointF(end.x() + 2 * scale, end.y())
            self.shapes.append(
                Stroke(
                    (foot, QPointF(left - 8 * scale, middle), QPointF(left - 3 * scale, middle)),
                    line.role,
                    (2.4 if line.strong else 1.4) * scale * 0.7,
                    strength=0.8,
                )
            )
