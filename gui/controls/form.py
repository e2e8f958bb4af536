"""The form: every field of the scenario, in its groups, from the table of fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QScrollArea, QToolButton, QVBoxLayout, QWidget

from core.fields import Group
from core.resolution import summary
from core.scenario import FIELDS, GROUPS, INPUTS, input_of
from gui.controls.field_row import FieldRow
from gui.controls.rows import drop_texts, make_rows, show_rows
from gui.glyphs import glyph
from gui.panels.labels import ElidedLabel
from gui.store import Store
from gui.theme import Theme


class Fold(QWidget):
    """A group of fields under a heading that opens and closes, and says its state in a line while closed.

    `opening` is sent before it opens: its fields are made only then, since most folds stay closed.
    """

    opening = Signal()

    def __init__(self, group: Group, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.group = group
        self.filled = False
        self._arrows: tuple[QIcon, ...] = ()
        self.heading = QToolButton()
        self.heading.setText(group.label)
        self.heading.setProperty("disclosure", True)
        self.heading.setCheckable(True)
        self.heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.heading.toggled.connect(self._toggle)
        self.state = ElidedLabel("caption")
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.body = QWidget()
        column = QVBoxLayout(self.body)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(12)
        self._column = column
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.heading, 0, Qt.AlignmentFlag.AlignLeft)
        head.addWidget(self.state, 1)
        head.addStretch()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(head)
        outer.addWidget(self.body)
        self.body.hide()

    def fill(self, rows: Iterable[FieldRow]) -> None:
        """Take the fields, which the Tab key meets after the heading."""
        self.filled = True
        before: QWidget = self.heading
        for row in rows:
            self._column.addWidget(row)
            self.setTabOrder(before, row.box)
            before = row.box

    def _toggle(self, opened: bool) -> None:
        if opened and not self.filled:
            self.opening.emit()
        self._show_arrow()
        self.body.setVisible(opened)
        self.state.setVisible(not opened)

    def set_theme(self, theme: Theme, zoom: float) -> None:
        """Draw the arrow in the theme's colour."""
        size = round(12 * zoom)
        self._arrows = tuple(QIcon(glyph(shape, theme.quiet, size)) for shape in ("right", "down"))
        self.heading.setIconSize(QSize(size, size))
        self._show_arrow()

    def _show_arrow(self) -> None:
        if self._arrows:
            self.heading.setIcon(self._arrows[self.heading.isChecked()])

    def open(self) -> None:
        """Show the fields."""
        self.heading.setChecked(True)


class Rows(Mapping[str, FieldRow]):
    """The rows of a form by the name of their field. One in a fold that was never open is made when it is asked for."""

    def __init__(self, form: Form) -> None:
        self._form = form

    def __getitem__(self, name: str) -> FieldRow:
        made = self._form.made
        if name not in made and name in INPUTS:
            self._form.fill(FIELDS[name].group)
        return made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(INPUTS)

    def __len__(self) -> int:
        return len(INPUTS)


class Form(QScrollArea):
    """All inputs, top to bottom as they are spoken; scrolls when folds are open."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.made: dict[str, FieldRow] = {}
        self.rows = Rows(self)
        self.folds: dict[str, Fold] = {}
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        body.setProperty("plain", True)
        column = QVBoxLayout(body)
        column.setContentsMargins(20, 12, 20, 12)
        column.setSpacing(10)
        folds = QVBoxLayout()
        folds.setSpacing(0)
        for group in GROUPS:
            if group.folded:
                fold = self.folds[group.name] = Fold(group)
                fold.opening.connect(partial(self.fill, group.name))
                folds.addWidget(fold)
            else:
                self.made |= make_rows(store, (group.name,))
                for row in self.made.values():
                    column.addWidget(row)
        column.addLayout(folds)
        column.addStretch(1)
        self.setWidget(body)
        store.changed.connect(self.show_scenario)
        store.replaced.connect(lambda: drop_texts(self.made))
        self.show_scenario()

    def fill(self, group: str) -> None:
        """Make the fields of a fold, where that has not been done."""
        fold = self.folds[group]
        if not fold.filled:
            rows = make_rows(self._store, (group,))
            fold.fill(rows.values())
            show_rows(rows, self._store.account)
            self.made |= rows

    def show_scenario(self) -> None:
        """Show the store's scenario in every field."""
        account = self._store.account
        show_rows(self.made, account)
        for name, fold in self.folds.items():
            fold.state.show_text(summary(account, name))

    def set_theme(self, theme: Theme, zoom: float) -> None:
        """Colours and sizes of what the style sheet does not reach."""
        for fold in self.folds.values():
            fold.set_theme(theme, zoom)

    def focus(self, name: str) -> None:
        """Bring a field into view and put the cursor into it; a name goes to the input that takes it."""
        row = self.rows[input_of(name)]
        if row.field.group in self.folds:
            self.folds[row.field.group].open()
            # What was hidden has no place yet: it is laid out now, so that there is something to scroll to.
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        self.ensureWidgetVisible(row)
        row.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
