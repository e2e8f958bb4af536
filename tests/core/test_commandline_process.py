"""The program as a process: pipes that close, full disks, odd encodings, and no Qt."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAIN = str(ROOT / "main.py")
BATCH = "".join(f'{{"params": {count}}}\n' for count in range(1, 400))

BLOCKER = """
import sys
class Blocker:
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "pyqtgraph", "numpy"}:
            raise ImportError(f"{name} is not here")
sys.meta_path.insert(0, Blocker())
"""


def _run(
    *arguments: str, environment: dict[str, str] | None = None, given: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, MAIN, *arguments],
        input=given,
        capture_output=True,
        env=os.environ | (environment or {}),
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL if given is None else None,
    )


@pytest.fixture(scope="module")
def without_qt() -> Iterator[str]:
    """A folder for PYTHONPATH that keeps Qt, pyqtgraph and numpy from being imported."""
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "sitecustomize.py").write_text(BLOCKER)
        yield name


def test_the_blocker_blocks(without_qt: str) -> None:
    tried = subprocess.run(
        [sys.executable, "-c", "import PySide6"],
        env=os.environ | {"PYTHONPATH": without_qt},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert b"PySide6 is not here" in tried.stderr


@pytest.mark.parametrize(
    "arguments",
    [("report", "--card", "h100", "--format", "json"), ("fields",), ("cards",), ("models",), ("--version",)],
    ids=lambda arguments: arguments[0],
)
def test_words_that_need_no_window_run_where_qt_is_missing(without_qt: str, arguments: tuple[str, ...]) -> None:
    found = _run(*arguments, environment={"PYTHONPATH": without_qt})
    assert (found.returncode, found.stderr) == (0, b"")
    assert found.stdout


# PYTHONIOENCODING takes the terminal's place; LC_ALL=C is what cron and bare containers have.
@pytest.mark.parametrize(
    "environment",
    [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0",
      "PYTHONCOERCECLOCALE": "0"}],
    ids=["ascii", "latin-1", "C"],
)  # fmt: skip
def test_output_is_utf_8_whatever_the_locale(environment: dict[str, str]) -> None:
    for arguments in (("report",), ("report", "--format", "json"), ("--help",)):
        found = _run(*arguments, environment=environment)
        assert (found.returncode, found.stderr) == (0, b"")
        assert "…" in found.stdout.decode() if arguments == ("--help",) else "÷" in found.stdout.decode()
    wrong = _run("report", "--params", "7×B", environment=environment)
    assert wrong.returncode == 2
    assert wrong.stderr.count(b"\n") == 1
    assert b"Traceback" not in wrong.stderr


def test_a_wrong_request_says_one_line_and_nothing_else() -> None:
    found = _run("report", "--params", "70,5")
    assert found.returncode == 2
    assert found.stdout == b""
    assert found.stderr.decode() == (
        "--params: '70,5' has a comma that does not part groups of three digits; "
        "write 70B, 30e9, 1.3T or 7,000,000,000\n"
    )


def test_bytes_that_are_no_text_on_the_command_line_are_no_crash() -> None:
    found = subprocess.run(
        [sys.executable.encode(), MAIN.encode(), b"report", b"--params", b"7\xffB"],
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert found.returncode == 2
    assert found.stderr.count(b"\n") == 1
    assert b"Traceback" not in found.stderr


def _closed_early(*arguments: str, given: bytes = b"") -> tuple[int, bytes]:
    """Exit status and standard error of a run whose reader goes away after one byte."""
    process = subprocess.Popen(
        [sys.executable, MAIN, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write(given)
    process.stdin.close()
    if given:
        process.stdout.read(1)
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    return process.wait(timeout=60), said


@pytest.mark.parametrize("arguments", [("report",), ("fields",), ("--help",), ("report", "--help")], ids=" ".join)
def test_a_reader_that_leaves_is_no_error(arguments: tuple[str, ...]) -> None:
    assert _closed_early(*arguments) == (0, b"")


def test_a_reader_that_leaves_in_the_middle_of_a_batch_is_no_error() -> None:
    assert _closed_early("report", "--batch", "-", given=BATCH.encode()) == (0, b"")


@pytest.mark.parametrize(
    "arguments",
    [("report",), ("report", "--help"), ("chart", "--help"), ("learn", "--help"), ("--help",), ("--version",)],
    ids=" ".join,
)
def test_a_full_disk_is_said(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        found = subprocess.run(
            [sys.executable, MAIN, *arguments], stdout=full, stderr=subprocess.PIPE, check=False, timeout=60
        )
    assert found.returncode == 2
    assert found.stderr.lower().startswith(b"standard output: cannot be written: no space left")
    assert found.stderr.count(b"\n") == 1


@pytest.mark.parametrize("words", ["report", "report --help", "chart --help", "learn", "--help", "--version"])
def test_an_output_that_was_closed_before_is_said(words: str) -> None:
    found = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" "$1" {words} >&-', sys.executable, MAIN],
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert (found.returncode, found.stderr) == (2, b"standard output: cannot be written: it is closed\n")


@pytest.mark.parametrize("closing", ["2>&-", "2>/dev/full"])
def test_what_is_wrong_is_never_said_on_standard_output(closing: str) -> None:
    found = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" "$1" report --params x {closing}', sys.executable, MAIN],
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert (found.returncode, found.stdout, found.stderr) == (2, b"", b"")


@pytest.mark.parametrize("closing", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_were_closed_before_are_no_crash(closing: str) -> None:
    command = f'exec "$0" "$1" report --batch - {closing}' if "<" in closing else f'exec "$0" "$1" report {closing}'
    found = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable, MAIN], capture_output=True, check=False, timeout=60
    )
    assert b"Traceback" not in found.stderr
    assert found.returncode in {0, 2}


def test_standard_input_is_a_batch_of_lines_and_a_bad_byte_spoils_its_own_alone() -> None:
    lines = [
        '\ufeff{"params": "1B"}'.encode(), b'{"params": "\xff"}', b'{"\xff": 1}', b"\xff", b"", b'{"card": "\\ud800"}',
        '{"params": "7×"}'.encode(), b'{"params": "2B"}\r', b'{"params": "3B"}',
    ]  # fmt: skip
    found = _run("report", "--batch", "-", given=b"\n".join(lines))
    assert (found.returncode, found.stderr) == (2, b"")
    answers = [json.loads(line) for line in found.stdout.decode().splitlines()]
    assert ["error" in answer for answer in answers] == [False, True, True, True, True, True, False, False]
    assert [answer["parameters"]["total"] for answer in answers if "error" not in answer] == [
        10**9,
        2 * 10**9,
        3 * 10**9,
    ]


def test_a_batch_streams_one_answer_for_each_line() -> None:
    found = _run("report", "--batch", "-", given=BATCH.encode())
    assert (found.returncode, found.stderr) == (0, b"")
    totals = [json.loads(line)["parameters"]["total"] for line in found.stdout.splitlines()]
    assert totals == list(range(1, 400))


def test_the_program_runs_from_any_folder(tmp_path: Path) -> None:
    found = subprocess.run([sys.executable, MAIN, "report"], cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert found.returncode == 0
    assert "480 GB" in found.stdout.decode()
    assert list(tmp_path.iterdir()) == []
