"""A row of segments of which one is down."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLayout, QPushButton, QSizePolicy, QWidget

from gui.panels.flow import Flow


class Switch(QFrame):
    """Exclusive choices in a row, or in several where it has no room; a `wide` one fills its row instead.

    Arrow keys move between the choices. `chosen(place)` is sent when a person picks one.
    """

    chosen = Signal(int)
    _wide = True  # events come before the constructor is done

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
        self._wide = wide
        row: QLayout = QHBoxLayout(self) if wide else Flow(self)
        row.setContentsMargins(3, 3, 3, 3)
        row.setSpacing(2)
        if not wide:
            policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
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
            row.addWidget(button)
        self._group.idClicked.connect(self.chosen)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.press(0)

    def event(self, event: QEvent) -> bool:
        """As high as its rows and no higher."""
        done = super().event(event)
        if not self._wide and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.setMaximumHeight(self.heightForWidth(self.width()))
        return done

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
