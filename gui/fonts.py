"""Inter, bundled: Qt ships no fonts, and a bare machine would show boxes."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

FOLDER = Path(__file__).parents[1] / "resources" / "fonts"
FILES = ("Inter-Regular.ttf", "Inter-Medium.ttf", "Inter-SemiBold.ttf")
FAMILY = "Inter"
REGULAR, MEDIUM, SEMIBOLD = 400, 500, 600

# The bundled files have digits of one width as they come; `tnum` asks for it where another Inter is installed. Without
# `calt` no bracket or colon beside a figure is swapped for a glyph that cannot be copied out of a PDF.
FEATURES = {"tnum": 1, "calt": 0}


@lru_cache(maxsize=1)
def load() -> tuple[str, ...]:
    """Registers the bundled fonts, once; the files that could not be read. Needs a QGuiApplication."""
    return tuple(name for name in FILES if QFontDatabase.addApplicationFont(str(FOLDER / name)) < 0)


@lru_cache(maxsize=256)
def font(size_px: int, weight: int = REGULAR) -> QFont:
    """Inter at a size in pixels (at least 1) and a weight (400, 500 or 600), with digits of one width.

    Shared: copy it before changing it.
    """
    load()
    result = QFont(FAMILY)
    result.setPixelSize(max(1, size_px))
    result.setWeight(QFont.Weight(weight))
    for tag, value in FEATURES.items():
        result.setFeature(QFont.Tag(tag), value)
    # Unhinted, a text is as wide in a picture of double density, in a PDF and under another zoom as on the screen.
    result.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return result


@lru_cache(maxsize=256)
def metrics(size_px: int, weight: int = REGULAR) -> QFontMetricsF:
    """Metrics of `font(size_px, weight)`, in pixels."""
    return QFontMetricsF(font(size_px, weight))
