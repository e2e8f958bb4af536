"""Dragging a number or its label: dead zone, factors, one undo step, Escape."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.scenario import FIELDS
from gui.controls.field_row import FieldRow
from gui.controls.value_box import ValueBox
from gui.store import Store

B = 10**9


@pytest.fixture
def row(qtbot: QtBot) -> FieldRow:
    """The row of parameters over a store of its own, at 30 billion."""
    store = Store()
    made = FieldRow(FIELDS["params"], store)
    store.setParent(made)
    store.changed.connect(lambda: made.show_state(store.scenario.params, None, True))
    made.show_state(store.scenario.params, None, True)
    qtbot.addWidget(made)
    made.resize(280, 90)
    with qtbot.waitExposed(made):
        made.show()
    return made


def store_of(row: FieldRow) -> Store:
    store = row.findChild(Store)
    assert isinstance(store, Store)
    return store


def drag(widget: QWidget, *ways: int, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press in the middle and move through offsets from there; the button stays down."""
    middle = widget.rect().center()
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, modifier, middle)
    for way in ways:
        _move(widget, middle + QPoint(way, 0), modifier)


def _move(widget: QWidget, to: QPoint, modifier: Qt.KeyboardModifier) -> None:
    event = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(to), QPointF(widget.mapToGlobal(to)),
        Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, modifier,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def release(widget: QWidget) -> None:
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())


def test_a_small_move_is_a_click_that_edits(row: FieldRow) -> None:
    assert isinstance(row.box, ValueBox)
    drag(row.label, 3)
    release(row.label)
    assert store_of(row).scenario.params == 30 * B
    assert row.box.hasFocus()
    assert row.box.lineEdit().selectedText() == "30B"


# One arrow step of 30 billion is a billion (a tenth of the leading digit); six pixels are a step.
@pytest.mark.parametrize(
    ("modifier", "expected"),
    [
        (Qt.KeyboardModifier.NoModifier, 35 * B),
        (Qt.KeyboardModifier.ShiftModifier, 80 * B),
        (Qt.KeyboardModifier.ControlModifier, 30 * B + 5 * 10**8),
    ],
)
def test_a_drag_of_thirty_pixels_is_five_steps(row: FieldRow, modifier: Qt.KeyboardModifier, expected: int) -> None:
    drag(row.label, 30, modifier=modifier)
    assert store_of(row).scenario.params == expected
    release(row.label)
    assert store_of(row).scenario.params == expected


def test_one_drag_is_one_step_to_undo(row: FieldRow) -> None:
    drag(row.label, 12, 24, 60, 90)
    release(row.label)
    assert store_of(row).scenario.params > 30 * B
    store_of(row).undo()
    assert store_of(row).scenario.params == 30 * B
    assert not store_of(row).can_undo


def test_escape_takes_a_drag_back(row: FieldRow) -> None:
    drag(row.label, 60)
    assert store_of(row).scenario.params == 40 * B
    QTest.keyClick(row.label, Qt.Key.Key_Escape)
    assert store_of(row).scenario.params == 30 * B
    release(row.label)
    assert store_of(row).scenario.params == 30 * B
    assert not store_of(row).can_undo


def test_the_number_itself_can_be_dragged_until_it_has_the_focus(row: FieldRow) -> None:
    assert isinstance(row.box, ValueBox)
    line = row.box.lineEdit()
    row.box.clearFocus()
    assert not line.hasFocus()
    drag(line, -30)
    release(line)
    assert store_of(row).scenario.params == 25 * B
    line.setFocus()
    drag(line, 60)
    release(line)
    assert store_of(row).scenario.params == 25 * B
