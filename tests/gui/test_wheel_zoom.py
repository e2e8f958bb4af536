"""Ctrl and the wheel, over whatever the pointer is on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.scenario import Scenario
from tests.gui.hand import Hand, settle

CTRL = Qt.KeyboardModifier.ControlModifier


def over(hand: Hand, place: str) -> QWidget:
    window = hand.window
    places: dict[str, QWidget] = {
        "a field with the cursor": hand.box("params"),
        "a field without": hand.box("cards"),
        "a list": hand.box("precision"),
        "the form": window.form,
        "a chart": window.boards["why"].cards[0].view,
        "the verdict": window.summary.verdict,
    }
    return places[place]


@pytest.mark.parametrize(
    "place", ["a field with the cursor", "a field without", "a list", "the form", "a chart", "the verdict"]
)
def test_it_zooms_and_changes_nothing_else(hand: Hand, place: str) -> None:
    hand.go("params")
    hand.wheel(over(hand, place), 1, CTRL)
    assert hand.window.look.zoom == 1.1
    settle()
    hand.wheel(over(hand, place), -1, CTRL)
    hand.wheel(over(hand, place), -1, CTRL)
    assert hand.window.look.zoom == 0.9
    assert hand.scenario == Scenario()
    assert hand.window.form.verticalScrollBar().value() == 0


def test_the_parts_of_a_notch_that_a_touchpad_sends_add_up(hand: Hand) -> None:
    board = hand.window.boards["why"]
    for part in (0.25, 0.25, 0.25):
        hand.wheel(board, part, CTRL)
    assert hand.window.look.zoom == 1.0
    hand.wheel(board, 0.25, CTRL)
    assert hand.window.look.zoom == 1.1
    # Three quarters up and then down: the turn down counts from where it began.
    hand.wheel(board, 0.75, CTRL)
    hand.wheel(board, -0.5, CTRL)
    assert hand.window.look.zoom == 1.1


def test_the_wheel_alone_still_steps_and_scrolls(hand: Hand) -> None:
    hand.go("params")
    hand.wheel(hand.box("params"), 1)
    assert hand.scenario.params == 31 * 10**9
    assert hand.window.look.zoom == 1.0
