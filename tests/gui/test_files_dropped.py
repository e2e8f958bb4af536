"""Files that are dropped on the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from tests.gui.hand import Hand, settle
from tests.gui.test_files import state

GB = 10**9


def drop(hand: Hand, over: QWidget, *urls: QUrl) -> bool:
    """Drag files over a widget and let them go there, as the window system sends it; whether they were taken."""
    at = over.mapTo(hand.window, over.rect().center())
    data = QMimeData()
    data.setUrls(list(urls))
    data.setText("\n".join(url.toString() for url in urls))  # file managers offer both
    handle = hand.window.windowHandle()
    copy, button, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(at, copy, data, button, none)
    QApplication.sendEvent(handle, enter)
    move = QDragMoveEvent(at + QPoint(1, 0), copy, data, button, none)
    move.setAccepted(enter.isAccepted())  # as the window system does: who took the entry has the move
    move.setDropAction(copy)
    QApplication.sendEvent(handle, move)
    if not (enter.isAccepted() and move.isAccepted()):
        return False
    event = QDropEvent(QPointF(at), copy, data, button, none)
    QApplication.sendEvent(handle, event)
    settle()
    return event.isAccepted()


PLACES: dict[str, Callable[[Hand], QWidget]] = {
    "a field": lambda hand: hand.line("params"),
    "a list": lambda hand: hand.box("precision"),
    "the form": lambda hand: hand.window.form,
    "a chart": lambda hand: hand.window.boards["why"].cards[0].view,
    "the verdict": lambda hand: hand.window.summary.verdict,
    "the menu bar": lambda hand: hand.window.menuBar(),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_file_dropped_anywhere_is_opened(hand: Hand, seventy: Path, place: str) -> None:
    assert drop(hand, PLACES[place](hand), QUrl.fromLocalFile(str(seventy)))
    assert hand.scenario.params == 70 * GB
    assert hand.line("params").text() == "70B"
    assert hand.window.store.path == seventy


def test_a_file_dropped_on_the_ledger_is_opened(hand: Hand, seventy: Path) -> None:
    hand.window.show_page("ledger")
    settle()
    assert drop(hand, hand.window.table, QUrl.fromLocalFile(str(seventy)))
    assert hand.scenario.params == 70 * GB


def test_several_files_or_an_address_are_not_taken(hand: Hand, seventy: Path) -> None:
    before = state(hand)
    file = QUrl.fromLocalFile(str(seventy))
    assert not drop(hand, hand.window.summary, file, file)
    assert not drop(hand, hand.window.summary, QUrl("https://example.org/a.memtax"))
    assert not drop(hand, hand.window.summary)
    assert state(hand) == before


def test_a_dropped_file_that_cannot_be_read_changes_nothing(hand: Hand, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("80 GB", encoding="utf-8")
    before = state(hand)
    drop(hand, hand.window.summary, QUrl.fromLocalFile(str(path)))
    assert hand.dialogs.said[-1][0] == "The file was not opened"
    assert state(hand) == before
