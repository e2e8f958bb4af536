"""Someone who does anything at all to a window, in an order that a seed decides."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QScrollBar, QWidget

from core.beginnings import BEGINNINGS
from core.document import save
from core.learn.pages import PAGES as LESSONS
from core.share import to_line
from core.workbook import Workbook, single
from gui.actions import ACTIONS, ActionRow
from gui.controls.choice_box import ChoiceBox, Segments
from gui.controls.flag_box import FlagBox
from gui.controls.value_box import ValueBox
from gui.dialogs import Answer
from tests.gui.hand import Hand, ScriptedDialogs, settle
from tests.gui.test_files_dropped import drop

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
TEXTS = (
    "", "0", "1", "2", "7", "70B", "671B", "8", "8192", "2048", "16", "4096", "1e15", "999,999,999,999,999", "80 GB",
    "24 GiB", "H200", "A30", "0.5", "40 %", "1/3", "-1", "70,5B", "nonsense", "  3 ", "1e400", "∞", "5 d", "2.5", "$3",
    "Llama 3 8B", "1 h", "990 TFLOP/s", "٣", "x" * 300,
)  # fmt: skip
NAMES = ("", "R&D", "Half of it", "Scenario", "a\nb", "x" * 200, "七十億")
KEYS = (
    "Tab", "Shift+Tab", "Up", "Down", "Left", "Right", "PgUp", "PgDown", "Home", "End", "Space", "Return", "Escape",
    "Backspace", "Delete", "A", "7", "F1", "Alt+Down", "Ctrl+A", "Ctrl+C", "Ctrl+V", "Menu",
)  # fmt: skip
PICTURES = {"export_board", "export_chart", "copy_board"}


class WalkDialogs(ScriptedDialogs):
    """Answers at random, unless an answer has been laid out; keeps nothing of what was said."""

    rng = random.Random(0)
    files: tuple[Path, ...] = ()
    folder = Path()

    def _path(self, asked: str) -> Path | None:
        return self.rng.choice([*self.files, None])

    def file_to_save(self, suggestion: str) -> Path | None:
        return self.rng.choice(
            [None, self.folder / "a.memtax", self.folder / "b.memtax", self.folder / "no" / "c.memtax"]
        )

    def picture_to_save(self, suggestion: str) -> Path | None:
        return self.rng.choice([None, *(self.folder / f"a{ending}" for ending in (".png", ".svg", ".pdf", ".txt"))])

    def name(self, present: str) -> str:
        return self.rng.choice(NAMES)

    def keep_changes(self, name: str) -> Answer:
        answers: tuple[Answer, ...] = ("save", "discard", "discard", "cancel")
        return self.answers.pop(0) if self.answers else self.rng.choice(answers)

    def may_replace(self, name: str, why: str = "") -> bool:
        return self.rng.random() < 0.5

    def tell(self, title: str, text: str) -> None:
        assert text

    def warn(self, title: str, text: str) -> None:
        assert text.endswith(".")
        assert "\n" not in text
        assert "Traceback" not in text


def files(folder: Path, configuration: dict[str, object]) -> tuple[Path, ...]:
    """Files to open and to drop: a document, a book, a model's configuration, two that are none."""
    save(folder / "one.memtax", single(BEGINNINGS[0].scenario))
    save(folder / "book.memtax", Workbook().duplicate().duplicate().pin())
    (folder / "config.json").write_text(json.dumps(configuration), encoding="utf-8")
    (folder / "notes.txt").write_text("80 GB", encoding="utf-8")
    return tuple(folder / name for name in ("one.memtax", "book.memtax", "config.json", "notes.txt", "gone.memtax"))


def seen(widget: QWidget) -> bool:
    """Whether any of a widget is in view."""
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def whole(widget: QWidget) -> bool:
    """Whether all of a widget is in view."""
    return widget.isVisible() and widget.visibleRegion().boundingRect() == widget.rect()


