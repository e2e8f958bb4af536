"""Limits across the bars: where each line rises to, and its label above the plot."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QRectF

from core.charts.description import Chart
from gui.charts.lanes import stack
from gui.charts.parts import Label, Rule
from gui.charts.scale import ValueScale
from gui.charts.text import Typesetter

LANES = 2
"""Most labels above one another."""


class Mark(msgspec.Struct, frozen=True):
    """One limit at `x`: its label, shortened and in full, its lane and left edge, or None where there is no room."""

    x: float
    text: str
    full: str
    place: tuple[int, float] | None


class Limits(msgspec.Struct, frozen=True):
    """All limits of a chart; their labels take `height` pixels above the plot, `lane` for each lane."""

    marks: tuple[Mark, ...]
    lane: float
    height: float

    def draw(self, plot: QRectF, type_: Typesetter, scale: float) -> tuple[list[Rule], list[Label]]:
        """Lines and labels above and across a plot."""
        rules: list[Rule] = []
        labels: list[Label] = []
        for mark in self.marks:
            top = plot.top()
            if mark.place is not None:
                lane, left = mark.place
                high = plot.top() - self.lane * (lane + 1)
                labels.append(type_.label("limit", mark.text, left, high, mark.full))
                beneath = left < mark.x < labels[-1].rect.right()
                top = high + (self.lane if beneath else 2 * scale)
            rules.append(Rule(mark.x, top, plot.bottom()))
        return rules, labels


def limits(
    chart: Chart, values: ValueScale, type_: Typesetter, low: float, high: float, scale: float, labelled: bool
) -> Limits:
    """The limits that lie on the scale, their labels between `low` and `high` where these are wanted and have room."""
    found = [(limit, values.x(limit.value)) for limit in chart.limits if 0 <= limit.value <= values.maximum]
    found.sort(key=lambda pair: pair[1])
    texts = [type_.fit("limit", limit.label, high - low) if labelled else "" for limit, _ in found]
    wanted = [index for index, text in enumerate(texts) if text]
    places = stack(
        [found[index][1] for index in wanted],
        [type_.width("limit", texts[index]) for index in wanted],
        low,
        high,
        8 * scale,
        LANES,
    )
    placed = dict(zip(wanted, places, strict=True))
    marks = tuple(Mark(x, texts[index], limit.label, placed.get(index)) for index, (limit, x) in enumerate(found))
    lane = type_.height("limit") + 2 * scale
    used = max((mark.place[0] + 1 for mark in marks if mark.place is not None), default=0)
    return Limits(marks, lane, lane * used)
