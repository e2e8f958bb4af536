"""What `make package` does: freezes the program, gathers licences, packs the archive and tries all of it out.

    python packaging/package.py

Leaves dist/memory-tax/, dist/memory-tax-VERSION-SYSTEM-ARCH.tar.xz (.zip on Windows), and with MEMORY_TAX_ONEFILE=1
also dist/memory-tax-onefile.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import icons
import licences
import smoke

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
DIST = ROOT / "dist"
FOLDER = DIST / "memory-tax"


def _freeze(one_file: bool) -> None:
    subprocess.run(
        [
            sys.executable, "-m", "PyInstaller", "packaging/memory_tax.spec", "--noconfirm", "--log-level", "ERROR",
            "--distpath", str(DIST), "--workpath", str(BUILD / "pyinstaller"),
        ],
        check=True,
        cwd=ROOT,
        env={**os.environ, "MEMORY_TAX_ONEFILE": "1" if one_file else "0"},
    )  # fmt: skip


def _add_what_a_desktop_reads() -> None:
    """Licence and notice in plain sight; on Linux the launcher and its icons in the places a desktop knows."""
    shutil.copy(ROOT / "LICENSE", FOLDER)
    shutil.copy(ROOT / "resources" / "licences" / "NOTICE.md", FOLDER)
    if sys.platform != "linux":
        return
    share = FOLDER / "share"
    (share / "applications").mkdir(parents=True)
    shutil.copy(ROOT / "packaging" / "memory-tax.desktop", share / "applications")
    for size in icons.SIZES:
        place = share / "icons" / "hicolor" / f"{size}x{size}" / "apps"
        place.mkdir(parents=True)
        (place / "memory-tax.png").write_bytes(icons.png(size))


def _pack(version: str) -> Path:
    system = {"darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform)
    base = DIST / f"memory-tax-{version}-{system}-{platform.machine().lower()}"
    if sys.platform == "win32":
        return Path(shutil.make_archive(str(base), "zip", DIST, "memory-tax"))
    archive = base.with_name(base.name + ".tar.xz")
    inside = DIST / "Memory Tax.app" if sys.platform == "darwin" else FOLDER
    with tarfile.open(archive, "w:xz", preset=6) as tar:
        tar.add(inside, arcname=inside.name)
    return archive


def main() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for leftover in (DIST, BUILD / "licences", BUILD / "stripped"):
        shutil.rmtree(leftover, ignore_errors=True)
    licences.gather(BUILD / "licences")
    icons.write_ico(BUILD / "memory-tax.ico")
    icons.write_icns(BUILD / "memory-tax.icns")
    _freeze(one_file=False)
    _add_what_a_desktop_reads()
    archive = _pack(version)
    smoke.try_out(FOLDER / ("memory-tax.exe" if sys.platform == "win32" else "memory-tax"), version)
    smoke.weigh(FOLDER, archive)
    if os.environ.get("MEMORY_TAX_ONEFILE") == "1":
        _freeze(one_file=True)
        smoke.try_out(DIST / ("memory-tax-onefile.exe" if sys.platform == "win32" else "memory-tax-onefile"), version)


if __name__ == "__main__":
    main()
