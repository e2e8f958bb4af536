"""A row of segments of which one is down."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget


class Switch(QFrame):
    """Exclusive choices in a row; arrow keys move between them. `chosen(place)` is sent when a person picks one."""

    chosen = Signal(int)

    def __init__(
        self,
        labels: Sequence[str],
        name: str,
        hints: Sequence[str] = (),
        wide: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("segments", True)
        self.setAccessibleName(name)
        if not wide:
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 3, 3, 3)
        row.setSpacing(2)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        for place, label in enumerate(labels):
            button = QPushButton(label)
            button.setCheckable(True)
            button.setProperty("segment", True)
            button.setAccessibleName(f"{name}: {label}")
            if hints:
                button.setToolTip(hints[place])
            self._group.addButton(button, place)
            row.addWidget(button, 1)
        self._group.idClicked.connect(self.chosen)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.press(0)

    def press(self, place: int) -> None:
        """Show a choice without sending it; the focus, where one of the buttons has it, goes along."""
        button = self._group.button(place)
        focused = any(other.hasFocus() for other in self._group.buttons())
        button.setChecked(True)
        self.setFocusProxy(button)
        if focused and not button.hasFocus():
            button.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def place(self) -> int:
        """The choice that is down."""
        return self._group.checkedId()

    def button(self, place: int) -> QPushButton:
        """The button of a choice."""
        button = self._group.button(place)
        assert isinstance(button, QPushButton)
        return button
