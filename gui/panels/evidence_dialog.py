"""How far to trust the figures: predicted against measured, in the program itself."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QHeaderView,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.evidence.gather import ABOUT, evidence
from core.evidence.tables import Table
from gui.panels.labels import text_label


class EvidenceDialog(QDialog):
    """The evidence's tables under one another, read-only; it stays open beside the window."""

    def __init__(self, parent: QWidget, zoom: float) -> None:
        super().__init__(parent)
        self.setWindowTitle("How far to trust it")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        body = QWidget()
        body.setProperty("plain", True)
        column = QVBoxLayout(body)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(10)
        about = text_label("", wrap=True)
        about.setText(ABOUT)
        column.addWidget(about)
        for table in evidence().short_tables():
            heading, said = text_label("heading"), text_label("caption", wrap=True)
            heading.setText(table.title)
            said.setText(table.about)
            column.addWidget(heading)
            if table.about:
                column.addWidget(said)
            column.addWidget(_widget(table, zoom))
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        self.resize(round(820 * zoom), round(640 * zoom))


def _widget(table: Table, zoom: float) -> QTableWidget:
    """A table as high as its rows: the dialog scrolls, not each table."""
    made = QTableWidget(len(table.rows), len(table.head))
    made.setAccessibleName(table.title)
    made.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    made.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setShowGrid(False)
    made.verticalHeader().hide()
    made.verticalHeader().setDefaultSectionSize(round(26 * zoom))
    made.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    made.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    first_figure = len(table.head) - table.figures
    for column, text in enumerate(table.head):
        head = QTableWidgetItem(text)
        head.setTextAlignment(_side(column, first_figure))
        made.setHorizontalHeaderItem(column, head)
    for place, row in enumerate(table.rows):
        for column, text in enumerate(row):
            item = QTableWidgetItem(text)
            item.setTextAlignment(_side(column, first_figure))
            made.setItem(place, column, item)
    made.setFixedHeight(round((26 * len(table.rows) + 44) * zoom))
    return made


def _side(column: int, first_figure: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column >= first_figure else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
