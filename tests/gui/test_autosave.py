"""What survives a kill: every change within two seconds, and what is offered until it is taken or turned down."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from core import document

ROOT = Path(__file__).parents[2]
# A person who drags a value without a pause, in a process that is then killed.
DRAGGING = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from core.workbook import Workbook
from gui.autosave import Autosave, left_behind
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
from gui.autosave import Autosave, left_behind
from gui.store import Store
app = QCoreApplication([])
folder = Path(sys.argv[1])
lost = left_behind(folder)
Autosave(Store(), folder).keep(lost)
print(lost.scenario.params, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def _start(code: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT, env=dict(os.environ)
    )


def _params(folder: Path) -> list[int]:
    return [document.load(file).params for file in folder.glob("session-*.memtax")]


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
