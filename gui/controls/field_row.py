"""One field of the form: label, input, and beneath it the exact value or what is wrong."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from core.choice_kinds import Choice, Flag
from core.fields import Field, InputError
from core.kinds import Kind
from core.scenario import FIELDS
from gui.controls.choice_box import ChoiceBox, Segments
from gui.controls.flag_box import FlagBox
from gui.controls.named_box import NamedBox
from gui.controls.scrubber import Scrubber
from gui.controls.value_box import ValueBox
from gui.panels.labels import ElidedLabel, text_label
from gui.store import Store

Box = ValueBox | ChoiceBox | Segments | FlagBox


def box_for(field: Field) -> Box:
    """The input that suits the field's kind."""
    kind: Kind = field.kind
    if isinstance(kind, Choice):
        return Segments(field) if kind.whole else ChoiceBox(field)
    if isinstance(kind, Flag):
        return FlagBox(field)
    return NamedBox(field, FIELDS[field.or_named]) if field.or_named else ValueBox(field)


# Characters of an average width, with the arrows.
_NAME_LENGTH = 16


class FieldRow(QWidget):
    """Label, input and a line of text (a tooltip in a compact row); connects them to the store."""

    def __init__(self, field: Field, store: Store, compact: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self._store = store
        self._compact = compact
        self._shown: tuple[Any, ...] = ()
        label = field.named_label or field.label
        # "Model, or its parameters" is "Model" where there is little room.
        self.label = QLabel(label.partition(",")[0] if compact else label)
        self.label.setProperty("role", "field")
        self.box = box_for(field)
        self.label.setBuddy(self.box)
        self._step = f"{field.name}:{id(self)}"
        if isinstance(self.box, ValueBox):
            scrubber = Scrubber(self.box, self.label, store.settle)
            store.settling.connect(scrubber.end)
            store.settling.connect(self.box.settle)
        self.echo = ElidedLabel("caption")
        self.error = text_label("error", wrap=True)
        self.error.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        # A check box says what it is itself.
        if isinstance(self.box, FlagBox):
            self.label.hide()
        for widget in (self.label, self.box, self.echo, self.error):
            column.addWidget(widget)
        if compact:
            column.addStretch(1)
        self.box.edited.connect(self._edited)
        self.box.committed.connect(store.commit)
        self.box.reverted.connect(lambda: store.revert(self._step))
        self.box.refused.connect(self._say)

    def sizeHint(self) -> QSize:
        """In a compact row a name has room, too."""
        hint = super().sizeHint()
        if self._compact and isinstance(self.box, NamedBox):
            hint.setWidth(max(hint.width(), _NAME_LENGTH * self.box.fontMetrics().averageCharWidth()))
        return hint

    def show_state(self, value: Any, stand_in: Any, acts: bool, said: str | None = None, named: Any = None) -> None:
        """Show the field's value, or the automatic one that stands in for it; a field that does not act is disabled.

        `said` stands beneath it in place of the value spelt out; `named` is what is named in its place.
        """
        state = (value, stand_in, acts, said, named)
        if state == self._shown and not self.sentence:
            return  # one change leaves most fields as they were
        self._shown = state
        if isinstance(self.box, NamedBox):
            self.box.show_named(value, stand_in, named)
        else:
            self.box.show_value(value, stand_in)
        self.setEnabled(acts)
        shown = stand_in if value is None or not acts else value
        echo = "" if shown is None or isinstance(self.box, FlagBox) else self.field.kind.echo(shown)
        if value is None and stand_in is not None:
            plain = echo == self.field.kind.text(shown)
            echo = self.field.automatic if plain else f"{self.field.automatic}: {echo}"
        self.echo.show_text(said or echo)
        self._show_lines()

    @property
    def sentence(self) -> str:
        """What is wrong with the input; "" where nothing is."""
        return self.error.text()

    def _edited(self, changes: dict[str, Any]) -> None:
        try:
            self._store.apply(changes, step=self._step)
        except InputError as problem:
            self.box.refuse(problem.sentence)

    def _say(self, sentence: str) -> None:
        """Say what is wrong in place of the exact value, or show that again."""
        if bool(sentence) != bool(self.sentence):
            self.box.setProperty("error", bool(sentence))
            restyle(self.box)
        self.error.setText(sentence[:1].upper() + sentence[1:] + "." if sentence else "")
        self._show_lines()

    def _show_lines(self) -> None:
        self.error.setVisible(bool(self.sentence) and not self._compact)
        self.echo.setVisible(bool(self.echo.whole) and not self.sentence and not self._compact)
        if self._compact:
            self.box.setToolTip(self.sentence or self.echo.whole or self.field.help)
        self.box.setAccessibleDescription(self.sentence or self.echo.whole)


def restyle(widget: QWidget) -> None:
    """Let the style sheet see a changed property."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
