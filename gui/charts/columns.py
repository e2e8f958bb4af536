"""The three columns of a chart: names, bars, and the room the values need at the bars' ends."""

from __future__ import annotations

import math

import msgspec

from core.charts.description import Bar, Chart
from gui.charts.parts import Label
from gui.charts.scale import reach
from gui.charts.text import Typesetter

NAME_SHARE, NAME_MOST = 0.36, 260.0
"""Most of the width, and most pixels at scale 1, that names take."""

SIGN = 11.0
"""Pixels at scale 1 for the sign before a value that is over a limit."""


class Columns(msgspec.Struct, frozen=True):
    """`name` pixels from `start` for names, bars from `left` over `plot` pixels; `values`: whether these have room;
    `remarks`: whether what is said of them has, too.

    `notes`: "below" or "beside" the names, or "" for none; `below`: whether remarks stand below the values.
    """

    start: float
    name: float
    left: float
    plot: float
    values: bool
    remarks: bool
    notes: str
    below: bool
    scale: float

    def names(self, index: int, bar: Bar, middle: float, type_: Typesetter) -> list[Label]:
        """Name and note of a bar whose middle is at this height; none where not even a letter fits."""
        kind = _kind(bar)
        text = type_.fit(kind, bar.label, self.name, middle=True)
        if not text:
            return []
        below = self.notes == "below" and bool(bar.note)
        height = type_.height(kind) + (type_.height("note") if below else 0.0)
        top = middle - height / 2
        labels = [type_.label(kind, text, self.start, top, bar.label, index)]
        if below:
            note = type_.fit("note", bar.note, self.name)
            if note:
                labels.append(type_.label("note", note, self.start, labels[0].rect.bottom(), bar.note, index))
        elif self.notes == "beside" and bar.note:
            left = labels[0].rect.right() + 8 * self.scale
            room = self.start + self.name - left
            note = type_.fit("note", bar.note, room)
            if note and (note == bar.note or room > 60 * self.scale):
                shift = (type_.height(kind) - type_.height("note")) * 0.8  # on the name's baseline
                labels.append(type_.label("note", note, left, top + shift, bar.note, index))
        return labels

    def value(self, index: int, bar: Bar, end: float, middle: float, type_: Typesetter) -> list[Label]:
        """The value of a bar that ends there, and after or below it, more quietly, what is said of it."""
        kind, aside = ("over", "excess") if bar.over else ("value", "remark")
        value, remark = _parts(bar, self.remarks)
        below = self.below and bool(remark)
        height = type_.height(kind) + (type_.height(aside) if below else 0.0)
        left = end + _gap(self.scale)
        top = middle - height / 2
        labels = [type_.label(kind, value, left + (sign(type_) if bar.over else 0.0), top, bar=index)]
        if below:
            labels.append(type_.label(aside, remark, left, labels[0].rect.bottom(), bar=index))
        elif remark:
            shift = (type_.height(kind) - type_.height(aside)) * 0.8
            labels.append(
                type_.label(aside, remark, labels[0].rect.right() + _between(self.scale), top + shift, bar=index)
            )
        return labels


def columns(chart: Chart, type_: Typesetter, notes: str, width: float, pad: float, scale: float) -> Columns:
    """Columns of a chart in a width. What is said of values gives way to bars, then names, then values too.

    Widths go in steps, so that nothing shifts with each digit while a number is typed.
    """
    step = 8 * scale
    wish = max((_name_width(bar, type_, notes, scale) for bar in chart.bars), default=0.0)
    name = min(math.ceil(wish / step) * step, width * NAME_SHARE, NAME_MOST * scale) if wish else 0.0
    # Beside remarks names may lose their notes, but not themselves.
    bare = max((type_.width(_kind(bar), bar.label) for bar in chart.bars), default=0.0)
    whole = min(1.0, max(0.7, (bare + 1) / name)) if name else 1.0
    least = max(24.0, width * 0.22)
    for values, remarks in ((True, True), (True, False), (False, False)):
        # A bar without its name says less than one without a remark.
        for share in (1.0, whole) if remarks else (1.0, 0.7, 0.45, 0.0):
            column = name * share if name * share >= 20 * scale else 0.0
            left = round(pad + column + (10 * scale if column else 0.0))
            room = width - pad - left
            plot = math.floor(_plot(chart, type_, notes, room, scale, remarks) if values else room - 2)
            if plot >= least or (not values and share == 0.0):
                beside = notes if column else ""
                return Columns(pad, column, left, max(plot, 1), values, remarks, beside, notes == "below", scale)
    raise AssertionError("bars alone always fit")


def sign(type_: Typesetter) -> float:
    """Width of the sign before a value over a limit, with its gap."""
    return type_.px("over") * SIGN / 13


def _gap(scale: float) -> float:
    return 8 * scale


def _between(scale: float) -> float:
    return 7 * scale


def _parts(bar: Bar, remarks: bool) -> tuple[str, str]:
    """The value, and what follows its first point, if that has room: "480 GB · over by 400 GB"."""
    value, _, remark = bar.text.partition(" · ")
    return value, remark if remarks else ""


def _value_width(bar: Bar, type_: Typesetter, notes: str, scale: float, remarks: bool) -> float:
    value, remark = _parts(bar, remarks)
    width = type_.width("over", value) + (sign(type_) if bar.over else 0.0)
    if not remark:
        return width
    more = type_.width("excess", remark)
    return max(width, more) if notes == "below" else width + _between(scale) + more


def _kind(bar: Bar) -> str:
    return "chosen" if bar.chosen else "name"


def _name_width(bar: Bar, type_: Typesetter, notes: str, scale: float) -> float:
    name = type_.width(_kind(bar), bar.label)
    if notes == "below":
        return max(name, type_.width("note", bar.note))
    if notes == "beside" and bar.note:
        return name + 8 * scale + type_.width("note", bar.note)
    return name


def _plot(chart: Chart, type_: Typesetter, notes: str, room: float, scale: float, remarks: bool) -> float:
    """The widest plot in which every value still ends within `room`; a bar counts as half the scale or as all of it."""
    plot = room - 4 * scale
    for bar in chart.bars:
        if not bar.text:
            continue
        text = _value_width(bar, type_, notes, scale, remarks)
        reserve = math.ceil(text / (8 * scale)) * 8 * scale + _gap(scale)
        if room - reserve < 3:
            return 0.0
        longest = reach(bar)
        share = 1.0 if 2 * longest > chart.maximum else 0.5
        plot = min(plot, (room - reserve - 1) / share)
    return plot
