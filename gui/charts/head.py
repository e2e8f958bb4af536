"""Title and caption, and what a chart without bars says."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from core.charts.description import Chart
from gui.charts.parts import Label, Layout
from gui.charts.text import Typesetter, wrapped
from gui.fonts import REGULAR


def head_height(chart: Chart, type_: Typesetter, title: bool, caption: bool, scale: float) -> float:
    """Pixels that title and caption take above the plot, with the space beneath them."""
    result = type_.height("title") if title else 0.0
    if caption and chart.caption:
        result += type_.height("caption") + 2 * scale
    return result + 8 * scale if result else 2.0


def head(
    chart: Chart, type_: Typesetter, pad: float, width: float, title: bool, caption: bool, scale: float
) -> list[Label]:
    """Title and caption, each on one line."""
    result = []
    y = 0.0
    for kind, text, shown in (("title", chart.title, title), ("caption", chart.caption, caption)):
        if shown and text:
            short = type_.fit(kind, text, width - 2 * pad)
            if short:
                result.append(type_.label(kind, short, pad, y, text))
        if shown:
            y += type_.height(kind) + 2 * scale
    return result


def empty(chart: Chart, pad: float, width: float, height: float, scale: float) -> Layout:
    """No bars: title, caption, and in the middle of the rest what there is to say."""
    type_ = Typesetter(scale)
    labels = [label for label in head(chart, type_, pad, width, True, True, scale) if label.rect.bottom() <= height / 2]
    top = max((label.rect.bottom() for label in labels), default=0.0)
    lines = wrapped(chart.spoken, type_.px("empty"), REGULAR, min(width - 2 * pad, 420 * scale))
    step = type_.height("empty") + 3 * scale
    lines = lines[: int((height - top) // step)]
    y = top + (height - top - step * len(lines)) / 2
    for line in lines:
        left = (width - type_.width("empty", line)) / 2
        labels.append(type_.label("empty", line, left, y, chart.spoken))
        y += step
    return Layout(chart, width, height, scale, QRectF(0, top, width, height - top), labels=tuple(labels))
