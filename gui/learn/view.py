"""A drawing as a widget: laid out at its size, painted in the theme, said to screen readers and under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.learn.description import Drawing
from gui.learn.layouts import lay_out
from gui.learn.sketch import Sketch, paint
from gui.theme import LIGHT, Theme


class SketchView(QWidget):
    """Shows one drawing that is no chart of bars."""

    def __init__(self, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawing, self._theme, self._zoom = drawing, LIGHT, 1.0
        self._sketch: Sketch | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._describe()

    @property
    def drawing(self) -> Drawing:
        """The description that is shown."""
        return self._drawing

    @property
    def sketch(self) -> Sketch:
        """The drawing laid out at the widget's size."""
        if self._sketch is None:
            self._sketch = lay_out(self._drawing, float(self.width()), float(self.height()), self._zoom)
        return self._sketch

    def set_drawing(self, drawing: Drawing) -> None:
        """Shows another description."""
        if drawing != self._drawing:
            self._drawing, self._sketch = drawing, None
            self._describe()
            self.update()

    def set_theme(self, theme: Theme) -> None:
        """Shows the same in another theme."""
        self._theme = theme
        self.update()

    def set_zoom(self, factor: float) -> None:
        """Type and strokes times `factor`."""
        self._zoom, self._sketch = factor, None
        self.update()

    def _describe(self) -> None:
        self.setAccessibleName(self._drawing.title)
        self.setAccessibleDescription(self._drawing.spoken)

    def minimumSizeHint(self) -> QSize:
        """A drawing takes what room there is."""
        return QSize(48, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint(painter, self.sketch, self._theme)
        painter.end()

    def resizeEvent(self, event: object) -> None:
        self._sketch = None

    def event(self, event: QEvent) -> bool:
        """Says in full what is shortened, or what a place is about."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._tip(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def _tip(self, at: QPointF) -> str:
        for label in self.sketch.labels:
            if label.text != label.full and label.rect.contains(at):
                return label.full
        return next((spot.text for spot in self.sketch.spots if spot.rect.contains(at)), "")
