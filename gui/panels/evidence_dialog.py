"""How far to trust the figures: predicted against measured, in the program itself, as charts and as their tables."""

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

from core.charts.evidence import evidence_charts
from core.evidence.gather import ABOUT, evidence
from core.evidence.tables import Table
from gui.look import Look
from gui.panels.board import ChartCard
from gui.panels.labels import text_label

# Pixels: of a bar with two lines of words after it; of a table's row, and of what is above the rows.
_BAR, _ROW, _HEAD = 42, 26, 44


class EvidenceDialog(QDialog):
    """The evidence's charts and tables under one another, read-only; it stays open beside the window."""

    def __init__(self, parent: QWidget, look: Look) -> None:
        super().__init__(parent)
        self._look = look
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
        for place, table in enumerate(evidence().short_tables()):
            heading, said = text_label("heading"), text_label("caption", wrap=True)
            heading.setText(table.title)
            said.setText(table.about)
            column.addWidget(heading)
            if table.about:
                column.addWidget(said)
            column.addWidget(_widget(table))
            if place == 0:  # the first table sums everything up; what follows is its detail
                for chart in evidence_charts():
                    card = ChartCard(chart.name)
                    card.view.set_chart(chart)
                    column.addWidget(card)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        self.resize(round(1000 * look.zoom), round(700 * look.zoom))
        look.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        """Theme and type size; each chart and table is as high as its rows, so that the dialog scrolls and not they."""
        theme, zoom = self._look.theme, self._look.zoom
        for card in self.findChildren(ChartCard):
            card.view.set_theme(theme)
            card.view.set_zoom(zoom)
            card.keep_height(zoom, _BAR)
        for table in self.findChildren(QTableWidget):
            table.verticalHeader().setDefaultSectionSize(round(_ROW * zoom))
            table.setFixedHeight(round((_ROW * table.rowCount() + _HEAD) * zoom))


def _widget(table: Table) -> QTableWidget:
    made = QTableWidget(len(table.rows), len(table.head))
    made.setAccessibleName(table.title)
    made.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    made.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setShowGrid(False)
    made.verticalHeader().hide()
    header = made.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    made.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    first_figure = len(table.head) - table.figures
    if first_figure > 1:  # figures first: words may be long, and what is cut is a tooltip away
        for place in range(table.figures):
            header.moveSection(first_figure + place, 1 + place)
        header.setSectionResizeMode(first_figure - 1, QHeaderView.ResizeMode.Stretch)
    for column, text in enumerate(table.head):
        head = QTableWidgetItem(text)
        head.setTextAlignment(_side(column, first_figure))
        made.setHorizontalHeaderItem(column, head)
    for place, row in enumerate(table.rows):
        for column, text in enumerate(row):
            item = QTableWidgetItem(text)
            item.setTextAlignment(_side(column, first_figure))
            if 0 < column < first_figure:
                item.setToolTip(text)
            made.setItem(place, column, item)
    return made


def _side(column: int, first_figure: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column >= first_figure else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
