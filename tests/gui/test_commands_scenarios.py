"""Several scenarios in one document: flip, rename, pin, reorder; and whose what was typed is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from core.scenario import Scenario
from gui.controls.value_box import ValueBox
from tests.gui.conftest import SHORT_PAUSE_MS
from tests.gui.fitting import faults
from tests.gui.hand import Hand, settle

GB = 10**9


def names(hand: Hand) -> list[str]:
    tabs = hand.window.tabs
    return [tabs.tabText(place) for place in range(tabs.count())]


def test_scenarios_are_duplicated_renamed_flipped_and_removed_by_key(hand: Hand) -> None:
    assert not hand.window.tabs.isVisible()
    hand.key("Ctrl+D")
    assert hand.window.tabs.isVisible()
    hand.enter("params", "7B")
    hand.dialogs.names = ["Small & cheap"]
    hand.key("F2")
    assert names(hand)[1] == "Small && cheap"
    hand.key("Ctrl+1")
    assert hand.line("params").text() == "30B"
    hand.key("Ctrl+2")
    assert hand.line("params").text() == "7B"
    hand.key("Ctrl+9")
    assert hand.line("params").text() == "7B", "there is no ninth"
    hand.key("Ctrl+Shift+W")
    assert hand.line("params").text() == "30B"
    assert not hand.window.tabs.isVisible()
    hand.key("Ctrl+Z")
    assert names(hand)[1] == "Small && cheap"


def test_long_names_are_cut_where_they_do_not_differ(hand: Hand) -> None:
    long = "Llama 3 70B on one node of eight H100 with everything shared out"
    hand.dialogs.names = [long]
    hand.key("F2")
    hand.key("Ctrl+D")
    tabs = hand.window.tabs
    assert len(set(names(hand))) == 2
    assert all("…" in name and len(name) <= 32 for name in names(hand))
    assert [tabs.tabToolTip(place) for place in range(2)] == [f"{long} (Ctrl+1)", f"{long} 2 (Ctrl+2)"]
    settle()
    assert faults(hand.window) == []


def test_the_last_scenario_stays(hand: Hand) -> None:
    hand.key("Ctrl+Shift+W")
    assert hand.said() == "A document has at least one scenario"
    assert hand.scenario == Scenario()


# What is typed and not yet taken (a small number waits for a pause) belongs to the scenario it was typed for.


def _small_number_in_the_second(hand: Hand) -> None:
    hand.key("Ctrl+D")
    hand.write("params", "7")
    assert hand.scenario.params == 30 * GB, "it waits for a pause"


def _params(hand: Hand) -> list[int]:
    return [row.scenario.params for row in hand.window.store.book.scenarios]


def test_a_number_that_waits_stays_in_its_scenario_when_another_is_shown(hand: Hand) -> None:
    _small_number_in_the_second(hand)
    hand.key("Ctrl+1")
    QTest.qWait(3 * SHORT_PAUSE_MS)
    assert _params(hand) == [30 * GB, 7]


def test_a_click_on_a_tab_takes_what_was_typed_first(hand: Hand) -> None:
    _small_number_in_the_second(hand)
    tabs = hand.window.tabs
    hand.click(tabs, tabs.tabRect(0).center())
    QTest.qWait(3 * SHORT_PAUSE_MS)
    assert hand.window.store.book.current == 0
    assert _params(hand) == [30 * GB, 7]


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ("Ctrl+D", lambda hand: _params(hand)),
        ("Ctrl+B", lambda hand: [7, hand.window.store.book.baseline.scenario.params]),
        ("Ctrl+L", lambda hand: [7 if "--params 7" in QApplication.clipboard().text() else 0, 7]),
    ],
)
def test_an_action_sees_what_was_typed_before_it(hand: Hand, keys: str, found: Callable[[Hand], list[int]]) -> None:
    hand.write("params", "7")
    hand.key(keys)
    assert found(hand) == [7, 7]


def test_closing_asks_about_what_was_typed_last(hand: Hand) -> None:
    hand.write("params", "500")
    hand.dialogs.answers = ["cancel"]
    assert not hand.window.close()
    assert hand.scenario.params == 500


def test_a_wrong_text_does_not_follow_into_another_scenario(hand: Hand) -> None:
    hand.key("Ctrl+D")
    hand.enter("params", "abc")
    assert hand.error("params") != ""
    hand.key("Ctrl+1")
    assert (hand.line("params").text(), hand.error("params")) == ("30B", "")


def test_a_tab_that_is_dragged_over_several_is_one_step(hand: Hand) -> None:
    for _ in range(3):
        hand.key("Ctrl+D")
    before = names(hand)
    tabs = hand.window.tabs
    start = tabs.tabRect(3).center()
    QTest.mousePress(tabs, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    for place in (2, 1, 0):
        tabs.moveTab(place + 1, place)  # what a drag does at each tab that it passes
    QTest.mouseRelease(tabs, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    assert names(hand) == [before[3], *before[:3]]
    hand.key("Ctrl+Z")
    assert names(hand) == before


def test_a_scenario_is_moved_by_key_and_stays_shown(hand: Hand) -> None:
    hand.key("Ctrl+D")
    hand.enter("params", "7B")
    before = names(hand)
    hand.key("Ctrl+Shift+PgUp")
    assert names(hand) == before[::-1]
    assert hand.line("params").text() == "7B"
    hand.key("Ctrl+Shift+PgUp")
    assert names(hand) == before[::-1], "it is the first"
    hand.key("Ctrl+Shift+PgDown")
    assert names(hand) == before
    hand.key("Ctrl+Z")
    assert names(hand) == before[::-1]


def test_another_scenario_that_is_the_same_takes_the_pin(hand: Hand) -> None:
    hand.key("Ctrl+B")
    hand.key("Ctrl+D")
    hand.key("Ctrl+B")
    pinned = hand.window.store.book.baseline
    assert pinned is not None
    assert pinned.name == hand.window.store.book.name


def test_a_pinned_baseline_is_compared_with_and_let_go(hand: Hand) -> None:
    hand.key("Ctrl+B")
    hand.enter("params", "60B")
    assert hand.window.baseline.isVisible()
    assert "30B" in hand.window.baseline.fields.whole
    assert "60B" in hand.window.baseline.fields.whole
    training = hand.window.summary.tiles[0]
    # 960 GB beside 480 GB.
    assert training.value.text() == "960 GB"
    assert "100 %" in training.detail.whole
    hand.enter("params", "30B")
    hand.key("Ctrl+B")
    assert not hand.window.baseline.isVisible()


def test_a_beginning_is_one_click_and_one_step(hand: Hand) -> None:
    hand.click(hand.find(QPushButton, "Begin with: Fine-tune"))
    assert hand.scenario != Scenario()
    assert hand.said() != ""
    hand.key("Ctrl+Z")
    assert hand.scenario == Scenario()
    hand.click(hand.find(QPushButton, "Begin with: Lesson"))
    assert hand.scenario == Scenario()


def test_while_presenting_too_a_wrong_text_does_not_follow_into_another_scenario(hand: Hand) -> None:
    window = hand.window
    hand.key("Ctrl+D")
    hand.key("F11")
    row = window.slim_bar.rows["cards"]
    assert isinstance(row.box, ValueBox)
    row.box.setFocus()
    row.box.lineEdit().selectAll()
    QTest.keyClicks(row.box, "junk@@")
    QTest.keyClick(row.box, Qt.Key.Key_Return)
    assert row.sentence != ""
    hand.key("Ctrl+Z", row.box)
    assert (row.box.lineEdit().text(), row.sentence) == ("", ""), "the text goes first"
    assert len(names(hand)) == 2
    QTest.keyClicks(row.box, "junk@@")
    QTest.keyClick(row.box, Qt.Key.Key_Return)
    hand.key("Ctrl+1", row.box)
    assert (row.box.lineEdit().text(), row.sentence) == ("", "")


def test_a_drag_ends_where_another_scenario_is_shown(hand: Hand) -> None:
    hand.key("Ctrl+D")
    label = hand.row("params").label
    middle = label.rect().center()
    QTest.mousePress(label, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    for way in (20, 40):
        at = QPointF(middle + QPoint(way, 0))
        left = Qt.MouseButton.LeftButton
        move = QMouseEvent(QEvent.Type.MouseMove, at, label.mapToGlobal(at), left, left, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(label, move)
    dragged = hand.scenario.params
    assert dragged > 30 * GB
    hand.key("Ctrl+1")
    QApplication.sendEvent(label, move)
    QTest.mouseRelease(label, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    assert _params(hand) == [30 * GB, dragged]
