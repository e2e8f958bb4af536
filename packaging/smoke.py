"""Tries out a frozen program as a stranger's machine would: nothing in its environment, no network, no Python.

    python packaging/smoke.py dist/memory-tax/memory-tax VERSION

Looks at what the program printed and wrote, not only at its exit status, and takes any line on standard error for a
failure.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MB = 10**6
FOLDER_LIMIT = 200 * MB
ARCHIVE_LIMIT = 60 * MB
TIME_LIMIT = 120  # seconds a command; one takes about one


class Failure(SystemExit):
    """What was tried and what went wrong, in one line."""

    def __init__(self, text: str) -> None:
        super().__init__(f"smoke test: {text}")


def _without_network() -> list[str]:
    """The words that start a command in a network of its own with nothing in it, where this user may make one."""
    unshare = shutil.which("unshare")
    for options in (["--net"], ["--user", "--net"]):
        if unshare and subprocess.run([unshare, *options, "true"], capture_output=True, check=False).returncode == 0:
            return [unshare, *options]
    print("smoke test: this machine gives no empty network, so that part is left out", flush=True)
    return []


@contextmanager
def _x_server() -> Iterator[str | None]:
    """The name of a display of its own, or None where no Xvfb is installed."""
    server = shutil.which("Xvfb")
    if server is None:
        yield None
        return
    command = [server, "-displayfd", "1", "-screen", "0", "1920x1080x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        try:
            assert running.stdout is not None
            yield f":{running.stdout.readline().strip()}"
        finally:
            running.terminate()


class Stranger:
    """A person with the program and nothing else: an empty home, an empty path, and no network where possible."""

    def __init__(self, program: Path, home: Path) -> None:
        self.program = program
        self.home = home
        self.isolation = _without_network()
        (home / "empty").mkdir()

    def run(self, *words: str, **environment: str) -> str:
        """Standard output of the program.

        Raises:
            Failure: where it ends with anything but 0, or writes anything to standard error.
        """
        bare = {"HOME": str(self.home), "PATH": str(self.home / "empty"), "QT_QPA_PLATFORM": "offscreen", **environment}
        if sys.platform == "win32":
            bare["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
        done = subprocess.run(
            [*self.isolation, str(self.program), *words],
            cwd=self.home,
            env=bare,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT,
            check=False,
        )
        said = " ".join(words) or "the window"
        if done.returncode != 0:
            raise Failure(f"{said} ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
        if done.stderr.strip():
            raise Failure(f"{said} wrote to standard error: {done.stderr.strip()[:2000]}")
        return done.stdout


def _check_report(text: str) -> None:
    """The lesson's figures: 30 billion parameters × 16 B = 480 GB, on six cards of 80 GB; 2 B of them 60 GB."""
    report = json.loads(text)
    found = (
        report["schema"], report["parameters"]["total"], report["training"]["bytes"], report["inference"]["bytes"],
        report["cards_needed"], list(report["training"]["bands"].values()),
    )  # fmt: skip
    expected = (1, 30 * 10**9, 480 * 10**9, 60 * 10**9, 6, [60 * 10**9, 60 * 10**9, 360 * 10**9])
    if found != expected:
        raise Failure(f"the report says {found}, not {expected}")


def check_picture(path: Path, width: int, height: int) -> None:
    """A PNG of that size, or of twice the density, whose rows are not all alike: a board without bars is flat.

    Raises:
        Failure: where it is anything else.
    """
    data = path.read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise Failure(f"{path.name} is no PNG")
    size = struct.unpack(">II", data[16:24])
    if size not in {(width, height), (2 * width, 2 * height)}:
        raise Failure(f"{path.name} is {size[0]} × {size[1]}, not {width} × {height}")
    pixels, offset = b"", 8
    while offset < len(data):
        length, kind = struct.unpack(">I4s", data[offset : offset + 8])
        if kind == b"IDAT":
            pixels += data[offset + 8 : offset + 8 + length]
        offset += length + 12
    raw = zlib.decompress(pixels)
    height = size[1]
    stride = len(raw) // height
    rows = {raw[start + 1 : start + stride] for start in range(0, len(raw), stride)}
    if len(rows) < height // 20:
        raise Failure(f"{path.name} has only {len(rows)} different rows of {height}: it is blank")


def _check_windows(stranger: Stranger) -> list[str]:
    """Opens and closes the window, offscreen, and on an X server where there is one to start; the platforms tried."""
    with _x_server() as display:
        platforms: dict[str, dict[str, str]] = {"offscreen": {}}
        if display:
            platforms["xcb"] = {"DISPLAY": display}
        for platform, environment in platforms.items():
            said = stranger.run(MEMORY_TAX_SMOKE="1", QT_QPA_PLATFORM=platform, **environment)
            if said.split() != ["ready"]:
                raise Failure(f"the window ({platform}) said {said!r}, not ready")
    return list(platforms)


def try_out(program: Path, version: str) -> None:
    """Runs the program through all that it must do.

    Raises:
        Failure: with what was tried and what came of it.
    """
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        stranger = Stranger(program.resolve(), Path(folder))
        said = stranger.run("--version")
        if version not in said.split():
            raise Failure(f"--version says {said.strip()!r}, not {version}")
        _check_report(stranger.run("report", "--format", "json"))
        stranger.run("chart", "out.png")
        check_picture(stranger.home / "out.png", 1920, 1080)
        platforms = ", ".join(_check_windows(stranger))
    seconds = time.perf_counter() - started
    print(f"smoke test: {program.name} {version} reports, draws and opens its window ({platforms}) in {seconds:.1f} s")


def weigh(folder: Path, archive: Path) -> None:
    """Says how large the build is and refuses one that grew past what was promised."""
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    packed = archive.stat().st_size
    print(f"smoke test: {folder.name}/ {size / MB:.0f} MB, {archive.name} {packed / MB:.1f} MB")
    if size > FOLDER_LIMIT or packed > ARCHIVE_LIMIT:
        raise Failure(f"the build is over {FOLDER_LIMIT // MB} MB as a folder or {ARCHIVE_LIMIT // MB} MB packed")


if __name__ == "__main__":
    try_out(Path(sys.argv[1]), sys.argv[2])
