"""Starting where no window can be shown, in a process of its own: one sentence, and never Qt's abort."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gui.display import hindrance

ROOT = Path(__file__).parents[2]
NAMES = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has displays to be without")


def start(home: Path, **set_: str) -> subprocess.CompletedProcess[str]:
    """The program, with nothing set about displays but what is given."""
    environment = {key: value for key, value in os.environ.items() if key not in NAMES}
    environment |= {"MEMORY_TAX_HOME": str(home), "MEMORY_TAX_SMOKE": "1", **set_}
    return subprocess.run(
        [sys.executable, "main.py"], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("set_", "said"),
    [
        ({}, "there is no display for the window"),
        ({"QT_QPA_PLATFORM": "xcb"}, "there is no display for the window"),
        ({"DISPLAY": ":4711"}, "DISPLAY: no display answers at :4711"),
        ({"DISPLAY": "localhost:4711.0"}, "DISPLAY: no display answers at localhost:4711.0"),
        ({"DISPLAY": "nonsense"}, "DISPLAY: no display answers at nonsense"),
        (
            {"WAYLAND_DISPLAY": "gone", "XDG_RUNTIME_DIR": "/nowhere"},
            "WAYLAND_DISPLAY: no display answers at /nowhere/",
        ),
        ({"WAYLAND_DISPLAY": "gone", "DISPLAY": ":4711"}, "DISPLAY: no display answers at :4711"),
        ({"QT_QPA_PLATFORM": "bogus"}, "QT_QPA_PLATFORM: 'bogus' is no platform of Qt here; there are "),
        ({"QT_QPA_PLATFORM": "bogus;xcb:x=1", "DISPLAY": ":4711"}, "DISPLAY: no display answers at :4711"),
        ({"QT_QPA_PLATFORM": ";"}, "QT_QPA_PLATFORM: '' is no platform of Qt here; there are "),
    ],
)
def test_where_no_window_can_be_shown_one_sentence_says_why(tmp_path: Path, set_: dict[str, str], said: str) -> None:
    done = start(tmp_path, **set_)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(said)
    assert line.endswith("; `report` and `chart` need none")


@pytest.mark.parametrize("platform", ["offscreen", "OffScreen", "bogus;offscreen", "minimal"])
def test_a_platform_that_needs_no_display_is_not_refused(tmp_path: Path, platform: str) -> None:
    done = start(tmp_path, QT_QPA_PLATFORM=platform, DISPLAY=":4711")
    assert (done.returncode, done.stdout) == (0, "ready\n")


@pytest.fixture
def x_server() -> Iterator[str]:
    """As much of an X server as greets whoever connects; its display's name."""
    number = 4700 + os.getpid() % 1000
    # The reply of the protocol's connection setup: success, version 11.0, and one screen of no size.
    screen = struct.pack("<5I6HI4B", 1, 1, 0, 1, 0, 64, 64, 10, 10, 1, 1, 1, 0, 0, 24, 0)
    about = struct.pack("<4I2H8BI", 0, 0x200000, 0x1FFFFF, 0, 0, 65535, 1, 0, 0, 0, 32, 32, 8, 255, 0) + screen
    greeting = struct.pack("<BBHHH", 1, 0, 11, 0, len(about) // 4) + about
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"\0/tmp/.X11-unix/X{number}")
        listening.listen()

        def greet() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(greeting)
                connection.recv(4096)

        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        yield f":{number}"
        thread.join(10)


def test_a_display_that_answers_is_taken(x_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", x_server)
    # What Qt's plugin needs besides, as libxcb-cursor, may be missing where there is no display to see.
    reason = hindrance()
    assert reason == "" or reason.startswith("Qt's platform xcb cannot be used: ")
