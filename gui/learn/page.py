"""The Learn side of the window: a list of pages, and the page that is read, step by step."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QToolButton, QVBoxLayout, QWidget

from gui.panels.cards import Card
from gui.panels.labels import text_label
from gui.theme import LIGHT, Theme

if TYPE_CHECKING:
    from core.account import Account
    from core.learn.description import View
    from core.learn.state import State
    from core.quantities import System
    from gui.learn.body import PageBody
    from gui.learn.lab_bar import LabBar

# Pixels of height at zoom 1 below which figures, and then the lead, give way to the drawings.
_LEAST_FOR_FIGURES, _LEAST_FOR_LEAD = 430, 340

_FORWARD = {Qt.Key.Key_PageDown, Qt.Key.Key_Right}
_BACK = {Qt.Key.Key_PageUp, Qt.Key.Key_Left}
_DIGITS = {Qt.Key.Key_1: 0, Qt.Key.Key_2: 1, Qt.Key.Key_3: 2, Qt.Key.Key_4: 3}


class PageList(QListWidget):
    """The pages by name; it leaves the keys that step through a page to the page."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in _FORWARD | _BACK | set(_DIGITS):
            event.ignore()
        else:
            super().keyPressEvent(event)


class LearnPage(QWidget):
    """Shows the Learn pages for an account. Nothing is made or computed before it is first seen.

    Right or page down goes a step on and then to the next page, left or page up back; 1 to 4 answer a question.
    `asked(key, at)`: a figure of the ledger is to be explained. `explained(row, at)`: one of the page's own.
    """

    asked = Signal(str, QPoint)
    explained = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pending: tuple[Account, System] | None = None
        self._theme, self._zoom = LIGHT, 1.0
        self._made = False
        self._bodies: dict[str, PageBody] = {}
        self._states: dict[str, State] = {}
        self._lab: LabBar | None = None
        self.view: View | None = None
        self.names: tuple[str, ...] = ()

    # What is shown

    def show_account(self, account: Account, system: System) -> None:
        """Show the pages of an account, now if they can be seen."""
        self._pending = (account, system)
        if self.isVisible():
            self._draw()

    def set_theme(self, theme: Theme, zoom: float) -> None:
        """Colours and type size of what the style sheet does not reach."""
        self._theme, self._zoom = theme, zoom
        if self._made:
            self._dress()

    @property
    def page(self) -> str:
        """The name of the page that is read."""
        return self.names[self.list.currentRow()]

    def show_page(self, name: str) -> None:
        """Turn to a page."""
        self.list.setCurrentRow(self.names.index(name))

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was not drawn."""
        if not self._made:
            self._make()
        self._draw()
        if not self.isAncestorOf(self.window().focusWidget() or self.window()):
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        super().showEvent(event)

    def _make(self) -> None:
        from core.learn.pages import PAGES
        from core.learn.state import State

        self._made = True
        self.names = tuple(PAGES)
        self._states = {name: State() for name in PAGES}
        self.list = PageList()
        self.list.setAccessibleName("Pages")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for at, kind in enumerate(PAGES.values(), 1):
            item = QListWidgetItem(f"{at}  {kind.label}")
            item.setToolTip(kind.title)
            self.list.addItem(item)
        self.title, self.place = text_label("title"), text_label("caption")
        self.lead, self.said = text_label("", wrap=True), text_label("", wrap=True)
        self.back, self.forward = QToolButton(), QToolButton()
        for button, arrow, tip, way in (
            (self.back, "←", "Back (left or page up)", -1),
            (self.forward, "→", "On (right or page down)", 1),
        ):
            button.setText(arrow)
            button.setToolTip(tip)
            button.setAccessibleName(tip.split(" (")[0])
            button.clicked.connect(lambda _=False, way=way: self.go(way))
        self._lay_out()
        self.list.setCurrentRow(0)
        self.list.currentRowChanged.connect(lambda _: self._draw())
        self._dress()

    def _lay_out(self) -> None:
        self._list_card = Card()
        inside = QVBoxLayout(self._list_card)
        inside.setContentsMargins(6, 8, 6, 8)
        inside.addWidget(self.list)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.title, 1)
        for widget in (self.place, self.back, self.forward):
            head.addWidget(widget)
        self._column = QVBoxLayout()
        self._column.setSpacing(6)
        self._column.addLayout(head)
        self._column.addWidget(self.lead)
        self._at = self._column.count()
        self._column.addWidget(self.said)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self._list_card)
        row.addLayout(self._column, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little height, figures and words make room for the drawings."""
        super().resizeEvent(event)
        if self._made:
            self._make_room()

    def _make_room(self) -> None:
        room = self.height() / self._zoom
        self.lead.setVisible(room >= _LEAST_FOR_LEAD)
        for body in self._bodies.values():
            body.show_strip(room >= _LEAST_FOR_FIGURES)

    def _dress(self) -> None:
        self._list_card.setFixedWidth(round(142 * self._zoom))
        if self._lab is not None:
            self._lab.set_zoom(self._zoom)
        for body in self._bodies.values():
            body.set_theme(self._theme, self._zoom)
        self._make_room()

    def _draw(self) -> None:
        if self._pending is None or not self._made:
            return
        from core.learn.pages import describe
        from core.learn.texts import text
        from gui.learn.body import PageBody, make_of

        account, system = self._pending
        name = self.page
        self.view = view = describe(name, account, system, self._states[name])
        body = self._bodies.get(name)
        if body is None or body.make != make_of(view):
            if body is not None:
                body.deleteLater()
            body = self._bodies[name] = PageBody(view)
            body.asked.connect(self.asked)
            body.explained.connect(self.explained)
            body.answered.connect(self.answer)
            body.set_theme(self._theme, self._zoom)
            self._column.insertWidget(self._at, body, 1)
        for other, shown in self._bodies.items():
            shown.setVisible(other == name)
        self._show_lab(name, account)
        body.show_view(view)
        self._make_room()
        self.title.setText(view.title)
        self.lead.setText(view.lead)
        self.said.setText(text("questions.keys") if name == "questions" else view.said)
        self.place.setText(f"{view.step + 1} / {view.steps}" if view.steps > 1 else "")
        self.back.setEnabled(self._next(-1) is not None)
        self.forward.setEnabled(self._next(1) is not None)
        self._order(body)

    def _order(self, body: PageBody) -> None:
        """The Tab key meets what is made late where it stands, not after all that was there before it."""
        chain: list[QWidget] = [_focusable_before(self), self.list, self.back, self.forward]
        for part in (self._lab, body):
            if part is not None:
                found = part.findChildren(QWidget)
                chain += [each for each in found if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
        for before, after in pairwise(chain):
            self.setTabOrder(before, after)

    def _show_lab(self, name: str, account: Account) -> None:
        if name == "copy":
            from core.learn.setup import format_of
            from gui.learn.lab_bar import LabBar

            if self._lab is None:
                self._lab = LabBar()
                self._lab.set_zoom(self._zoom)
                self._lab.changed.connect(self._experiment)
                self._column.insertWidget(self._at, self._lab)
                self._at += 1
            self._lab.show_format(format_of(self._lab.setup, account))
        if self._lab is not None:
            self._lab.setVisible(name == "copy")

    # What is chosen

    def _put(self, **changes: object) -> None:
        import msgspec

        self._states[self.page] = msgspec.structs.replace(self._states[self.page], **changes)
        self._draw()

    def _experiment(self, setup: object) -> None:
        self._put(setup=setup)

    def answer(self, place: int) -> None:
        """Answer the question that is shown."""
        self._put(chosen=place)

    def _next(self, way: int) -> tuple[str, int | None] | None:
        """The page and step that one step on or back leads to; None at either end. A step of None is the usual one."""
        view = self.view
        assert view is not None
        if 0 <= view.step + way < view.steps:
            return view.name, view.step + way
        place = self.names.index(view.name) + way
        if not 0 <= place < len(self.names):
            return None
        # Forward a page is read from its beginning; back it stands as it usually does.
        return self.names[place], 0 if way > 0 else None

    def go(self, way: int) -> None:
        """One step on (1) or back (−1), to the neighbouring page where this one ends."""
        found = self._next(way)
        if found is None:
            return
        name, step = found
        if name == "questions" and self.page == name:
            self._put(question=step or 0, chosen=None)
            return
        import msgspec

        self._states[name] = msgspec.structs.replace(self._states[name], step=step)
        if name == self.page:
            self._draw()
        else:
            self.show_page(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step, or answer."""
        key = Qt.Key(event.key())
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and key in _FORWARD | _BACK:
            self.go(1 if key in _FORWARD else -1)
        elif plain and key in _DIGITS and self._made and self.page == "questions":
            body = self._bodies["questions"]
            for widget in body.widgets:
                if hasattr(widget, "press"):
                    widget.press(_DIGITS[key])
        else:
            super().keyPressEvent(event)


def _focusable_before(widget: QWidget) -> QWidget:
    """The last before a widget that the Tab key stops at; the widget itself where there is none."""
    found = widget.previousInFocusChain()
    while found is not None and found is not widget and not found.focusPolicy() & Qt.FocusPolicy.TabFocus:
        found = found.previousInFocusChain()
    return found or widget
