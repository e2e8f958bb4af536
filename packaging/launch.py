"""What `make run` starts: the window, or without a display the report and the board as a picture."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from display import display_platform

BOARD = Path("build/board.png")


def main() -> int:
    program = [sys.executable, "main.py"]
    if display_platform() is not None:
        return subprocess.run(program, check=False).returncode
    print(f"No display here: the report of the default scenario follows, and its board goes to {BOARD}.", flush=True)
    BOARD.parent.mkdir(exist_ok=True)
    for words in (["report"], ["chart", str(BOARD), "--chart", "board"]):
        status = subprocess.run([*program, *words], check=False).returncode
        if status != 0:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
