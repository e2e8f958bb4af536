"""Draws the icon's pictures from its SVG: PNGs into resources/icons, and .ico and .icns into a folder when asked.

    python packaging/icons.py

Both containers hold PNGs as they are, so writing them takes no library.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path

ICONS = Path(__file__).resolve().parents[1] / "resources" / "icons"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
ICNS_TYPES = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}


def png(size: int) -> bytes:
    """The drawn picture of that many pixels a side."""
    return (ICONS / f"memory-tax-{size}.png").read_bytes()


def write_ico(path: Path) -> None:
    """Windows' container: a directory of 16 bytes a picture, then the pictures; 256 is written as 0."""
    sizes = [size for size in SIZES if size <= 256]
    offset = 6 + 16 * len(sizes)
    directory, body = struct.pack("<HHH", 0, 1, len(sizes)), b""
    for size in sizes:
        picture = png(size)
        directory += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), offset + len(body))
        body += picture
    path.write_bytes(directory + body)


def write_icns(path: Path) -> None:
    """The Mac's container: a type, a length that counts its own eight bytes, and the picture."""
    body = b"".join(kind + struct.pack(">I", len(png(size)) + 8) + png(size) for size, kind in ICNS_TYPES.items())
    path.write_bytes(b"icns" + struct.pack(">I", len(body) + 8) + body)


def draw() -> None:
    """Draws every size anew."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication([])
    renderer = QSvgRenderer(str(ICONS / "memory-tax.svg"), application)
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        image.save(str(ICONS / f"memory-tax-{size}.png"))


if __name__ == "__main__":
    draw()
