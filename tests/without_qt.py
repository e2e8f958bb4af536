"""A pytest plugin under which Qt cannot be imported, for the core's tests.

pytest -p no:pytest-qt -p tests.without_qt tests/core
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

BLOCKED = {"PySide6", "shiboken6", "pyqtgraph"}


class QtBlocker:
    """An import finder that refuses Qt by name."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] in BLOCKED:
            raise ImportError(f"{name} is out of bounds for core/", name=name)
        return None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Knows pytest-qt's settings in its place, since unknown ones are errors."""
    for name in ("qt_api", "qt_log_level_fail", "qt_log_ignore"):
        parser.addini(name, "read by pytest-qt, which is off here", default="")


def pytest_configure() -> None:
    loaded = BLOCKED & set(sys.modules)
    if loaded:
        raise pytest.UsageError(f"{', '.join(sorted(loaded))} was imported before it could be blocked")
    sys.meta_path.insert(0, QtBlocker())
