"""Qt's platform on this machine, before anything of Qt is there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from gui.display_server import wayland_answers, x11_answers


def display_platform() -> str | None:
    """Qt's platform on this machine: "wayland", "xcb", "native" where it needs no asking, or None without a display."""
    if not sys.platform.startswith("linux"):
        return "native"
    if os.environ.get("WAYLAND_DISPLAY") and wayland_answers():
        return "wayland"
    if os.environ.get("DISPLAY") and x11_answers():
        return "xcb"
    return None
