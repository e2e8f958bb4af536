"""Lays a chart out at a size: the richest of a list of plans whose texts all find room."""

from __future__ import annotations

import math
from itertools import pairwise

import msgspec
from PySide6.QtCore import QRectF

from core.charts.description import Chart
from gui.charts import keys, lanes
from gui.charts.columns import Columns, columns
from gui.charts.parts import Block, Label, Layout, Row, Rule
from gui.charts.scale import ValueScale, value_scale
from gui.charts.text import Typesetter, wrapped

PAD = 8.0
"""Free pixels left and right of all text, for the ring around a row in focus and the ground of a chosen one."""


class Plan(msgspec.Struct, frozen=True):
    """What a chart shows when there is room for it. `pitch`: least pixels from bar to bar at scale 1."""

    pitch: float
    shrink: float = 1.0
    notes: str = ""
    title: bool = True
    caption: bool = False
    key: bool = False
    limits: bool = True
    axis: bool = True
    thinned: bool = False


# From rich to poor. First the notes move beside the names, then the caption goes, the key, the size of type, ...
PLANS = (
    Plan(40, notes="below", caption=True, key=True),
    Plan(25, notes="beside", caption=True, key=True),
    Plan(22, notes="beside", key=True),
    Plan(19, 0.93, notes="beside", key=True),
    Plan(16, 0.93),
    Plan(14, 0.85),
    Plan(14, 0.85, limits=False),
    Plan(12, 0.77, limits=False),
    Plan(0, 0.77, limits=False, thinned=True),
    Plan(0, 0.77, limits=False, thinned=True, title=False),
    Plan(0, 0.7, limits=False, thinned=True, title=False, axis=False),
)


def lay_out(chart: Chart, width: float, height: float, scale: float = 1.0) -> Layout:
    """Where everything stands in `width` × `height` pixels, with type and strokes at `scale`."""
    if not chart.bars:
        return _empty(chart, width, height, scale)
    for plan in PLANS:
        attempt = _Attempt(chart, plan, width, height, scale)
        if attempt.fits or plan is PLANS[-1]:
            return attempt.layout()
    raise AssertionError("the last plan always fits")


