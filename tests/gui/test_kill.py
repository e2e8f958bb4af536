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
OFFER = "Memory Tax did not close properly."
MORE = "Something else was open, too."


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


def restored(home: Path, *files: str, deed: str = "restore") -> list[str]:
    """What the next start says: what it offers, and what the window holds once that is taken."""
    process = driven(home, deed, "", *files)
    said, _ = process.communicate(timeout=LONGEST_S)
    assert process.returncode == 0
    return said.splitlines()


def test_the_last_state_before_a_kill_is_offered_once(tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "seventy.memtax"
    document.save(file, single(change(Scenario(), {"params": 70 * GB})))
    typed_and_killed(home, "671B", str(file))
    assert document.load(file).params == 70 * GB, "what was not saved is not in the file"
    assert restored(home) == [OFFER, str(671 * GB)]
    assert restored(home) == ["nothing is offered", str(Scenario().params)]
    assert not list(home.glob("session-*")), "an app that closed leaves nothing behind"


def test_an_offer_without_an_answer_is_made_again(tmp_path: Path) -> None:
    typed_and_killed(tmp_path, "671B")
    for _ in range(2):
        assert restored(tmp_path, deed="look-on") == [OFFER]
    assert restored(tmp_path) == [OFFER, str(671 * GB)]
    assert restored(tmp_path) == ["nothing is offered", str(Scenario().params)]


def test_an_offer_that_was_declined_is_not_made_again(tmp_path: Path) -> None:
    typed_and_killed(tmp_path, "671B")
    assert restored(tmp_path, deed="turn-down") == [OFFER, "nothing is offered"]
    assert restored(tmp_path, deed="look-on") == ["nothing is offered"]
    assert not list(tmp_path.glob("session-*"))


def test_work_beside_an_open_offer_takes_nothing_from_it_when_that_is_killed_too(tmp_path: Path) -> None:
    typed_and_killed(tmp_path, "671B")
    typed_and_killed(tmp_path, "70B")
    assert restored(tmp_path, deed="restore-all") == [OFFER, str(70 * GB), MORE, str(671 * GB), "nothing is offered"]
    assert restored(tmp_path, deed="look-on") == ["nothing is offered"]


def test_two_apps_killed_at_once_are_both_offered_in_the_end(tmp_path: Path) -> None:
    apps = [driven(tmp_path, "type", text) for text in ("671B", "70B")]
    for process in apps:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
    for process in apps:
        kill(process)
    first = restored(tmp_path)
    second = restored(tmp_path)
    assert [first[0], second[0]] == [OFFER, OFFER]
    assert {first[1], second[1]} == {str(671 * GB), str(70 * GB)}
    assert restored(tmp_path, deed="look-on") == ["nothing is offered"]


def test_a_restored_document_outlives_the_next_kill(tmp_path: Path) -> None:
    typed_and_killed(tmp_path, "671B")
    process = driven(tmp_path, "take", "")
    assert process.stdout is not None
    assert process.stdout.readline() == f"{OFFER}\n"
    assert process.stdout.readline() == "taken\n"
    kill(process)
    assert restored(tmp_path) == [OFFER, str(671 * GB)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("garbage", "is not JSON: expecting value at line 1, column 1"),
        (
            '{"format": "memory-tax scenario", "version": 3}',
            "was written by a newer Memory Tax (version 3; this one reads 2)",
        ),
        (
            '{"format": "memory-tax scenario", "version": 1, "scenario": {"model": "Llama 2 7B", "hidden": 7}}',
            "hidden: num_attention_heads is 32, which does not divide hidden_size 7, and no head_dim is given",
        ),
    ],
)
def test_work_that_cannot_be_read_is_kept_and_said_once(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "session-a.memtax").write_text(text, encoding="utf-8")
    kept = tmp_path / "unreadable-a.memtax"
    assert restored(tmp_path, deed="turn-down") == [
        f"Unsaved work cannot be read; it is kept as {kept} ({reason}).",
        "nothing is offered",
    ]
    assert kept.read_text(encoding="utf-8") == text
    assert restored(tmp_path, deed="look-on") == ["nothing is offered"]
    assert kept.read_text(encoding="utf-8") == text


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
        assert said[0] in ("nothing is offered", OFFER)
        assert held in (30 * GB, int(text[:-1]) * GB)
