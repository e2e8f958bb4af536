"""The laboratory's inputs: format, weight, update and steps in one row, and beside them what is wrong with one."""

from __future__ import annotations

from typing import Any

import msgspec
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QWidget

from core.learn.formats import FORMATS
from core.learn.setup import SETUP_FIELDS, Setup
from gui.controls.field_row import restyle
from gui.controls.scrubber import Scrubber
from gui.controls.switch import Switch
from gui.controls.value_box import ValueBox
from gui.panels.labels import text_label

BOXES = ("weight", "update", "steps")


class LabBar(QWidget):
    """`changed(setup)`: the experiment is another one. A number that is wrong is marked, and says why when hovered."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setup = self._committed = Setup()
        self.formats = Switch(
            [row.short for row in FORMATS], SETUP_FIELDS["number_format"].label, [row.label for row in FORMATS]
        )
        self.formats.chosen.connect(self._choose)
        self.boxes = {name: ValueBox(SETUP_FIELDS[name]) for name in BOXES}
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(6)
        self._numbers = row = QHBoxLayout()
        row.setSpacing(8)
        self._rows.addWidget(self.formats)
        self._rows.addStretch(1)
        self._rows.addLayout(row)
        for name, box in self.boxes.items():
            label: QLabel = text_label("field")
            label.setText(SETUP_FIELDS[name].label)
            label.setBuddy(box)
            label.setToolTip(SETUP_FIELDS[name].help)
            Scrubber(box, label, self._settle)
            row.addWidget(label)
            row.addWidget(box)
            box.show_value(getattr(self.setup, name))
            box.edited.connect(self._take)
            box.committed.connect(self._commit)
            box.reverted.connect(self._revert)
            box.refused.connect(lambda sentence, box=box: _mark(box, sentence))

    def set_zoom(self, zoom: float) -> None:
        """Boxes as wide as their numbers need."""
        for box in self.boxes.values():
            box.setFixedWidth(round(96 * zoom))

    def minimumSizeHint(self) -> QSize:
        """Narrow, the numbers stand beneath the formats."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """One row where there is room for it, else two."""
        wide = self.formats.sizeHint().width() + self._numbers.sizeHint().width() + 12 <= event.size().width()
        way = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        if way != self._rows.direction():
            self._rows.setDirection(way)
        super().resizeEvent(event)

    def show_format(self, name: str) -> None:
        """Press the format that is used: the one that was chosen, or the scenario's."""
        self.formats.press(next(at for at, row in enumerate(FORMATS) if row.name == name))

    def _take(self, changes: dict[str, Any]) -> None:
        self._show(msgspec.structs.replace(self.setup, **changes))

    def _choose(self, place: int) -> None:
        self._take({"number_format": FORMATS[place].name})
        self._commit()

    def _settle(self) -> None:
        for box in self.boxes.values():
            box.settle()

    def _commit(self) -> None:
        self._committed = self.setup

    def _revert(self) -> None:
        self._show(self._committed)
        for name, box in self.boxes.items():
            box.show_value(getattr(self.setup, name))

    def _show(self, setup: Setup) -> None:
        if setup != self.setup:
            self.setup = setup
            self.changed.emit(setup)


def _mark(box: ValueBox, sentence: str) -> None:
    box.setProperty("error", bool(sentence))
    restyle(box)
    box.setToolTip(sentence[:1].upper() + sentence[1:] + "." if sentence else box.field.help)
    box.setAccessibleDescription(sentence)
