"""The ledger: a table that says the same as the charts, with a derivation in every row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from core import report
from core.account import Account
from core.compare import change_text
from core.ledger import Row, ledger
from core.lines import Line
from gui.fonts import SEMIBOLD, font

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("Figure", "GB", "GiB", "Against baseline", "How it comes about")
_NUMBERS = (1, 2, 3)
_CHANGE = 3
# Pixels at zoom 1: of the columns before the last, which takes the rest; left and right of a cell's text.
_WIDTHS = (190, 180, 90, 130)
_CELL_PADDING = 12


class LedgerModel(QAbstractTableModel):
    """Rows of the ledger with a heading row before each section."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: list[Row | str] = []
        self._before: dict[str, Line] = {}
        self._heading_font = font(13, SEMIBOLD)

    def show_account(self, account: Account, baseline: Account | None = None) -> None:
        """Take the rows of an account, and how they differ from those of a baseline.

        Where the shape is the same only the cells change.
        """
        self._before = {} if baseline is None else {row.key: row.line for row in ledger(baseline)}
        entries: list[Row | str] = []
        for row in ledger(account):
            if not entries or (isinstance(entries[-1], Row) and entries[-1].section != row.section):
                entries.append(row.section)
            entries.append(row)
        same = [_shape(entry) for entry in entries] == [_shape(entry) for entry in self.entries]
        if same:
            self.entries = entries
            self.dataChanged.emit(self.index(0, 0), self.index(len(entries) - 1, len(COLUMNS) - 1))
        else:
            self.beginResetModel()
            self.entries = entries
            self.endResetModel()

    def change_of(self, row: Row) -> str:
        """How a row differs from the baseline; "" where nothing is compared."""
        before = self._before.get(row.key)
        if before is None:
            return ""
        return "=" if before.value == row.line.value else change_text(before, row.line)

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
            return (entry.label, entry.decimal, entry.binary, self.change_of(entry), entry.line.text())[index.column()]
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


def _shape(entry: Row | str) -> str:
    """What a row is, whatever it says: the headings name the number of cards, which changes with every figure."""
    return "" if isinstance(entry, str) else entry.key


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
        self._zoom = 1.0
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

    def show_account(self, account: Account, baseline: Account | None = None) -> None:
        """Show the ledger of an account, and what differs from a baseline where there is one."""
        self.setColumnHidden(_CHANGE, baseline is None)
        self.ledger.show_account(account, baseline)
        if self.isVisible():
            self._fit()

    def set_zoom(self, zoom: float) -> None:
        """Column widths and row heights follow the type size."""
        self._zoom = zoom
        self.ledger.set_zoom(zoom)
        self.verticalHeader().setDefaultSectionSize(round(28 * zoom))
        self._fit()

    def _fit(self) -> None:
        """Columns keep their usual widths, so that they stand still; only a longer text than usual widens its own."""
        rows = [entry for entry in self.ledger.entries if isinstance(entry, Row)]
        metrics, room = self.fontMetrics(), round(2 * _CELL_PADDING * self._zoom)
        changes = [self.ledger.change_of(row) for row in rows]
        texts = ([row.label for row in rows], [row.decimal for row in rows], [row.binary for row in rows], changes)
        for column, (usual, column_texts) in enumerate(zip(_WIDTHS, texts, strict=True)):
            longest = max((metrics.horizontalAdvance(text) for text in column_texts), default=0)
            self.setColumnWidth(column, max(round(usual * self._zoom), longest + room))

    def showEvent(self, event: QShowEvent) -> None:
        """Fit what changed while no one looked."""
        super().showEvent(event)
        self._fit()

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
