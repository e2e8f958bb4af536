"""`chart` as a process: where a picture may go."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MAIN = str(Path(__file__).parents[2] / "main.py")
PNG = b"\x89PNG\r\n\x1a\n"  # PNG specification, 5.2


def _chart(name: str, folder: Path, out: int = subprocess.PIPE) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, MAIN, "chart", name, "--size", "64x64"],
        cwd=folder, stdout=out, stderr=subprocess.PIPE, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_that_nobody_reads_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    found = _chart("pipe.png", tmp_path)
    assert (found.returncode, found.stdout) == (2, b"")
    assert found.stderr == b"'pipe.png': is a pipe; a picture is written to a file or to a device\n"
    assert (tmp_path / "pipe.png").is_fifo()


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="this system has no such devices")
def test_a_device_takes_a_picture(tmp_path: Path) -> None:
    (tmp_path / "null.png").symlink_to("/dev/null")
    assert _chart("null.png", tmp_path).returncode == 0
    assert (tmp_path / "null.png").is_symlink()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this system has no such devices")
def test_standard_output_that_is_a_file_takes_a_picture(tmp_path: Path) -> None:
    (tmp_path / "out.png").symlink_to("/dev/stdout")
    with (tmp_path / "real.png").open("wb") as real:
        found = _chart("out.png", tmp_path, real.fileno())
    assert (found.returncode, found.stderr) == (0, b"")
    assert (tmp_path / "real.png").read_bytes().startswith(PNG)
