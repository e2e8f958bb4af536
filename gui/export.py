"""Pictures of charts: drawn afresh at a fixed size into PNG, SVG or PDF, and moved into place whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRect, QSize, QSizeF
from PySide6.QtGui import QColor, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from core.charts.description import Chart
from core.files import write_whole
from gui.charts.page import Heading, Page
from gui.theme import LIGHT, Theme

SMALLEST, LARGEST = 64, 16384
"""Least and most pixels a side."""

DENSE_LIMIT = 4096
"""A picture wider or higher than this is drawn at density 1: it is dense enough as it is."""

DEFAULT_SIZE = QSize(1920, 1080)
_DOTS_PER_METRE = 3780  # 96 dots an inch


def write_chart(
    path: str | Path,
    charts: Sequence[Chart],
    heading: Heading,
    size: QSize = DEFAULT_SIZE,
    theme: Theme = LIGHT,
    density: int = 2,
) -> Path:
    """Writes a board of charts, or one chart that fills the page. The ending decides: .png, .svg or .pdf.

    `size` in pixels; a PNG has `density` times as many. Raises ValueError for an ending or a size that is not accepted,
    OSError with one sentence where the file cannot be written, MemoryError where the picture does not fit in memory.
    """
    return write_picture(path, size, lambda: Page(charts, heading, size, theme), density)


class Picture(Protocol):
    """What can be exported: a size in pixels, a ground, words for the file's metadata, and a way to paint itself."""

    size: QSize

    @property
    def ground(self) -> str:
        """Colour beneath everything, as #RRGGBB."""

    def metadata(self) -> dict[str, str]:
        """What is written into the file beside the picture: Title, Description, Software."""

    def paint(self, painter: QPainter) -> None:
        """Paints from (0, 0) to `size`, in pixels."""


def write_picture(path: str | Path, size: QSize, make: Callable[[], Picture], density: int = 2) -> Path:
    """Writes what paints itself at `size`; it is made once name and size are accepted. Errors as in `write_chart`."""
    target = Path(path)
    try:
        encode = ENCODERS[target.suffix.lower()]
    except KeyError:
        raise ValueError(
            f"{target.name}: a picture's name ends in {', '.join(ENCODERS)}, not {target.suffix or 'nothing'}"
        ) from None
    check_size(size)
    write_whole(target, encode(make(), density))
    return target


def image(
    charts: Sequence[Chart], heading: Heading, size: QSize = DEFAULT_SIZE, theme: Theme = LIGHT, density: int = 2
) -> QImage:
    """The same as a picture in memory, for the clipboard and for dragging. Errors as in `write_chart`."""
    check_size(size)
    return image_of(Page(charts, heading, size, theme), density)


def check_size(size: QSize) -> None:
    """Raises ValueError, in words, for a size that is not accepted."""
    if not all(SMALLEST <= side <= LARGEST for side in (size.width(), size.height())):
        raise ValueError(
            f"a picture of {size.width()}x{size.height()}: "
            f"sizes from {SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST} are accepted"
        )


def image_of(page: Picture, density: int = 2) -> QImage:
    """A picture in memory. Raises MemoryError where it does not fit."""
    size = page.size
    if max(size.width(), size.height()) > DENSE_LIMIT:
        density = 1
    picture = QImage(size * density, QImage.Format.Format_RGB32)
    if picture.isNull():
        raise MemoryError(f"a picture of {size.width()}x{size.height()} does not fit in memory")
    picture.setDevicePixelRatio(density)
    picture.setDotsPerMeterX(_DOTS_PER_METRE * density)
    picture.setDotsPerMeterY(_DOTS_PER_METRE * density)
    picture.fill(QColor(page.ground))
    painter = QPainter(picture)
    page.paint(painter)
    painter.end()
    return picture


def _png(page: Picture, density: int) -> bytes:
    buffer = _buffer()
    picture = image_of(page, density)
    writer = QImageWriter(buffer, QByteArray(b"png"))
    for name, text in page.metadata().items():
        writer.setText(name, text)
    if not writer.write(picture):
        raise OSError(f"the picture cannot be encoded: {writer.errorString()}")
    return bytes(buffer.data().data())


def _svg(page: Picture, density: int) -> bytes:
    buffer = _buffer()
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setSize(page.size)
    generator.setViewBox(QRect(0, 0, page.size.width(), page.size.height()))
    generator.setResolution(96)
    generator.setTitle(page.metadata()["Title"])
    generator.setDescription(page.metadata()["Description"])
    painter = QPainter(generator)
    page.paint(painter)
    painter.end()
    # Qt writes fifteen digits of every coordinate of every letter; a hundredth of a pixel is enough.
    return re.sub(rb"(\d\.\d\d)\d+", rb"\1", bytes(buffer.data().data()))


def _pdf(page: Picture, density: int) -> bytes:
    buffer = _buffer()
    writer = QPdfWriter(buffer)
    # A pixel is 1/96 inch, which is 3/4 of a point, so that the largest page stays within PDF's 14,400 points.
    points = QSizeF(page.size.width() * 0.75, page.size.height() * 0.75)
    writer.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(96)
    writer.setTitle(page.metadata()["Title"])
    writer.setCreator(page.metadata()["Software"])
    painter = QPainter(writer)
    page.paint(painter)
    painter.end()
    return bytes(buffer.data().data())


def _buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer


ENCODERS: dict[str, Callable[[Picture, int], bytes]] = {".png": _png, ".svg": _svg, ".pdf": _pdf}
"""What makes the bytes of a picture, by the ending of its name."""

__all__ = [
    "DEFAULT_SIZE",
    "ENCODERS",
    "Heading",
    "Picture",
    "check_size",
    "image",
    "image_of",
    "write_chart",
    "write_picture",
]
