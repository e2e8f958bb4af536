"""Every Learn page in both themes, as the window shows it at 1280 × 800, against pictures that were found good."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from core.learn.pages import PAGES
from gui.learn.page import LearnPage
from gui.theme import THEMES
from tests.gui.learn.pages import SIZE, made
from tests.gui.looked_at import compare

FOLDER = Path(__file__).parent / "goldens"


def settle(page: LearnPage) -> QImage:
    """The page once layouts and texts have come to rest, as a picture."""
    for _ in range(3):
        QCoreApplication.processEvents()
    page.list.clearFocus()
    QCoreApplication.processEvents()
    return page.grab().toImage()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_the_one_that_was_looked_at(name: str, theme: str, qtbot: QtBot, tmp_path: Path) -> None:
    page = made(qtbot, THEMES[theme])
    page.show_page(name)
    if name == "questions":
        page.answer(0)
    picture = settle(page)
    assert page.size() == SIZE  # nothing asks for more room than there is
    compare(picture, FOLDER / f"{name}-{theme}.png", tmp_path)
