"""The ledger: a table that says the same as the charts, with a derivation in every row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from core import report
from core.account import Account
from core.ledger import Row, ledger
from gui.fonts import SEMIBOLD, font

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("Figure", "GB", "GiB", "How it comes about")
_NUMBERS = (1, 2)


class LedgerModel(QAbstractTableModel):
    """Rows of the ledger with a heading row before each section."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: list[Row | str] = []
        self._heading_font = font(13, SEMIBOLD)

    def show_account(self, account: Account) -> None:
        """Take the rows of an account; where the shape is the same only the cells change."""
        entries: list[Row | str] = []
        for row in ledger(account):
            if not entries or (isinstance(entries[-1], Row) and entries[-1].section != row.section):
                entries.append(row.section)
            entries.append(row)
        same = [_label(entry) for entry in entries] == [_label(entry) for entry in self.entries]
        if same:
            self.entries = entries
            self.dataChanged.emit(self.index(0, 0), self.index(len(entries) - 1, len(COLUMNS) - 1))
        else:
            self.beginResetModel()
            self.entries = entries
            self.endResetModel()

    def set_zoom(self, zoom: float) -> None:
        """Headings follow the type size."""
        self._heading_font = font(round(13 * zoom), SEMIBOLD)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Rows and headings."""
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """The columns of COLUMNS."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Column titles, numbers to the right."""
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return COLUMNS[section]
            if role == Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if section in _NUMBERS else Qt.AlignmentFlag.AlignLeft
                return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell; its tooltip is the derivation."""
        entry = self.entries[index.row()]
        if isinstance(entry, str):
            if role == Qt.ItemDataRole.FontRole:
                return self._heading_font
            return entry if role == Qt.ItemDataRole.DisplayRole and index.column() == 0 else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return (entry.label, entry.decimal, entry.binary, entry.line.text())[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(entry.line.steps()) + (f"\n{entry.note}" if entry.note else "")
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in _NUMBERS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings cannot be selected."""
        if isinstance(self.entries[index.row()], str):
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def _label(entry: Row | str) -> str:
    return entry if isinstance(entry, str) else f"{entry.key}\t{entry.label}"


COPIES: tuple[tuple[str, Callable[[list[Row]], str]], ...] = (
    ("Copy as text", report.rows_as_text),
    ("Copy as Markdown", report.rows_as_markdown),
    ("Copy as CSV", report.rows_as_csv),
)


class LedgerTable(QTableView):
    """The ledger as a table; rows are copied as text, Markdown or CSV."""

    asked = Signal(str, QPoint)
    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ledger = LedgerModel(self)
        self.setModel(self.ledger)
        self.setAccessibleName("Ledger: every figure with its derivation")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        self.doubleClicked.connect(lambda _: self.ask())
        self.ledger.modelReset.connect(self._span)

    def show_account(self, account: Account) -> None:
        """Show the ledger of an account."""
        self.ledger.show_account(account)

    def set_zoom(self, zoom: float) -> None:
        """Column widths and row heights follow the type size."""
        self.ledger.set_zoom(zoom)
        for column, width in enumerate((210, 120, 90)):
            self.setColumnWidth(column, round(width * zoom))
        self.verticalHeader().setDefaultSectionSize(round(28 * zoom))

    def _span(self) -> None:
        self.clearSpans()
        for place, entry in enumerate(self.ledger.entries):
            if isinstance(entry, str):
                self.setSpan(place, 0, 1, len(COLUMNS))

    def chosen(self) -> list[Row]:
        """The selected rows, or all where none is."""
        places = sorted({index.row() for index in self.selectionModel().selectedRows()})
        rows = [self.ledger.entries[place] for place in places] or self.ledger.entries
        return [row for row in rows if isinstance(row, Row)]

    def copy(self, write: Callable[[list[Row]], str] = report.rows_as_text) -> None:
        """Copy the selected rows, or all where none is."""
        rows = self.chosen()
        QGuiApplication.clipboard().setText(write(rows))
        self.said.emit(f"{len(rows)} {'row' if len(rows) == 1 else 'rows'} copied")

    def ask(self) -> None:
        """Ask for the derivation of the current row."""
        entry = self.ledger.entries[self.currentIndex().row()] if self.currentIndex().isValid() else None
        if isinstance(entry, Row):
            below = self.visualRect(self.currentIndex()).bottomLeft() + QPoint(20, 6)
            self.asked.emit(entry.key, self.viewport().mapToGlobal(below))

    def _menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        why = QAction("Why this figure", menu)
        why.triggered.connect(self.ask)
        menu.addAction(why)
        menu.addSeparator()
        for text, write in COPIES:
            action = QAction(text, menu)
            action.triggered.connect(lambda _=False, write=write: self.copy(write))
            menu.addAction(action)
        menu.popup(self.viewport().mapToGlobal(at))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy copies rows; Enter and F1 explain the current one."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F1):
            self.ask()
        else:
            super().keyPressEvent(event)
