"""The program as a process, and its window over time: starts, unexpected errors, settings, two thousand changes."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from core.charts.catalogue import PAGES
from core.scenario import Scenario
from gui.main_window import MainWindow
from tests.gui.conftest import dispose, dressed, new_window
from tests.gui.hand import Hand, ScriptedDialogs, settle

ROOT = Path(__file__).parents[2]
GB = 10**9
# Said by the offscreen platform to every program.
FORGIVEN = "This plugin does not support"


def run(home: Path, *words: str, smoke: bool = True) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own."""
    environment = {**os.environ, "MEMORY_TAX_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    if smoke:
        environment["MEMORY_TAX_SMOKE"] = "1"
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    kept = [line for line in done.stderr.splitlines() if not line.startswith(FORGIVEN)]
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout, "\n".join(kept))


def test_the_program_opens_says_ready_and_closes_without_a_word(tmp_path: Path) -> None:
    done = run(tmp_path, "main.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "ready\n", "")
    log = tmp_path / "memory-tax.log"
    assert not log.exists() or log.read_text(encoding="utf-8") == ""


@pytest.mark.skipif(sys.platform != "linux", reason="where settings go is each system's own")
def test_log_and_settings_lie_in_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    environment = {name: value for name, value in os.environ.items() if name != "MEMORY_TAX_HOME"}
    environment |= {"QT_QPA_PLATFORM": "offscreen", "MEMORY_TAX_SMOKE": "1"}
    done = subprocess.run([sys.executable, "main.py"], cwd=ROOT, env=environment, timeout=60, check=False)
    assert done.returncode == 0
    assert [entry.name for entry in tmp_path.iterdir()] == ["memory-tax"]
    found = {entry.name for entry in (tmp_path / "memory-tax").iterdir()}
    assert {"settings.ini", "memory-tax.log"} <= found


def test_it_opens_with_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.memtax"
    path.write_text('{"format": "memory-tax scenario", "version": 1, "scenario": {"params": 7}}', encoding="utf-8")
    assert run(tmp_path, "main.py", str(path)).stdout == "ready\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("no-such-file.memtax",), "no-such-file.memtax: cannot be read: no such file or directory"),
        (("a.memtax", "b.memtax"), "one file can be opened at a time"),
        (("--widow",), "--widow: "),
    ],
)
def test_it_says_in_one_line_what_it_cannot_open(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = run(tmp_path, "main.py", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


# A person types into a window in which a slot fails whenever something changes.
FAILING = """
import json, sys
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from gui import app
from gui.main_window import MainWindow

def fail():
    raise ZeroDivisionError("planted")

def script():
    window = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow))
    said = []
    window.say = lambda text, say=window.say: (said.append(text), say(text))[1]
    window.store.changed.connect(fail)
    box = window.form.rows["params"].box
    for text in ("70B", "671B"):
        box.lineEdit().selectAll()
        QTest.keyClicks(box, text)
    QApplication.processEvents()
    print(json.dumps({
        "said": said,
        "params": window.store.scenario.params,
        "headline": window.summary.verdict.headline.text(),
        "shown": window.said.isVisible(),
    }))
    window.store.undo(); window.store.undo()
    window.close()

program = app.make_app()
QTimer.singleShot(200, program, script)
sys.exit(app.open_window([]))
"""


def test_an_error_no_one_expected_is_logged_and_said_once_and_the_window_goes_on(tmp_path: Path) -> None:
    done = run(tmp_path, "-c", FAILING, smoke=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["params"] == 671 * GB
    assert seen["headline"] == "135 cards"
    log = tmp_path / "memory-tax.log"
    assert seen["said"] == [f"Something went wrong; it is in {log}"]
    assert seen["shown"]
    text = log.read_text(encoding="utf-8")
    assert text.count("ZeroDivisionError: planted") >= 2
    assert '"params": 70000000000' in text, "with the scenario it happened in"
    assert "Traceback" not in done.stdout + done.stderr


KILLED = """
import os, signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from gui import app, autosave
from gui.main_window import MainWindow

def script():
    window = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow))
    box = window.form.rows["params"].box
    box.lineEdit().selectAll()
    QTest.keyClicks(box, "671B")
    QTest.qWait(autosave.PAUSE_MS + 200)
    os.kill(os.getpid(), signal.SIGKILL)

program = app.make_app()
QTimer.singleShot(200, program, script)
sys.exit(app.open_window([]))
"""

OFFERED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from gui import app
from gui.main_window import MainWindow

def script():
    window = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow))
    offers = [b for b in window.findChildren(QPushButton) if b.text() == "Restore what was open" and b.isVisible()]
    print(len(offers), window.store.scenario.params)
    for button in offers:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    print(window.store.scenario.params)
    while window.store.can_undo:
        window.store.undo()
    window.close()

program = app.make_app()
QTimer.singleShot(200, program, script)
sys.exit(app.open_window([]))
"""


@pytest.mark.skipif(os.name != "posix", reason="a kill of this kind")
def test_what_was_open_when_it_was_killed_is_offered_at_the_next_start_and_once(tmp_path: Path) -> None:
    assert run(tmp_path, "-c", KILLED, smoke=False).returncode == -9
    done = run(tmp_path, "-c", OFFERED, smoke=False)
    assert done.stdout.split() == ["1", str(30 * GB), str(671 * GB)], done.stderr
    done = run(tmp_path, "-c", OFFERED, smoke=False)
    assert done.stdout.split() == ["0", str(30 * GB), str(30 * GB)]


# Settings


def test_theme_size_and_place_are_as_they_were_left(qapp: QApplication, home: Path) -> None:
    with dressed(qapp):
        window = new_window(ScriptedDialogs(), (1100, 720))
        window.look.choose("dark")
        window.look.zoom_by(2)
        assert window.close()
        dispose(window)
        window = new_window(ScriptedDialogs())
        assert (window.look.theme.name, window.look.zoom) == ("dark", 1.25)
        assert window.actions_by_name["theme_dark"].isChecked()
        window.look.choose("system")
        window.look.zoom_by(0)
        dispose(window)


@pytest.mark.parametrize(
    "content",
    [b"\x00\xff\xfe[", b"[General]\nversion=99\ntheme=purple\nzoom=huge\nrecent=7\ngeometry=@ByteArray(x)\n"],
)
def test_settings_that_cannot_be_read_are_as_if_there_were_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "settings.ini").write_bytes(content)
    done = run(tmp_path, "main.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "ready\n", "")


CLOSED = """
import sys
from PySide6.QtCore import QTimer
from gui import app
program = app.make_app()
QTimer.singleShot(200, program, program.quit)
sys.exit(app.open_window([]))
"""


@pytest.mark.parametrize("key", ["zoom", "recent"])
def test_what_qt_says_about_settings_it_cannot_read_goes_to_the_log(tmp_path: Path, key: str) -> None:
    (tmp_path / "settings.ini").write_text(f"[General]\n{key}=@Variant(\\0\\0\\0\\x7f)\n", encoding="utf-8")
    done = run(tmp_path, "-c", CLOSED, smoke=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "QVariant::load: unknown user type" in (tmp_path / "memory-tax.log").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="a path that cannot be a folder")
def test_a_home_that_cannot_be_written_is_no_reason_not_to_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run(tmp_path / "file" / "below", "main.py")
    assert (done.returncode, done.stdout) == (0, "ready\n")


# Over time


def test_two_thousand_live_changes_lose_no_reference_and_leave_nothing_behind(hand: Hand) -> None:
    # PySide6 6.12.0 on Python 3.11 lost references to None at each repaint until the interpreter aborted.
    store, window = hand.window.store, hand.window
    window.resize(window.minimumSize())  # less to paint, and as much to lose
    pages = [page.name for page in PAGES]

    def change(number: int) -> None:
        if number % 50 == 0:
            window.show_page(pages[number // 50 % len(pages)])
        store.apply({"params": 10**9 * (1 + number % 671), "zero": number % 4}, step="typing")
        settle()

    for number in range(100):
        change(number)
    gc.collect()
    before, objects, widgets = sys.getrefcount(None), len(gc.get_objects()), len(window.findChildren(QObject))
    for number in range(2000):
        change(number)
    gc.collect()
    assert sys.getrefcount(None) > before - 200
    assert len(window.findChildren(QObject)) == widgets
    assert len(gc.get_objects()) < objects + 2000
    store.undo()
    assert hand.scenario == Scenario(), "changes of one name are one step"


def test_two_windows_over_two_stores_do_not_mix_and_are_gone_once_they_are_closed(
    qapp: QApplication, home: Path
) -> None:
    with dressed(qapp):
        before = {id(widget) for widget in QApplication.topLevelWidgets()}
        one, two = new_window(ScriptedDialogs()), new_window(ScriptedDialogs())
        one.store.apply({"params": 7})
        assert one.summary.tiles[0].value.text() == "112 B"  # 7 × 16 B
        assert two.summary.tiles[0].value.text() == "480 GB"
        dispose(one)
        dispose(two)
        gc.collect()
        settle()
        left = [widget for widget in QApplication.topLevelWidgets() if id(widget) not in before]
        assert not [widget for widget in left if isinstance(widget, MainWindow)]
