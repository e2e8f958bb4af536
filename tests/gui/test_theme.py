"""Colours that can be read, a style sheet that Qt takes, fonts that are there."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import msgspec
import pytest
from PySide6.QtGui import QColor, QFontInfo, QFontMetricsF, QImage, QPalette
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton, QSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui import fonts, glyphs, theme
from gui.style_sheet import track, track_text
from gui.theme import DARK, LIGHT, THEMES, Theme, contrast, mix

BOTH = pytest.mark.parametrize("look", THEMES.values(), ids=THEMES)


def test_contrast_is_that_of_the_guidelines() -> None:
    # WCAG 2.1: black on white is 21 to 1; #767676 is the lightest grey that passes 4.5 to 1 on white.
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.005)


@BOTH
def test_every_text_can_be_read_on_whatever_it_stands_on(look: Theme) -> None:
    grounds = (look.window, look.card, look.tint, look.hover)
    pairs = [*product((look.text, look.quiet), grounds), *product((look.limit,), (look.window, look.card, look.tint))]
    pairs += [(look.on_accent, look.accent), (look.card, look.text), (track_text(look), track(look))]
    pairs += [(look.on_accent, mix(look.accent, look.text, share)) for share in (0.25, 0.45)]
    pairs.append((look.text, look.line))
    assert [pair for pair in pairs if contrast(*pair) < 4.5] == []


@BOTH
def test_edges_of_bars_and_focus_can_be_seen(look: Theme) -> None:
    # WCAG 2.1, 1.4.11: 3 to 1 for what is not text.
    assert contrast(look.accent, look.card) >= 3
    assert contrast(look.accent, look.window) >= 3
    assert [role for role in theme.BANDS if contrast(look.outline(role), look.card) < 3] == []


def test_the_bands_are_okabe_and_ito_s() -> None:
    # Okabe and Ito, Color Universal Design: blue, sky blue, orange, bluish green, reddish purple.
    expected = {
        "parameters": (0, 114, 178),
        "gradients": (86, 180, 233),
        "optimizer": (230, 159, 0),
        "activations": (0, 158, 115),
        "transient": (204, 121, 167),
    }
    for role, (red, green, blue) in expected.items():
        for look in THEMES.values():
            assert QColor(look.band(role)) == QColor(red, green, blue)


def test_a_theme_is_found_by_name_or_refused_in_words() -> None:
    assert theme.theme("dark") is DARK
    with pytest.raises(ValueError, match="no theme is called 'sepia'; there are light and dark"):
        theme.theme("sepia")


@BOTH
def test_the_palette_has_no_colour_of_its_own(look: Theme) -> None:
    palette = theme.palette(look)
    assert palette.color(QPalette.ColorRole.Window) == QColor(look.window)
    assert palette.color(QPalette.ColorRole.Text) == QColor(look.text)
    assert palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text) == QColor(look.quiet)


def _pixels(widget: QWidget) -> set[str]:
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return {QColor(image.pixel(x, y)).name().upper() for y in range(image.height()) for x in range(image.width())}


@BOTH
@pytest.mark.parametrize("zoom", [0.8, 1.0, 2.0])
def test_controls_wear_the_theme(look: Theme, zoom: float, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(theme.style_sheet(look, zoom))
    column = QVBoxLayout(window)
    field, wrong, choice, button = QSpinBox(), QLineEdit("70,5"), QComboBox(), QPushButton("Export")
    wrong.setProperty("error", True)
    choice.addItems(["AdamW", "SGD"])
    button.setProperty("primary", True)
    for control in (field, wrong, choice, button):
        column.addWidget(control)
    window.show()
    window.activateWindow()
    choice.setFocus()
    QApplication.processEvents()
    assert look.limit in _pixels(wrong)
    assert look.accent in _pixels(button)
    assert look.field_line in _pixels(field)
    assert look.accent not in _pixels(field)
    assert look.accent in _pixels(choice)  # the ring of focus
    assert field.height() >= 30 * zoom


@BOTH
def test_focus_moves_nothing(look: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(theme.style_sheet(look))
    column = QVBoxLayout(window)
    controls: tuple[QWidget, ...] = (QSpinBox(), QLineEdit("30B"), QPushButton("Plain"), QComboBox())
    for control in controls:
        column.addWidget(control)
    window.show()
    sizes = []
    for control in controls:
        control.setFocus()
        QApplication.processEvents()
        sizes.append([other.sizeHint() for other in controls])
    assert all(one == two for one, two in pairwise(sizes))


def test_labels_have_the_type_scale(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(theme.style_sheet(LIGHT))
    sizes = {}
    for role in ("", "caption", "heading", "title", "verdict"):
        label = QLabel("480 GB", window)
        label.setProperty("role", role)
        label.ensurePolished()
        sizes[role] = QFontInfo(label.font()).pixelSize()
    assert sizes == {"": 13, "caption": 12, "heading": 15, "title": 22, "verdict": 28}


def test_arrows_are_drawn_for_every_density(qapp: QApplication) -> None:
    path = Path(glyphs.glyph("down", "#606A76", 12))
    sizes = [QImage(str(path.with_name(path.stem + suffix + ".png"))).width() for suffix in ("", "@2x", "@3x")]
    assert sizes == [12, 24, 36]
    assert QImage(str(path)).hasAlphaChannel()
    assert glyphs.glyph("down", "#606A76", 12) == str(path)


def test_the_bundled_fonts_are_all_loaded(qapp: QApplication) -> None:
    assert fonts.load() == ()
    found = [QFontInfo(fonts.font(13, weight)) for weight in (fonts.REGULAR, fonts.MEDIUM, fonts.SEMIBOLD)]
    assert [(info.family(), info.weight(), info.pixelSize()) for info in found] == [
        ("Inter", 400, 13),
        ("Inter", 500, 13),
        ("Inter", 600, 13),
    ]


@pytest.mark.parametrize("weight", [400, 500, 600])
def test_digits_have_one_width_and_points_their_own(weight: int, qapp: QApplication) -> None:
    metrics = QFontMetricsF(fonts.font(26, weight))
    assert len({metrics.horizontalAdvance(digit) for digit in "0123456789"}) == 1
    assert metrics.horizontalAdvance("1,111") == metrics.horizontalAdvance("8,888")
    assert metrics.horizontalAdvance(".") < metrics.horizontalAdvance("0") * 0.6


def test_a_theme_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        LIGHT.text = "#000000"  # type: ignore[misc]
    assert msgspec.structs.replace(LIGHT, name="other").text == LIGHT.text
