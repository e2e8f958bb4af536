"""Lays a chart out at a size: the richest of a list of plans whose texts all find room."""

from __future__ import annotations

import math
from itertools import pairwise

import msgspec
from PySide6.QtCore import QRectF

from core.charts.description import Chart
from gui.charts import keys, lanes
from gui.charts.columns import Columns, columns
from gui.charts.head import empty, head, head_height
from gui.charts.limits import Limits, limits
from gui.charts.parts import Block, Label, Layout, Row
from gui.charts.scale import ValueScale, reach, value_scale
from gui.charts.text import Typesetter

PAD = 8.0
"""Free pixels left and right of all text, for the ring around a row in focus and the ground of a chosen one."""


MOST_PITCH = 116.0
"""Most pixels from bar to bar at scale 1; room beyond it stays free beneath."""

LEAST_PLOT = 0.45
"""Share of the width that bars should have."""


class Plan(msgspec.Struct, frozen=True):
    """What a chart shows when there is room for it. `pitch`: least pixels from bar to bar at scale 1; `keys`: lanes in
    which colours are named, one above a bar that has them all, two where no bar does.
    """

    pitch: float
    shrink: float = 1.0
    notes: str = ""
    title: bool = True
    caption: bool = False
    keys: int = 0
    limits: bool = True
    axis: bool = True
    thinned: bool = False


# From rich to poor. First the notes move beside the names, then the caption goes, the key, the size of type, ...
PLANS = (
    Plan(40, notes="below", caption=True, keys=2),
    Plan(25, notes="beside", caption=True, keys=2),
    Plan(32, 0.93, notes="below", caption=True, keys=2),
    Plan(32, 0.93, notes="below", keys=2),
    Plan(22, notes="beside", keys=2),
    Plan(19, 0.93, notes="beside", keys=2),
    Plan(19, 0.93, notes="beside", keys=1),
    Plan(16, 0.93, keys=2),
    Plan(16, 0.93, keys=1),
    Plan(15, 0.85, keys=1),
    Plan(16, 0.93),
    Plan(14, 0.85),
    Plan(14, 0.85, limits=False),
    Plan(12, 0.77, limits=False),
    Plan(4, 0.77, limits=False, thinned=True),
    Plan(4, 0.77, limits=False, thinned=True, title=False),
    Plan(0, 0.7, limits=False, thinned=True, title=False, axis=False),
)


def lay_out(chart: Chart, width: float, height: float, scale: float = 1.0) -> Layout:
    """Where everything stands in `width` × `height` pixels, with type and strokes at `scale`."""
    if not chart.bars:
        return empty(chart, _pad(width, scale), width, height, scale)
    first: _Attempt | None = None
    for plan in PLANS:
        attempt = _Attempt(chart, plan, width, height, scale)
        if not attempt.fits and plan is not PLANS[-1]:
            continue
        # Words beside words may leave the bars little, or have no room: words below words are better, if they fit.
        cramped = attempt.columns.plot < LEAST_PLOT * width or attempt.is_silent
        if first is None and plan.notes == "beside" and cramped:
            first = attempt
        elif first is None or plan.notes == "below":
            return attempt.layout()
        elif not plan.notes:
            break
    assert first is not None, "the last plan is always taken"
    return first.layout()


