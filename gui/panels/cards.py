"""Surfaces: a rounded card that other panels stand on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget


class Card(QFrame):
    """A raised surface in the theme's card colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.setFrameShape(QFrame.Shape.StyledPanel)


class Popup(Card):
    """A card above the window; Escape or a click elsewhere closes it."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        # Round corners would need a compositor, which not every desktop has.
        self.setProperty("popup", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(name)
