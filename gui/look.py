"""How the app looks now: theme, type size and motion, chosen by a person or following the system."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from gui import theme as themes
from gui.settings import Settings
from gui.theme import DARK, LIGHT, Theme

CHOICES = ("system", "light", "dark")
MOTIONS = ("system", "none")
GROWTH_MS = 120
PRESENTING = 1.35
ZOOMS = (0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)


class Look(QObject):
    """Theme, zoom and motion; `changed` after the application has been dressed in them, which a new window asks for."""

    changed = Signal()

    def __init__(self, app: QApplication, settings: Settings) -> None:
        super().__init__(app)
        self._app, self._settings = app, settings
        self.choice = settings.text("theme", "system", CHOICES)
        self._chosen_zoom = settings.number("zoom", 1.0, ZOOMS[0], ZOOMS[-1])
        self._presenting = False
        self.motion_choice = settings.text("motion", "system", MOTIONS)
        self._system_moves = True
        app.styleHints().colorSchemeChanged.connect(self._system_changed)
        themes.prepare(app, self.theme, self.zoom)

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        if self.choice == "system":
            return DARK if self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT
        return themes.theme(self.choice)

    def choose(self, choice: str) -> None:
        """Light, dark, or whatever the system has."""
        if choice != self.choice:
            self.choice = choice
            self._settings.put("theme", choice)
            self.dress()

    @property
    def motion(self) -> int:
        """Milliseconds that a bar takes to its new length; 0 where the person or the system wants none."""
        return GROWTH_MS if self.motion_choice == "system" and self._system_moves else 0

    def choose_motion(self, choice: str) -> None:
        """As the system has it, or none."""
        if choice != self.motion_choice:
            self.motion_choice = choice
            self._settings.put("motion", choice)
            self.changed.emit()

    def system_keeps_still(self) -> None:
        """The system asks for no motion."""
        before = self.motion
        self._system_moves = False
        if self.motion != before:
            self.changed.emit()

    @property
    def zoom(self) -> float:
        """Factor of all sizes: what a person chose, and larger while presenting."""
        return self._chosen_zoom * (PRESENTING if self._presenting else 1)

    def present(self, presenting: bool) -> None:
        """Larger for an audience, or as before."""
        if presenting != self._presenting:
            self._presenting = presenting
            self.dress()

    def zoom_by(self, steps: int) -> None:
        """A step larger or smaller; 0 is the usual size."""
        nearest = min(range(len(ZOOMS)), key=lambda place: abs(ZOOMS[place] - self._chosen_zoom))
        zoom = ZOOMS[max(0, min(len(ZOOMS) - 1, nearest + steps))] if steps else 1.0
        if zoom != self._chosen_zoom:
            self._chosen_zoom = zoom
            self._settings.put("zoom", zoom)
            self.dress()

    def _system_changed(self) -> None:
        if self.choice == "system":
            self.dress()

    def dress(self) -> None:
        """Dress the application, and whoever listens. A window built first and dressed whole is there sooner."""
        themes.apply(self._app, self.theme, self.zoom)
        self.changed.emit()
