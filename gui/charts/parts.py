"""Where everything in a chart stands, as plain data: painted, pointed at and measured by tests."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QPointF, QRectF

from core.charts.description import Chart


class Style(msgspec.Struct, frozen=True):
    """How a text is set: pixels at scale 1, weight, colour role, and whether its ground covers what is beneath."""

    px: int
    weight: int
    ink: str
    backed: bool = False


STYLES = {
    "title": Style(15, 600, "text"),
    "caption": Style(12, 400, "quiet"),
    "name": Style(13, 400, "text"),
    "chosen": Style(13, 600, "text"),
    "note": Style(12, 400, "quiet"),
    "value": Style(13, 600, "text", backed=True),
    "over": Style(13, 600, "limit", backed=True),
    "remark": Style(12, 400, "quiet", backed=True),
    "excess": Style(12, 400, "limit", backed=True),
    "limit": Style(12, 500, "limit", backed=True),
    "key": Style(12, 500, "text", backed=True),
    "amount": Style(12, 400, "quiet", backed=True),
    "tick": Style(12, 400, "quiet"),
    "empty": Style(13, 400, "quiet"),
}


class Label(msgspec.Struct, frozen=True):
    """One line of text. `full` is what it says unshortened; `rect` is its measured place; sizes are in pixels."""

    kind: str
    text: str
    full: str
    rect: QRectF
    px: int
    weight: int
    ink: str
    backed: bool = False
    bar: int = -1


class Block(msgspec.Struct, frozen=True):
    """One segment as drawn. `end`: the bar's last, with round corners; `bar`, `segment`: its place in the chart."""

    role: str
    rect: QRectF
    key: str
    bar: int
    segment: int
    end: bool


class Rule(msgspec.Struct, frozen=True):
    """One limit as a dashed line from `top` to `bottom` at `x`."""

    x: float
    top: float
    bottom: float


class Leader(msgspec.Struct, frozen=True):
    """A thin line from a segment to its label."""

    points: tuple[QPointF, ...]


class Chip(msgspec.Struct, frozen=True):
    """The small square of a segment's colour before its label."""

    role: str
    rect: QRectF


class Row(msgspec.Struct, frozen=True):
    """One bar's own strip over the full width, with the bar's body in it (of no width where the value is 0).

    `ghost`: where the bar ends in the pinned baseline, or None; `end`: the right edge of body and ghost.
    """

    rect: QRectF
    body: QRectF
    key: str
    chosen: bool
    ghost: float | None = None

    @property
    def end(self) -> float:
        """Where words after the bar may begin."""
        return max(self.body.right(), self.ghost or 0.0)


class Layout(msgspec.Struct, frozen=True):
    """A chart laid out at one size; all in the item's own pixels. `plot` is the ground the bars stand on."""

    chart: Chart
    width: float
    height: float
    scale: float
    plot: QRectF
    rows: tuple[Row, ...] = ()
    blocks: tuple[Block, ...] = ()
    labels: tuple[Label, ...] = ()
    ticks: tuple[float, ...] = ()
    rules: tuple[Rule, ...] = ()
    leaders: tuple[Leader, ...] = ()
    chips: tuple[Chip, ...] = ()
    breaks: tuple[QRectF, ...] = ()
