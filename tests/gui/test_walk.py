"""A random walk over every action and field: nothing breaks, nothing piles up, and the document stays itself."""

from __future__ import annotations

import gc
import random
import traceback
from pathlib import Path
from types import FunctionType, MethodType

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core import document
from core.account import account
from core.learn.pages import PAGES as LESSONS
from gui.actions import ACTIONS
from gui.autosave import Autosave
from gui.controls.choice_box import ChoiceBox
from gui.store import Store
from tests.gui.conftest import as_opened, dispose, new_window
from tests.gui.hand import Hand, settle
from tests.gui.test_meeting import LLAMA
from tests.gui.walker import WalkDialogs, Walker, files

# What may be alive, after any number of events, beyond what was alive once everything had been seen: lists filled when
# they are opened, and pages of the Learn side as one scenario or another shapes them. One widget or connection left
# behind by each event would be many thousands. What core keeps is values in caches that are bounded where they stand.
MOST_QOBJECTS, MOST_PYTHON_OBJECTS = 500, 2_000
EVERY = 500


def rest(hand: Hand) -> None:
    """The window as it opens, without a past or a future."""
    window = hand.window
    as_opened(window)
    while window.store.can_undo:
        window.store.undo()
    window.store.apply({"params": 31 * 10**9})  # which drops what could be redone
    as_opened(window)


def tour(hand: Hand) -> None:
    """See every page and open every list once: what is made when it is first seen is made."""
    window = hand.window
    for row in ACTIONS:
        if row.choice == "page":
            hand.key(row.keys[0])
            settle()
    for lesson in LESSONS:
        window.learn.show_page(lesson)
        settle()
    for field_row in [*window.form.rows.values(), *window.slim_bar.rows.values()]:
        if isinstance(field_row.box, ChoiceBox):
            field_row.box.showPopup()
            field_row.box.hidePopup()
    window.table.selectRow(1)
    for keys in ("Ctrl+P", "F1"):
        hand.key(keys)
        settle()
        popup = QApplication.activePopupWidget()
        assert popup is not None
        popup.close()


def alive(hand: Hand) -> tuple[int, int]:
    """Qt's objects in the window and above it, and Python's of Qt, of the window and of their connections, at rest."""
    rest(hand)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    owned = sum(len(top.findChildren(QObject)) for top in QApplication.topLevelWidgets())
    return owned + len(QApplication.topLevelWidgets()), sum(map(_is_ours, gc.get_objects()))


def _is_ours(item: object) -> bool:
    """Whether this program made it.

    What Qt made for itself (scroll bars of a dialog's tables) is wrapped when the walk looks around for what to click,
    and PySide keeps such wrappers after the dialog is gone: they are the walk's, and no window's.
    """
    if isinstance(item, shiboken6.Object):
        return bool(shiboken6.createdByPython(item))
    return isinstance(item, FunctionType | MethodType) or str(type(item).__module__).startswith("gui.")


def same_after_saving(store: Store, autosave: Autosave, folder: Path) -> None:
    """What was saved, by the person and by itself, is the document that there is."""
    store.commit()
    document.save(folder / "end.memtax", store.book)
    assert document.load_book(folder / "end.memtax") == store.book
    autosave.write()
    assert document.load_book(autosave.file) == store.book


def walk(seed: int, events: int, qtbot: QtBot, qtlog: object, folder: Path) -> None:
    """`events` things done at random to a window of its own; after every 500, and at the end, what has become of it."""
    dialogs = WalkDialogs()
    dialogs.rng, dialogs.folder, dialogs.files = random.Random(seed), folder, files(folder, LLAMA)
    window = new_window(dialogs)
    hand = Hand(window, dialogs)
    autosave = Autosave(window.store, folder / "autosave")
    walker = Walker(hand, seed)
    try:
        tour(hand)
        before = alive(hand)
        seen = [before]
        for number in range(events):
            with qtbot.captureExceptions() as errors:
                walker.step()
            trail = "\n".join(walker.trail)
            said = "".join(line for error in errors for line in traceback.format_exception(*error))
            assert not errors, f"seed {seed}: {said} after\n{trail}"
            warned = [record for record in qtlog.records if not record.ignored]  # type: ignore[attr-defined]
            assert not warned, f"seed {seed}: {warned[0].message} after\n{trail}"
            assert window.store.account.scenario == window.store.scenario, trail
            if number % 50 == 0:
                assert window.store.account == account(window.store.scenario), trail
            if number % EVERY == EVERY - 1 or number == events - 1:
                same_after_saving(window.store, autosave, folder)
                # Undone and gone back to how it opens: what the walk has made must have gone with it.
                found = alive(hand)
                seen.append(found)
                assert found[0] - before[0] <= MOST_QOBJECTS, f"{seen}, {number}"
                assert found[1] - before[1] <= MOST_PYTHON_OBJECTS, f"{seen}, {number}"
    except Exception as problem:
        problem.add_note(f"seed {seed}, after\n" + "\n".join(walker.trail))
        raise
    finally:
        autosave.close()
        dispose(window)


# Offscreen a full screen is 800 × 800, and a click may meet what it has cut off.
FORGIVEN = pytest.mark.qt_log_ignore(r"^This plugin does not support", r"^Mouse event at .* occurs outside")


@FORGIVEN
def test_three_hundred_events(qtbot: QtBot, qtlog: object, tmp_path: Path, home: Path) -> None:
    walk(20_261_129, 300, qtbot, qtlog, tmp_path)


@FORGIVEN
@pytest.mark.soak
def test_twenty_thousand_events(qtbot: QtBot, qtlog: object, tmp_path: Path, home: Path) -> None:
    walk(random.randrange(10**9), 20_000, qtbot, qtlog, tmp_path)
