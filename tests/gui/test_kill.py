"""The app, killed while someone works in it, offers the last state when it starts again."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core import document
from core.scenario import Scenario, change
from core.workbook import single

ROOT = Path(__file__).parents[2]
GB = 10**9
LONGEST_S = 60


def driven(home: Path, *words: str) -> subprocess.Popen[str]:
    """The app in a process of its own, with a person in it."""
    environment = {**os.environ, "MEMORY_TAX_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.gui.driven", *words],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def kill(process: subprocess.Popen[str]) -> None:
    """End a process as the system does that is out of memory: it hears nothing of it."""
    process.kill()
    process.wait(LONGEST_S)
    assert process.stdout is not None
    process.stdout.close()


def typed_and_killed(home: Path, text: str, *files: str) -> None:
    """Type a number, without Enter, and kill the app once that is written down."""
    process = driven(home, "type", text, *files)
    assert process.stdout is not None
    assert process.stdout.readline() == "written\n"
    kill(process)


def restored(home: Path, *files: str) -> list[str]:
    """What the next start says: what it offers, and what the window holds once that is taken."""
    process = driven(home, "restore", "", *files)
    said, _ = process.communicate(timeout=LONGEST_S)
    assert process.returncode == 0
    return said.splitlines()


def test_the_last_state_before_a_kill_is_offered_once(tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "seventy.memtax"
    document.save(file, single(change(Scenario(), {"params": 70 * GB})))
    typed_and_killed(home, "671B", str(file))
    assert document.load(file).params == 70 * GB, "what was not saved is not in the file"
    assert restored(home) == ["Memory Tax did not close properly.", str(671 * GB)]
    assert restored(home) == ["nothing is offered", str(Scenario().params)]
    assert not list(home.glob("session-*")), "an app that closed leaves nothing behind"


@pytest.mark.soak
def test_an_app_killed_at_any_moment_starts_again_with_a_whole_document(tmp_path: Path) -> None:
    typed = [str(number) + "B" for number in range(11, 31)]
    for text in typed:
        process = driven(tmp_path, "type", text)
        time.sleep(random.uniform(0.2, 2.5))
        kill(process)
        said = restored(tmp_path)
        # Killed before anything was written there is nothing to offer; else it is a beginning of what was typed.
        held = int(said[1])
        assert said[0] in ("nothing is offered", "Memory Tax did not close properly.")
        assert held in (30 * GB, int(text[:-1]) * GB)
