"""The palette: every action and every field by a few letters of its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from gui.panels.cards import Popup


class Entry(msgspec.Struct, frozen=True):
    """Something that can be done: what it is called, its keys, what does it, and words it is found by as well."""

    label: str
    keys: str
    run: Callable[[], None]
    words: str = ""


def fits(label: str, typed: str) -> bool:
    """Whether every word that was typed occurs in the label."""
    said = label.casefold()
    return all(word in said for word in typed.casefold().split())


class Palette(Popup):
    """A line to type into and a list that shrinks with it; Enter does what is marked, Escape leaves."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "All actions and fields")
        self._window = parent
        self._entries: Sequence[Entry] = ()
        self.line = QLineEdit()
        self.line.setPlaceholderText("What to do, or which field to go to")
        self.line.setAccessibleName("Search actions and fields")
        self.line.textChanged.connect(self._filter)
        self.line.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName("Actions and fields found")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemClicked.connect(lambda _: self._run())
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.line)
        column.addWidget(self.list)

    def open(self, entries: Sequence[Entry], zoom: float) -> None:
        """Show the palette over the upper middle of the window."""
        self._entries = entries
        self.line.clear()
        self._filter("")
        window = self._window
        self.resize(round(480 * zoom), round(420 * zoom))
        corner = window.mapToGlobal(window.rect().topLeft())
        self.move(corner.x() + (window.width() - self.width()) // 2, corner.y() + 72)
        self.show()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def _filter(self, typed: str) -> None:
        self.list.clear()
        named = [place for place, entry in enumerate(self._entries) if fits(entry.label, typed)]
        # What is not called so may be meant: a field by its purpose, where no label has the words.
        found = named or [
            place for place, entry in enumerate(self._entries) if fits(f"{entry.label} {entry.words}", typed)
        ]
        for place in found:
            entry = self._entries[place]
            item = QListWidgetItem(f"{entry.label}   {entry.keys}" if entry.keys else entry.label)
            item.setData(Qt.ItemDataRole.UserRole, place)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        if not self.list.count():
            return
        item = self.list.currentItem()
        entry = self._entries[item.data(Qt.ItemDataRole.UserRole)]
        self.close()
        entry.run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up, down, page keys and Enter belong to the list while the line is typed into."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            rows = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
            key = Qt.Key(event.key())
            if key in rows and self.list.count():
                self.list.setCurrentRow(max(0, min(self.list.count() - 1, self.list.currentRow() + rows[key])))
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run()
                return True
        return super().eventFilter(watched, event)
