"""Between two layouts: bars on their way to their new length. Everything else is at its new place at once."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QRectF

from gui.charts.parts import Block, Label, Layout, Row
from gui.charts.scale import ratio

_AT_THE_END = ("value", "over", "remark", "excess")


def can_move(old: Layout, new: Layout) -> bool:
    """Whether the bars of one layout can grow into the other's: the same rows at the same size, and none broken."""
    return (
        (old.width, old.height, old.scale) == (new.width, new.height, new.scale)
        and old.chart.name == new.chart.name
        and min(old.chart.maximum, new.chart.maximum) > 0
        and len(old.rows) == len(new.rows) > 0
        and all(one.body.top() == two.body.top() for one, two in zip(old.rows, new.rows, strict=True))
        and not (old.breaks or new.breaks)
    )


def between(old: Layout, new: Layout, share: float) -> Layout:
    """The new layout, with its bars `share` (0 to 1) of the way from the values they had.

    Old values stand where the new axis has them, so that a bar which grows stands for more at each moment; what the new
    axis does not reach starts at its end.
    """
    if share >= 1:
        return new
    step = ratio(old.chart.maximum, new.chart.maximum) * new.plot.width() / max(old.plot.width(), 1.0)

    def on_new(x: float) -> float:
        return min(new.plot.left() + (x - old.plot.left()) * step, new.plot.right())

    edges = {(block.bar, block.segment): block.rect for block in old.blocks}
    ends = [on_new(row.body.right()) for row in old.rows]

    def moved(block: Block) -> Block:
        before = edges.get((block.bar, block.segment))
        start, end = (on_new(before.left()), on_new(before.right())) if before is not None else (ends[block.bar],) * 2
        left, right = _way(start, block.rect.left(), share), _way(end, block.rect.right(), share)
        return replace(block, rect=QRectF(left, block.rect.top(), right - left, block.rect.height()))

    def grown(row: Row, end: float) -> Row:
        left = row.body.left()
        return replace(
            row, body=QRectF(left, row.body.top(), _way(end, row.body.right(), share) - left, row.body.height())
        )

    rows = tuple(map(grown, new.rows, ends))

    def shifted(label: Label) -> Label:
        if label.kind not in _AT_THE_END:
            return label
        return replace(label, rect=label.rect.translated(rows[label.bar].end - new.rows[label.bar].end, 0))

    return replace(new, rows=rows, blocks=tuple(map(moved, new.blocks)), labels=tuple(map(shifted, new.labels)))


def _way(start: float, end: float, share: float) -> float:
    return start + (end - start) * share
