"""A page of charts, one under the other, drawn from their descriptions."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QCursor, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.account import Account
from core.charts.catalogue import Page
from core.charts.compare import describe_beside
from core.quantities import System
from gui.charts.view import ChartView
from gui.panels.cards import Card
from gui.theme import Theme

# Pixels at zoom 1: from bar to bar at the least, and of title, limits, names of the colours and axis.
_ROW, _AROUND_ROWS = 17, 88


class ChartCard(Card):
    """One chart on a surface."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.view = ChartView()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 14, 12, 10)
        column.addWidget(self.view)

    def keep_height(self, zoom: float, row: int = _ROW) -> None:
        """Ask for the height at which bars `row` pixels apart have their names and values, and colours theirs."""
        self.view.setMinimumHeight(round((row * len(self.view.chart.bars) + _AROUND_ROWS) * zoom))


class Board(QWidget):
    """The charts of one page. Charts that are not seen are not drawn: they catch up when they are shown."""

    asked = Signal(str, QPoint)
    menu_requested = Signal(str, QPoint)
    drag_started = Signal(str)

    def __init__(self, page: Page, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.page = page
        self._pending: tuple[Account, System, Account | None] | None = None
        self._zoom = 1.0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        self.cards = [ChartCard(name) for name in page.charts]
        for card in self.cards:
            column.addWidget(card, 1)
            card.view.activated.connect(lambda key, view=card.view: self._ask(key, view))
            card.view.drag_started.connect(lambda name=card.name: self.drag_started.emit(name))
            card.view.menu_requested.connect(lambda at, name=card.name: self.menu_requested.emit(name, at))

    def _ask(self, key: str, view: ChartView) -> None:
        at = QCursor.pos() if view.underMouse() else view.mapToGlobal(view.rect().center())
        self.asked.emit(key, at)

    def show_account(self, account: Account, system: System, baseline: Account | None = None) -> None:
        """Draw the charts of an account, beside those of a baseline where there is one; now if they can be seen."""
        self._pending = (account, system, baseline)
        if self.isVisible():
            self._draw(seen=True)

    def _draw(self, seen: bool) -> None:
        if self._pending is None:
            return
        account, system, baseline = self._pending
        self._pending = None
        for card in self.cards:
            card.view.set_chart(describe_beside(card.name, account, baseline, system), seen)
            card.keep_height(self._zoom)
        self._share_height()

    def _share_height(self) -> None:
        """More bars, more height, but no chart becomes a strip."""
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        for place, card in enumerate(self.cards):
            share = 2 * _AROUND_ROWS + _ROW * len(card.view.chart.bars)
            if share != column.stretch(place):  # setting it lays everything out anew, the same or not
                column.setStretch(place, share)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was not drawn."""
        self._draw(seen=False)
        super().showEvent(event)

    def set_look(self, theme: Theme, zoom: float, motion: int) -> None:
        """Colours and type size of the charts, and how many milliseconds their bars take to grow."""
        self._zoom = zoom
        for card in self.cards:
            card.view.set_motion(motion)
            card.view.set_theme(theme)
            card.view.set_zoom(zoom)
            card.keep_height(zoom)
