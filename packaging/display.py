"""Which display server answers, found without Qt: Qt aborts the process when none does."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from pathlib import Path


def display_platform() -> str | None:
    """Qt's platform on this machine: "wayland", "xcb", "native" where it needs no asking, or None without a display."""
    if not sys.platform.startswith("linux"):
        return "native"
    if os.environ.get("WAYLAND_DISPLAY") and _wayland_answers():
        return "wayland"
    if os.environ.get("DISPLAY") and _x11_answers():
        return "xcb"
    return None


def _wayland_answers() -> bool:
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "/"), os.environ["WAYLAND_DISPLAY"])
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return False
    return True


def _x11_answers() -> bool:
    """Asks libxcb; where that is not installed yet, a set DISPLAY is taken at its word."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    failed = xcb.xcb_connection_has_error(connection) != 0
    xcb.xcb_disconnect(connection)
    return not failed
