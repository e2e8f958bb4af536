"""What every test runs under. Qt is only looked at once a test has imported it."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

# Before anything imports Qt. Another platform, say xcb, is chosen by MEMORY_TAX_TEST_PLATFORM.
os.environ["QT_QPA_PLATFORM"] = os.environ.get("MEMORY_TAX_TEST_PLATFORM", "offscreen")


def _root(item: QObject) -> QObject:
    while (parent := item.parent()) is not None:
        item = parent
    return item


def _alive() -> dict[int, QObject]:
    """Top-level widgets without a parent, and running timers that Python knows of, by address."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication
    from shiboken6 import isValid

    widgets = [widget for widget in QApplication.topLevelWidgets() if widget.parent() is None]
    timers = [item for item in gc.get_objects() if isinstance(item, QTimer) and isValid(item) and item.isActive()]
    return {id(item): item for item in (*widgets, *timers)}


@pytest.fixture(autouse=True)
def nothing_outlives_the_test() -> Iterator[None]:
    """Fails a test that leaves a top-level widget or a running timer behind.

    What stood before the test (a window that a module shares) may stay, and so may whatever belongs to it.
    """
    if "PySide6.QtWidgets" not in sys.modules:
        yield
        return
    from PySide6.QtCore import QCoreApplication, QEvent

    before = _alive()
    yield

    def left() -> list[str]:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        new = {key: item for key, item in _alive().items() if key not in before}
        return [
            f"{type(item).__name__} {item.objectName()!r}"
            for item in new.values()
            # Qt keeps one tooltip label of its own and hides it when it likes.
            if id(_root(item)) not in before and item.metaObject().className() != "QTipLabel"
        ]

    if QCoreApplication.instance() is not None and left():
        gc.collect()  # a widget in a cycle of Python's is no leak
        if names := left():
            pytest.fail("outlived the test: " + ", ".join(names))
