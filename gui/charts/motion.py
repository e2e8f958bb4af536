"""Between two layouts: bars on their way to their new length. Everything else is at its new place at once."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QRectF

from gui.charts.parts import Block, Label, Layout, Row

_AT_THE_END = ("value", "over", "remark", "excess")


def can_move(old: Layout, new: Layout) -> bool:
    """Whether the bars of one layout can grow into the other's: the same rows, on the same ground and the same axis.

    Where the axis changes too, a longer bar may stand for less: that is shown at once, and not as a growth.
    """
    return (
        (old.width, old.height, old.scale, old.plot) == (new.width, new.height, new.scale, new.plot)
        and (old.chart.name, old.chart.unit, old.chart.maximum) == (new.chart.name, new.chart.unit, new.chart.maximum)
        and len(old.rows) == len(new.rows) > 0
        and all(one.body.top() == two.body.top() for one, two in zip(old.rows, new.rows, strict=True))
        and not (old.breaks or new.breaks)
    )


def between(old: Layout, new: Layout, share: float) -> Layout:
    """The new layout, with its bars `share` (0 to 1) of the way from their old lengths."""
    if share >= 1:
        return new
    edges = {(block.bar, block.segment): block.rect for block in old.blocks}
    starts = [row.body.left() for row in old.rows]

    def moved(block: Block) -> Block:
        before = edges.get((block.bar, block.segment))
        if before is None:
            before = QRectF(old.rows[block.bar].body.right(), block.rect.top(), 0.0, block.rect.height())
        left = _way(before.left(), block.rect.left(), share)
        right = _way(before.right(), block.rect.right(), share)
        return replace(block, rect=QRectF(left, block.rect.top(), right - left, block.rect.height()))

    def grown(row: Row, start: float, end: float) -> Row:
        width = _way(end, row.body.right(), share) - start
        return replace(row, body=QRectF(start, row.body.top(), width, row.body.height()))

    rows = tuple(
        grown(row, start, before.body.right()) for row, start, before in zip(new.rows, starts, old.rows, strict=True)
    )

    def shifted(label: Label) -> Label:
        if label.kind not in _AT_THE_END:
            return label
        return replace(label, rect=label.rect.translated(rows[label.bar].end - new.rows[label.bar].end, 0))

    return replace(new, rows=rows, blocks=tuple(map(moved, new.blocks)), labels=tuple(map(shifted, new.labels)))


def _way(start: float, end: float, share: float) -> float:
    return start + (end - start) * share
