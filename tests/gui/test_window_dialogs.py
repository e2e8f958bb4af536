"""The real dialogs, answered by a timer as a person would: what each button and each name comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QMessageBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.dialogs import Answer, Dialogs


@pytest.fixture
def dialogs(qtbot: QtBot) -> Iterator[Dialogs]:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    # The platform's own file dialog could not be answered.
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs, True)
    yield Dialogs(parent)
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs, False)


def answer(act: Callable[[QDialog], None], kind: type[QDialog] = QDialog) -> None:
    """Do something to the next dialog of a kind that opens."""

    def meet() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, kind):
            QTimer.singleShot(20, meet)
            return
        act(dialog)

    QTimer.singleShot(20, meet)


@pytest.mark.parametrize(
    ("button", "answered"),
    [
        (QMessageBox.StandardButton.Save, "save"),
        (QMessageBox.StandardButton.Discard, "discard"),
        (QMessageBox.StandardButton.Cancel, "cancel"),
    ],
)
def test_the_question_about_unsaved_work(
    dialogs: Dialogs, button: QMessageBox.StandardButton, answered: Answer
) -> None:
    def press(dialog: QDialog) -> None:
        assert isinstance(dialog, QMessageBox)
        assert dialog.text() == "Save the changes to a.memtax?"
        dialog.button(button).click()

    answer(press)
    assert dialogs.keep_changes("a.memtax") == answered


def test_escape_is_cancel(dialogs: Dialogs) -> None:
    answer(lambda dialog: dialog.reject())
    assert dialogs.keep_changes("a.memtax") == "cancel"


def type_a_name(name: str) -> Callable[[QDialog], None]:
    def act(dialog: QDialog) -> None:
        assert isinstance(dialog, QFileDialog)
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        assert isinstance(line, QLineEdit)
        line.setText(name)
        dialog.accept()

    return act


def test_a_scenarios_name_gets_its_ending(dialogs: Dialogs, tmp_path: Path) -> None:
    answer(type_a_name("a"))
    assert dialogs.file_to_save(str(tmp_path / "scenario.memtax")) == tmp_path / "a.memtax"
    answer(type_a_name("b.memtax"))
    assert dialogs.file_to_save(str(tmp_path / "scenario.memtax")) == tmp_path / "b.memtax"


@pytest.mark.parametrize(
    ("present", "name"), [("a.MEMTAX", "a.MEMTAX"), ("a.json", "a.json.memtax"), ("v1.2", "v1.2.memtax")]
)
def test_the_name_a_scenario_has_is_kept_but_for_an_ending_that_is_not_its_own(
    dialogs: Dialogs, tmp_path: Path, present: str, name: str
) -> None:
    answer(lambda dialog: dialog.accept())
    assert dialogs.file_to_save(str(tmp_path / present)) == tmp_path / name


@pytest.mark.parametrize(
    ("typed", "name"), [("a", "a.png"), ("a.svg", "a.svg"), ("a.PDF", "a.PDF"), ("v1.2", "v1.2.png")]
)
def test_a_pictures_name_gets_an_ending_that_can_be_written(
    dialogs: Dialogs, tmp_path: Path, typed: str, name: str
) -> None:
    answer(type_a_name(typed))
    assert dialogs.picture_to_save(str(tmp_path / "board.png")) == tmp_path / name


@pytest.mark.parametrize(
    ("kind", "typed", "name"),
    [
        ("SVG drawing (*.svg)", "pic", "pic.svg"),
        ("PDF page (*.pdf)", "pic", "pic.pdf"),
        ("PDF page (*.pdf)", "v1.2", "v1.2.pdf"),
        ("PNG picture (*.png)", "pic", "pic.png"),
        ("SVG drawing (*.svg)", "pic.png", "pic.png"),
        ("SVG drawing (*.svg)", None, "board.svg"),
    ],
)
def test_the_kind_that_was_chosen_decides_the_ending_where_none_was_typed(
    dialogs: Dialogs, tmp_path: Path, kind: str, typed: str | None, name: str
) -> None:
    def act(dialog: QDialog) -> None:
        box = dialog.findChild(QComboBox, "fileTypeCombo")
        assert isinstance(box, QComboBox)
        while box.currentText() != kind:
            QTest.keyClick(box, Qt.Key.Key_Down)
        if typed is None:
            dialog.accept()
        else:
            type_a_name(typed)(dialog)

    answer(act)
    assert dialogs.picture_to_save(str(tmp_path / "board.png")) == tmp_path / name


def test_a_kind_chosen_for_the_suggested_name_decides_its_ending_where_the_dialog_leaves_it(
    dialogs: Dialogs, tmp_path: Path
) -> None:
    def act(dialog: QDialog) -> None:
        box = dialog.findChild(QComboBox, "fileTypeCombo")
        assert isinstance(box, QComboBox)
        box.setCurrentText("SVG drawing (*.svg)")  # unheard by the dialog, as in one of the platform's own
        dialog.accept()

    answer(act)
    assert dialogs.picture_to_save(str(tmp_path / "board.png")) == tmp_path / "board.svg"


ASKS: dict[str, Callable[[Dialogs, str], Path | None]] = {
    ".memtax": Dialogs.file_to_save,
    ".png": Dialogs.picture_to_save,
}


@pytest.mark.parametrize("ending", ASKS)
def test_a_file_that_the_added_ending_leads_to_is_replaced_only_when_asked(
    dialogs: Dialogs, tmp_path: Path, ending: str
) -> None:
    (tmp_path / f"foo{ending}").write_text("precious", encoding="utf-8")
    asked: list[str] = []

    def act(dialog: QDialog) -> None:
        answer(replace, QMessageBox)
        type_a_name("foo")(dialog)

    def replace(dialog: QDialog) -> None:
        assert isinstance(dialog, QMessageBox)
        asked.append(dialog.text())
        next(button for button in dialog.buttons() if button.text() == "Replace").click()

    answer(act)
    assert ASKS[ending](dialogs, str(tmp_path / f"other{ending}")) == tmp_path / f"foo{ending}"
    assert asked == [f"foo{ending} already exists. Replace it?"]


@pytest.mark.parametrize("ending", ASKS)
def test_where_it_is_not_to_be_replaced_another_name_is_asked_for(
    dialogs: Dialogs, tmp_path: Path, ending: str
) -> None:
    (tmp_path / f"foo{ending}").write_text("precious", encoding="utf-8")
    seen: list[str] = []

    def first(dialog: QDialog) -> None:
        answer(refuse, QMessageBox)
        type_a_name("foo")(dialog)

    def refuse(dialog: QDialog) -> None:
        answer(second, QFileDialog)
        dialog.reject()

    def second(dialog: QDialog) -> None:
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        assert isinstance(line, QLineEdit)
        seen.append(line.text())
        type_a_name("bar")(dialog)

    answer(first)
    assert ASKS[ending](dialogs, str(tmp_path / f"other{ending}")) == tmp_path / f"bar{ending}"
    assert seen == [f"foo{ending}"]


def test_a_file_whose_ending_was_typed_is_asked_about_once(dialogs: Dialogs, tmp_path: Path) -> None:
    (tmp_path / "foo.memtax").write_text("precious", encoding="utf-8")
    asked: list[str] = []

    def yes(dialog: QDialog) -> None:
        assert isinstance(dialog, QMessageBox)
        asked.append(dialog.text())
        dialog.button(QMessageBox.StandardButton.Yes).click()

    def act(dialog: QDialog) -> None:
        answer(yes, QMessageBox)
        type_a_name("foo.memtax")(dialog)

    answer(act)
    assert dialogs.file_to_save(str(tmp_path / "other.memtax")) == tmp_path / "foo.memtax"
    assert len(asked) == 1


def test_a_file_is_chosen_to_open(dialogs: Dialogs, tmp_path: Path) -> None:
    (tmp_path / "a.memtax").write_text("{}", encoding="utf-8")
    answer(type_a_name("a.memtax"))
    assert dialogs.file_to_open(str(tmp_path)) == tmp_path / "a.memtax"


@pytest.mark.parametrize("ask", ["file_to_open", "file_to_save", "picture_to_save"])
def test_a_declined_dialog_names_nothing(dialogs: Dialogs, tmp_path: Path, ask: str) -> None:
    answer(lambda dialog: dialog.reject())
    assert getattr(dialogs, ask)(str(tmp_path)) is None


def test_a_name_is_asked_for(dialogs: Dialogs) -> None:
    def act(dialog: QDialog) -> None:
        assert isinstance(dialog, QInputDialog)
        assert dialog.textValue() == "Scenario"
        dialog.setTextValue("  Small  ")
        dialog.accept()

    answer(act)
    assert dialogs.name("Scenario") == "Small"
    answer(lambda dialog: dialog.reject())
    assert dialogs.name("Scenario") == ""


@pytest.mark.parametrize("say", ["tell", "warn"])
def test_what_must_be_said_is_said_as_plain_text(dialogs: Dialogs, say: str) -> None:
    seen: list[str] = []

    def act(dialog: QDialog) -> None:
        assert isinstance(dialog, QMessageBox)
        seen.append(dialog.text())
        assert dialog.textFormat() in (Qt.TextFormat.PlainText, Qt.TextFormat.AutoText)
        QTest.qWait(10)
        dialog.accept()

    answer(act)
    getattr(dialogs, say)("Title", "a.memtax: is not JSON.")
    assert seen == ["a.memtax: is not JSON."]