class Walker:
    """Does one thing after another; `trail` says the last of them."""

    def __init__(self, hand: Hand, seed: int) -> None:
        self.hand, self.rng = hand, random.Random(seed)
        self.trail: deque[str] = deque(maxlen=40)
        self.count = 0
        self._ways: dict[Callable[[], str], int] = {
            self.act: 30, self.enter: 22, self.choose: 12, self.scrub: 8, self.turn: 8, self.press: 20, self.click: 12,
            self.paste: 3, self.drop: 2, self.move_tab: 2, self.resize: 1, self.fold: 3, self.lesson: 2,
        }  # fmt: skip

    def step(self) -> None:
        """Do one thing, and let what follows from it happen."""
        self.count += 1
        way = self.rng.choices(list(self._ways), list(self._ways.values()))[0]
        self.trail.append(f"{self.count} {way.__name__}")
        self.trail[-1] += f" {way()}"
        settle()
        window = self.hand.window
        if not window.isVisible():  # it was closed: someone starts again
            window.show()
            window.activateWindow()
            settle()
        if QApplication.activePopupWidget() is not None and self.rng.random() < 0.5:
            self.close_popups()

    def close_popups(self) -> None:
        """Escape from whatever is open above the window."""
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        settle()

    def act(self) -> str:
        """One of the actions, by its key or from its menu."""
        row: ActionRow = self.rng.choice(ACTIONS)
        if row.name in PICTURES and self.rng.random() < 0.8:
            return "none"
        action = self.hand.window.actions_by_name[row.name]
        if row.name == "recent":
            menu = action.menu()
            entries = menu.actions() if isinstance(menu, QMenu) else []
            if entries:
                self.rng.choice(entries).trigger()
        elif row.keys and self.rng.random() < 0.5:
            self.hand.key(self.rng.choice(row.keys))
        else:
            action.trigger()
        return row.name

    def enter(self) -> str:
        """Type something into a field and end it somehow."""
        self.close_popups()
        presenting = self.hand.window.presenting
        rows = self.hand.window.slim_bar.rows if presenting else self.hand.window.form.rows
        names = [name for name, row in rows.items() if isinstance(row.box, ValueBox) and row.box.isEnabled()]
        name, text = self.rng.choice(names), self.rng.choice(TEXTS)
        box = rows[name].box
        assert isinstance(box, ValueBox)
        if presenting:
            box.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.hand.window.form.focus(name)
        box.lineEdit().selectAll()
        if text.isascii():
            QTest.keyClicks(box, text)
        else:  # which has no key
            QGuiApplication.clipboard().setText(text)
            self.hand.key("Ctrl+V", box)
        ends = self.rng.choice(("Return", "Escape", "Tab", ""))
        if ends:
            self.hand.key(ends, QApplication.activePopupWidget() or box)
        return f"{name} {text[:30]!r} {ends}"

    def choose(self) -> str:
        """Another choice in a list, a row of segments or a check box."""
        self.close_popups()
        window = self.hand.window
        rows = window.slim_bar.rows if window.presenting else window.form.rows
        names = [name for name, row in rows.items() if not isinstance(row.box, ValueBox) and row.box.isEnabled()]
        name = self.rng.choice(names)
        box = rows[name].box
        if not window.presenting:
            window.form.focus(name)
        if isinstance(box, Segments):
            self.hand.click(box.button(self.rng.randrange(4)))
        elif isinstance(box, FlagBox):
            self.hand.key("Space", box)
        elif isinstance(box, ChoiceBox):
            for _ in range(self.rng.randrange(1, 4)):
                self.hand.key(self.rng.choice(("Up", "Down", "Down", "Home", "End", "S", "M")), box)
        return name

    def scrub(self) -> str:
        """Drag a number or its label."""
        self.close_popups()
        rows = self.hand.window.slim_bar.rows if self.hand.window.presenting else self.hand.window.form.rows
        in_view = [row for row in rows.values() if isinstance(row.box, ValueBox) and whole(row)]
        if not in_view:
            return "none"
        row = self.rng.choice(in_view)
        assert isinstance(row.box, ValueBox)
        ways = [self.rng.randrange(-200, 200) for _ in range(self.rng.randrange(1, 5))]
        target = self.rng.choice((row.label, row.box.lineEdit()))
        held = self.rng.choice((Qt.KeyboardModifier.NoModifier, CTRL, SHIFT))
        self.hand.scrub(target, *ways, modifiers=held)
        return f"{row.field.name} {ways}"

    def turn(self) -> str:
        """Turn the wheel over anything, with Ctrl or without."""
        widget = self.anything()
        held = self.rng.choice((Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.NoModifier, CTRL))
        self.hand.wheel(widget, self.rng.choice((-3, -1, -0.3, 0.3, 1, 3)), held)
        return f"{type(widget).__name__} {held.name}"

    def press(self) -> str:
        """Press keys where the cursor is, or in what is open above the window."""
        keys = [self.rng.choice(KEYS) for _ in range(self.rng.randrange(1, 4))]
        for key in keys:
            self.hand.key(key)
        return " ".join(keys)

    def click(self) -> str:
        """Click anything that can be seen, somewhere."""
        self.close_popups()
        widget = self.anything()
        if self.rng.random() < 0.5:
            # Presenting, there may be no button in view.
            buttons = [button for button in self.hand.window.findChildren(QAbstractButton) if seen(button)]
            widget = self.rng.choice(buttons or [widget])
            if widget.property("text") == "Export…" and self.rng.random() < 0.8:
                return "none"
        room = widget.visibleRegion().boundingRect()
        at = room.topLeft() + QPoint(self.rng.randrange(room.width()), self.rng.randrange(room.height()))
        self.hand.click(widget, at)
        return f"{type(widget).__name__} {widget.accessibleName() or widget.property('text')}"

    def anything(self) -> QWidget:
        """A widget that can be seen."""
        window = self.hand.window
        return self.rng.choice(
            [widget for widget in window.findChildren(QWidget)
             if seen(widget) and widget.window() is window and not isinstance(widget, QScrollBar)]
        )  # fmt: skip

    def paste(self) -> str:
        """Paste a scenario, or what is none."""
        line = self.rng.choice(
            [to_line(row.scenario) for row in BEGINNINGS] + ["", "--params", "hello", "--cards 0", "'"]
        )
        QGuiApplication.clipboard().setText(line)
        self.hand.window.actions_by_name["paste_line"].trigger()
        return line

    def drop(self) -> str:
        """Drop a file on anything."""
        dialogs = self.hand.dialogs
        assert isinstance(dialogs, WalkDialogs)
        self.close_popups()
        file = self.rng.choice(dialogs.files)
        drop(self.hand, self.anything(), QUrl.fromLocalFile(str(file)))
        return file.name

    def move_tab(self) -> str:
        """Put a scenario elsewhere in the order."""
        tabs = self.hand.window.tabs
        place, to = self.rng.randrange(tabs.count()), self.rng.randrange(tabs.count())
        tabs.moveTab(place, to)
        return f"{place} {to}"

    def resize(self) -> str:
        """Another size of the window."""
        width, height = self.rng.randrange(980, 1920), self.rng.randrange(660, 1200)
        self.hand.window.resize(width, height)
        return f"{width}x{height}"

    def fold(self) -> str:
        """Open or close a group of fields."""
        fold = self.rng.choice(list(self.hand.window.form.folds.values()))
        fold.heading.toggle()
        return fold.group.name

    def lesson(self) -> str:
        """Another page of the Learn side."""
        name = self.rng.choice(list(LESSONS))
        self.hand.window.show_page("learn")
        self.hand.window.learn.show_page(name)
        return str(name)
