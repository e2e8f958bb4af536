"""Names of the segments, written above one bar where a reader meets them first: instead of a legend."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QPointF, QRectF

from core.charts.description import Chart, Segment
from gui.charts.lanes import spread
from gui.charts.parts import Chip, Label, Leader, Row
from gui.charts.scale import ValueScale
from gui.charts.text import Typesetter

GAP, CHIP, LIFT = 14.0, 8.0, 8.0
"""Pixels at scale 1 between two labels, of a chip's side, and between texts and bar: room for leaders."""


class Entry(msgspec.Struct, frozen=True):
    """One segment to be named, with where it begins and ends and where its chip and texts go.

    `guest`: it is of another bar than the one that the names stand above, and stands there for its colour alone.
    """

    segment: Segment
    low: float
    high: float
    left: float
    amount: bool
    guest: bool = False

    def off(self, chip: float) -> bool:
        """Whether the chip stands beside its segment, so that a leader must join them."""
        return not self.guest and not self.low - 1 <= self.left + chip / 2 <= self.high + 1


class Placed(msgspec.Struct, frozen=True):
    """What one key adds to a layout."""

    labels: tuple[Label, ...]
    chips: tuple[Chip, ...]
    leaders: tuple[Leader, ...]


class Key(msgspec.Struct, frozen=True):
    """The lane of names above one bar: `height` pixels are to be kept free above its row.

    `wide`: the texts reach over the bar's own name.
    """

    bar: int
    entries: tuple[Entry, ...]
    height: float
    wide: bool

    def place(self, row: Row, type_: Typesetter, scale: float) -> Placed:
        """Labels, chips and leaders, now that the bar's height is known."""
        line, chip = type_.height("key"), CHIP * scale
        # Above the bar, and above the value at its end where type is taller than the bar.
        bottom = min(row.body.top(), row.body.center().y() - type_.height("value") / 2) - LIFT * scale
        if self.wide:
            bottom = min(
                bottom, row.body.center().y() - (type_.height("chosen") + type_.height("note")) / 2 - 2 * scale
            )
        labels: list[Label] = []
        chips: list[Chip] = []
        leaders: list[Leader] = []
        for entry in self.entries:
            segment = entry.segment
            square = QRectF(entry.left, round(bottom - line / 2 - chip / 2), chip, chip)
            chips.append(Chip(segment.role, square))
            label = type_.label("key", segment.label, square.right() + 5 * scale, bottom - line, bar=self.bar)
            labels.append(label)
            if entry.amount:
                labels.append(
                    type_.label("amount", segment.text, label.rect.right() + 6 * scale, bottom - line, bar=self.bar)
                )
            if entry.off(chip):
                foot = min(max(square.center().x(), entry.low), entry.high)
                head, top = square.center().x(), row.body.top()
                leaders.append(
                    Leader(
                        (
                            QPointF(foot, top - 1),
                            QPointF(foot, top - 2 * scale),
                            QPointF(head, bottom),
                            QPointF(head, square.bottom() + 1 * scale),
                        )
                    )
                )
        return Placed(tuple(labels), tuple(chips), tuple(leaders))


