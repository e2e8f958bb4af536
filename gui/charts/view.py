"""A chart as a widget: pointed at by mouse and keyboard, never panned, zoomed or scrolled."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from core.charts.description import Chart
from gui.charts import pointing
from gui.charts.item import EMPTY, ChartItem
from gui.charts.pointing import Place
from gui.theme import LIGHT, Theme

_STEPS = {
    Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Left: (0, -1),
}  # fmt: skip


class ChartView(pg.GraphicsView):
    """Shows one chart. It keeps 8 px (times zoom) free left and right of its text, for the ring of focus.

    `pointed(key)`: the pointer or the keyboard's focus is on this segment or bar ("" when it leaves).
    `activated(key)`: it was clicked, or Enter pressed. `menu_requested(global position)`: a context menu was asked for.
    `drag_started()`: the chart is being dragged away.
    """

    pointed = Signal(str)
    activated = Signal(str)
    menu_requested = Signal(QPoint)
    drag_started = Signal()

    def __init__(self, parent: QWidget | None = None, chart: Chart = EMPTY, theme: Theme = LIGHT) -> None:
        super().__init__(parent, background=theme.card)
        self.item = ChartItem(chart, theme)
        self.setCentralItem(self.item)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._focus: Place | None = None
        self._hovered = ""
        self._pressed: QPoint | None = None
        self._describe()

    @property
    def chart(self) -> Chart:
        """The description that is shown."""
        return self.item.chart

    def set_chart(self, chart: Chart, seen: bool = True) -> None:
        """Shows another description, in place; the focus stays on its bar and segment where they still exist.

        Where nobody has `seen` the one before, as on a page that is being opened, nothing grows from it.
        """
        if chart == self.item.chart:
            return
        self.item.set_chart(chart, seen)
        self._focus = pointing.kept(chart, self._focus)
        self._describe()
        self._draw_ring()

    def set_theme(self, theme: Theme) -> None:
        """Shows the same in another theme."""
        self.setBackground(theme.card)
        self.item.set_theme(theme)

    def set_zoom(self, factor: float) -> None:
        """Type and strokes times `factor`."""
        self.item.set_scale(factor)
        self._draw_ring()

    def set_motion(self, milliseconds: int) -> None:
        """How long bars take to grow to a new length, 120 say; 0, as at first, for not at all.

        What is pointed at, said and exported is never on its way.
        """
        self.item.set_motion(milliseconds)

    def focus_key(self) -> str:
        """Key of what the keyboard's focus is on; "" for none."""
        return pointing.key(self.chart, self._focus)

    def close(self) -> bool:
        """Closes as any widget does; pyqtgraph's own way takes the scene apart under live items, and crashes."""
        return bool(QWidget.close(self))

    def _describe(self) -> None:
        self.setAccessibleName(self.chart.title)
        self.setAccessibleDescription(self.chart.spoken)

    # Pointer

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            moved = event.position().toPoint() - self._pressed
            if moved.manhattanLength() >= QApplication.startDragDistance():
                self._pressed = None
                self.drag_started.emit()
            return
        self._hover(pointing.key(self.chart, self._at(event.position())))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()
            place = self._at(event.position())
            if place is not None:
                self._move(place)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._pressed is not None:
            self._pressed = None
            key = pointing.key(self.chart, self._at(event.position()))
            if key:
                self.activated.emit(key)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # whoever holds the chart scrolls

    def leaveEvent(self, event: QEvent) -> None:
        self._hover("")
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(event.globalPos())
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = pointing.tip(self.item.layout_data, self.item.mapFromScene(self.mapToScene(event.pos())))
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return bool(super().viewportEvent(event))

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        elif key in _STEPS and self.chart.bars:
            self._move(pointing.stepped(self.chart, self._focus, *_STEPS[key]))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and self.chart.bars:
            self._move(Place(0 if key == Qt.Key.Key_Home else len(self.chart.bars) - 1, None))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.focus_key():
            self.activated.emit(self.focus_key())
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._focus is None and self.chart.bars:
            self._focus = Place(0, None)
        self._draw_ring()
        if event.reason() != Qt.FocusReason.MouseFocusReason and self.focus_key():
            self._hover(self.focus_key())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._draw_ring()
        self._hover("")

    def _move(self, place: Place) -> None:
        self._focus = place
        self._draw_ring()
        self.setAccessibleDescription(pointing.spoken(self.chart, place))
        self._hover(self.focus_key())

    def _hover(self, key: str) -> None:
        if key != self._hovered:
            self._hovered = key
            self.pointed.emit(key)

    def _draw_ring(self) -> None:
        self.item.bars.set_ring(pointing.ring(self.item.layout_data, self._focus) if self.hasFocus() else None)

    def _at(self, position: QPointF) -> Place | None:
        return pointing.at(self.item.layout_data, self.item.mapFromScene(self.mapToScene(position.toPoint())))

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_focus"):
            self._draw_ring()
