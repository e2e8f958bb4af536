"""Starts the app: one QApplication, one store, one window; errors no one expected are logged and said once."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QSize, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from core import document
from core.document import DocumentError
from core.opening import open_any
from core.request import Refused
from core.scenario import Scenario
from core.version import VERSION
from core.workbook import Workbook, single
from gui.autosave import Autosave, LeftBehind, Unreadable
from gui.display import hindrance
from gui.look import Look
from gui.main_window import MainWindow
from gui.settings import Settings, folder
from gui.store import Store
from gui.system_motion import SystemMotion

ICON = Path(__file__).parents[1] / "resources" / "icons" / "memory-tax.svg"
NAME = "memory-tax"
USUAL_SIZE = QSize(1280, 800)
SMOKE = "MEMORY_TAX_SMOKE"
log = logging.getLogger(NAME)


def make_app() -> QApplication:
    """The application object, named and with its icon."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setApplicationName(NAME)
    app.setApplicationDisplayName("Memory Tax")
    app.setApplicationVersion(VERSION)
    app.setDesktopFileName(NAME)
    if ICON.exists():
        app.setWindowIcon(QIcon(str(ICON)))
    return app


def open_window(arguments: list[str]) -> int:
    """Open the window, with a scenario file if one is given; return the exit status. Raises Refused."""
    if len(arguments) > 1:
        raise Refused(f"{arguments[1]}: one file can be opened at a time")
    path = Path(arguments[0]) if arguments else None
    try:
        found = open_any(path) if path else Workbook()
    except DocumentError as problem:
        raise Refused(str(problem)) from None
    if QApplication.instance() is None and (reason := hindrance()):
        raise Refused(f"{reason}; `report` and `chart` need none")
    QApplication.setApplicationName(NAME)  # which the log's folder is named after
    where = _open_log()
    app = make_app()
    settings = Settings()
    book = found if isinstance(found, Workbook) else single(Scenario(model=found))
    store = Store(book)
    store.path = path if isinstance(found, Workbook) else None
    look = Look(app, settings)
    window = MainWindow(store, settings, look)
    _watch(window, where)
    autosave = Autosave(store, folder())
    app.aboutToQuit.connect(autosave.close)
    # Beside a file that a person asked for nothing is offered: what was left behind waits for the next start.
    if path is None:
        left = LeftBehind(folder())
        app.aboutToQuit.connect(left.close)
        offer_lost(window, left, autosave, "Memory Tax did not close properly.")
    geometry = settings.bytes("geometry")
    if geometry is None or not window.restoreGeometry(geometry):
        window.resize(USUAL_SIZE)
    window.show()
    motion = SystemMotion(app)
    motion.unwanted.connect(look.system_keeps_still)
    app.aboutToQuit.connect(motion.close)
    QTimer.singleShot(0, motion, motion.ask)
    if os.environ.get(SMOKE):
        QTimer.singleShot(0, app, lambda: _ready(app))
    return int(app.exec())


def offer_lost(window: MainWindow, left: LeftBehind, autosave: Autosave, sentence: str) -> None:
    """Offer what was left behind, one after the other; each stays in its file until it is taken or declined."""
    found = left.next()
    if found is None:
        return
    more = "Something else was open, too."
    if isinstance(found, Unreadable):
        log.warning("%s: %s", found.path, found.reason)
        window.offer(
            f"Unsaved work cannot be read; it is kept as {found.path} ({found.reason}).",
            "",
            None,
            lambda: offer_lost(window, left, autosave, sentence),
        )
        return
    lost = found

    def ask() -> None:
        window.offer(sentence, "Restore what was open", take, drop)

    def take() -> None:
        # What has been done since is left as any document is, and what was lost takes no file from it.
        if not window.commands.files.may_leave():
            ask()
            return
        window.store.replace(lost.book, saved=Workbook())
        if autosave.write():
            drop()

    def drop() -> None:
        lost.drop()
        offer_lost(window, left, autosave, more)

    ask()


def _ready(app: QApplication) -> None:
    app.processEvents()
    print("ready", flush=True)  # noqa: T201
    app.quit()


def _open_log() -> Path:
    """Begin the log, with what Qt has to say, which is nothing to say to a person; return where it is."""
    where = folder() / "memory-tax.log"
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        logging.basicConfig(filename=where, format="%(asctime)s %(levelname)s %(message)s")
    except OSError:
        logging.basicConfig(format="%(levelname)s %(message)s")
    qInstallMessageHandler(_message_handler(bool(os.environ.get(SMOKE))))
    return where


def _watch(window: MainWindow, where: Path) -> None:
    """Log errors that no one expected, with the scenario, and say so once; the window goes on with its last state."""
    told: list[bool] = []

    def unexpected(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        log.error("%s\nscenario: %s", text, document.dumps_book(window.store.book))
        if os.environ.get(SMOKE):
            print(text, file=sys.stderr)  # noqa: T201
        elif not told:
            told.append(True)
            window.say(f"Something went wrong; it is in {where}")

    sys.excepthook = unexpected


def _message_handler(loud: bool) -> Callable[[QtMsgType, QMessageLogContext, str], None]:
    def handle(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if kind in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            return
        log.warning("Qt: %s", text)
        if loud or kind == QtMsgType.QtFatalMsg:  # after which the process ends
            print(f"Qt: {text}", file=sys.stderr)  # noqa: T201

    return handle
