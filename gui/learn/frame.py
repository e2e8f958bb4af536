"""What the drawings share: title and caption at the top, and the room that is left."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QPointF, QRectF

from gui.charts.parts import Label
from gui.charts.text import Typesetter
from gui.learn.sketch import Box, Sketch, Spot, Stroke

PAD = 8.0
"""Free pixels at scale 1 left and right, as in a chart."""


def heading(
    title: str, caption: str, type_: Typesetter, width: float, height: float, scale: float
) -> tuple[list[Label], QRectF]:
    """Title and caption, on one line where both fit, else one under the other; and the room beneath.

    In a low place the caption goes first, then the title.
    """
    pad = min(PAD * scale, width * 0.04)
    line = type_.height("title")
    if height < 6.5 * line:
        caption = ""
    if height < 4.5 * line:
        title = ""
    beside = pad + type_.width("title", title) + 14 * scale
    labels: list[Label] = []
    top = 0.0
    if title and caption and beside + type_.width("caption", caption) <= width - pad:
        drop = (line - type_.height("caption")) * 0.75
        labels = [type_.label("title", title, pad, 0), type_.label("caption", caption, beside, drop)]
        top = line + 8 * scale
    else:
        for kind, text in (("title", title), ("caption", caption)):
            short = type_.fit(kind, text, width - 2 * pad) if text else ""
            if short:
                labels.append(type_.label(kind, short, pad, top, text))
                top += type_.height(kind) + 2 * scale
        top += 6 * scale if labels else 0.0
    return labels, QRectF(pad, top, max(1.0, width - 2 * pad), max(1.0, height - top))


def finished(
    width: float,
    height: float,
    scale: float,
    shapes: Sequence[Box | Stroke],
    labels: Sequence[Label],
    spots: Sequence[Spot] = (),
) -> Sketch:
    """The drawing with what has room in it: nothing outside, and no text over one that comes before it."""
    whole = QRectF(-0.5, -0.5, width + 1, height + 1)
    kept: list[Label] = []
    for label in labels:
        inner = label.rect.adjusted(0.5, 0.5, -0.5, -0.5)
        if label.text and whole.contains(label.rect) and not any(inner.intersects(other.rect) for other in kept):
            kept.append(label)
    ground = whole.adjusted(-4, -4, 4, 4)
    drawn = [
        shape for shape in shapes if isinstance(shape, Stroke) or (shape.rect.isValid() and ground.contains(shape.rect))
    ]
    return Sketch(width, height, scale, tuple(drawn), tuple(kept), tuple(spots))


def centred(type_: Typesetter, kind: str, text: str, middle: float, top: float, room: float) -> list[Label]:
    """A text around the middle of a column, shortened to its width; nothing where not even a letter fits."""
    short = type_.fit(kind, text, room)
    if not short:
        return []
    return [type_.label(kind, short, middle - type_.width(kind, short) / 2, top, text)]


def dot(at: QPointF, radius: float, fill: str, edge: str = "") -> Box:
    """A filled circle around a point."""
    return Box(QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius), fill, edge, radius)


def unbacked(label: Label) -> Label:
    """The label without a ground of its own, for where nothing passes beneath it."""
    return msgspec.structs.replace(label, backed=False)


def inked(label: Label, ink: str) -> Label:
    """The label in another colour."""
    return msgspec.structs.replace(label, ink=ink)
