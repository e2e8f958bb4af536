"""The Learn side in the window: found by key, explained, exported, copied and shown to an audience."""

from __future__ import annotations

import struct
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.learn.pages import PAGES, describe
from gui.export import write_picture
from gui.learn.picture import LearnPicture
from gui.pictures import picture
from gui.theme import DARK, LIGHT, THEMES
from tests.gui.hand import Hand, settle
from tests.gui.learn.pages import an_account


def _picture(name: str, size: QSize, theme: str = "light") -> LearnPicture:
    found = an_account()
    return LearnPicture(describe(name, found), picture(found, "stages")[1], size, THEMES[theme])


def test_it_is_one_more_page_of_the_window(hand: Hand) -> None:
    QTest.keyClick(hand.window, Qt.Key.Key_7, Qt.KeyboardModifier.AltModifier)
    settle()
    assert hand.window.page == "learn"
    assert hand.window.learn.list.hasFocus()
    QTest.keyClick(hand.window.learn.list, Qt.Key.Key_Right)
    assert hand.window.learn.page == "loop"


def test_it_follows_the_scenario(hand: Hand) -> None:
    hand.window.show_page("learn")
    hand.window.learn.show_page("growth")
    hand.window.store.apply({"params": 7 * 10**9})
    settle()
    view = hand.window.learn.view
    assert view is not None
    assert [figure.text for figure in view.figures[:2]] == ["14 GB", "112 GB"]  # lesson 1: 7 × 10⁹ × 2 B, and × 16 B
    hand.window.store.set_system("binary")
    assert hand.window.learn.view is not None
    assert hand.window.learn.view.figures[0].text == "13 GiB"


def test_a_figure_opens_its_derivation(hand: Hand) -> None:
    hand.window.show_page("learn")
    hand.window.learn.show_page("loop")
    settle()
    tile = hand.window.learn._bodies["loop"].strip.tiles[0]
    tile.setFocus()
    QTest.keyClick(tile, Qt.Key.Key_F1)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    assert "1,140,000,000,000\u00a0B" in hand.window._why.steps.text()
    popup.close()


def test_before_an_audience_the_verdict_makes_room(hand: Hand) -> None:
    hand.window.show_page("learn")
    hand.window.present()
    settle()
    assert not hand.window.summary.isVisible()
    hand.window.show_page("why")
    assert hand.window.summary.isVisible()
    hand.window.present()
    hand.window.show_page("learn")
    assert hand.window.summary.isVisible()


def test_export_writes_the_page_that_is_read(hand: Hand, tmp_path: Path) -> None:
    hand.window.show_page("learn")
    hand.window.learn.show_page("walls")
    settle()
    file = tmp_path / "walls.png"
    hand.dialogs.paths = [file]
    hand.window.commands.pictures.export_board()
    assert hand.dialogs.asked[-1].endswith("learn-walls.png")
    data = file.read_bytes()
    assert struct.unpack(">II", data[16:24]) == (3840, 2160)
    assert b"The first wall and the second" in data


def test_the_picture_is_copied(hand: Hand) -> None:
    hand.window.show_page("learn")
    settle()
    hand.window.commands.pictures.copy_picture("board")
    assert QGuiApplication.clipboard().image().size() == QSize(3840, 2160)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_a_picture(name: str, theme: str, qapp: QApplication, tmp_path: Path) -> None:
    size = QSize(960, 540)
    file = write_picture(tmp_path / "page.png", size, lambda: _picture(name, size, theme), 1)
    seen = QImage(str(file))
    assert (seen.width(), seen.height()) == (960, 540)
    ground = {"light": LIGHT, "dark": DARK}[theme]
    assert seen.pixelColor(2, 2) == QColor(ground.window)
    card = QColor(ground.card)
    assert sum(seen.pixelColor(x, 300) == card for x in range(0, 960, 5)) > 20
    # Ink of several colours: more than the grounds of page and cards.
    assert len({seen.pixel(x, y) for x in range(0, 960, 3) for y in range(0, 540, 3)}) > 12


@pytest.mark.parametrize("name", ["loop", "sharding"])
def test_vector_pictures_are_well_formed(name: str, qapp: QApplication, tmp_path: Path) -> None:
    size = QSize(1280, 720)
    svg = write_picture(tmp_path / "page.svg", size, lambda: _picture(name, size))
    root = ElementTree.parse(svg).getroot()
    assert root.tag.endswith("svg")
    assert PAGES[name].title in svg.read_text(encoding="utf-8")
    pdf = write_picture(tmp_path / "page.pdf", size, lambda: _picture(name, size))
    assert pdf.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize("size", [(64, 64), (200, 900), (3000, 200)])
def test_any_size_is_painted(size: tuple[int, int], qapp: QApplication, tmp_path: Path) -> None:
    for name in PAGES:
        write_picture(tmp_path / "page.png", QSize(*size), partial(_picture, name, QSize(*size)), 1)
