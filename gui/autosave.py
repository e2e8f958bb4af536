"""Every change is kept outside the document, so that a crash or a kill loses nothing.

Each running app has a session: a file with its present document, and a lock that the system frees when the process
ends, however it ends. A session file whose lock can be taken was left behind by a process that did not close.
"""

from __future__ import annotations

import contextlib
import uuid
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer

from core import document
from core.document import DocumentError
from core.workbook import Workbook
from gui.store import Store

PAUSE_MS = 250
# Changes without a pause, as of a long drag, are written this often.
LONGEST_MS = 2000
PREFIX, LOCK = "session-", ".lock"


class Autosave(QObject):
    """Keeps the present of a store in a session file while the app runs; `close` removes it."""

    def __init__(self, store: Store, folder: Path) -> None:
        super().__init__(store)
        self._store = store
        self._folder = folder
        self._stem = f"{PREFIX}{uuid.uuid4().hex[:12]}"
        self._lock: QLockFile | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.write)
        self._longest = QTimer(self)
        self._longest.setSingleShot(True)
        self._longest.setInterval(LONGEST_MS)
        self._longest.timeout.connect(self.write)
        store.changed.connect(self._wait)

    @property
    def file(self) -> Path:
        """The session's file."""
        return self._folder / f"{self._stem}{document.SUFFIX}"

    def _wait(self) -> None:
        self._timer.start()
        if not self._longest.isActive():
            self._longest.start()

    def write(self) -> None:
        """Write the present document now."""
        self._timer.stop()
        self._longest.stop()
        self.keep(self._store.book)

    def keep(self, book: Workbook) -> None:
        """Write `book` as the session's document until the next change.

        A folder that cannot be written to is no reason to stop working.
        """
        with contextlib.suppress(OSError, DocumentError):
            self._folder.mkdir(parents=True, exist_ok=True)
            if self._lock is None:
                lock = _lock(self._folder / f"{self._stem}{LOCK}")
                if not lock.tryLock(0):
                    return
                self._lock = lock
            document.save(self.file, book)

    def close(self) -> None:
        """The app ends as it should: nothing needs to be offered again."""
        self._timer.stop()
        self._longest.stop()
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


def _lock(path: Path) -> QLockFile:
    lock = QLockFile(str(path))
    # A lock is stale when its process is gone, never by its age.
    lock.setStaleLockTime(0)
    return lock


def left_behind(folder: Path) -> Workbook | None:
    """The last state of an app that did not close, the newest of several; its session files are removed."""
    found: tuple[float, Workbook] | None = None
    with contextlib.suppress(OSError):
        for file in folder.glob(f"{PREFIX}*{document.SUFFIX}"):
            lock = _lock(file.with_suffix(LOCK))
            if not lock.tryLock(0):
                continue
            with contextlib.suppress(OSError, DocumentError):
                written = file.stat().st_mtime
                book = document.load_book(file)
                if found is None or written > found[0]:
                    found = (written, book)
            with contextlib.suppress(OSError):
                file.unlink()
            lock.unlock()
    return found[1] if found else None
