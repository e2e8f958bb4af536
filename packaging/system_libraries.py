"""Sees to the system's own libraries and programs that Qt and PyInstaller need on Linux.

    python packaging/system_libraries.py run|test|package

What is missing is found by asking the dynamic linker about Qt's own files, so any system that has the libraries
passes, whatever its name. On Debian and its kin they are installed when root, otherwise the command is printed.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from display import display_platform

# The Debian package that holds each library, taken away one at a time on a bare Debian 12.
PACKAGE_OF_LIBRARY = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libOpenGL.so.0": "libopengl0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libzstd.so.1": "libzstd1",
    "libz.so.1": "zlib1g",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}


def _qt_files(platform: str) -> list[Path]:
    """The modules that are imported everywhere, and the plugin of one platform."""
    found = importlib.util.find_spec("PySide6")
    if found is None or found.origin is None:
        raise SystemExit("memory-tax: PySide6 is not in .venv; remove .venv and try again.")
    root = Path(found.origin).parent
    return [root / "QtWidgets.abi3.so", root / "QtSvg.abi3.so", root / f"Qt/plugins/platforms/libq{platform}.so"]


def missing_libraries(platform: str) -> set[str]:
    """Names of shared libraries that the linker does not find for Qt on `platform`; empty without `ldd`."""
    ldd = shutil.which("ldd")
    if ldd is None:
        return set()
    missing = set()
    for path in _qt_files(platform):
        listing = subprocess.run([ldd, str(path)], capture_output=True, text=True, check=False).stdout
        missing |= {line.split()[0] for line in listing.splitlines() if line.rstrip().endswith("not found")}
    return missing


def _missing_for_freezing() -> dict[str, str]:
    """What PyInstaller itself needs, with the Debian package of each."""
    needed = {"objdump": "binutils", "strip": "binutils"}
    missing = {name: package for name, package in needed.items() if shutil.which(name) is None}
    version = sysconfig.get_python_version()
    folders = [sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("LIBPL"), "/usr/lib", "/lib"]
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    candidates = [Path(folder or "/", sub) for folder in folders for sub in ("", multiarch)]
    library = f"libpython{version}.so.1.0"
    if not any((folder / library).exists() for folder in candidates):
        missing[library] = f"libpython{version}"
    return missing


def _install(packages: list[str]) -> None:
    print("Installing " + " ".join(packages) + " ...", flush=True)
    for step in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        done = subprocess.run(
            ["apt-get", "-qq", *step],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if done.returncode != 0:
            sys.stderr.write(done.stdout.decode(errors="replace"))
            raise SystemExit("memory-tax: apt-get could not install " + " ".join(packages) + "; its message is above.")


def _demand(missing: dict[str, str]) -> None:
    """Installs what is missing, or says what to type and stops."""
    packages = sorted(set(missing.values()))
    if shutil.which("apt-get") is None:
        raise SystemExit("memory-tax: this system lacks " + ", ".join(sorted(missing)) + "; install it and try again.")
    if os.geteuid() != 0:
        raise SystemExit("memory-tax: system libraries are missing; type: sudo apt-get install " + " ".join(packages))
    _install(packages)


def main(target: str) -> None:
    if not sys.platform.startswith("linux"):
        return
    wanted = {"run": {display_platform() or "offscreen"}, "test": {"offscreen"}}.get(target, {"offscreen", "xcb"})
    stamps = {platform: Path(sys.prefix, f".qt-{platform}") for platform in wanted}
    unseen = [platform for platform, stamp in stamps.items() if not stamp.exists()]

    def look() -> dict[str, str]:
        names = set().union(*(missing_libraries(platform) for platform in unseen))
        missing = {name: PACKAGE_OF_LIBRARY.get(name, name) for name in names}
        return missing | (_missing_for_freezing() if target == "package" else {})

    if missing := look():
        _demand(missing)
        if still := look():
            raise SystemExit("memory-tax: this system still lacks " + ", ".join(sorted(still)) + ".")
    for platform in unseen:
        stamps[platform].touch()


if __name__ == "__main__":
    main(sys.argv[1])
