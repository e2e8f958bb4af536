"""A person at the window, and a person who answers its dialogs: real widgets, real events, words that are seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QWidget

from core.charts.description import Chart
from core.scenario import Scenario
from gui.controls.field_row import Box, FieldRow
from gui.controls.value_box import ValueBox
from gui.dialogs import Answer, Dialogs
from gui.main_window import MainWindow

Seen = TypeVar("Seen", bound=QWidget)
NO_KEYS = Qt.KeyboardModifier.NoModifier


class ScriptedDialogs(Dialogs):
    """Answers in place of a person, and remembers what was asked and said."""

    def __init__(self) -> None:
        self.paths: list[Path | None] = []
        self.answers: list[Answer] = []
        self.names: list[str] = []
        self.replaces: list[bool] = []
        self.asked: list[str] = []
        self.said: list[tuple[str, str]] = []

    def _path(self, asked: str) -> Path | None:
        self.asked.append(asked)
        return self.paths.pop(0)

    def file_to_open(self, folder: str) -> Path | None:
        return self._path(folder)

    def file_to_save(self, suggestion: str) -> Path | None:
        return self._path(suggestion)

    def picture_to_save(self, suggestion: str) -> Path | None:
        return self._path(suggestion)

    def name(self, present: str) -> str:
        self.asked.append(present)
        return self.names.pop(0)

    def keep_changes(self, name: str) -> Answer:
        self.asked.append(name)
        return self.answers.pop(0)

    def may_replace(self, name: str, why: str = "") -> bool:
        self.asked.append(f"{name} {why}")
        return self.replaces.pop(0)

    def tell(self, title: str, text: str) -> None:
        self.said.append((title, text))

    def warn(self, title: str, text: str) -> None:
        self.said.append((title, text))


class Hand:
    """What a person does to a window, and what that person can read in it."""

    def __init__(self, window: MainWindow, dialogs: ScriptedDialogs) -> None:
        self.window, self.dialogs = window, dialogs

    # Doing

    def row(self, name: str) -> FieldRow:
        """The row of a field in the form."""
        return self.window.form.rows[name]

    def box(self, name: str) -> Box:
        """The input of a field in the form."""
        return self.row(name).box

    def line(self, name: str) -> QLineEdit:
        """The text of a field's value box."""
        box = self.box(name)
        assert isinstance(box, ValueBox)
        return box.lineEdit()

    def go(self, name: str) -> Box:
        """Put the cursor into a field."""
        self.window.form.focus(name)
        return self.box(name)

    def write(self, name: str, text: str) -> None:
        """Type over all of a field's text, and stay in it."""
        box = self.go(name)
        self.line(name).selectAll()
        if text:
            QTest.keyClicks(box, text)
        else:
            QTest.keyClick(box, Qt.Key.Key_Delete)

    def enter(self, name: str, text: str) -> None:
        """Type over all of a field's text and press Enter."""
        self.write(name, text)
        self.key("Return")

    def leave(self) -> None:
        """Move the cursor out of the field it is in."""
        self.window.summary.verdict.setFocus(Qt.FocusReason.TabFocusReason)

    def key(self, keys: str, widget: QWidget | None = None) -> None:
        """Press one key with its modifiers, "Ctrl+Shift+Z", where the cursor is."""
        self.wake()
        pressed = QKeySequence(keys)[0]  # type: ignore[index]
        target = widget or QApplication.activePopupWidget() or QApplication.focusWidget() or self.window
        QTest.keyClick(target, pressed.key(), pressed.keyboardModifiers())

    def wake(self) -> None:
        """Make the window the active one again after a popup, as a window system does."""
        active = QApplication.activeWindow()
        if QApplication.activePopupWidget() is None and (active is None or not active.isVisible()):
            self.window.activateWindow()
            settle()

    def wheel(self, widget: QWidget, notches: float, modifiers: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Turn the wheel over the middle of a widget, wherever the cursor is; up is positive."""
        at = widget.mapTo(self.window, widget.rect().center())
        turn = QPoint(0, round(120 * notches))
        QTest.wheelEvent(self.window.windowHandle(), at, turn, QPoint(), modifiers)

    def scrub(self, widget: QWidget, *ways: int, modifiers: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Drag from the middle of a number or its label through offsets in pixels, and let go there."""
        middle, last = widget.rect().center(), QPoint()
        QTest.mousePress(widget, Qt.MouseButton.LeftButton, modifiers, middle)
        for way in ways:
            last = middle + QPoint(way, 0)
            move = QMouseEvent(
                QEvent.Type.MouseMove, QPointF(last), QPointF(widget.mapToGlobal(last)),
                Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, modifiers,
            )  # fmt: skip
            QApplication.sendEvent(widget, move)
        QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, modifiers, last)

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        """Click a widget, in its middle unless told otherwise."""
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, NO_KEYS, at or widget.rect().center())

    def pick(self, words: str) -> None:
        """Pick an entry of the menu that is open."""
        settle()
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu), menu
        place = [action.text() for action in menu.actions()].index(words)
        menu.setActiveAction(menu.actions()[place])
        QTest.keyClick(menu, Qt.Key.Key_Return)
        settle()

    def find(self, kind: type[Seen], name: str) -> Seen:
        """The widget of a kind that can be seen and is called this, by its text or its accessible name."""
        top = QApplication.activePopupWidget() or self.window
        found = [
            widget
            for widget in top.findChildren(kind)
            if widget.isVisible() and name in (widget.accessibleName(), widget.property("text"))
        ]
        assert len(found) == 1, (name, found)
        return found[0]

    # Reading

    @property
    def scenario(self) -> Scenario:
        """The scenario that the store holds."""
        return self.window.store.scenario

    def error(self, name: str) -> str:
        """What stands in the error line under a field; "" where none is seen."""
        label = self.row(name).error
        return label.text() if label.isVisible() else ""

    def echo(self, name: str) -> str:
        """The whole of what stands under a field; "" where nothing is seen."""
        label = self.row(name).echo
        return label.whole if label.isVisible() else ""

    def said(self) -> str:
        """What the window said in passing."""
        return self.window.said.whole

    def charts(self) -> dict[str, Chart]:
        """The charts of the page that is seen, by name, as they were painted."""
        settle()
        return {
            card.name: card.view.chart
            for board in self.window.boards.values()
            for card in board.cards
            if card.view.isVisible()
        }


def settle() -> None:
    """Let everything that is due happen: layouts, paint events, timers that are up."""
    QApplication.processEvents()


def visible_texts(widget: QWidget) -> list[str]:
    """The texts of all labels that can be seen in a widget."""
    labels = [label for label in widget.findChildren(QLabel) if label.isVisible() and label.text()]
    return [label.text().replace("\u00a0", " ").replace("\n", " ") for label in labels]


def focus_chain(first: QWidget, key: Qt.Key = Qt.Key.Key_Tab, most: int = 120) -> Iterator[QWidget]:
    """The widgets that Tab leads through, from `first` until it comes round."""
    first.setFocus(Qt.FocusReason.TabFocusReason)
    modifiers = Qt.KeyboardModifier.ShiftModifier if key == Qt.Key.Key_Backtab else NO_KEYS
    for _ in range(most):
        focused = QApplication.focusWidget()
        assert focused is not None
        yield focused
        QTest.keyClick(focused, key, modifiers)
        if QApplication.focusWidget() is first:
            return
    raise AssertionError("Tab never came round")
