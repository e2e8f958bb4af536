"""Everything that stops and asks, behind one object, so that a test or a script can answer instead of a person."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QWidget

PICTURES = {"PNG picture (*.png)": ".png", "SVG drawing (*.svg)": ".svg", "PDF page (*.pdf)": ".pdf"}
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
        return self._file_to_write("Save scenario", suggestion, {"Scenarios (*.memtax)": ".memtax"})

    def picture_to_save(self, suggestion: str) -> Path | None:
        """Where to export a picture. Where no ending is typed, the kind that was chosen decides it."""
        return self._file_to_write("Export picture", suggestion, PICTURES)

    def _file_to_write(self, title: str, suggestion: str, kinds: dict[str, str]) -> Path | None:
        """A file of one of the kinds, each a filter and its ending; one that is there is replaced only when asked."""
        chosen = ""  # a kind named at first would change the suggestion
        while True:
            name, chosen = QFileDialog.getSaveFileName(self._parent, title, suggestion, ";;".join(kinds), chosen)
            if not name:
                return None
            kind = chosen if chosen in kinds else next(iter(kinds))
            path = named = Path(name)
            if path.suffix.lower() not in kinds.values():
                path = path.with_name(path.name + kinds[kind])
            elif path == Path(suggestion) and path.suffix.lower() != kinds[kind]:
                path = path.with_suffix(kinds[kind])  # suggested, not typed: some platforms leave it as it was
            # About the name that was typed the dialog itself has asked.
            if path == named or not path.is_file() or self.may_replace(path.name):
                return path
            suggestion = str(path)

    def may_replace(self, name: str, why: str = "already exists") -> bool:
        """Whether a file that is there may be replaced; `why` there is a question goes on after its name."""
        box = QMessageBox(self._parent)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"{name} {why}. Replace it?")
        box.setInformativeText("What is in it is lost then.")
        replace = box.addButton("Replace", QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        box.exec()
        pressed = box.clickedButton()
        box.deleteLater()
        return pressed is replace

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
