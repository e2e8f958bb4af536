"""Whether a window can be shown here, found out before Qt tries: where Qt cannot, it ends the process."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QLibrary, QPluginLoader

from gui.display_server import wayland_answers, wayland_socket, x11_answers


def hindrance() -> str:
    """Why no window can be shown, as a sentence; "" where nothing is known against it."""
    asked = os.environ.get("QT_QPA_PLATFORM", "")
    names = [part.partition(":")[0].lower() for part in asked.split(";")] if asked else _usual()
    if names is None:
        return ""
    if not names:
        return "there is no display for the window"
    plugins = _plugins()
    if not plugins:
        return ""
    reasons: list[str] = []
    for name in names:
        if name not in plugins:
            known = ", ".join(sorted(plugins))
            reason = f"QT_QPA_PLATFORM: {name!r} is no platform of Qt here; there are {known}"
        else:
            reason = _reason(name, plugins[name])
        if not reason:
            return ""
        reasons.append(reason)
    return reasons[-1]


def _usual() -> list[str] | None:
    """The platforms that Qt tries where none is asked for, in its order; None where there is always one."""
    if sys.platform != "linux":
        return None
    wayland = any(os.environ.get(name) for name in ("WAYLAND_DISPLAY", "WAYLAND_SOCKET"))
    x11 = bool(os.environ.get("DISPLAY"))
    return ["wayland"] * wayland + ["xcb"] * x11


def _plugins() -> dict[str, Path]:
    """The platforms that Qt has plugins for, by their names."""
    own = os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH")
    folders = [Path(own)] if own else []
    folders += [Path(path, "platforms") for path in QCoreApplication.libraryPaths()]
    found: dict[str, Path] = {}
    for folder in reversed(folders):  # the first that has it counts
        for file in sorted(folder.iterdir()) if folder.is_dir() else ():
            if QLibrary.isLibrary(str(file)):
                about: Any = QPluginLoader(str(file)).metaData().get("MetaData") or {}
                found |= {str(key).lower(): file for key in about.get("Keys", ())}
    return found


def _reason(name: str, plugin: Path) -> str:
    """Why a platform cannot be had; "" where it answers."""
    if name == "xcb" and not x11_answers():
        display = os.environ.get("DISPLAY", "")
        return f"DISPLAY: no display answers at {display}" if display else "there is no display for the window"
    if name.startswith("wayland") and not wayland_answers():
        return f"WAYLAND_DISPLAY: no display answers at {wayland_socket()}"
    # What it needs of the system may be missing. Qt loads it next, so that this costs nothing more.
    loader = QPluginLoader(str(plugin))
    return "" if loader.load() else f"Qt's platform {name} cannot be used: {loader.errorString().splitlines()[0]}"
