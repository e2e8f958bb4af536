"""Which bar or segment is pointed at, and the way from one to the next by arrow keys. Plain functions over a layout."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QPointF, QRectF

from core.charts.description import Chart
from gui.charts.parts import Layout


class Place(msgspec.Struct, frozen=True):
    """A bar, or one of its segments."""

    bar: int
    segment: int | None


def at(layout: Layout, point: QPointF) -> Place | None:
    """What lies under a point: a segment, else the bar in whose strip it is, else None."""
    for index, row in enumerate(layout.rows):
        if row.rect.contains(point):
            for block in layout.blocks:
                if block.bar == index and block.rect.adjusted(0, -3, 0, 3).contains(point):
                    return Place(index, block.segment)
            return Place(index, None)
    return None


def key(chart: Chart, place: Place | None) -> str:
    """Key of a place; a segment without one answers with its bar's."""
    if place is None or place.bar >= len(chart.bars):
        return ""
    bar = chart.bars[place.bar]
    if place.segment is not None and bar.segments[place.segment].key:
        return bar.segments[place.segment].key
    return bar.key


def stepped(chart: Chart, place: Place | None, down: int, right: int) -> Place:
    """The next place: up and down from bar to bar, left and right from the bar through its segments."""
    if place is None:
        return Place(0, None)
    if down:
        return Place(min(max(place.bar + down, 0), len(chart.bars) - 1), None)
    last = len(chart.bars[place.bar].segments) - 1
    at_ = -1 if place.segment is None else place.segment
    moved = min(max(at_ + right, -1), last)
    return Place(place.bar, None if moved < 0 else moved)


def kept(chart: Chart, place: Place | None) -> Place | None:
    """The same place in another description, or the nearest that exists."""
    if place is None or not chart.bars:
        return None
    bar = min(place.bar, len(chart.bars) - 1)
    if place.segment is None or place.segment >= len(chart.bars[bar].segments):
        return Place(bar, None)
    return Place(bar, place.segment)


def ring(layout: Layout, place: Place | None) -> QRectF | None:
    """Where the ring of focus goes: around the bar's strip, around the segment, or around an empty chart."""
    if not layout.rows:
        return QRectF(0, 0, layout.width, layout.height)
    if place is None or place.bar >= len(layout.rows):
        return None
    row = layout.rows[place.bar]
    if place.segment is not None:
        reach = 4 * layout.scale
        for block in layout.blocks:
            if block.bar == place.bar and block.segment == place.segment:
                return block.rect.adjusted(-reach, -reach, reach, reach)
    half = min(row.rect.height() / 2, row.body.height() / 2 + 8 * layout.scale)
    middle = row.body.center().y()
    return QRectF(0, middle - half, layout.width, 2 * half)


def spoken(chart: Chart, place: Place) -> str:
    """A place in words."""
    bar = chart.bars[place.bar]
    words = [bar.label, *([bar.note] if bar.note else []), bar.text]
    if place.segment is not None:
        segment = bar.segments[place.segment]
        words = [bar.label, segment.label, segment.text]
    return ", ".join(words)


def tip(layout: Layout, point: QPointF) -> str:
    """What a tooltip says at a point: the place in words, and in full whatever is shortened there."""
    for label in layout.labels:
        if label.text != label.full and label.rect.contains(point):
            return label.full
    place = at(layout, point)
    return spoken(layout.chart, place) if place is not None else ""