def plan(
    chart: Chart, values: ValueScale, type_: Typesetter, left: float, right: float, scale: float, lanes: int = 2
) -> tuple[Key, ...]:
    """One key, or two where no bar has all the segments. None where every bar is of one piece: its name says it all.

    Where there are fewer `lanes` than keys, what the last one leaves unnamed stands at its end, for its colour.
    """
    if all(sum(segment.value > 0 for segment in bar.segments) <= 1 for bar in chart.bars):
        return ()
    wanted = {
        (segment.role, segment.label)
        for bar in chart.bars
        for segment in bar.segments
        if segment.value > 0 and segment.label not in ("", bar.label)
    }
    result: list[Key] = []
    while wanted and len(result) < lanes:
        taken = {key.bar for key in result}
        named = {index: _named(chart, index, wanted) for index in range(len(chart.bars)) if index not in taken}
        most = max(map(len, named.values()), default=0)
        best: Key | None = None
        for index in (index for index, some in named.items() if most and len(some) == most):
            key = _key(chart, index, named[index], values, type_, left, right, scale)
            if key is not None and (best is None or _rank(key, values) > _rank(best, values)):
                best = key
                if _rank(key, values) == (most, True):
                    break
        if best is None:
            break
        result.append(best)
        for entry in best.entries:
            wanted.discard((entry.segment.role, entry.segment.label))
    if wanted and result:
        last = result[-1]
        full = _with_guests(last, chart, wanted, type_, right, scale)
        if len(full.entries) < len(last.entries) + len(wanted):
            # Names matter more than amounts, which stand beside the bars and in the table too.
            named_there = [at for at, part in enumerate(chart.bars[last.bar].segments) if _is_in(part, last)]
            bare = _key(chart, last.bar, named_there, values, type_, left, right, scale, amounts=False)
            full = _with_guests(bare, chart, wanted, type_, right, scale) if bare is not None else full
        result[-1] = full
    return tuple(sorted(result, key=lambda key: key.bar))


def _with_guests(
    key: Key, chart: Chart, wanted: set[tuple[str, str]], type_: Typesetter, right: float, scale: float
) -> Key:
    """The key with the rest of the names at its end, as many as have room there."""
    entries = list(key.entries)
    for segment in (segment for bar in chart.bars for segment in bar.segments if segment.value > 0):
        if (segment.role, segment.label) not in wanted:
            continue
        last = entries[-1]
        left = last.left + _width(last.segment, type_, scale, last.amount) + GAP * scale
        if left + _width(segment, type_, scale, False) > right:
            break
        if any((segment.role, segment.label) == (entry.segment.role, entry.segment.label) for entry in entries):
            continue
        entries.append(Entry(segment, 0.0, 0.0, left, False, guest=True))
    return msgspec.structs.replace(key, entries=tuple(entries))


def _is_in(segment: Segment, key: Key) -> bool:
    return any(entry.segment is segment for entry in key.entries)


def _width(segment: Segment, type_: Typesetter, scale: float, amount: bool) -> float:
    """Pixels of chip, name, and amount where it is said."""
    said = 6 * scale + type_.width("amount", segment.text) if amount else 0.0
    return (CHIP + 5) * scale + type_.width("key", segment.label) + said


def _named(chart: Chart, index: int, wanted: set[tuple[str, str]]) -> list[int]:
    return [
        at
        for at, segment in enumerate(chart.bars[index].segments)
        if segment.value > 0 and (segment.role, segment.label) in wanted
    ]


def _rank(key: Key, values: ValueScale) -> tuple[int, bool]:
    """More names first, then a bar long enough to point at its parts; the earlier bar where both are equal."""
    return len(key.entries), key.entries[-1].high - values.left >= 0.3 * values.width


def _key(
    chart: Chart,
    index: int,
    named: Sequence[int],
    values: ValueScale,
    type_: Typesetter,
    left: float,
    right: float,
    scale: float,
    amounts: bool = True,
) -> Key | None:
    bar = chart.bars[index]
    edges = values.edges(bar)
    gap, chip = GAP * scale, CHIP * scale
    named = list(named)
    while named:
        # With amounts where a few bars leave it clear whose they are; else over the bars; else over the names too.
        for said, low in ((amounts and len(chart.bars) <= 4, values.left), (False, values.left), (False, left)):
            widths = [_width(bar.segments[at], type_, scale, said) for at in named]
            wished = [
                edges[at] if edges[at + 1] - edges[at] >= chip else (edges[at] + edges[at + 1] - chip) / 2
                for at in named
            ]
            lefts = spread(wished, widths, low, right, gap)
            if lefts is None:
                continue
            entries = tuple(
                Entry(bar.segments[at], edges[at], edges[at + 1], start, said)
                for at, start in zip(named, lefts, strict=True)
            )
            # As high with leaders as without, so that no row moves while a number is typed.
            return Key(index, entries, type_.height("key") + (LIFT + 4) * scale, lefts[0] < values.left)
        named.remove(min(named, key=lambda at: bar.segments[at].value))
    return None
