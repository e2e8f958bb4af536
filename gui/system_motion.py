"""Whether the system asks programs for less motion.

Qt tells from 6.12 on; before that each system is asked in its own way.
"""

from __future__ import annotations

import ctypes
import sys

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

_SPI_GETCLIENTAREAANIMATION = 0x1042
# What to run, and what it prints where motion is unwanted. The first that answers so decides; one that is not there,
# fails or prints something else says nothing.
ASKED: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    "linux": (
        (("gsettings", "get", "org.gnome.desktop.interface", "enable-animations"), "false"),
        (("kreadconfig6", "--group", "KDE", "--key", "AnimationDurationFactor"), "0"),
    ),
    "darwin": ((("defaults", "read", "com.apple.universalaccess", "reduceMotion"), "1"),),
}


class SystemMotion(QObject):
    """Asks once, beside everything else; `unwanted()` where the answer is that bars should not move."""

    unwanted = Signal()

    def ask(self) -> None:
        """Ask, and say later; nothing waits for it."""
        if not _windows_animates():
            self.unwanted.emit()
        for words, still in ASKED.get(sys.platform, ()):
            process = QProcess(self)
            process.setProcessEnvironment(_environment())
            process.finished.connect(lambda *_, process=process, still=still: self._hear(process, still))
            process.errorOccurred.connect(process.deleteLater)  # it is not there
            process.start(words[0], list(words[1:]))

    def close(self) -> None:
        """Wait for no answer any more."""
        for process in self.findChildren(QProcess):
            process.blockSignals(True)
            process.kill()
            process.waitForFinished()

    def _hear(self, process: QProcess, still: str) -> None:
        said = bytes(process.readAllStandardOutput().data()).decode(errors="replace").strip()
        process.deleteLater()
        if said == still:
            self.unwanted.emit()


def _environment() -> QProcessEnvironment:
    """That of the system: a frozen program runs with its own libraries, which are no other program's."""
    found = QProcessEnvironment.systemEnvironment()
    if getattr(sys, "frozen", False):
        before = found.value("LD_LIBRARY_PATH_ORIG")
        found.remove("LD_LIBRARY_PATH")
        if before:
            found.insert("LD_LIBRARY_PATH", before)
    return found


def _windows_animates() -> bool:
    """False where Windows has its animations turned off; True on any other system."""
    windows = getattr(ctypes, "windll", None)
    animates = ctypes.c_int(1)
    if windows is not None:
        windows.user32.SystemParametersInfoW(_SPI_GETCLIENTAREAANIMATION, 0, ctypes.byref(animates), 0)
    return bool(animates.value)
