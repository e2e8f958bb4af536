"""Cards as cells that fill: what each holds of every band, drawn as the part of the band that it is."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from core.learn.description import CellCard, Cells
from gui.charts.parts import Label
from gui.charts.text import Typesetter
from gui.learn.frame import centred, dot, finished, heading
from gui.learn.sketch import Box, Sketch, Spot, Stroke


def lay_out(cells: Cells, width: float, height: float, scale: float) -> Sketch:
    """Bands as rows, cards as columns; a band's row is as high as it is large, as far as its name has room."""
    type_ = Typesetter(scale)
    labels, area = heading(cells.title, cells.caption, type_, width, height, scale)
    shapes: list[Box | Stroke] = []
    spots: list[Spot] = []
    gap = 8 * scale
    names = (
        max(
            (max(type_.width("key", band.label), type_.width("amount", band.text)) for band in cells.bands), default=0.0
        )
        + 34 * scale
    )
    names = min(names, area.width() * 0.48)
    head = type_.height("note") + 4 * scale
    foot = type_.height("value") + 10 * scale
    rows = _rows(cells, area.top() + head, area.bottom() - foot, type_, gap)
    for band, row in zip(cells.bands, rows, strict=True):
        labels += _band(band.label, band.text, type_, area.left(), row, names - 14 * scale, scale)
        chip = QRectF(area.left(), row.center().y() - 5 * scale, 10 * scale, 10 * scale)
        shapes.append(Box(chip, band.role, f"edge:{band.role}", 2 * scale))
    extra = 0.6 if cells.gap_after else 0.0
    pitch = (area.width() - names) / max(1.0, len(cells.cards) + extra)
    for at, card in enumerate(cells.cards):
        shift = pitch * extra if cells.gap_after and at >= cells.gap_after else 0.0
        left = area.left() + names + at * pitch + shift
        body = QRectF(left, area.top() + head, pitch - min(gap, pitch * 0.2), area.bottom() - foot - area.top() - head)
        label = card.label if type_.width("note", card.label) <= pitch else card.label.split()[-1]
        labels += centred(type_, "note", label, body.center().x(), area.top(), pitch)
        shapes += _card(card, rows, body, scale)
        spots.append(Spot(body, f"{card.label}: {card.text}"))
    if cells.gap_after:
        middle = area.left() + names + (cells.gap_after + extra / 2) * pitch - gap / 2
        y = area.top() + head + (area.bottom() - foot - area.top() - head) / 2
        for step in (-1, 0, 1):
            shapes.append(dot(QPointF(middle + step * 6 * scale, y), 1.5 * scale, "quiet"))
    mark = "▲" if cells.over else "✓"
    said = type_.fit("value", f"{mark} {cells.verdict}", area.width())
    if said:
        text = type_.label("value", said, area.left(), area.bottom() - type_.height("value") - 1)
        ink = "limit" if cells.over else "text"
        labels.append(Label("value", said, cells.verdict, text.rect, text.px, text.weight, ink))
    return finished(width, height, scale, shapes, labels, spots)


def _rows(cells: Cells, top: float, bottom: float, type_: Typesetter, gap: float) -> list[QRectF]:
    """A row for each band: what is left when every row has room for its name is shared out by size."""
    count = len(cells.bands)
    if not count or not cells.cards:
        return []
    least = type_.height("key") + type_.height("amount")
    room = max(float(count), bottom - top - gap * (count - 1))
    least = min(least, room / count)
    sizes = [float(slot.size) for slot in cells.cards[0].slots]
    rest, whole = room - least * count, sum(sizes) or 1.0
    heights = [least + rest * size / whole for size in sizes]
    rows, y = [], top
    for height in heights:
        rows.append(QRectF(0, y, 0, height))
        y += height + gap
    return rows


def _band(label: str, text: str, type_: Typesetter, left: float, row: QRectF, room: float, scale: float) -> list[Label]:
    left += 17 * scale
    room -= 17 * scale
    found = []
    two = type_.height("key") + type_.height("amount")
    name, amount = type_.fit("key", label, room), type_.fit("amount", text, room)
    if row.height() >= two - 0.5:
        top = row.center().y() - two / 2
        found = [
            type_.label("key", name, left, top, label),
            type_.label("amount", amount, left, top + type_.height("key"), text),
        ]
    elif row.height() >= type_.height("key"):
        found = [type_.label("key", name, left, row.center().y() - type_.height("key") / 2, f"{label}: {text}")]
    return [one for one in found if one.text]


def _card(card: CellCard, rows: list[QRectF], body: QRectF, scale: float) -> list[Box | Stroke]:
    shapes: list[Box | Stroke] = []
    for slot, row in zip(card.slots, rows, strict=True):
        whole = QRectF(body.left(), row.top(), body.width(), row.height())
        shapes.append(Box(whole, "window", "line", 4 * scale))
        top = whole.top() + whole.height() * float(slot.begin)
        held = QRectF(whole.left(), top, whole.width(), max(2.0, whole.height() * float(slot.end - slot.begin)))
        held = held.intersected(whole)
        if slot.end > slot.begin:
            shapes.append(Box(held, slot.role, f"edge:{slot.role}", 4 * scale if held.height() > 12 * scale else 0))
    return shapes
