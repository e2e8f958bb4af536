"""Texts side by side on a line, none over another. Plain arithmetic on pixels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def spread(wanted: Sequence[float], widths: Sequence[float], low: float, high: float, gap: float) -> list[float] | None:
    """Left edges as near as can be (least squares) to `wanted`, in order, `gap` apart, between `low` and `high`.

    None where they do not fit at all. With each text's offset from the first taken off, "in order and apart" becomes
    "not falling", which is isotonic regression; pooling adjacent violators solves it exactly.
    """
    total = sum(widths) + gap * max(0, len(widths) - 1)
    if total > high - low:
        return None
    offsets, offset = [], 0.0
    for width in widths:
        offsets.append(offset)
        offset += width + gap
    pools: list[tuple[float, int]] = []  # mean, count
    for want, moved in zip(wanted, offsets, strict=True):
        mean, count = want - moved, 1
        while pools and pools[-1][0] > mean:
            before, many = pools.pop()
            mean = (mean * count + before * many) / (count + many)
            count += many
        pools.append((mean, count))
    starts = [mean for mean, count in pools for _ in range(count)]
    latest = high - total
    return [min(max(start, low), latest) + moved for start, moved in zip(starts, offsets, strict=True)]


def stack(
    marks: Sequence[float], widths: Sequence[float], low: float, high: float, gap: float, lanes: int
) -> list[tuple[int, float] | None]:
    """A lane (0 is the lowest) and a left edge for the text of each mark, or None where there is no room for it.

    A mark rises to its own text and stops there; a text stands right of its mark, or left of it near the end. No text
    covers another text or a mark that rises past it. The first mark and the last come before those between.
    """
    placed: dict[int, tuple[int, float]] = {}

    def free(index: int, lane: int, left: float) -> bool:
        right = left + widths[index]
        for other, (at, start) in placed.items():
            if at == lane and left < start + widths[other] + gap and start < right + gap:
                return False
            if at > lane and left - gap < marks[other] < right + gap:
                return False
            if at < lane and start - gap < marks[index] < start + widths[other] + gap:
                return False
        return True

    for index in _outside_in(len(marks)):
        width = widths[index]
        if width > high - low:
            continue
        right, left = marks[index] + gap / 2, marks[index] - gap / 2 - width
        # Right of the mark, so that mark and text read as one; only where the picture ends, left of it or across it.
        side = right if right + width <= high else left if left >= low else high - width
        for lane in range(lanes):
            if free(index, lane, side):
                placed[index] = (lane, side)
                break
    return [placed.get(index) for index in range(len(marks))]


def thinned(centres: Sequence[float], widths: Sequence[float], gap: float) -> list[int]:
    """Indices of every k-th text from the first, with the least k at which none comes within `gap` of the next."""
    for step in range(1, max(1, len(centres))):
        chosen = list(range(0, len(centres), step))
        if all(centres[one] + widths[one] / 2 + gap <= centres[two] - widths[two] / 2 for one, two in pairwise(chosen)):
            return chosen
    return [0] if centres else []


def _outside_in(count: int) -> list[int]:
    """0, the last, then the middle ones by halving, so that whoever finds room first is spread out."""
    order = list(dict.fromkeys((0, count - 1))) if count else []
    spans = [(0, count - 1)]
    while spans:
        low, high = spans.pop(0)
        if high - low > 1:
            middle = (low + high) // 2
            order.append(middle)
            spans += [(low, middle), (middle, high)]
    return order
