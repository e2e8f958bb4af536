"""An input for a number that a name may stand for: "80 GB" or "H100 SXM", "70B" or a model's name."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QAbstractSpinBox, QCompleter, QWidget

from core.choice_kinds import Choice
from core.fields import Field, InputError
from gui.controls.value_box import ValueBox

# As cards are called by: fewer digits are the beginning of a size.
_MODEL_NUMBER = re.compile(r"\s*\d{3,}\s*")
_NUMBER = re.compile(r"\s*[+\-−]?\.?\d")


class NamedBox(ValueBox):
    """Takes a value of `field`, or a name of the field `named`; names are completed while they are typed.

    Alt+Down lists all names. While a name is shown there is nothing to step.
    """

    def __init__(self, field: Field, named: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.named = named
        self._name: Any = None
        self._settled_name: Any = None
        self._listed = False
        self.setAccessibleName(field.named_label)
        self.setToolTip(f"{field.help} {named.help}")
        self._completer = QCompleter(self)
        self._completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setMaxVisibleItems(12)
        self._completer.setWidget(self)
        self._completer.activated.connect(self._completed)

    def show_named(self, value: Any, stand_in: Any, name: Any) -> None:
        """Show the name where there is one, else the value."""
        renamed = name != self._name
        self._name = self._settled_name = name
        if renamed and not self._keeping:
            self._typing = False
        self.show_value(value, stand_in)

    def restore(self) -> None:
        """Show again the name or the value that was shown last."""
        self.show_named(self._settled, self._stand_in, self._settled_name)

    def shown_text(self) -> str:
        """The name, or the value in its shortest form."""
        return super().shown_text() if self._name is None else str(self.named.kind.text(self._name))

    def changes(self, value: Any) -> dict[str, Any]:
        """A number takes the place of a name."""
        self._name = None
        return {self.field.name: value, self.named.name: None}

    def _read(self, text: str) -> None:
        if not text.strip() or (_NUMBER.match(text) and not self._is_name(text)):
            self._hide_list()
            super()._read(text)
            return
        self._typing = True
        self._complete(text)
        try:
            name = self.named.read(text)
        except InputError as problem:
            self.refuse(problem.sentence)
            return
        if any(label.casefold().startswith(text.strip().casefold()) for label in self._labels() if label != name):
            # "A10" is most often the beginning of "A100".
            self._clear_error()
            self._hold(partial(self._take_name, name))
            return
        self._take_name(name)

    def _is_name(self, text: str) -> bool:
        """Whether digits are no value but a name without ambiguity: "4090" is no memory of a card."""
        if not _MODEL_NUMBER.fullmatch(text):
            return False
        try:
            self.field.read(text)
        except InputError:
            try:
                self.named.read(text)
            except InputError:
                return False
            return True
        return False

    def _labels(self) -> list[str]:
        assert isinstance(self.named.kind, Choice)
        return [option.label for option in self.named.kind.options()]

    def _take_name(self, name: Any) -> None:
        self._clear_error()
        self._name = name
        # The number goes: beside a name it would not count, and would be there unseen.
        self.edited.emit({self.named.name: name, self.field.name: self.field.default})

    def _complete(self, prefix: str) -> None:
        if self._completer.model() is None or not self._completer.model().rowCount():
            self._completer.setModel(QStringListModel(self._labels(), self._completer))
        self._completer.setCompletionPrefix(prefix.strip())
        if self._completer.completionCount() and self._completer.currentCompletion() != prefix:
            self._listed = True
            self._list()  # which is dressed before it is shown
            self._completer.complete(self.rect())
        else:
            self._hide_list()

    def _hide_list(self) -> None:
        """Close the list of names, which is made when the first name is typed."""
        if self._listed:
            self._list().hide()

    def _list(self) -> QAbstractItemView:
        popup = self._completer.popup()
        assert popup is not None
        popup.setProperty("names", True)
        return popup

    def _completed(self, label: str) -> None:
        self.lineEdit().setText(label)
        self._typing = True
        try:
            self._take_name(self.named.read(label))
        except InputError as problem:
            self.refuse(problem.sentence)
        self._finish()

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        """A name has no steps."""
        if self._name is not None:
            return QAbstractSpinBox.StepEnabledFlag.StepNone
        return super().stepEnabled()

    def nudge(self, steps: int, fine: bool = False) -> None:
        """Move the number; a name stays."""
        if self._name is None:
            super().nudge(steps, fine)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt+Down lists all names; Enter takes the one that is marked, and the text where none is."""
        if event.key() == Qt.Key.Key_Down and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._complete("")
            event.accept()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            marked = self._marked() if event.key() != Qt.Key.Key_Escape else ""
            self._hide_list()
            if marked:
                self._completed(marked)
                self.lineEdit().selectAll()
                event.accept()
                return
        super().keyPressEvent(event)

    def _marked(self) -> str:
        """The name that the keyboard has come to in the list; "" where there is none or no list."""
        if not self._listed or not self._list().isVisible():
            return ""
        return str(self._list().currentIndex().data() or "")
