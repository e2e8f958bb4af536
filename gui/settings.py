"""What the app remembers between starts: one place, one format, redirected by tests."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

RECENT_FILES = 10
VERSION = 1


def folder() -> Path:
    """Where settings live: MEMORY_TAX_HOME where it is set, else the platform's folder for this app."""
    own = os.environ.get("MEMORY_TAX_HOME")
    if own:
        return Path(own)
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation))


class Settings:
    """Theme, zoom, unit, window and recent files. A value that cannot be read is as if it had never been set."""

    def __init__(self) -> None:
        self._file = QSettings(str(folder() / "settings.ini"), QSettings.Format.IniFormat)
        if self._file.value("version") is None:
            self._file.setValue("version", VERSION)

    def text(self, key: str, default: str, allowed: tuple[str, ...] = ()) -> str:
        """A word; the default where none or another than the allowed is set."""
        value = self._file.value(key)
        return value if isinstance(value, str) and (not allowed or value in allowed) else default

    def number(self, key: str, default: float, least: float, most: float) -> float:
        """A number within a range."""
        try:
            value = float(str(self._file.value(key, default)))
        except ValueError:
            return default
        return value if least <= value <= most else default

    def bytes(self, key: str) -> QByteArray | None:
        """Bytes as Qt wrote them."""
        value = self._file.value(key)
        return value if isinstance(value, QByteArray) else None

    def put(self, key: str, value: object) -> None:
        """Remember a value."""
        self._file.setValue(key, value)

    @property
    def recent(self) -> list[str]:
        """Files opened or saved last, the newest first."""
        value = self._file.value("recent")
        found = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        return [entry for entry in found if isinstance(entry, str) and entry][:RECENT_FILES]

    def add_recent(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        name = str(path.absolute())
        self.put("recent", [name, *(entry for entry in self.recent if entry != name)][:RECENT_FILES])

    def drop_recent(self, name: str) -> None:
        """Forget a file that is gone."""
        self.put("recent", [entry for entry in self.recent if entry != name])
