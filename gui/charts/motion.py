"""Between two layouts: bars on their way to their new length. Everything else is at its new place at once."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QRectF

from gui.charts.parts import Block, Label, Layout
from gui.charts.scale import ratio

_AT_THE_END = ("value", "over", "remark", "excess")


def can_move(old: Layout, new: Layout) -> bool:
    """Whether the bars of one layout can grow into the other's: the same rows at the same size, and none broken."""
    return (
        (old.width, old.height, old.scale) == (new.width, new.height, new.scale)
        and old.chart.name == new.chart.name
        and [bar.label for bar in old.chart.bars] == [bar.label for bar in new.chart.bars]
        and min(old.chart.maximum, new.chart.maximum) > 0
        and len(old.rows) == len(new.rows) > 0
        and all(one.body.top() == two.body.top() for one, two in zip(old.rows, new.rows, strict=True))
        and not (old.breaks or new.breaks)
    )


def between(old: Layout, new: Layout, share: float) -> Layout:
    """The new layout, with its bars `share` (0 to 1) of the way from the values they had.

    Old values stand where the new axis has them, so that a bar which grows stands for more at each moment; what the new
    axis does not reach starts at its end. A bar's bands always meet, and its words stay on the chart.
    """
    if share >= 1:
        return new
    step = ratio(old.chart.maximum, new.chart.maximum) * new.plot.width() / max(old.plot.width(), 1.0)

    # A band is the same band wherever it stands in its bar; one that was not there grows from nothing.
    widths = {(block.bar, _name(old, block)): block.rect.width() * step for block in old.blocks}
    ends = [row.body.left() for row in new.rows]
    blocks: list[Block] = []
    for block in new.blocks:
        start = ends[block.bar]
        width = _way(widths.get((block.bar, _name(new, block)), 0.0), block.rect.width(), share)
        ends[block.bar] = end = min(start + width, new.plot.right())
        blocks.append(replace(block, rect=QRectF(start, block.rect.top(), end - start, block.rect.height())))

    rows = tuple(
        replace(row, body=QRectF(row.body.left(), row.body.top(), end - row.body.left(), row.body.height()))
        for row, end in zip(new.rows, ends, strict=True)
    )

    moved = {label.bar: rows[label.bar].end - new.rows[label.bar].end for label in new.labels if _is_last(label)}
    for label in filter(_is_last, new.labels):
        moved[label.bar] = min(moved[label.bar], new.width - label.rect.right())

    def shifted(label: Label) -> Label:
        return replace(label, rect=label.rect.translated(moved[label.bar], 0)) if _is_last(label) else label

    return replace(new, rows=rows, blocks=tuple(blocks), labels=tuple(map(shifted, new.labels)))


def _name(layout: Layout, block: Block) -> str:
    return layout.chart.bars[block.bar].segments[block.segment].label


def _is_last(label: Label) -> bool:
    return label.kind in _AT_THE_END


def _way(start: float, end: float, share: float) -> float:
    return start + (end - start) * share
