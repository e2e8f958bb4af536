"""Small arrows, ticks and dots for the style sheet, drawn at run time in the theme's colour and size.

Style sheets take pictures from files only, so they are written to a temporary folder that goes with the process; beside
each lie its double and triple, which Qt picks on dense screens by their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QPointF, Qt, QTemporaryDir
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

# Strokes on a square of 12 units.
SHAPES: Mapping[str, tuple[tuple[float, float], ...]] = MappingProxyType(
    {
        "up": ((2.5, 7.75), (6.0, 4.25), (9.5, 7.75)),
        "down": ((2.5, 4.25), (6.0, 7.75), (9.5, 4.25)),
        "right": ((4.25, 2.5), (7.75, 6.0), (4.25, 9.5)),
        "left": ((7.75, 2.5), (4.25, 6.0), (7.75, 9.5)),
        "check": ((2.25, 6.25), (5.0, 9.0), (9.75, 3.25)),
        "dash": ((3.0, 6.0), (9.0, 6.0)),
        "dot": ((6.0, 6.0), (6.0, 6.0)),
    }
)
_UNITS = 12.0


@lru_cache(maxsize=1)
def _folder() -> QTemporaryDir:
    folder = QTemporaryDir()
    if not folder.isValid():
        raise OSError(f"no temporary folder for the controls' arrows: {folder.errorString()}")
    return folder


@lru_cache(maxsize=256)
def glyph(shape: str, colour: str, size_px: int) -> str:
    """Path of a picture of the shape (a key of SHAPES), in a colour (#RRGGBB), `size_px` wide and high, for url("…").

    Raises OSError where no temporary file can be written.
    """
    stem = f"{shape}-{colour[1:].lower()}-{size_px}"
    folder = Path(_folder().path())
    for density, suffix in ((1, ""), (2, "@2x"), (3, "@3x")):
        path = folder / f"{stem}{suffix}.png"
        if not draw(shape, colour, size_px, density).save(str(path)):
            raise OSError(f"cannot write {path}")
    return (folder / f"{stem}.png").as_posix()


def draw(shape: str, colour: str, size_px: int, density: int = 1) -> QImage:
    """The shape as a transparent picture of `size_px` times `density` pixels."""
    image = QImage(size_px * density, size_px * density, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    scale = size_px * density / _UNITS
    painter.scale(scale, scale)
    width = 4.5 if shape == "dot" else 1.5
    pen = QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in SHAPES[shape]]))
    painter.end()
    return image
