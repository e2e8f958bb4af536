"""What survives a kill: every change within two seconds, and what is offered until it is taken or turned down."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core import document
from core.scenario import Scenario, change
from core.workbook import Workbook, single
from gui.autosave import LeftBehind, Lost, Unreadable

ROOT = Path(__file__).parents[2]
# A person who drags a value without a pause, in a process that is then killed.
DRAGGING = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from gui.autosave import Autosave
from gui.store import Store
app = QCoreApplication([])
store, folder, count = Store(), Path(sys.argv[1]), 0
session = Autosave(store, folder)
def drag():
    global count
    count += 1
    store.apply({"params": 10**9 + count})
timer = QTimer()
timer.timeout.connect(drag)
timer.start(20)
print("ready", flush=True)
app.exec()
"""
# The next start, killed before anyone answers the offer.
RESTART = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from gui.autosave import LeftBehind
app = QCoreApplication([])
left = LeftBehind(Path(sys.argv[1]))
print(left.next().book.scenario.params, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def _start(code: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT, env=dict(os.environ)
    )


def _params(folder: Path) -> list[int]:
    return [document.load(file).params for file in folder.glob("session-*.memtax")]


def _session(folder: Path, name: str, params: int, age_s: int = 0) -> Path:
    """A session file as a kill leaves it, last written so many seconds ago."""
    file = folder / f"session-{name}.memtax"
    document.save(file, single(change(Scenario(), {"params": params})))
    written = time.time() - age_s
    os.utime(file, (written, written))
    return file


def _next(left: LeftBehind) -> Lost:
    found = left.next()
    assert isinstance(found, Lost)
    return found


def test_a_drag_without_a_pause_is_kept_while_it_lasts_and_outlives_two_kills(tmp_path: Path) -> None:
    with _start(DRAGGING, tmp_path) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "ready\n"
        until = time.monotonic() + 20
        while not _params(tmp_path) and time.monotonic() < until:
            time.sleep(0.1)
        first.send_signal(signal.SIGKILL)
    (kept,) = _params(tmp_path)
    assert kept > 10**9
    with _start(RESTART, tmp_path) as second:
        said, _ = second.communicate(timeout=60)
    assert int(said) == kept
    assert _params(tmp_path) == [kept]
    assert _next(LeftBehind(tmp_path)).book.scenario.params == kept


def test_several_are_offered_the_newest_first_and_each_keeps_its_file_until_it_is_answered(tmp_path: Path) -> None:
    files = [_session(tmp_path, name, params, age) for name, params, age in (("a", 7, 90), ("b", 70, 5), ("c", 8, 40))]
    left = LeftBehind(tmp_path)
    first = _next(left)
    assert first.book.scenario.params == 70
    assert all(file.exists() for file in files)
    first.drop()
    assert [file.exists() for file in files] == [True, False, True]
    assert _next(left).book.scenario.params == 8
    left.close()
    assert [file.exists() for file in files] == [True, False, True], "what was not answered stays"
    left = LeftBehind(tmp_path)
    for expected in (8, 7):
        lost = _next(left)
        assert lost.book.scenario.params == expected
        lost.drop()
    assert left.next() is None
    assert not list(tmp_path.iterdir())


def test_what_one_app_offers_no_other_offers_until_that_one_has_ended(tmp_path: Path) -> None:
    _session(tmp_path, "a", 7)
    one, other = LeftBehind(tmp_path), LeftBehind(tmp_path)
    assert other.next() is None
    assert _next(one).book.scenario.params == 7
    one.close()
    assert _next(LeftBehind(tmp_path)).book.scenario.params == 7


def test_a_document_that_no_one_has_changed_is_not_offered(tmp_path: Path) -> None:
    document.save(tmp_path / "session-a.memtax", Workbook())
    assert LeftBehind(tmp_path).next() is None
    assert not list(tmp_path.iterdir())


UNREADABLE = {
    "newer": (
        '{"format": "memory-tax scenario", "version": 3, "rooms": []}',
        "was written by a newer Memory Tax (version 3; this one reads 2)",
    ),
    "garbage": ("\x00\x01", "is not JSON: expecting value at line 1, column 1"),
    "empty": ("", "is not JSON: expecting value at line 1, column 1"),
    # 32 heads do not divide 7: each field is accepted, and the two of them have no account.
    "no account": (
        '{"format": "memory-tax scenario", "version": 1, "scenario": {"model": "Llama 2 7B", "hidden": 7}}',
        "hidden: num_attention_heads is 32, which does not divide",
    ),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_session_that_cannot_be_read_is_set_aside_whole_and_the_others_are_still_offered(
    tmp_path: Path, kind: str
) -> None:
    text, reason = UNREADABLE[kind]
    file = tmp_path / "session-bad.memtax"
    file.write_text(text, encoding="utf-8")
    _session(tmp_path, "a", 7, age_s=60)
    left = LeftBehind(tmp_path)
    found = left.next()
    assert isinstance(found, Unreadable)
    assert found.path == tmp_path / "unreadable-bad.memtax"
    assert found.reason.startswith(reason)
    assert found.path.read_text(encoding="utf-8") == text
    assert not file.exists()
    assert _next(left).book.scenario.params == 7
    left.close()
    assert _next(LeftBehind(tmp_path)).book.scenario.params == 7, "what was set aside is said once"
