"""The scenarios of the document as tabs: flip, rename, reorder; shown from the second one on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTabBar, QWidget

from gui.store import Store

# Characters of a name on a tab; the whole name is its tooltip.
_LONGEST = 32


class ScenarioTabs(QTabBar):
    """A tab for each scenario of the store's document."""

    rename_requested = Signal()

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.setAccessibleName("Scenarios of this document")
        self.setMovable(True)
        self.setExpanding(False)
        self.setDrawBase(False)
        # Under a style sheet Qt cuts names for which there is room; long ones are cut here.
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.currentChanged.connect(self._picked)
        self.tabMoved.connect(self._moved)
        store.document_changed.connect(self.show_book)
        self.show_book()

    def show_book(self) -> None:
        """Show the document's scenarios."""
        book = self._store.book
        self.blockSignals(True)
        while self.count() > len(book.scenarios):
            self.removeTab(self.count() - 1)
        while self.count() < len(book.scenarios):
            self.addTab("")
        for place, named in enumerate(book.scenarios):
            self.setTabText(place, _cut(named.name).replace("&", "&&"))
            self.setTabToolTip(place, f"{named.name} (Ctrl+{place + 1})" if place < 9 else named.name)
        self.setCurrentIndex(book.current)
        self.blockSignals(False)
        self.setVisible(len(book.scenarios) > 1)

    def _picked(self, place: int) -> None:
        if place >= 0:
            self._store.settle()
            self._store.select(place)

    def _moved(self, place: int, to: int) -> None:
        """A drag over several places is one step."""
        self._store.change_book(self._store.book.move(place, to), step="tabs")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """What was typed belongs to the scenario that is left or moved."""
        self._store.settle()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The drag has ended."""
        super().mouseReleaseEvent(event)
        self._store.commit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click renames."""
        place = self.tabAt(event.position().toPoint())
        if place >= 0:
            self._store.select(place)
            self.rename_requested.emit()


def _cut(name: str) -> str:
    """Cut in the middle: copies differ at their end."""
    if len(name) <= _LONGEST:
        return name
    return f"{name[: _LONGEST - 11].rstrip()}…{name[-10:].lstrip()}"
