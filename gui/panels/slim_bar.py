"""The fields that decide, in one row: what stays of the form while presenting."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.resolution import stand_ins
from core.scenario import FIELDS, GROUPS, applies
from gui.controls.field_row import FieldRow
from gui.panels.cards import Card
from gui.store import Store


class SlimBar(Card):
    """The fields of the first group side by side, without the lines beneath."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 10)
        row.setSpacing(12)
        self.rows = {
            name: FieldRow(field, store, compact=True)
            for name, field in FIELDS.items()
            if field.group == GROUPS[0].name
        }
        for field_row in self.rows.values():
            row.addWidget(field_row, 1)
        store.changed.connect(self.show_scenario)

    def show_scenario(self) -> None:
        """Show the store's scenario, if the bar can be seen."""
        if not self.isVisible():
            return
        account = self._store.account
        resolved = stand_ins(account)
        for name, row in self.rows.items():
            row.show_state(getattr(account.scenario, name), resolved.get(name), applies(account.scenario, row.field))
