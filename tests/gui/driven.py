"""The app as it starts, in a process of its own, with someone at it, who does one of the deeds below.

What is done is said on standard output, a line each, so that whoever started the process knows when to end it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

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


def offered() -> Offer | None:
    """What the window offers, said aloud."""
    offer = window().findChild(Offer)
    assert isinstance(offer, Offer)
    if not offer.isVisible():
        say("nothing is offered")
        return None
    say(offer.sentence.text())
    return offer


def restore(_: str) -> None:
    """Take what is offered, if anything is; say what the window holds, and leave."""
    offer = offered()
    if offer is not None:
        offer.accept.click()
    say(str(window().store.scenario.params))
    QApplication.exit()  # without the question about unsaved work, which `quit` asks


def take(_: str) -> None:
    """Take what is offered and stay."""
    offer = offered()
    assert offer is not None
    offer.accept.click()
    say("taken")


def restore_all(_: str) -> None:
    """Take one offer after the other, and say what the window holds; what was taken before is not saved."""
    discarding = QTimer(window())
    discarding.timeout.connect(discard)
    discarding.start(OFTEN_MS)
    while (offer := offered()) is not None:
        offer.accept.click()
        say(str(window().store.scenario.params))
    QApplication.exit()


def discard() -> None:
    """Answer the question about unsaved work, where it is asked."""
    box = QApplication.activeModalWidget()
    if isinstance(box, QMessageBox):
        box.button(QMessageBox.StandardButton.Discard).click()


def turn_down(_: str) -> None:
    """Decline everything that is offered, or read it, and leave."""
    while (offer := offered()) is not None:
        assert offer.decline.text() == ("No, thanks" if offer.accept.isVisible() else "OK")
        offer.decline.click()
    window().close()


def look_on(_: str) -> None:
    """See what is offered and close the window without an answer."""
    offered()
    window().close()


DEEDS = {
    "type": type_text,
    "restore": restore,
    "take": take,
    "restore-all": restore_all,
    "turn-down": turn_down,
    "look-on": look_on,
}


def main(deed: str, text: str = "", *files: str) -> int:
    """Start the app, with a file if one is named, and do something in it."""
    app = make_app()
    QTimer.singleShot(SOON_MS, app, lambda: DEEDS[deed](text))
    return open_window(list(files))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
