"""Every Learn page in both themes, as the window shows it at 1280 × 800, against pictures that were found good.

Rewrite them with MEMORY_TAX_WRITE_GOLDENS=1, and look at what changed before committing it.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from core.learn.pages import PAGES
from gui.learn.page import LearnPage
from gui.theme import THEMES
from tests.gui.learn.pages import SIZE, made
from tests.gui.test_chart_goldens import STEP, array

FOLDER = Path(__file__).parent / "goldens"
WRITE = bool(os.environ.get("MEMORY_TAX_WRITE_GOLDENS"))
MOST = 60  # of 428,640 pixels, in proportion to the charts' goldens


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
    golden = FOLDER / f"{name}-{theme}.png"
    if WRITE:
        FOLDER.mkdir(exist_ok=True)
        picture.convertToFormat(QImage.Format.Format_RGB32).save(str(golden), quality=0)
    expected = QImage(str(golden))
    assert not expected.isNull(), f"{golden.name} is missing; write it with MEMORY_TAX_WRITE_GOLDENS=1"
    assert expected.size() == picture.size()
    differs = (np.abs(array(picture) - array(expected)) > STEP).any(axis=2)
    if differs.sum() > MOST:
        seen = tmp_path / golden.name
        picture.save(str(seen))
        pytest.fail(f"{int(differs.sum())} pixels differ from {golden.name}; see {seen}")