class _Attempt:
    """One plan tried on one chart: the columns first, since the lanes above the bars follow from where the bars end."""

    def __init__(self, chart: Chart, plan: Plan, width: float, height: float, scale: float) -> None:
        self.chart, self.plan, self.width, self.height, self.scale = chart, plan, width, height, scale
        self.type = Typesetter(scale, plan.shrink)
        self.pad = _pad(width, scale)
        self.header = head_height(chart, self.type, plan.title, plan.caption, scale)
        self.axis = self.type.height("tick") + 8 * scale if plan.axis else 1.0
        self.pitch = self._least_pitch()
        self.fits = False
        if plan is PLANS[-1] or self.header + self.axis + self.pitch * len(chart.bars) <= height:
            self._measure()

    def _least_pitch(self) -> float:
        pitch = self.plan.pitch
        if self.plan.notes == "below" and not any(bar.note or " · " in bar.text for bar in self.chart.bars):
            pitch = 27
        if self.plan.thinned:
            return pitch * self.scale
        # Sizes of type are whole pixels, so that at odd scales a line may ask for a little more than the plan says.
        below = self.plan.notes == "below" and pitch == self.plan.pitch
        words = self.type.height("chosen") + (self.type.height("note") if below else 0.0)
        return math.ceil(max(pitch * self.scale, words))

    @property
    def is_silent(self) -> bool:
        """Whether what is said of values has no room."""
        return not self.columns.remarks and any(" · " in bar.text for bar in self.chart.bars)

    def _measure(self) -> None:
        chart, plan, scale = self.chart, self.plan, self.scale
        self.columns: Columns = columns(chart, self.type, plan.notes, self.width, self.pad, scale)
        self.values: ValueScale = value_scale(chart, self.columns.left, self.columns.plot, scale)
        right = self.width - self.pad
        self.limits: Limits = limits(chart, self.values, self.type, self.pad, right, scale, plan.limits)
        self.top = self.header + self.limits.height
        self.keys = keys.plan(chart, self.values, self.type, self.pad, right, scale, plan.keys) if plan.keys else ()
        lane = sum(key.height for key in self.keys)
        room = self.height - self.top - self.axis - lane
        self.fits = room >= self.pitch * len(chart.bars)
        pitch = min(room / len(chart.bars), MOST_PITCH * scale)
        # Whole pixels, so that all bars are equally far apart; in a crowd every fraction counts.
        self.pitch = math.floor(pitch) if pitch >= 8 else pitch

    def layout(self) -> Layout:
        chart, scale, left = self.chart, self.scale, self.columns.left
        thick = min(max(1.0, min(round(self.pitch * 0.54), round(self.pitch * 0.16 + 24 * scale))), self.pitch * 0.9)
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
            ghost = None if bar.ghost is None else float(round(self.values.end(bar.ghost)))
            rows.append(Row(QRectF(0, y, self.width, self.pitch), body, bar.key, bar.chosen, ghost))
            last = max((at for at, (a, b) in enumerate(pairwise(edges)) if b > a), default=-1)
            for at, (a, b) in enumerate(pairwise(edges)):
                if b > a:
                    segment = bar.segments[at]
                    blocks.append(Block(segment.role, QRectF(a, top, b - a, thick), segment.key, index, at, at == last))
            if reach(bar) > self.values.maximum:  # the bar, or its baseline behind it
                breaks.append(QRectF(round(self.values.x(self.values.break_at)), top, self.values.gap, thick))
            y += self.pitch
        plot = QRectF(left, self.top, self.columns.plot, y - self.top)
        labels = [
            *head(chart, self.type, self.pad, self.width, self.plan.title, self.plan.caption, scale),
            *self._words(rows),
            *self._ticks(plot),
        ]
        placed = [key.place(rows[key.bar], self.type, scale) for key in self.keys]
        for some in placed:
            labels += some.labels
        rules, texts = self.limits.draw(plot, self.type, scale)
        return Layout(
            chart=chart,
            width=self.width,
            height=self.height,
            scale=scale,
            plot=plot,
            rows=tuple(rows),
            blocks=tuple(blocks),
            labels=tuple(label for label in (*labels, *texts) if label.text),
            ticks=tuple(self.values.x(tick.value) for tick in chart.ticks if tick.value <= self.values.maximum),
            rules=tuple(rules),
            leaders=tuple(leader for some in placed for leader in some.leaders),
            chips=tuple(chip for some in placed for chip in some.chips),
            breaks=tuple(breaks),
        )

    def _middles(self, rows: list[Row]) -> dict[int, float]:
        """Rows whose texts are shown, with the height of their middles: all, or in a crowd those that have room.

        There the chosen row comes first and then every k-th; a text may shift a little to stay within the plot.
        """
        if not self.plan.thinned:
            return {index: row.body.center().y() for index, row in enumerate(rows)}
        least = max(self.type.height("chosen"), self.type.height("value"))
        low, high = rows[0].rect.top() + least / 2, rows[-1].rect.bottom() - least / 2
        if low > high:
            return {}
        step = max(1, math.ceil(least / self.pitch))
        middles: dict[int, float] = {}
        for index in sorted(range(len(rows)), key=lambda at: (not rows[at].chosen, at % step, at)):
            middle = min(max(rows[index].body.center().y(), low), high)
            if all(abs(middle - other) >= least for other in middles.values()):
                middles[index] = middle
        return middles

    def _words(self, rows: list[Row]) -> list[Label]:
        """Names, notes and values of the rows."""
        result: list[Label] = []
        for index, middle in self._middles(rows).items():
            bar, end = self.chart.bars[index], rows[index].end
            result += self.columns.names(index, bar, middle, self.type)
            if self.columns.values and bar.text:
                # In a crowd a text may be taller than the distance to the next bar, which it must not hide.
                texts = self.columns.value(index, bar, end, middle, self.type)
                if not self.plan.thinned or not any(overlap(text.rect, row.body) for text in texts for row in rows):
                    result += texts
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
        while len(result) > 1 and overlap(result[-1].rect, result[-2].rect):
            del result[-2]  # the one with the unit stays
        return result


def _pad(width: float, scale: float) -> float:
    return min(PAD * scale, width * 0.04)


def overlap(one: QRectF, two: QRectF) -> bool:
    """Whether two places share more than half a pixel, which is rounding's."""
    return (
        min(one.right(), two.right()) - max(one.left(), two.left()) > 0.5
        and min(one.bottom(), two.bottom()) - max(one.top(), two.top()) > 0.5
    )
