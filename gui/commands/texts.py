"""Copying figures and scenarios as text, and pasting them back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from core import share
from core.fields import InputError
from core.ledger import Row, ledger

if TYPE_CHECKING:
    from gui.main_window import MainWindow


class TextCommands:
    """The ledger in several forms, and the scenario as one line."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def copy_ledger(self, write: Callable[[list[Row]], str]) -> None:
        """Put the whole ledger on the clipboard."""
        rows = ledger(self._window.store.account)
        QGuiApplication.clipboard().setText(write(rows))
        self._window.say(f"Ledger copied, {len(rows)} rows")

    def copy_line(self) -> None:
        """Put the scenario on the clipboard as one line of flags."""
        QGuiApplication.clipboard().setText(share.to_line(self._window.store.scenario))
        self._window.say("Scenario copied as one line")

    def paste_line(self) -> None:
        """Take the scenario of a line on the clipboard; a text that is none changes nothing."""
        text = QGuiApplication.clipboard().text()
        try:
            scenario = share.from_line(text)
            self._window.store.put(scenario)
        except InputError as problem:
            self._window.dialogs.warn("The scenario was not pasted", f"{problem}.")
            return
        self._window.say("Scenario pasted")
