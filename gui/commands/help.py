"""Explaining figures, finding actions, and what this program is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QWidget

from core.choice_kinds import Choice
from core.fields import Field
from core.kinds import ALSO_SAID, Count
from core.scenario import FIELDS, INPUTS
from core.version import VERSION
from gui.actions import ACTIONS, keys_of, keys_text
from gui.charts.view import ChartView
from gui.palette import Entry
from gui.panels.ledger_table import LedgerTable
from gui.panels.summary import FigureCard

if TYPE_CHECKING:
    from gui.main_window import MainWindow


def found_by(field: Field) -> str:
    """What a person may call a field: its flag, what it is for, what may follow its value, its choices."""
    words = [field.name.replace("_", " "), field.help, field.also]
    if isinstance(field.kind, Count):
        words += [field.kind.noun, *ALSO_SAID.get(field.kind.noun, ())]
    if isinstance(field.kind, Choice) and not field.or_named:
        words += [option.label for option in field.kind.options()]
    if field.or_named:
        words.append(FIELDS[field.or_named].help)
    return " ".join(words)


class HelpCommands:
    """What the Help menu does."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def why(self) -> None:
        """Explain the figure that has the focus, or the verdict."""
        focused: QWidget | None = QApplication.focusWidget()
        if isinstance(focused, FigureCard | LedgerTable):
            focused.ask()
        elif isinstance(focused, ChartView) and focused.focus_key():
            focused.activated.emit(focused.focus_key())
        else:
            self._window.summary.verdict.ask()

    def evidence(self) -> None:
        """Show predicted against measured, in front where it is open already."""
        from gui.panels.evidence_dialog import EvidenceDialog

        dialog = self._window.findChild(EvidenceDialog)
        if dialog is None or not dialog.isVisible():  # one that was closed is on its way out
            dialog = EvidenceDialog(self._window, self._window.look)
            dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def keys(self) -> None:
        """List every key."""
        text = "\n".join(f"{keys}\t{label}" for label, keys in keys_text())
        self._window.dialogs.tell("Keys", text)

    def about(self) -> None:
        """Say what this is and under which licences."""
        self._window.dialogs.tell(
            "About Memory Tax",
            f"Memory Tax {VERSION}\n\nWhat training a neural network keeps in memory, why, and on how many cards it "
            "fits.\n\nMIT licence. It ships Qt under the LGPL and Inter under the Open Font License; all texts lie in "
            "resources/licences.",
        )

    def find(self) -> None:
        """Open the palette of all actions and fields."""
        window = self._window
        entries = [
            Entry(f"{row.menu}: {row.label}", keys_of(row), action.trigger)
            for row in ACTIONS
            if (action := window.actions_by_name[row.name]).isEnabled() and action.menu() is None
        ]
        entries += [
            Entry(
                f"Field: {FIELDS[name].named_label or FIELDS[name].label}",
                "",
                partial(window.go_to, name),
                found_by(FIELDS[name]),
            )
            for name in INPUTS
        ]
        window.palette_popup.open(entries, window.look.zoom)
