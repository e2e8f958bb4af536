"""Every change is kept outside the document, so that a crash or a kill loses nothing.

Each running app has a session: a file with its present document, and a lock that the system frees when the process
ends, however it ends. A session file whose lock can be taken was left behind by a process that did not close. It stays
where it is until a person has taken or declined it, so that it outlives any number of further starts and kills.
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
# A session file that cannot be read goes by this name, which no start looks for.
ASIDE = "unreadable-"


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

    def write(self) -> bool:
        """Write the present document now; whether that was done.

        A folder that cannot be written to is no reason to stop working.
        """
        self._timer.stop()
        self._longest.stop()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if self._lock is None:
                lock = _lock(self._folder / f"{self._stem}{LOCK}")
                if not lock.tryLock(0):
                    return False
                self._lock = lock
            document.save(self.file, self._store.book)
        except (OSError, DocumentError):
            return False
        return True

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


class Lost:
    """What an app had open that did not close: its document, and the session file that still holds it."""

    def __init__(self, file: Path, lock: QLockFile, book: Workbook) -> None:
        self._file, self._lock = file, lock
        self.book = book

    def drop(self) -> None:
        """It was taken or declined: its file is removed."""
        with contextlib.suppress(OSError):
            self._file.unlink()
        self._lock.unlock()

    def leave(self) -> None:
        """Nobody has answered: the next start finds it again."""
        self._lock.unlock()


class Unreadable:
    """A session file that cannot be read, and why; it is kept under another name."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path, self.reason = path, reason


class LeftBehind:
    """What apps had open that did not close, the newest first; while it is held here no other app offers it."""

    def __init__(self, folder: Path) -> None:
        found: list[tuple[float, Path, QLockFile]] = []
        with contextlib.suppress(OSError):
            for file in folder.glob(f"{PREFIX}*{document.SUFFIX}"):
                lock = _lock(file.with_suffix(LOCK))
                if not lock.tryLock(0):
                    continue
                # One that is gone by now was answered in another app.
                with contextlib.suppress(OSError):
                    found.append((file.stat().st_mtime, file, lock))
                    continue
                lock.unlock()
        self._waiting = sorted(found, key=lambda row: row[:2])
        self._present: Lost | None = None

    def next(self) -> Lost | Unreadable | None:
        """The next of them, None after the last. A document that no one has changed is not worth an offer."""
        self._present = None
        while self._waiting:
            _, file, lock = self._waiting.pop()
            try:
                lost = Lost(file, lock, document.load_book(file))
            except DocumentError as problem:
                aside = _set_aside(file)
                lock.unlock()
                return Unreadable(aside, str(problem).removeprefix(f"{file.name}: "))
            if lost.book != Workbook():
                self._present = lost
                return lost
            lost.drop()
        return None

    def close(self) -> None:
        """The app ends: what was not answered is left to the next start."""
        if self._present is not None:
            self._present.leave()
        for _, _, lock in self._waiting:
            lock.unlock()
        self._waiting, self._present = [], None


def _set_aside(file: Path) -> Path:
    """Where a file that cannot be read is from now on: where it was, if it cannot be moved."""
    aside = file.with_name(ASIDE + file.name.removeprefix(PREFIX))
    try:
        return file.rename(aside)
    except OSError:
        return file
