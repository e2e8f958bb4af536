"""Everything that stops and asks, behind one object, so that a test or a script can answer instead of a person."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QWidget

Answer = Literal["save", "discard", "cancel"]


class Dialogs:
    """Asks a person."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def file_to_open(self, folder: str) -> Path | None:
        """A scenario file to open."""
        name, _ = QFileDialog.getOpenFileName(
            self._parent, "Open a scenario or a model", folder, "Scenarios and models (*.memtax *.json);;All files (*)"
        )
        return Path(name) if name else None

    def file_to_save(self, suggestion: str) -> Path | None:
        """Where to save the scenario."""
        name, _ = QFileDialog.getSaveFileName(self._parent, "Save scenario", suggestion, "Scenarios (*.memtax)")
        return _with_ending(name, (".memtax",))

    def picture_to_save(self, suggestion: str) -> Path | None:
        """Where to export a picture."""
        name, _ = QFileDialog.getSaveFileName(
            self._parent, "Export picture", suggestion, "PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"
        )
        return _with_ending(name, (".png", ".svg", ".pdf"))

    def name(self, present: str) -> str:
        """Another name; "" where the person gives none."""
        text, taken = QInputDialog.getText(self._parent, "Rename scenario", "Name", text=present)
        return text.strip() if taken else ""

    def keep_changes(self, name: str) -> Answer:
        """Whether unsaved work is saved before it is left."""
        box = QMessageBox(self._parent)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(f"Save the changes to {name}?")
        box.setInformativeText("They are lost if they are not saved.")
        save = box.addButton(QMessageBox.StandardButton.Save)
        discard = box.addButton(QMessageBox.StandardButton.Discard)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.exec()
        pressed = box.clickedButton()
        box.deleteLater()
        return "save" if pressed is save else "discard" if pressed is discard else "cancel"

    def tell(self, title: str, text: str) -> None:
        """Say something that cannot be said in passing."""
        QMessageBox.information(self._parent, title, text)

    def warn(self, title: str, text: str) -> None:
        """Say that something could not be done."""
        QMessageBox.warning(self._parent, title, text)


def _with_ending(name: str, endings: tuple[str, ...]) -> Path | None:
    if not name:
        return None
    path = Path(name)
    return path if path.suffix.lower() in endings else path.with_name(path.name + endings[0])
