"""Measuring and shortening texts for the layout."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRectF, Qt

from gui import fonts
from gui.charts.parts import STYLES, Label

ELLIPSIS = "…"


@lru_cache(maxsize=8192)
def advance(text: str, px: int, weight: int) -> float:
    """Width of a text in pixels."""
    return float(fonts.metrics(px, weight).horizontalAdvance(text))


def line_height(px: int, weight: int = fonts.REGULAR) -> float:
    """Height of one line in pixels, from ascent to descent."""
    return float(fonts.metrics(px, weight).height())


@lru_cache(maxsize=2048)
def elided(text: str, px: int, weight: int, width: float, middle: bool = False) -> str:
    """The text, shortened by an ellipsis to at most `width`; empty where not even one letter is left."""
    if advance(text, px, weight) <= width:
        return text
    mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
    short = fonts.metrics(px, weight).elidedText(text, mode, width)
    return "" if short.strip() in ("", ELLIPSIS) or advance(short, px, weight) > width else short


def wrapped(text: str, px: int, weight: int, width: float) -> list[str]:
    """The text in lines of at most `width`, broken at spaces; a longer word is shortened."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and advance(longer, px, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(elided(word, px, weight, width))
    return [line for line in lines if line]


# Asked for thousands of times while a number is dragged, and the same for a few kinds and scales.
@lru_cache(maxsize=512)
def _px(kind: str, scale: float, shrink: float) -> int:
    shrink = 1.0 if kind in ("title", "caption", "empty") else shrink
    return max(1, round(STYLES[kind].px * scale * shrink))


@lru_cache(maxsize=512)
def _height(kind: str, scale: float, shrink: float) -> float:
    return line_height(_px(kind, scale, shrink), STYLES[kind].weight)


class Typesetter:
    """Makes labels in the table of styles, at one scale. `shrink` (0 to 1) is for what stands in crowded rows."""

    def __init__(self, scale: float, shrink: float = 1.0) -> None:
        self._scale, self._shrink = scale, shrink

    def px(self, kind: str) -> int:
        """Size of a kind of text in whole pixels."""
        return _px(kind, self._scale, self._shrink)

    def height(self, kind: str) -> float:
        """Height of a line of this kind."""
        return _height(kind, self._scale, self._shrink)

    def width(self, kind: str, text: str) -> float:
        """Width of a text of this kind."""
        return advance(text, self.px(kind), STYLES[kind].weight)

    def fit(self, kind: str, text: str, width: float, middle: bool = False) -> str:
        """The text, shortened to a width."""
        return elided(text, self.px(kind), STYLES[kind].weight, width, middle)

    def label(self, kind: str, text: str, left: float, top: float, full: str = "", bar: int = -1) -> Label:
        """The text with its top left corner at a place."""
        style = STYLES[kind]
        rect = QRectF(left, top, self.width(kind, text), self.height(kind))
        return Label(kind, text, full or text, rect, self.px(kind), style.weight, style.ink, style.backed, bar)
