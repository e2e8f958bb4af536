"""All scenarios of the document: one chart and one table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from core.account import Account
from core.charts.compare import SCENARIOS, scenarios_chart
from core.compare import comparison
from core.quantities import System
from gui.panels.board import ChartCard
from gui.panels.cards import Card
from gui.theme import Theme

Pending = tuple[Sequence[tuple[str, Account]], int, System]


class ScenariosPage(QWidget):
    """What one card holds in each scenario, and the fields and figures in which they differ."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pending: Pending | None = None
        self.card = ChartCard(SCENARIOS)
        self.table = QTableWidget()
        self.table.setAccessibleName("All scenarios side by side")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        holder = Card()
        inner = QVBoxLayout(holder)
        inner.setContentsMargins(8, 8, 8, 8)
        inner.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addWidget(self.card, 1)
        column.addWidget(holder, 1)

    def show_accounts(self, named: Sequence[tuple[str, Account]], current: int, system: System) -> None:
        """Show all scenarios, now if they can be seen."""
        self._pending = (named, current, system)
        if self.isVisible():
            self._draw(seen=True)

    def _draw(self, seen: bool) -> None:
        if self._pending is None:
            return
        named, current, system = self._pending
        self._pending = None
        self.card.view.set_chart(scenarios_chart(named, current, system), seen)
        head, rows = comparison(named)
        self.table.setColumnCount(len(head))
        self.table.setRowCount(len(rows))
        for column, text in enumerate(head):
            title = QTableWidgetItem(text)
            title.setTextAlignment(_side(column))
            self.table.setHorizontalHeaderItem(column, title)
        # Fitted once all is there: columns that fit themselves are measured again with every cell, seconds for fifty.
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        for place, row in enumerate(rows):
            for column, text in enumerate(row):
                item = QTableWidgetItem(text)
                item.setTextAlignment(_side(column))
                self.table.setItem(place, column, item)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was not drawn."""
        self._draw(seen=False)
        super().showEvent(event)

    def set_look(self, theme: Theme, zoom: float, motion: int) -> None:
        """Colours and type size of the chart and the table, and how many milliseconds bars take to grow."""
        self.card.view.set_motion(motion)
        self.card.view.set_theme(theme)
        self.card.view.set_zoom(zoom)
        self.table.verticalHeader().setDefaultSectionSize(round(28 * zoom))


def _side(column: int) -> Qt.AlignmentFlag:
    """Names to the left, values and what is above them to the right."""
    side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
