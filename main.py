"""Memory Tax: what training a neural network keeps in memory, why, and on how many cards it fits.

The words of the command line. Without a word the window opens; only the window and `chart` need Qt.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib.util
import io
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from core.version import VERSION

USAGE = """\
memory-tax [FILE]                 open the window, with a scenario file if one is given
memory-tax report [FILE] [--FIELD VALUE]… [--format text|json|markdown|csv]
memory-tax report --batch FILE    one scenario a line, - for standard input
memory-tax chart OUT [FILE] [--FIELD VALUE]… [--chart NAME] [--size 1920x1080] [--theme light|dark]
memory-tax fields                 every field: default, range, meaning
memory-tax cards                  the catalogue of cards, with sources
memory-tax models                 the catalogue of models, with sources
memory-tax count CONFIG…          parameters of models' configuration files, to the last one
memory-tax learn [PAGE] [FILE] [--FIELD VALUE]… [--format text|json]
memory-tax evidence               predicted against measured, by family and setting
memory-tax --version

`memory-tax WORD --help` says more about a word."""

ABOUT = dict.fromkeys(("-h", "--help", "help"), USAGE) | {"--version": f"Memory Tax {VERSION}"}


def main(arguments: Sequence[str]) -> int:
    """Run one request; return its exit status: 0 done, 2 the request was wrong."""
    if importlib.util.find_spec("msgspec") is None:
        return _with_own_python(arguments)
    word = arguments[0] if arguments else ""
    from core import commandline
    from core.fields import shown
    from core.request import WRONG, Refused

    try:
        if word in {*ABOUT, *commandline.WORDS, "chart"}:
            return _printed(word, arguments[1:])
        if word.startswith("-"):
            raise Refused(f"{shown(word)[1:-1]}: is neither a word nor a file; `memory-tax --help` lists the words")
        return _window_opener()(list(arguments))
    except Refused as problem:
        if sys.stderr is not None:  # closed, print would turn to standard output instead
            with contextlib.suppress(OSError):
                print(commandline.one_line(problem), file=sys.stderr, flush=True)
        return WRONG


def _with_own_python(arguments: Sequence[str]) -> int:
    """Go on with the virtual environment of the checkout, where `make run` has put what this program needs."""
    own = Path(__file__).parent / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not own.exists() or Path(sys.prefix) == own.parents[1]:
        print("what it needs is not installed yet: `make run` does that, once", file=sys.stderr)
        return 2
    return subprocess.run([own, __file__, *arguments], check=False).returncode


def _window_opener() -> Callable[[list[str]], int]:
    """What opens the window. Thousands of classes are made here and none is garbage: the collector need not look."""
    gc.disable()
    try:
        from gui.app import open_window
    finally:
        gc.freeze()
        gc.enable()
    return open_window


def _printed(word: str, arguments: Sequence[str]) -> int:
    """Run a word that prints. Its output is UTF-8 wherever it goes; a reader that leaves early is no error."""
    from core.request import Refused

    if isinstance(sys.stdout, io.TextIOWrapper):
        # Half a surrogate, which UTF-8 has no bytes for, is written as JSON would escape it.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = _done(word, arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except OSError as problem:
        if sys.stdout is not None:
            # What is still held back would fail once more when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(problem, BrokenPipeError):
            return 0
        raise Refused(f"standard output: cannot be written: {problem.strerror}") from None


def _done(word: str, arguments: Sequence[str]) -> int:
    """Do what a word says. A picture goes to a file: all other words need standard output to be open."""
    if word == "chart":
        from gui import chart_command

        return chart_command.run(arguments)
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed")
    if word in ABOUT:
        print(ABOUT[word])
        return 0
    from core import commandline

    return commandline.run(word, arguments, sys.stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
