"""Surfaces: a rounded card that other panels stand on."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget


class Card(QFrame):
    """A raised surface in the theme's card colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
