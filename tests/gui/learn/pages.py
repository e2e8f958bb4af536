"""Learn pages as widgets, dressed in a theme without dressing the application."""

from __future__ import annotations

from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from core.account import Account, account
from core.scenario import Scenario, from_texts
from gui import theme as themes
from gui.learn.page import LearnPage
from gui.theme import LIGHT, Theme

SIZE = QSize(912, 470)
"""The room that a window of 1280 × 800 has for a page."""


def an_account(**texts: str) -> Account:
    """The account of the lesson, or of other fields."""
    return account(from_texts(texts)) if texts else account(Scenario())


def made(
    qtbot: QtBot, theme: Theme = LIGHT, size: QSize = SIZE, zoom: float = 1.0, found: Account | None = None
) -> LearnPage:
    """The Learn side, shown at a size."""
    page = LearnPage()
    qtbot.addWidget(page)
    page.setStyleSheet(themes.style_sheet(theme, zoom) + f"\nLearnPage {{ background: {theme.window}; }}")
    page.setPalette(themes.palette(theme))
    page.setAutoFillBackground(True)
    page.resize(size)
    page.set_theme(theme, zoom)
    page.show_account(found or an_account(), "decimal")
    with qtbot.waitExposed(page):
        page.show()
    return page
