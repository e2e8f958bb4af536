"""The loop: stages in a row that leads back to its beginning, over the items in memory that they read and write."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QPointF, QRectF

from core.learn.description import Loop, LoopMark
from gui.charts.parts import Label
from gui.charts.text import Typesetter
from gui.learn.frame import centred, finished, heading, unbacked
from gui.learn.sketch import Box, Sketch, Spot, Stroke

FADED = 0.28
_BIT = 1.6  # pixels at scale 1 of one bit in the bar that shows an item's width


def lay_out(loop: Loop, width: float, height: float, scale: float) -> Sketch:
    """Where everything stands; type shrinks where the rows would not find room."""
    for shrink in (1.0, 0.93, 0.85, 0.77):
        made = _Layout(loop, width, height, scale, shrink)
        if made.fits:
            break
    return made.sketch()


class _Layout:
    def __init__(self, loop: Loop, width: float, height: float, scale: float, shrink: float) -> None:
        self.loop, self.width, self.height, self.scale = loop, width, height, scale
        self.type = type_ = Typesetter(scale, shrink)
        self.labels, area = heading(loop.title, loop.caption, type_, width, height, scale)
        self.shapes: list[Box | Stroke] = []
        self.spots: list[Spot] = []
        gap = 10 * scale
        widths = [max(type_.width("chosen", item.label), type_.width("note", item.note)) for item in loop.items]
        self.names = min(max(widths, default=0.0) + 2 * gap, area.width() * 0.35)
        self.totals = max((type_.width("value", item.text) for item in loop.items), default=0.0)
        self.totals = min(max(self.totals, type_.width("note", loop.sum_label)) + gap, area.width() * 0.25)
        self.area = area
        self.column = max(1.0, (area.width() - self.names - self.totals) / max(1, len(loop.stages)))
        self.back = type_.height("key") + 8 * scale
        self.stage = type_.height("chosen") + type_.height("note") + 10 * scale
        self.top = area.top() + self.back + self.stage + 8 * scale
        rows = max(1, len(loop.items))
        self.row = min((area.bottom() - self.top) / rows, 76 * scale)
        least = 2 * type_.height("note") + 4 * scale
        self.fits = self.row >= least

    def left(self, stage: int) -> float:
        """Left edge of a stage's column."""
        return self.area.left() + self.names + stage * self.column

    def sketch(self) -> Sketch:
        bottom = self.top + self.row * len(self.loop.items)
        if self.loop.chosen is not None:
            column = QRectF(self.left(self.loop.chosen), self.area.top() + self.back, self.column, 0)
            column.setBottom(bottom)
            self.shapes.append(Box(column.adjusted(3, -4 * self.scale, -3, 0), "tint", "", 8 * self.scale))
        self._rows()
        self._stages()
        self._way_back()
        for mark in self.loop.marks:
            self._mark(mark)
        return finished(self.width, self.height, self.scale, self.shapes, self.labels, self.spots)

    def _lit(self, stage: int) -> bool:
        return self.loop.stages[stage].active and self.loop.chosen in (None, stage)

    def _stages(self) -> None:
        type_, scale = self.type, self.scale
        top = self.area.top() + self.back
        for at, stage in enumerate(self.loop.stages):
            rect = QRectF(self.left(at) + 10 * scale, top, self.column - 20 * scale, self.stage)
            chosen = self.loop.chosen == at
            edge = "accent" if chosen else "field_line" if stage.active else "line"
            self.shapes.append(Box(rect, "card", edge, 8 * scale))
            if chosen:
                self.shapes.append(Box(rect.adjusted(1, 1, -1, -1), "", "accent", 7 * scale))
            middle, room = rect.center().x(), rect.width() - 8 * scale
            y = rect.top() + 4 * scale
            self.labels += centred(type_, "chosen" if stage.active else "note", stage.label, middle, y, room)
            self.labels += centred(type_, "note", stage.text, middle, y + type_.height("chosen") + 1 * scale, room)
            self.spots.append(Spot(rect, f"{stage.label}: {stage.text}"))
            if at:
                y = rect.center().y()
                before = QPointF(rect.left() - 20 * scale, y)
                arrow = Stroke((before, QPointF(rect.left(), y)), "quiet", 1.5 * scale, arrow=7 * scale)
                self.shapes.append(arrow)

    def _way_back(self) -> None:
        """From the last stage over the others to the first, with what moves in all on the way."""
        type_, scale = self.type, self.scale
        first = self.left(0) + self.column / 2
        last = self.left(len(self.loop.stages) - 1) + self.column / 2
        low, high = self.area.top() + self.back, self.area.top() + type_.height("key") / 2
        points = (QPointF(last, low), QPointF(last, high), QPointF(first, high), QPointF(first, low))
        self.shapes.append(Stroke(points, "quiet", 1.5 * scale, arrow=7 * scale))
        words = f"{self.loop.total_label} {self.loop.total}"
        found = centred(type_, "key", words, (first + last) / 2, self.area.top(), (last - first) * 0.8)
        self.labels += found

    def _rows(self) -> None:
        type_, scale = self.type, self.scale
        area = self.area
        for at, item in enumerate(self.loop.items):
            y = self.top + at * self.row
            middle = y + self.row / 2
            self.shapes.append(Stroke((QPointF(area.left(), y), QPointF(area.right(), y)), "grid", 1.0))
            block = type_.height("chosen") + (type_.height("note") if self.fits else 0.0)
            block = min(block, self.row)
            top = middle - block / 2
            left, room = area.left() + 12 * scale, self.names - 20 * scale
            bar = QRectF(area.left(), top + 1 * scale, 5 * scale, block - 2 * scale)
            self.shapes.append(Box(bar, item.role, f"edge:{item.role}", 2 * scale))
            name = type_.fit("chosen", item.label, room)
            self.labels.append(type_.label("chosen", name, left, top, f"{item.label}, {item.note}"))
            if self.fits:
                note = type_.fit("note", item.note, room)
                self.labels.append(type_.label("note", note, left, top + type_.height("chosen"), item.note))
            if at == 0:
                head = type_.label("note", self.loop.sum_label, 0, y - type_.height("note") - 4 * scale)
                self.labels.append(_moved(head, area.right() - head.rect.width()))
            said = type_.fit("value", item.text, self.totals - 10 * scale)
            total = type_.label("value", said, 0, middle - type_.height("value") / 2)
            self.labels.append(_moved(total, area.right() - total.rect.width()))

    def _mark(self, mark: LoopMark) -> None:
        """What a stage does with an item: a filled bar for what it writes, an open one for what it reads."""
        type_, scale, item = self.type, self.scale, self.loop.items[mark.item]
        lit = self._lit(mark.stage)
        strength = 1.0 if lit else FADED
        lines = [
            (word, size, write)
            for word, size, write in ((self.loop.read_word, mark.read, False), (self.loop.write_word, mark.write, True))
            if size
        ]
        step, gap = type_.height("note"), 2 * scale
        middle = self.top + (mark.item + 0.5) * self.row
        left, room = self.left(mark.stage) + 14 * scale, self.column - 24 * scale
        cell = QRectF(self.left(mark.stage), middle - self.row / 2, self.column, self.row)
        self.spots.append(Spot(cell, "; ".join(f"{word} {size}" for word, size, _ in lines)))
        top = middle - (len(lines) * step + (len(lines) - 1) * gap) / 2
        side = min(10 * scale, self.row - 3)
        for word, size, write in lines:
            # In low rows reading and writing stand side by side, and the sizes are said by the tooltip.
            stacked = self.fits or len(lines) == 1
            chip = QRectF(left, (top + step / 2 if stacked else middle) - side / 2, side, side)
            self._chip(chip, item.role, write, strength)
            kind = "key" if lit else "note"
            words = type_.fit(kind, f"{word} {size}", room - 15 * scale) if stacked else ""
            if words != f"{word} {size}":
                words = size if stacked and type_.width(kind, size) <= room - 15 * scale else ""
            if words:
                self.labels.append(unbacked(type_.label(kind, words, left + 15 * scale, top, f"{word} {size}")))
            if stacked:
                top += step + gap
            else:
                left += side + 4 * scale

    def _chip(self, place: QRectF, role: str, filled: bool, strength: float) -> None:
        self.shapes.append(Box(place, role if filled else "card", f"edge:{role}", 2 * self.scale, strength))
        if not filled:
            self.shapes.append(Box(place.adjusted(1, 1, -1, -1), "", role, 2 * self.scale, strength))


def _moved(label: Label, left: float) -> Label:
    return unbacked(
        msgspec.structs.replace(label, rect=QRectF(left, label.rect.top(), label.rect.width(), label.rect.height()))
    )
