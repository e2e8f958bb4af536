"""Bit patterns: a cell for each bit, grouped into sign, exponent and fraction; and the number line around a weight."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF

from core.learn.description import BitRow, Bits, Ruler
from gui.charts.parts import Label
from gui.charts.text import Typesetter
from gui.learn.frame import centred, dot, finished, heading
from gui.learn.sketch import Box, Sketch, Spot, Stroke


def lay_out_bits(bits: Bits, width: float, height: float, scale: float) -> Sketch:
    """Rows of cells, the words of each row at the left, the names of the groups above."""
    type_ = Typesetter(scale)
    # The title stands at the left of the groups' names: every line counts here.
    labels, area = heading("", "", type_, width, height, scale)
    shapes: list[Box | Stroke] = []
    beside = [type_.width("chosen", row.text) + 8 + type_.width("note", row.label) for row in bits.rows]
    words = max(type_.width("title", bits.title), *beside)
    words = min(words + 14 * scale, area.width() * 0.45)
    counts = [len(bits.rows[0].sign), len(bits.rows[0].exponent), len(bits.rows[0].fraction)]
    part = 5 * scale
    cell = min((area.width() - words - 2 * part) / max(1, sum(counts)), 30 * scale)
    lefts = [area.left() + words]
    for count in counts[:-1]:
        lefts.append(lefts[-1] + count * cell + part)
    head = type_.height("title") + 4 * scale
    labels.append(type_.label("title", type_.fit("title", bits.title, words), area.left(), area.top(), bits.title))
    row = min((area.height() - head) / len(bits.rows), 46 * scale)
    right = area.left() + words - 8 * scale
    for name, left, count in zip(bits.groups, lefts, counts, strict=True):
        rect = QRectF(left, area.top(), count * cell, head)
        short = type_.fit("note", name, max(rect.width(), cell * 3))
        if short == name and rect.width() >= type_.width("note", name):
            labels += centred(type_, "note", name, rect.center().x(), rect.top() + 1, rect.width())
        elif name == bits.groups[0]:
            # The sign is one cell wide: its name leans to the left of it.
            at = left + cell - type_.width("note", name)
            labels.append(type_.label("note", name, at, rect.top() + 1))
        y = rect.bottom() - 3 * scale
        shapes.append(Stroke((QPointF(left + 1, y), QPointF(left + count * cell - 1, y)), "field_line"))
    for at, line in enumerate(bits.rows):
        y = area.top() + head + at * row
        labels += _words(line, type_, area.left(), y, row, right - area.left())
        shapes_, labels_ = _cells(line, type_, lefts, cell, y, row, scale)
        shapes += shapes_
        labels += labels_
    spots = tuple(
        Spot(QRectF(0, area.top() + head + at * row, width, row), f"{line.label}: {line.text}")
        for at, line in enumerate(bits.rows)
    )
    return finished(width, height, scale, shapes, labels, spots)


def _words(line: BitRow, type_: Typesetter, left: float, y: float, row: float, room: float) -> list[Label]:
    high = type_.height("note") + type_.height("chosen")
    found = []
    if row >= high:
        top = y + (row - high) / 2
        found.append(type_.label("note", type_.fit("note", line.label, room), left, top, line.label))
        value = type_.fit("chosen", line.text, room)
        found.append(type_.label("chosen", value, left, top + type_.height("note"), line.text))
    elif row >= type_.height("chosen"):
        # On one line: the value in front, since it is what is compared, and the name as far as there is room.
        top = y + (row - type_.height("chosen")) / 2
        value = type_.fit("chosen", line.text, room)
        found.append(type_.label("chosen", value, left, top, f"{line.label}: {line.text}"))
        beside = found[0].rect.right() + 8
        found.append(
            type_.label("note", type_.fit("note", line.label, left + room - beside), beside, top + 1, line.label)
        )
    return [label for label in found if label.text]


def _cells(
    line: BitRow, type_: Typesetter, lefts: list[float], cell: float, y: float, row: float, scale: float
) -> tuple[list[Box | Stroke], list[Label]]:
    shapes: list[Box | Stroke] = []
    labels: list[Label] = []
    high = min(row - 3 * scale, 24 * scale)
    top = y + (row - high) / 2
    place = 0
    readable = cell >= type_.width("note", "0") + 1 and high >= type_.height("note")
    for group, (digits, left) in enumerate(zip((line.sign, line.exponent, line.fraction), lefts, strict=True)):
        for at, digit in enumerate(digits):
            rect = QRectF(left + at * cell, top, cell, high).adjusted(0.5, 0, -0.5, 0)
            changed = place in line.changed
            ground = ("hover", "tint", "card")[group] if digit == "0" else "accent"
            shapes.append(Box(rect, ground, "limit" if changed else "field_line", 2 * scale))
            if changed:
                shapes.append(Box(rect.adjusted(1, 1, -1, -1), "", "limit", 2 * scale))
            if readable:
                label = type_.label(
                    "note",
                    digit,
                    rect.center().x() - type_.width("note", digit) / 2,
                    rect.center().y() - type_.height("note") / 2,
                )
                ink = "on_accent" if digit == "1" else "text"
                labels.append(Label("bit", digit, digit, label.rect, label.px, label.weight, ink))
            place += 1
    return shapes, labels


def lay_out_ruler(ruler: Ruler, width: float, height: float, scale: float) -> Sketch:
    """The number line: representable numbers as strokes, half way as a dashed one, and the update's two leaps."""
    type_ = Typesetter(scale)
    labels, area = heading(ruler.title, ruler.caption, type_, width, height, scale)
    shapes: list[Box | Stroke] = []
    low = min(at for at, _ in ruler.marks) - 0.25
    high = max(at for at, _ in ruler.marks) + 0.25

    def x(at: float) -> float:
        share = (min(max(at, low), high) - low) / (high - low)
        return area.left() + area.width() * share

    foot = 2 * type_.height("note") + 10 * scale
    line = min(area.bottom() - foot, area.top() + area.height() * 0.5)
    tick = 9 * scale
    shapes.append(Stroke((QPointF(area.left(), line), QPointF(area.right(), line)), "field_line", 1.5 * scale))
    for at, _ in ruler.marks:
        shapes.append(Stroke((QPointF(x(at), line - tick), QPointF(x(at), line + tick)), "text", 2 * scale))
    half = x(ruler.half)
    shapes.append(
        Stroke((QPointF(half, line - 2.2 * tick), QPointF(half, line + 1.2 * tick)), "limit", 1.5 * scale, (3.0, 2.0))
    )
    under = line + tick + 3 * scale
    taken: list[QRectF] = []
    for at, text in sorted(ruler.marks, key=lambda mark: abs(mark[0])):
        kind = "chosen" if at == 0 else "note"
        left = min(max(x(at) - type_.width(kind, text) / 2, area.left()), area.right() - type_.width(kind, text))
        label = type_.label(kind, text, left, under)
        if all(label.rect.right() + 4 < other.left() or label.rect.left() - 4 > other.right() for other in taken):
            labels.append(label)
            taken.append(label.rect)
    above = line - 2.2 * tick - type_.height("limit") - 1 * scale
    labels += _upper(ruler, type_, x, above, area, scale)
    aim, lands = x(ruler.aim), x(ruler.lands)
    level = line - tick - 4 * scale
    if abs(aim - x(0)) >= 3 * scale:
        shapes.append(Stroke((QPointF(x(0), level), QPointF(aim, level)), "optimizer", 2.5 * scale, arrow=7 * scale))
    shapes.append(dot(QPointF(aim, line), 3.5 * scale, "optimizer", "edge:optimizer"))
    if abs(aim - lands) >= 3 * scale:
        below = line + 4 * scale
        shapes.append(Stroke((QPointF(aim, below), QPointF(lands, below)), "parameters", 2.5 * scale, arrow=7 * scale))
    ink = "text" if ruler.survives else "limit"
    top = min(under + type_.height("chosen") + 4 * scale, area.bottom() - type_.height("value"))
    said = type_.fit("value", f"{'✓' if ruler.survives else '✗'} {ruler.verdict}", area.width())
    if said and top >= under + type_.height("chosen") - 0.5:
        verdict = type_.label("value", said, area.left(), top)
        labels.append(Label("value", said, ruler.verdict, verdict.rect, verdict.px, verdict.weight, ink))
    spots = (Spot(QRectF(0, area.top(), width, area.height()), ruler.spoken),)
    return finished(width, height, scale, shapes, labels, spots)


def _upper(
    ruler: Ruler, type_: Typesetter, x: Callable[[float], float], above: float, area: QRectF, scale: float
) -> list[Label]:
    """Names of the half-way mark and of the update, above the line."""
    half, aim = x(ruler.half), x(ruler.aim)
    if above < area.top() - 0.5:
        return []
    name = type_.label("limit", ruler.half_text, half - type_.width("limit", ruler.half_text) / 2, above)
    width = type_.width("key", ruler.aim_text)
    left = min(max(aim - width / 2, area.left()), area.right() - width)
    if ruler.half < ruler.aim:
        left = max(left, name.rect.right() + 8 * scale)
    else:
        left = min(left, name.rect.left() - 8 * scale - width)
    found = [name]
    if area.left() - 0.5 <= left and left + width <= area.right() + 0.5:
        found.append(type_.label("key", ruler.aim_text, left, above))
    return found
