"""The app as it starts, in a process of its own, with someone at it: `type TEXT` and then wait, or `restore` and leave.

What is done is said on standard output, a line each, so that whoever started the process knows when to end it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.app import make_app, open_window
from gui.controls.value_box import ValueBox
from gui.main_window import MainWindow
from gui.panels.offer import Offer
from gui.settings import folder

SOON_MS, OFTEN_MS = 50, 20


def say(text: str) -> None:
    """Say something to the process that started this one."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def window() -> MainWindow:
    """The app's window."""
    (found,) = (top for top in QApplication.topLevelWidgets() if isinstance(top, MainWindow))
    return found


def type_text(text: str) -> None:
    """Type into the first field, without Enter, and say when it has been written down."""
    box = window().form.rows["params"].box
    assert isinstance(box, ValueBox)
    box.lineEdit().selectAll()
    QTest.keyClicks(box, text)
    watch = QTimer(window())
    watch.timeout.connect(lambda: written(watch))
    watch.start(OFTEN_MS)


def written(watch: QTimer) -> None:
    """Whether the change lies in a session's file."""
    wanted = f'"params": {window().store.scenario.params}'
    if any(wanted in file.read_text(encoding="utf-8") for file in Path(folder()).glob("session-*.memtax")):
        watch.stop()
        say("written")


def restore(_: str) -> None:
    """Take what is offered, if anything is; say what the window holds, and leave."""
    offer = window().findChild(Offer)
    assert isinstance(offer, Offer)
    if offer.isVisible():
        say(offer.sentence.text())
        offer.accept.click()
    else:
        say("nothing is offered")
    say(str(window().store.scenario.params))
    QApplication.exit()  # without the question about unsaved work, which `quit` asks


DEEDS = {"type": type_text, "restore": restore}


def main(deed: str, text: str = "", *files: str) -> int:
    """Start the app, with a file if one is named, and do something in it."""
    app = make_app()
    QTimer.singleShot(SOON_MS, app, lambda: DEEDS[deed](text))
    return open_window(list(files))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
