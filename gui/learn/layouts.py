"""Which function lays out which kind of drawing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.learn.description import Bits, Cells, Drawing, Loop, Plot, Quiz, Ruler
from gui.learn import bits_sketch, cells_sketch, loop_sketch, plot_sketch, quiz_sketch
from gui.learn.sketch import Sketch

LAYOUTS: dict[type, Callable[[Any, float, float, float], Sketch]] = {
    Plot: plot_sketch.lay_out,
    Bits: bits_sketch.lay_out_bits,
    Ruler: bits_sketch.lay_out_ruler,
    Loop: loop_sketch.lay_out,
    Cells: cells_sketch.lay_out,
    Quiz: quiz_sketch.lay_out,
}


def lay_out(drawing: Drawing, width: float, height: float, scale: float = 1.0) -> Sketch:
    """A drawing that is no chart of bars, laid out in `width` × `height` pixels with type at `scale`."""
    return LAYOUTS[type(drawing)](drawing, width, height, scale)
