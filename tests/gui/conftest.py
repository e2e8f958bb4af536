"""One window for each module of tests, as it opens before each test; settings and dialogs that are nobody's."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCompleter, QDialog

from gui.app import make_app
from gui.controls import value_box
from gui.controls.value_box import ValueBox
from gui.look import Look
from gui.main_window import MainWindow
from gui.settings import Settings
from gui.store import Store
from tests.gui.hand import Hand, ScriptedDialogs, settle

# A pause in typing, shortened so that a hundred bad entries do not take a minute.
SHORT_PAUSE_MS = 40


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says so whenever a popup opens; no other warning is forgiven."""
    for item in items:
        item.add_marker(pytest.mark.qt_log_ignore(r"^This plugin does not support (raise|grabbing the keyboard)"))


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where settings go in place of a person's own."""
    folder = tmp_path_factory.mktemp("home")
    # What was imported stays; whoever looks through all objects after each test need not see it.
    gc.collect()
    gc.freeze()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMORY_TAX_HOME", str(folder))
        yield folder


@contextmanager
def dressed(app: QApplication) -> Iterator[None]:
    """What a window does to the whole application, undone: other modules draw without it."""
    before = app.style().name(), app.palette(), app.font(), app.styleSheet()
    yield
    app.setStyleSheet(before[3])
    app.setStyle(before[0])
    app.setPalette(before[1])
    app.setFont(before[2])


@pytest.fixture(scope="module")
def module_window(qapp: QApplication, home: Path) -> Iterator[MainWindow]:
    """The window that a module's tests share."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value_box, "PAUSE_MS", SHORT_PAUSE_MS)
        with dressed(qapp):
            window = new_window(ScriptedDialogs())
            yield window
            as_opened(window)  # settings outlive the module
            dispose(window)


@pytest.fixture
def hand(module_window: MainWindow) -> Hand:
    """A person at the shared window, which looks as it does when it opens."""
    dialogs = module_window.dialogs
    assert isinstance(dialogs, ScriptedDialogs)
    as_opened(module_window)
    return Hand(module_window, dialogs)


@pytest.fixture
def seventy(tmp_path: Path) -> Path:
    """A scenario file of 70 billion parameters on 64 cards, as text, not as the program writes it."""
    path = tmp_path / "seventy.memtax"
    content = {"format": "memory-tax scenario", "version": 1, "scenario": {"params": 70 * 10**9, "cards": 64}}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.fixture
def fresh(qapp: QApplication, home: Path) -> Iterator[Hand]:
    """A person at a window of its own, for what a shared one cannot show: how it opens, and how it closes."""
    for file in home.iterdir():
        file.unlink()
    dialogs = ScriptedDialogs()
    with dressed(qapp):
        window = new_window(dialogs)
        yield Hand(window, dialogs)
        dispose(window)


def new_window(dialogs: ScriptedDialogs, size: tuple[int, int] = (1280, 800)) -> MainWindow:
    """A window on the screen, with the focus, as the app makes it."""
    settings = Settings()
    window = MainWindow(Store(), settings, Look(make_app(), settings), dialogs)
    window.resize(*size)
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    settle()
    # A list of names is made when it is first asked for; it is the window's, and no test's.
    for completer in window.findChildren(QCompleter):
        completer.popup()
    return window


def dispose(window: MainWindow) -> None:
    """Take a window away with everything that belongs to it, whatever state it is in."""
    look, store = window.look, window.store
    window.hide()
    for item in (window, store, look):
        item.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def as_opened(window: MainWindow) -> None:
    """Bring a window that tests have used back to how it opens: scenario, page, look, folds, menus, answers."""
    dialogs = window.dialogs
    assert isinstance(dialogs, ScriptedDialogs)
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    for dialog in window.findChildren(QDialog):  # one that stays open beside the window
        dialog.close()
    if window.presenting:
        window.present()
    for row in window.form.rows.values():
        if isinstance(row.box, ValueBox):
            # Whatever was typed and not taken: Escape drops it.
            QTest.keyClick(row.box, Qt.Key.Key_Escape)
    while window.store.can_undo:
        window.store.undo()
    dialogs.answers = ["discard"]
    window.commands.files.new()
    window.store.set_system("decimal")
    window.look.choose("light")
    window.look.choose_motion("system")
    window.look.zoom_by(0)
    window.settings.put("recent", [])
    window.commands.files.fill_recent()
    window.show_page("why")
    for fold in window.form.folds.values():
        fold.heading.setChecked(False)
    window.form.verticalScrollBar().setValue(0)
    window.table.clearSelection()
    window.resize(1280, 800)
    window.say("")
    QGuiApplication.clipboard().clear()
    dialogs.__init__()  # type: ignore[misc]
    window.activateWindow()
    window.form.focus("params")
    settle()
