"""The files that every build carries: fonts with the glyphs and features that the figures need, icons, licences."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF, QGuiApplication, QRawFont

RESOURCES = Path(__file__).parents[2] / "resources"
WEIGHTS = {"Regular": 400, "Medium": 500, "SemiBold": 600}

# What the product writes: byte counts, products, shares, exponents, bounds, keys of menus, thin and no-break spaces.
WRITTEN = (
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;()[]%/+-_'\"#&@!?"
    "ΨΔΣµ×÷±·−–—…≤≥≈≠→←↑↓↔⌈⌉⌊⌋⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉′″•✓✗⌘⇧⌥√∞\u00a0\u2009\u202f"
)


@pytest.fixture
def inter(qapp: QGuiApplication) -> None:
    for style in WEIGHTS:
        identity = QFontDatabase.addApplicationFont(str(RESOURCES / "fonts" / f"Inter-{style}.ttf"))
        assert "Inter" in QFontDatabase.applicationFontFamilies(identity)


def _font(weight: int) -> QFont:
    font = QFont("Inter")
    font.setPixelSize(28)
    font.setWeight(QFont.Weight(weight))
    return font


@pytest.mark.usefixtures("inter")
@pytest.mark.parametrize("weight", WEIGHTS.values())
def test_each_weight_is_a_face_of_one_family(weight: int) -> None:
    found = QFontInfo(_font(weight))
    assert (found.family(), found.weight()) == ("Inter", weight)


@pytest.mark.usefixtures("inter")
@pytest.mark.parametrize("weight", WEIGHTS.values())
def test_tnum_gives_all_digits_one_width(weight: int) -> None:
    font = _font(weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    metrics = QFontMetricsF(font)
    assert len({metrics.horizontalAdvance(digit) for digit in "0123456789"}) == 1


@pytest.mark.usefixtures("inter")
@pytest.mark.parametrize("weight", WEIGHTS.values())
def test_every_written_character_has_a_glyph(weight: int) -> None:
    raw = QRawFont.fromFont(_font(weight))
    assert [character for character in WRITTEN if not raw.supportsCharacter(ord(character))] == []


@pytest.mark.parametrize("size", [16, 24, 32, 48, 64, 128, 256, 512])
def test_the_icon_is_a_square_png_of_its_size(size: int) -> None:
    data = (RESOURCES / "icons" / f"memory-tax-{size}.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (size, size)  # PNG specification, 11.2.2 IHDR
