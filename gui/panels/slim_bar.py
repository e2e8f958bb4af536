"""The fields that decide, in one row: what stays of the form while presenting."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from core.scenario import GROUPS
from gui.controls.field_row import FieldRow
from gui.controls.rows import drop_texts, make_rows, show_rows
from gui.panels.cards import Card
from gui.panels.flow import Flow
from gui.store import Store


class SlimBar(Card):
    """The fields of the first group side by side, on as many lines as they need, without the words beneath.

    They are made when the bar is first shown, since many a window never presents.
    """

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.rows: dict[str, FieldRow] = {}
        self._row = Flow(self, spacing=12, fill=True)
        self._row.setContentsMargins(16, 8, 16, 10)
        store.changed.connect(self.show_scenario)
        store.replaced.connect(lambda: drop_texts(self.rows))

    def showEvent(self, event: QShowEvent) -> None:
        """Make the fields, and show in them what changed while no one looked."""
        super().showEvent(event)
        if not self.rows:
            self.rows = make_rows(self._store, (GROUPS[0].name,), compact=True)
            for field_row in self.rows.values():
                self._row.addWidget(field_row)
        self.show_scenario()

    def show_scenario(self) -> None:
        """Show the store's scenario, if the bar can be seen."""
        if self.isVisible():
            show_rows(self.rows, self._store.account)
