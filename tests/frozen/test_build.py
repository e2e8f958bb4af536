"""What a build is made from: pins that agree with each other, locks without addresses, a smoke test that can fail."""

from __future__ import annotations

import re
import struct
import tomllib
import zlib
from pathlib import Path

import pytest
import smoke
import trim

from core.version import VERSION

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = ("requirements.lock", "requirements-dev.lock")


def _pins(requirements: list[str]) -> dict[str, str]:
    pins = {}
    for requirement in requirements:
        name, exact, version = requirement.partition("==")
        assert exact, f"{requirement} is no exact pin"
        pins[name.lower()] = version
    return pins


def _locked(name: str) -> dict[str, list[str]]:
    """Hashes of each pin of a lock, by name==version."""
    found: dict[str, list[str]] = {}
    pin = ""
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            pin = line.split(" ")[0]
            found[pin] = []
        else:
            found[pin] += re.findall(r"--hash=sha256:([0-9a-f]{64})", line)
    return found


def test_the_version_stands_once() -> None:
    assert PROJECT["project"]["version"] == VERSION


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host_and_hashes_everything(lock: str) -> None:
    assert "://" not in (ROOT / lock).read_text(encoding="utf-8")
    assert [pin for pin, hashes in _locked(lock).items() if not hashes] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_the_pins_of_the_project(lock: str) -> None:
    pins = _pins(PROJECT["project"]["dependencies"])
    if lock == "requirements-dev.lock":
        pins |= _pins(PROJECT["dependency-groups"]["dev"])
    assert {f"{name}=={version}" for name, version in pins.items()} <= set(_locked(lock))


def test_the_notice_names_the_versions_that_ship() -> None:
    notice = (ROOT / "resources" / "licences" / "NOTICE.md").read_text(encoding="utf-8")
    pins = _pins(PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["dev"])
    said = {"PySide6 and shiboken6": "pyside6-essentials", "PyInstaller's bootloader": "pyinstaller"}
    for label in ("PySide6 and shiboken6", "pyqtgraph", "NumPy", "msgspec", "PyInstaller's bootloader"):
        assert f"| {label} | {pins[said.get(label, label.lower())]} |" in notice


def test_packaging_is_no_package() -> None:
    # It would hide the library of that name from PyInstaller and from pytest's minversion.
    assert not (ROOT / "packaging" / "__init__.py").exists()


def _png(width: int, height: int, pixel: bytes, *, striped: bool) -> bytes:
    """A PNG of 8-bit RGB (PNG specification, 5 and 11), all of one colour or with a colour of its own for each row."""
    rows = [pixel * width if not striped else bytes([row % 256, row // 256, 0]) * width for row in range(height)]

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def test_the_smoke_test_tells_a_blank_picture(tmp_path: Path) -> None:
    path = tmp_path / "out.png"
    path.write_bytes(_png(320, 240, b"\xf4\xf5\xf7", striped=True))
    smoke.check_picture(path, 320, 240)
    path.write_bytes(_png(320, 240, b"\xf4\xf5\xf7", striped=False))
    with pytest.raises(smoke.Failure, match="blank"):
        smoke.check_picture(path, 320, 240)
    with pytest.raises(smoke.Failure, match="320 × 240, not 1920 × 1080"):
        smoke.check_picture(path, 1920, 1080)


def test_the_smoke_test_takes_a_line_on_standard_error_for_a_failure(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho all is well\n[ $# -eq 0 ] || echo qt.qpa.plugin: odd >&2\n")
    program.chmod(0o755)
    stranger = smoke.Stranger(program, tmp_path)
    assert stranger.run() == "all is well\n"
    with pytest.raises(smoke.Failure, match="report wrote to standard error: qt"):
        stranger.run("report")


@pytest.mark.parametrize(
    ("destination", "needed"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("PySide6\\plugins\\tls\\qopensslbackend.dll", False),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("numpy.libs/libscipy_openblas64_.so", True),
    ],
)
def test_what_the_bundle_keeps(destination: str, needed: bool) -> None:
    assert trim.is_needed(destination) is needed