class _Attempt:
    """One plan tried on one chart: the columns first, since the lanes above the bars follow from where the bars end."""

    def __init__(self, chart: Chart, plan: Plan, width: float, height: float, scale: float) -> None:
        self.chart, self.plan, self.width, self.height, self.scale = chart, plan, width, height, scale
        self.type = Typesetter(scale, plan.shrink)
        self.pad = min(PAD * scale, width * 0.04)
        self.header = self._header_height()
        self.axis = self.type.height("tick") + 8 * scale if plan.axis else 1.0
        self.pitch = self._least_pitch()
        self.fits = False
        if plan is PLANS[-1] or self.header + self.axis + self.pitch * len(chart.bars) <= height:
            self._measure()

    def _header_height(self) -> float:
        result = 0.0
        if self.plan.title:
            result += self.type.height("title")
        if self.plan.caption and self.chart.caption:
            result += self.type.height("caption") + 2 * self.scale
        return result + 8 * self.scale if result else 2.0

    def _least_pitch(self) -> float:
        pitch = self.plan.pitch
        if self.plan.notes == "below" and not any(bar.note or " · " in bar.text for bar in self.chart.bars):
            pitch = 27
        return pitch * self.scale

    def _measure(self) -> None:
        chart, plan, scale = self.chart, self.plan, self.scale
        self.columns: Columns = columns(chart, self.type, plan.notes, self.width, self.pad, scale)
        self.values: ValueScale = value_scale(chart, self.columns.left, self.columns.plot, scale)
        self.limits = [
            (limit, self.values.x(limit.value)) for limit in chart.limits if 0 <= limit.value <= self.values.maximum
        ]
        right = self.width - self.pad
        self.places = lanes.stack(
            [x for _, x in self.limits] if plan.limits else [],
            [self.type.width("limit", limit.label) for limit, _ in self.limits] if plan.limits else [],
            self.pad,
            right,
            8 * scale,
            2,
        )
        self.limit_lane = self.type.height("limit") + 2 * scale
        self.top = self.header + self.limit_lane * max((place[0] + 1 for place in self.places if place), default=0)
        self.keys = keys.plan(chart, self.values, self.type, right, scale) if plan.key else ()
        lane = sum(key.height for key in self.keys)
        room = self.height - self.top - self.axis - lane
        self.fits = room >= self.pitch * len(chart.bars)
        self.pitch = min(room / len(chart.bars), 76 * scale)

    def layout(self) -> Layout:
        chart, scale, left = self.chart, self.scale, self.columns.left
        thick = max(1.0, min(round(self.pitch * 0.54), round(30 * scale), self.pitch))
        extra = {key.bar: key.height for key in self.keys}
        rows: list[Row] = []
        blocks: list[Block] = []
        breaks: list[QRectF] = []
        y = self.top
        for index, bar in enumerate(chart.bars):
            y += extra.get(index, 0.0)
            top = round(y + (self.pitch - thick) / 2) if self.pitch >= 8 else y + (self.pitch - thick) / 2
            edges = [round(edge) for edge in self.values.edges(bar)]
            if bar.total > 0:
                edges[-1] = max(edges[-1], edges[0] + 2)
            body = QRectF(left, top, edges[-1] - left, thick)
            rows.append(Row(QRectF(0, y, self.width, self.pitch), body, bar.key, bar.chosen))
            last = max((at for at, (a, b) in enumerate(pairwise(edges)) if b > a), default=-1)
            for at, (a, b) in enumerate(pairwise(edges)):
                if b > a:
                    segment = bar.segments[at]
                    blocks.append(Block(segment.role, QRectF(a, top, b - a, thick), segment.key, index, at, at == last))
            if self.values.broken(bar):
                breaks.append(QRectF(round(self.values.x(self.values.break_at)), top, self.values.gap, thick))
            y += self.pitch
        plot = QRectF(left, self.top, self.columns.plot, y - self.top)
        labels = [*self._head(), *self._names(rows), *self._values(rows), *self._ticks(plot)]
        placed = [key.place(rows[key.bar], chart, self.type, scale) for key in self.keys]
        for some in placed:
            labels += some.labels
        rules, texts = self._limits(plot)
        return Layout(
            chart=chart,
            width=self.width,
            height=self.height,
            scale=scale,
            plot=plot,
            rows=tuple(rows),
            blocks=tuple(blocks),
            labels=tuple(labels + texts),
            ticks=tuple(self.values.x(tick.value) for tick in chart.ticks if tick.value <= self.values.maximum),
            rules=tuple(rules),
            leaders=tuple(leader for some in placed for leader in some.leaders),
            chips=tuple(chip for some in placed for chip in some.chips),
            breaks=tuple(breaks),
        )

    def _head(self) -> list[Label]:
        return header(self.chart, self.type, self.pad, self.width, self.plan.title, self.plan.caption, self.scale)

    def _shown(self, rows: list[Row]) -> set[int]:
        """Rows whose texts have room: all, or in a crowd the chosen one and then every k-th."""
        if not self.plan.thinned:
            return set(range(len(rows)))
        least = max(self.type.height("chosen"), self.type.height("value"))
        if least > self.height - self.top:
            return set()
        order = sorted(
            range(len(rows)), key=lambda at: (not rows[at].chosen, at % max(1, math.ceil(least / self.pitch)), at)
        )
        shown: set[int] = set()
        for at in order:
            if all(abs(at - other) * self.pitch >= least for other in shown):
                shown.add(at)
        return shown

    def _names(self, rows: list[Row]) -> list[Label]:
        result: list[Label] = []
        shown = self._shown(rows)
        for index, (bar, row) in enumerate(zip(self.chart.bars, rows, strict=True)):
            if index in shown:
                result += self.columns.names(index, bar, row.body.center().y(), self.type, self.height)
        return result

    def _values(self, rows: list[Row]) -> list[Label]:
        if not self.columns.values:
            return []
        result: list[Label] = []
        shown = self._shown(rows)
        for index, (bar, row) in enumerate(zip(self.chart.bars, rows, strict=True)):
            if index in shown and bar.text:
                result += self.columns.value(index, bar, row.body, self.type, self.height)
        return result

    def _ticks(self, plot: QRectF) -> list[Label]:
        if not self.plan.axis:
            return []
        ticks = [tick for tick in self.chart.ticks if 0 <= tick.value <= self.values.maximum and tick.text]
        centres = [self.values.x(tick.value) for tick in ticks]
        widths = [self.type.width("tick", tick.text) for tick in ticks]
        shown = lanes.thinned(centres, widths, 10 * self.scale)
        top = plot.bottom() + 5 * self.scale
        result = []
        for index in shown:
            text, width = ticks[index].text, widths[index]
            left = centres[index] - width / 2
            unit = self.chart.unit
            if index == shown[-1] and unit and unit not in text:
                text = f"{text} {unit}"  # the digits stay under their mark, the unit hangs over
            left = min(max(left, 0.0), self.width - self.type.width("tick", text))
            if left >= 0 and top + self.type.height("tick") <= self.height + 0.5:
                result.append(self.type.label("tick", text, left, top))
        return result

    def _limits(self, plot: QRectF) -> tuple[list[Rule], list[Label]]:
        rules: list[Rule] = []
        texts: list[Label] = []
        places = self.places or [None] * len(self.limits)
        for (limit, x), place in zip(self.limits, places, strict=True):
            top = plot.top()
            if place is not None:
                lane, left = place
                high = plot.top() - self.limit_lane * (lane + 1)
                texts.append(self.type.label("limit", limit.label, left, high))
                top = high + self.limit_lane if left < x < texts[-1].rect.right() else high + 2 * self.scale
            rules.append(Rule(x, top, plot.bottom()))
        return rules, texts


def header(
    chart: Chart, type_: Typesetter, pad: float, width: float, title: bool, caption: bool, scale: float
) -> list[Label]:
    """Title and caption, each on one line."""
    result = []
    y = 0.0
    for kind, text, shown in (("title", chart.title, title), ("caption", chart.caption, caption)):
        if shown and text:
            short = type_.fit(kind, text, width - 2 * pad)
            if short:
                result.append(type_.label(kind, short, pad, y, text))
            y += type_.height(kind) + 2 * scale
    return result


def _empty(chart: Chart, width: float, height: float, scale: float) -> Layout:
    """No bars: title, caption, and what there is to say in the middle."""
    type_ = Typesetter(scale)
    pad = min(PAD * scale, width * 0.04)
    labels = [
        label for label in header(chart, type_, pad, width, True, True, scale) if label.rect.bottom() <= height / 2
    ]
    top = max((label.rect.bottom() for label in labels), default=0.0)
    lines = wrapped(chart.spoken, type_.px("empty"), 400, min(width - 2 * pad, 420 * scale))
    step = type_.height("empty") + 3 * scale
    lines = lines[: int((height - top) // step)]
    y = top + (height - top - step * len(lines)) / 2
    for line in lines:
        left = (width - type_.width("empty", line)) / 2
        labels.append(type_.label("empty", line, left, y, chart.spoken))
        y += step
    return Layout(chart, width, height, scale, QRectF(0, top, width, height - top), labels=tuple(labels))
