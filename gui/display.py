"""Whether a window can be shown here, found out before Qt tries: where Qt cannot, it ends the process."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QLibrary, QPluginLoader

# By a name in a constant, so that what packs the program does not take the library along: it is the system's.
XCB = "libxcb.so.1"


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
    if name == "xcb" and not _x11_answers():
        display = os.environ.get("DISPLAY", "")
        return f"DISPLAY: no display answers at {display}" if display else "there is no display for the window"
    if name.startswith("wayland") and not _wayland_answers():
        return f"WAYLAND_DISPLAY: no display answers at {_wayland()}"
    # What it needs of the system may be missing. Qt loads it next, so that this costs nothing more.
    loader = QPluginLoader(str(plugin))
    return "" if loader.load() else f"Qt's platform {name} cannot be used: {loader.errorString().splitlines()[0]}"


def _wayland() -> Path:
    return Path(os.environ.get("XDG_RUNTIME_DIR") or "/", os.environ.get("WAYLAND_DISPLAY") or "wayland-0")


def _wayland_answers() -> bool:
    import socket

    if os.environ.get("WAYLAND_SOCKET"):
        return True  # a connection that is open already
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(_wayland()))
        except OSError:
            return False
    return True


def _x11_answers() -> bool:
    """Asks libxcb, as Qt will; where that is missing, loading the plugin says so."""
    try:
        xcb = ctypes.CDLL(XCB)
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed
