"""Why a figure is what it is: its derivation, step by step, with this scenario's figures."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.account import Account
from core.ledger import Row, ledger
from core.scenario import FIELDS
from gui.panels.cards import Popup, TextArea
from gui.panels.flow import Flow
from gui.panels.labels import text_label, unbroken

_MOST_LINKS = 6


def row_of(account: Account, key: str) -> Row | None:
    """The row of the ledger with that key."""
    return next((row for row in ledger(account) if row.key == key), None)


def tooltip(account: Account, key: str) -> str:
    """One line for hovering: what the figure is and how it comes about."""
    row = row_of(account, key)
    return "" if row is None else f"{row.label}: {row.line.text()}"


def explanation(row: Row) -> str:
    """The whole derivation as text, as it is copied."""
    return "\n".join([f"{row.section} · {row.label}", *row.line.steps()])


class WhyPopup(Popup):
    """A derivation beside the figure it belongs to; Escape or a click elsewhere closes it.

    `field_wanted(name)`: the person wants to go to an input that decides the figure.
    """

    field_wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Derivation")
        self._text = ""
        self.heading = text_label("heading")
        self.figure = text_label("title")
        self.steps = text_label("", wrap=True)
        self.steps.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.note = text_label("caption", wrap=True)
        self._links = Flow(spacing=4)
        copy = QPushButton("Copy")
        copy.clicked.connect(self._copy)
        self._copy_button = copy
        foot = QHBoxLayout()
        foot.addWidget(self.note, 1)
        foot.addWidget(copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(8)
        for widget in (self.heading, self.figure, TextArea(self.steps)):
            column.addWidget(widget)
        column.addLayout(self._links)
        column.addLayout(foot)

    def explain(self, account: Account, key: str, at: QPoint) -> bool:
        """Show the derivation of the figure with that key near a point of the screen; False where there is none."""
        row = row_of(account, key)
        if row is None:
            return False
        self.show_row(row, at)
        return True

    def show_row(self, row: Row, at: QPoint) -> None:
        """Show the derivation of a row near a point of the screen."""
        self._text = explanation(row)
        self.heading.setText(f"{row.section} · {row.label}")
        figure = row.decimal if not row.binary or row.binary == row.decimal else f"{row.decimal} = {row.binary}"
        self.figure.setText(figure)
        self.steps.setText(unbroken("\n".join(row.line.steps())))
        self.note.setText(row.note)
        self._show_links(row)
        self._copy_button.setText("Copy")
        self.fit(self.steps)
        self.place(at)
        self.show()
        self._copy_button.setFocus(Qt.FocusReason.PopupFocusReason)

    def _show_links(self, row: Row) -> None:
        """A button for each input that decides the figure."""
        while (item := self._links.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        names = row.line.fields()[:_MOST_LINKS]
        if names:
            label = text_label("caption")
            label.setText("Decided by")
            self._links.addWidget(label)
        for name in names:
            button = QPushButton(FIELDS[name].named_label or FIELDS[name].label)
            button.setProperty("flat", True)
            button.setProperty("small", True)
            button.setToolTip("Go to this field")
            button.clicked.connect(lambda _=False, name=name: self._go(name))
            self._links.addWidget(button)

    def _go(self, name: str) -> None:
        self.close()
        self.field_wanted.emit(name)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
        self._copy_button.setText("Copied")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F1 closes what F1 opened."""
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_F1):
            self.close()
        else:
            super().keyPressEvent(event)
