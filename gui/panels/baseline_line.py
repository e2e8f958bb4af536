"""What differs from the pinned baseline, in one line, while one is pinned."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from core.account import Account
from core.compare import change_text, differences_line
from core.quantities import System
from gui.panels.cards import Card
from gui.panels.labels import ElidedLabel


class BaselineLine(Card):
    """Name of the baseline, the fields that differ, how training and one card's share changed."""

    dropped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = ElidedLabel("field")
        self.name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.fields = ElidedLabel("quiet")
        drop = QPushButton("Unpin")
        drop.setProperty("flat", True)
        drop.setProperty("small", True)
        drop.setToolTip("Compare with nothing")
        drop.clicked.connect(self.dropped)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 4, 12, 4)
        row.setSpacing(12)
        row.addWidget(self.name)
        row.addWidget(self.fields, 1)
        row.addWidget(drop)
        self.hide()

    def show_comparison(self, account: Account, baseline: Account | None, name: str, system: System) -> None:
        """Show what differs, or nothing where no baseline is pinned."""
        self.setVisible(baseline is not None)
        if baseline is None:
            return
        self.name.show_text(f"Against {name} as pinned")
        self.name.updateGeometry()
        said = differences_line(baseline.scenario, account.scenario)
        change = change_text(baseline.stage.peak, account.stage.peak, system)
        self.fields.show_text(said if said == change else f"{said} · one card: {change}")
