"""Which display server answers, found without Qt: Qt ends the process where none does."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

# By a name in a constant, so that what packs the program does not take the library along: it is the system's.
XCB = "libxcb.so.1"


def wayland_socket() -> Path:
    """Where Wayland's clients connect."""
    return Path(os.environ.get("XDG_RUNTIME_DIR") or "/", os.environ.get("WAYLAND_DISPLAY") or "wayland-0")


def wayland_answers() -> bool:
    """Whether a connection is open already, or can be made."""
    if os.environ.get("WAYLAND_SOCKET"):
        return True
    import socket  # which a start on another platform need not wait for

    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(wayland_socket()))
        except OSError:
            return False
    return True


def x11_answers() -> bool:
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
