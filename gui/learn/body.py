"""One page's widgets: made once from its description, then only shown other descriptions of the same make."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.charts.description import Chart
from core.learn.description import Drawing, Quiz, Split, View
from gui.charts.view import ChartView
from gui.learn.figures import FigureStrip
from gui.learn.quiz_panel import QuizPanel
from gui.learn.view import SketchView
from gui.panels.cards import Card
from gui.theme import Theme

Widget = ChartView | SketchView | QuizPanel
GAP = 10


class PageBody(QWidget):
    """The drawings of a page beside and beneath each other, and its figures at the foot.

    `asked(key, at)`: a bar of a chart was activated. `explained(row, at)`: a figure. `answered(place)`: a question.
    """

    asked = Signal(str, QPoint)
    explained = Signal(object, QPoint)
    answered = Signal(int)

    def __init__(self, view: View, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.make = make_of(view)
        self.widgets: list[Widget] = []
        self.strip = FigureStrip()
        self.strip.asked.connect(self.explained)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(GAP)
        outer.addLayout(self._laid_out(view.body), 1)
        outer.addWidget(self.strip)

    def _laid_out(self, split: Split) -> QBoxLayout:
        box: QBoxLayout = QHBoxLayout() if split.across else QVBoxLayout()
        box.setSpacing(GAP)
        for part in split.parts:
            if isinstance(part.content, Split):
                box.addLayout(self._laid_out(part.content), part.weight)
            else:
                box.addWidget(self._card(part.content), part.weight)
        return box

    def _card(self, drawing: Drawing) -> Card:
        widget = self._widget(drawing)
        self.widgets.append(widget)
        card = Card()
        inside = QVBoxLayout(card)
        inside.setContentsMargins(8, 10, 8, 8)
        inside.addWidget(widget)
        return card

    def _widget(self, drawing: Drawing) -> Widget:
        if isinstance(drawing, Chart):
            view = ChartView(chart=drawing)
            view.activated.connect(lambda key, view=view: self.asked.emit(key, view.mapToGlobal(view.rect().center())))
            return view
        if isinstance(drawing, Quiz):
            panel = QuizPanel(drawing)
            panel.taken.connect(self.answered)
            return panel
        return SketchView(drawing)

    def show_view(self, view: View) -> None:
        """Show another description of the same make."""
        for widget, drawing in zip(self.widgets, view.drawings, strict=True):
            if isinstance(widget, ChartView):
                assert isinstance(drawing, Chart)
                widget.set_chart(drawing)
            elif isinstance(widget, QuizPanel):
                assert isinstance(drawing, Quiz)
                widget.set_drawing(drawing)
            else:
                widget.set_drawing(drawing)
        self.strip.show_figures(view.title, view.figures)

    def show_strip(self, there_is_room: bool) -> None:
        """Show the figures, where the page has any and there is room for them."""
        self.strip.setVisible(there_is_room and self.strip.wanted)

    def set_theme(self, theme: Theme, zoom: float) -> None:
        """Colours and type size of what the style sheet does not reach."""
        for widget in self.widgets:
            if not isinstance(widget, QuizPanel):
                widget.set_theme(theme)
                widget.set_zoom(zoom)


def make_of(view: View) -> object:
    """What decides a page's widgets: its splits, the kinds of its drawings and their shares."""

    def of(split: Split) -> tuple[object, ...]:
        return split.across, *(
            (of(part.content) if isinstance(part.content, Split) else type(part.content), part.weight)
            for part in split.parts
        )

    return of(view.body)
