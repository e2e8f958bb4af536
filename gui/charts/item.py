"""A chart as pyqtgraph items: the value axis beneath, the bars and their words above. Made once, updated in place."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEasingCurve, QElapsedTimer, QPointF, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from core.charts.description import Chart
from gui import fonts
from gui.charts import painter as chart_painter
from gui.charts.layout import lay_out
from gui.charts.motion import between, can_move
from gui.charts.parts import Layout
from gui.theme import LIGHT, Theme

# Changes closer together than this, as while dragging or typing fast, are a motion of their own: each is shown at once.
STREAM_MS = 250
EMPTY = Chart(name="", title="", caption="", unit="", bars=(), limits=(), ticks=(), maximum=0, break_at=None, spoken="")


class ValueAxis(pg.AxisItem):
    """The axis under the bars: the description's own ticks and their grid lines, no prefixes, no minor ticks.

    It keeps AxisItem's range and ticks, but takes its geometry from the layout, which has made room for the texts, and
    paints directly: AxisItem records into a QPicture, which forgets the font's digits of one width and scales type by
    the device's resolution.
    """

    def __init__(self, parent: QGraphicsItem) -> None:
        super().__init__("bottom", parent=parent, maxTickLength=0, showValues=True)
        self.enableAutoSIPrefix(False)
        self.setStyle(hideOverlappingLabels=False, maxTickLevel=0, tickAlpha=1.0, autoExpandTextSpace=False)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._layout: Layout | None = None
        self._theme: Theme | None = None

    def show_layout(self, layout: Layout, theme: Theme) -> None:
        """Takes ticks, range and places from a layout."""
        self.prepareGeometryChange()
        self._layout = layout
        chart, plot = layout.chart, layout.plot
        if theme != self._theme:
            self._theme = theme
            self.setPen(theme.field_line)
            self.setTickPen(theme.grid)
            self.setTextPen(theme.quiet)
        self.setTicks([[(float(tick.value), tick.text) for tick in chart.ticks]])
        self.setRange(0.0, float(chart.maximum) if chart.maximum > 0 else 1.0)
        self.setGeometry(QRectF(plot.left(), plot.bottom(), plot.width(), max(0.0, layout.height - plot.bottom())))
        self.update()

    def boundingRect(self) -> QRectF:
        if self._layout is None:
            return QRectF()
        return QRectF(0, 0, self._layout.width, self._layout.height).translated(-self.pos())

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        layout, theme = self._layout, self._theme
        if layout is None or theme is None or not layout.rows:
            return
        painter.save()
        painter.translate(-self.pos())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plot, width = layout.plot, max(1.0, round(layout.scale))
        grid, edge = QPen(self.tickPen()), QPen(self.pen())
        grid.setWidthF(width)
        edge.setWidthF(width)
        painter.setPen(grid)
        for x in layout.ticks:
            if x > plot.left() + 1:
                at = round(x) + width / 2
                painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()))
        painter.setPen(edge)
        zero = plot.left() - width / 2
        painter.drawLine(QPointF(zero, plot.top()), QPointF(zero, plot.bottom()))
        for label in layout.labels:
            if label.kind == "tick":
                chart_painter.draw_label(painter, label, theme)
        painter.restore()


class BarsItem(pg.GraphicsObject):
    """Bars, limits and words of a chart, painted in the parent's own pixels; and the ring around the row in focus."""

    def __init__(self, parent: QGraphicsItem) -> None:
        super().__init__(parent)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.layout: Layout | None = None
        self._theme = LIGHT
        self._ring: QRectF | None = None

    def show_layout(self, layout: Layout, theme: Theme) -> None:
        """Shows another layout or theme."""
        self.prepareGeometryChange()
        self.layout, self._theme = layout, theme
        self.update()

    def set_ring(self, ring: QRectF | None) -> None:
        """Draws the ring of keyboard focus around a place, or none."""
        if ring != self._ring:
            self._ring = ring
            self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, self.layout.width, self.layout.height) if self.layout else QRectF()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self.layout is None:
            return
        chart_painter.paint(painter, self.layout, self._theme)
        if self._ring is not None:
            chart_painter.paint_ring(painter, self._ring, self._theme, self.layout.scale)


class ChartItem(pg.GraphicsWidget):
    """One chart in a scene, as large as its geometry. `layout_data` says where everything stands."""

    def __init__(self, chart: Chart = EMPTY, theme: Theme = LIGHT, scale: float = 1.0) -> None:
        super().__init__()
        fonts.load()
        self._chart, self._theme, self._scale = chart, theme, scale
        self.axis = ValueAxis(self)
        self.bars = BarsItem(self)
        self.layout_data = lay_out(chart, 1, 1, scale)
        self._from: Layout | None = None
        self._growth = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=0)
        self._growth.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._growth.valueChanged.connect(self._grow)
        self._since_change = QElapsedTimer()

    @property
    def chart(self) -> Chart:
        """The description that is shown."""
        return self._chart

    def set_chart(self, chart: Chart, seen: bool = True) -> None:
        """Shows another description. Where nobody has `seen` the one before, nothing grows from it."""
        if chart == self._chart:
            return
        before, lone = self.bars.layout, self._is_lone()
        self._chart = chart
        self._lay_out()
        if seen and lone and before is not None and self._growth.duration() > 0 and can_move(before, self.layout_data):
            self._from = before
            self._growth.start()
            self._grow(0.0)

    def _is_lone(self) -> bool:
        """Whether the change before this one was a while ago."""
        lone = not self._since_change.isValid() or self._since_change.elapsed() > STREAM_MS
        self._since_change.start()
        return lone

    def set_motion(self, milliseconds: int) -> None:
        """How long bars take to grow to a new length; 0, as at first, for not at all."""
        self._growth.setDuration(milliseconds)

    def _grow(self, share: float) -> None:
        if self._from is not None:
            self.bars.show_layout(between(self._from, self.layout_data, share), self._theme)

    def set_theme(self, theme: Theme) -> None:
        """Shows the same in another theme."""
        if theme != self._theme:
            self._theme = theme
            self._lay_out()

    def set_scale(self, scale: float) -> None:
        """Type and strokes at another scale."""
        if scale != self._scale:
            self._scale = scale
            self._lay_out()

    def resizeEvent(self, event: object) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        self._growth.stop()
        self._from = None
        size = self.size()
        if size.width() < 1 or size.height() < 1:
            return
        self.layout_data = lay_out(self._chart, size.width(), size.height(), self._scale)
        self.axis.show_layout(self.layout_data, self._theme)
        self.bars.show_layout(self.layout_data, self._theme)
