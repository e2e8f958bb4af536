"""`chart`: one picture, written as the window would export it, without a display."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

from core.charts.catalogue import BOARD, CHARTS
from core.fields import shown
from core.quantities import System
from core.request import Parser, Refused, account_of, add_fields, scenario_of


def run(arguments: Sequence[str]) -> int:
    """Write the picture the arguments ask for. Raises Refused."""
    parser = Parser("chart", "Write one chart as a picture.")
    parser.add_argument("out", metavar="OUT", help="the picture; .png, .svg or .pdf")
    parser.add_argument("file", nargs="?", metavar="FILE", help="a scenario file")
    parser.add_argument("--chart", default=BOARD, choices=[*CHARTS, BOARD], help="which chart; all by default")
    parser.add_argument("--size", default="1920x1080", help="width x height in pixels, 64x64 to 16384x16384")
    parser.add_argument("--theme", default="light", choices=["light", "dark"], help="colours")
    parser.add_argument("--units", default="decimal", choices=["decimal", "binary"], help="GB or GiB")
    add_fields(parser)
    options = parser.take(arguments)
    account = account_of(scenario_of(options))
    width, height = _size(options.size)
    _refuse_pipe(options.out)
    system: System = options.units

    # A picture needs no display; without one Qt would end the process.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QSize
    from PySide6.QtWidgets import QApplication

    from gui import theme
    from gui.export import write_chart
    from gui.pictures import picture

    app = QApplication.instance() or QApplication(sys.argv[:1])
    charts, heading = picture(account, options.chart, system)
    try:
        write_chart(options.out, charts, heading, QSize(width, height), theme.theme(options.theme))
    except (ValueError, OSError, MemoryError) as problem:
        raise Refused(str(problem)) from None
    del app
    return 0


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text.strip())
    if match is None:
        raise Refused(f"--size: {text[:40]!r} is not a size; write 1920x1080, from 64x64 to 16384x16384")
    return int(match[1]), int(match[2])


def _refuse_pipe(name: str) -> None:
    """Refuse a pipe: opening one waits until somebody reads it, and that may be never. Files and devices pass."""
    try:
        mode = Path(name).stat().st_mode
    except (OSError, ValueError):
        return  # a new name, or one whose fault is said when it is written
    if stat.S_ISFIFO(mode):
        raise Refused(f"{shown(name)}: is a pipe; a picture is written to a file or to a device")
