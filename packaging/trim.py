"""What the frozen program does without, and what may be stripped of symbols."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

Entry = tuple[str, str, str]  # destination, source and kind of a file, as PyInstaller has it

# Reached only by code that never runs here. pydoc, unittest, QtTest, QtSvg, QtOpenGL and QtOpenGLWidgets look as
# useless, but pyqtgraph and numpy import them.
EXCLUDED_MODULES = [
    "tkinter", "curses", "readline", "sqlite3", "lib2to3", "ensurepip", "venv", "idlelib", "turtle",
    "setuptools", "pkg_resources", "pip", "wheel", "pytest", "hypothesis", "mypy", "_pytest",
    "matplotlib", "scipy", "pandas", "PIL", "IPython", "jupyter_rfb", "cupy", "h5py", "OpenGL", "numba",
    "PySide6.QtNetwork", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtSql", "PySide6.QtDesigner",
    "numpy.f2py", "numpy.distutils", "pyqtgraph.examples", "pyqtgraph.opengl", "pyqtgraph.jupyter",
]  # fmt: skip

# Of Qt's plugins a window needs its platform, what that loads, the input methods and SVG icons; PNG is built in.
KEPT_PLUGINS = {
    "platforms": {"qxcb", "qoffscreen", "qwayland", "qwindows", "qcocoa"},
    "platforminputcontexts": None,
    "platformthemes": {"qxdgdesktopportal"},
    "iconengines": {"qsvgicon"},
    "imageformats": {"qsvg"},
    "styles": None,
    "wayland-shell-integration": None,
    "wayland-decoration-client": None,
    "wayland-graphics-integration-client": None,
}


def is_needed(destination: str) -> bool:
    """Whether a file that PyInstaller would collect belongs in the bundle; `destination` is its path there."""
    path = PurePosixPath(destination.replace("\\", "/"))
    parts = path.parts
    if "PySide6" in parts or "shiboken6" in parts:
        if "translations" in parts or "qml" in parts or path.suffix == ".pyi":
            return False
        if "plugins" in parts:
            kind = parts[parts.index("plugins") + 1]
            kept = KEPT_PLUGINS.get(kind, set())
            return kept is None or path.stem.removeprefix("lib") in kept
    return "peegee" not in parts  # pyqtgraph's mascot


def reachable(entries: list[Entry]) -> list[Entry]:
    """PyInstaller's entries without the libraries that nothing left in the bundle asks for, as `objdump` tells.

    PyInstaller follows every plugin it finds; dropping the plugin leaves what only that one needed. Elsewhere than on
    Linux the entries come back as they are.
    """
    if sys.platform != "linux":
        return entries
    by_name = {PurePosixPath(destination).name: (destination, source) for destination, source, _ in entries}
    # Loose libraries lie at the top or in Qt's folder of libraries; modules and plugins have folders of their own.
    loose = {name for name, (path, _) in by_name.items() if "/" not in path or "/Qt/lib/" in f"/{path}"}
    loose -= {name for name in by_name if name.startswith("libpython")}
    kept, waiting = set(), [name for name in by_name if name not in loose]
    while waiting:
        name = waiting.pop()
        if name in kept:
            continue
        kept.add(name)
        listing = subprocess.run(
            ["objdump", "-p", by_name[name][1]], capture_output=True, text=True, check=False
        ).stdout
        needed = {words[1] for line in listing.splitlines() if (words := line.split())[:1] == ["NEEDED"]}
        waiting += needed & set(by_name)
    return [entry for entry in entries if PurePosixPath(entry[0]).name in kept]


def without_dangling_links(entries: list[Entry], binaries: list[Entry]) -> list[Entry]:
    """The entries without links to binaries that were dropped."""
    there = {destination for destination, _, _ in binaries}
    return [entry for entry in entries if entry[2] != "SYMLINK" or entry[1] in there]


def may_be_stripped(destination: str) -> bool:
    """Whether `strip` leaves a library sound: it corrupts numpy's OpenBLAS."""
    return sys.platform == "linux" and not any(part.startswith("numpy") for part in PurePosixPath(destination).parts)


def strip(entries: list[Entry], folder: Path) -> list[Entry]:
    """PyInstaller's entries, with stripped copies in `folder` as the sources."""
    result = []
    for destination, source, kind in entries:
        if may_be_stripped(destination) and kind in {"BINARY", "EXTENSION"}:
            copy = folder / destination
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
            subprocess.run(["strip", "--strip-unneeded", str(copy)], check=True)
            source = str(copy)
        result.append((destination, source, kind))
    return result
