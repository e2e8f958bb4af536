"""Open, save, recent files, drops, unsaved work and the question on leaving; unreadable files change nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from core import document
from core.scenario import Scenario, change
from gui.settings import Settings
from tests.gui.hand import Hand

GB = 10**9


def state(hand: Hand) -> tuple[object, ...]:
    """Everything that an action on files could change."""
    window = hand.window
    return (
        window.store.book,
        window.store.path,
        window.store.dirty,
        window.store.can_undo,
        window.windowTitle(),
        window.isWindowModified(),
        window.settings.recent,
        hand.charts(),
    )


# Saving


def test_saving_for_the_first_time_asks_where_and_later_does_not(hand: Hand, tmp_path: Path) -> None:
    hand.enter("params", "70B")
    hand.dialogs.paths = [tmp_path / "a.memtax"]
    hand.key("Ctrl+S")
    assert document.load(tmp_path / "a.memtax").params == 70 * GB
    assert hand.dialogs.asked[-1].endswith("scenario.memtax")
    assert hand.window.windowTitle() == "a.memtax[*] – Memory Tax"
    assert not hand.window.isWindowModified()
    assert hand.said() == "Saved to a.memtax"
    hand.enter("params", "7B")
    assert hand.window.isWindowModified()
    hand.key("Ctrl+S")
    assert document.load(tmp_path / "a.memtax").params == 7 * GB
    assert len(hand.dialogs.asked) == 1


def test_save_as_asks_beside_the_file_and_takes_the_new_name(hand: Hand, seventy: Path) -> None:
    hand.window.commands.files.open_path(seventy)
    hand.dialogs.paths = [seventy.with_name("b.memtax")]
    hand.key("Ctrl+Shift+S")
    assert hand.dialogs.asked == [str(seventy)]
    assert document.load(seventy.with_name("b.memtax")) == document.load(seventy)
    assert hand.window.store.path == seventy.with_name("b.memtax")


def test_what_is_still_being_typed_is_saved(hand: Hand, tmp_path: Path) -> None:
    hand.write("params", "70B")
    hand.dialogs.paths = [tmp_path / "a.memtax"]
    hand.key("Ctrl+S")
    assert document.load(tmp_path / "a.memtax").params == 70 * GB


def changed_by_another(hand: Hand, path: Path) -> str:
    """Open a file, work on it, and let another program write to it meanwhile; returns what that wrote."""
    hand.dialogs.paths = [path]
    hand.key("Ctrl+O")
    hand.enter("params", "7B")
    other = path.read_text(encoding="utf-8").replace("64", "128")
    path.write_text(other, encoding="utf-8")
    return other


def test_what_another_program_wrote_is_not_replaced_without_a_question(hand: Hand, seventy: Path) -> None:
    other = changed_by_another(hand, seventy)
    hand.dialogs.replaces = [False]
    hand.key("Ctrl+S")
    assert hand.dialogs.asked[-1] == "seventy.memtax was changed by another program since it was opened"
    assert seventy.read_text(encoding="utf-8") == other
    assert hand.window.isWindowModified()


def test_it_is_replaced_where_that_is_wanted_and_asked_once(hand: Hand, seventy: Path) -> None:
    changed_by_another(hand, seventy)
    hand.dialogs.replaces = [True]
    hand.key("Ctrl+S")
    assert document.load(seventy).params == 7 * GB
    hand.enter("params", "8B")
    hand.key("Ctrl+S")
    assert document.load(seventy).params == 8 * GB


def test_declining_to_name_a_file_saves_nothing(hand: Hand) -> None:
    hand.enter("params", "70B")
    before = state(hand)
    hand.dialogs.paths = [None]
    hand.key("Ctrl+S")
    assert state(hand) == before


def test_a_folder_that_is_gone_is_said_and_the_work_is_kept(hand: Hand, tmp_path: Path) -> None:
    hand.enter("params", "70B")
    before = state(hand)
    hand.dialogs.paths = [tmp_path / "gone" / "a.memtax"]
    hand.key("Ctrl+S")
    title, text = hand.dialogs.said[-1]
    assert title == "The scenario was not saved"
    assert text.endswith("gone/a.memtax: no such file or directory.")
    assert state(hand) == before


# Opening


def test_opening_a_file_shows_it(hand: Hand, seventy: Path) -> None:
    hand.dialogs.paths = [seventy]
    hand.key("Ctrl+O")
    assert hand.scenario == change(Scenario(), {"params": 70 * GB, "cards": 64})
    assert hand.line("params").text() == "70B"
    assert hand.line("cards").text() == "64"
    assert hand.charts()["footprint"].bars[0].text == "1.12 TB"
    assert hand.window.windowTitle() == "seventy.memtax[*] – Memory Tax"
    assert not hand.window.isWindowModified()
    assert hand.dialogs.asked == [str(Path.home())]


def test_what_was_typed_wrong_goes_with_the_document_before(hand: Hand, seventy: Path) -> None:
    hand.write("tokens", "many")
    hand.leave()
    assert hand.error("tokens") != ""
    hand.dialogs.paths = [seventy]
    hand.key("Ctrl+O")
    assert (hand.line("tokens").text(), hand.error("tokens")) == ("", "")


def test_opening_can_be_undone(hand: Hand, seventy: Path) -> None:
    hand.dialogs.paths = [seventy]
    hand.key("Ctrl+O")
    hand.key("Ctrl+Z")
    assert hand.scenario == Scenario()
    assert hand.window.windowTitle() == "Untitled[*] – Memory Tax", "what is saved now goes into no file of another's"


def test_declining_to_choose_a_file_changes_nothing(hand: Hand) -> None:
    before = state(hand)
    hand.dialogs.paths = [None]
    hand.key("Ctrl+O")
    assert state(hand) == before


def _text(content: str) -> Callable[[Path], None]:
    return lambda path: void(path.write_text(content, encoding="utf-8"))


def void(_: object) -> None:
    """Drop what a writer returns."""


HEAD = '{"format": "memory-tax scenario", "version": 1, "scenario": '
UNREADABLE: dict[str, tuple[Callable[[Path], None], str]] = {
    "missing": (lambda path: None, "cannot be read: no such file or directory"),
    "folder": (lambda path: path.mkdir(), "is a folder"),
    "empty": (_text(""), "is not JSON"),
    "half": (_text(HEAD + '{"params"'), "is not JSON"),
    "picture": (lambda path: void(path.write_bytes(b"\x89PNG\r\n\x1a\n\xff")), "is not UTF-8 text"),
    "other json": (_text('{"a": 1}'), "is not a Memory Tax scenario"),
    "newer": (_text('{"format": "memory-tax scenario", "version": 99, "scenario": {}}'), "written by a newer"),
    "unknown field": (_text(HEAD + '{"parms": 7}}'), "near it: params"),
    "bad value": (_text(HEAD + '{"params": "70,5B"}}'), "comma"),
    "too large a value": (_text(HEAD + '{"params": 1000000000000001}}'), "above the most"),
    "not a number": (_text(HEAD + '{"params": NaN}}'), "NaN, which is no JSON number"),
    "twice": (_text(HEAD + '{"params": 7, "params": 8}}'), "twice"),
    "deep": (_text("[" * 100_000), "nested too deeply"),
    "large": (_text(" " * 32_000_001), "too large"),
    "no such card": (_text(HEAD + '{"card": "H900"}}'), "H900"),
    "no figure": (_text(HEAD + '{"card": "A30", "card_capacity": "usable"}}'), "usable memory of A30 is not known"),
}
if hasattr(os, "mkfifo"):
    UNREADABLE["pipe"] = (lambda path: os.mkfifo(path), "not a regular file")


@pytest.mark.parametrize("kind", UNREADABLE)
def test_an_unreadable_file_is_said_in_one_sentence_and_changes_nothing(hand: Hand, tmp_path: Path, kind: str) -> None:
    make, words = UNREADABLE[kind]
    path = tmp_path / "bad.memtax"
    make(path)
    hand.enter("params", "70B")
    before = state(hand)
    hand.dialogs.paths = [path]
    hand.dialogs.answers = ["discard"]
    hand.key("Ctrl+O")
    assert [title for title, _ in hand.dialogs.said] == ["The file was not opened"]
    sentence = hand.dialogs.said[0][1]
    assert sentence.startswith("bad.memtax: ")
    assert words in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    assert state(hand) == before


# Recent files


def recent_menu(hand: Hand) -> QMenu:
    menu = hand.window.actions_by_name["recent"].menu()
    assert isinstance(menu, QMenu)
    return menu


def recent(hand: Hand) -> list[QAction]:
    return recent_menu(hand).actions()


def test_files_that_were_opened_or_saved_are_recent_the_last_first(hand: Hand, seventy: Path, tmp_path: Path) -> None:
    assert not recent_menu(hand).isEnabled()
    hand.window.commands.files.open_path(seventy)
    hand.dialogs.paths = [tmp_path / "b.memtax"]
    hand.key("Ctrl+Shift+S")
    assert [action.text() for action in recent(hand)] == ["b.memtax", "seventy.memtax"]
    assert Settings().recent == [str(tmp_path / "b.memtax"), str(seventy)], "the next start knows them"
    recent(hand)[1].trigger()
    assert hand.window.store.path == seventy
    assert [action.text() for action in recent(hand)] == ["seventy.memtax", "b.memtax"]


def test_a_recent_file_that_is_gone_is_said_and_forgotten(hand: Hand, seventy: Path) -> None:
    hand.window.commands.files.open_path(seventy)
    hand.dialogs.answers = ["discard"]
    hand.window.commands.files.new()
    seventy.unlink()
    recent(hand)[0].trigger()
    assert hand.dialogs.said[-1][0] == "The file was not opened"
    assert recent(hand) == []
    assert hand.scenario == Scenario()


def test_at_most_ten_files_are_recent(hand: Hand, tmp_path: Path) -> None:
    for number in range(12):
        hand.window.store.apply({"params": number + 1})
        hand.dialogs.paths = [tmp_path / f"{number}.memtax"]
        hand.key("Ctrl+Shift+S")
    assert [action.text() for action in recent(hand)] == [f"{number}.memtax" for number in range(11, 1, -1)]


def test_ampersands_in_a_files_name_are_shown_as_they_are(hand: Hand, seventy: Path) -> None:
    path = seventy.rename(seventy.with_name("R&D.memtax"))
    hand.window.commands.files.open_path(path)
    assert recent(hand)[0].text() == "R&&D.memtax"


# Leaving


@pytest.mark.parametrize("leave", ["Ctrl+N", "Ctrl+O", "Ctrl+Q"])
def test_unsaved_work_is_asked_about_once_and_cancel_keeps_it(hand: Hand, seventy: Path, leave: str) -> None:
    hand.enter("params", "7B")
    before = state(hand)
    hand.dialogs.answers = ["cancel"]
    hand.dialogs.paths = [seventy]
    hand.key(leave)
    assert hand.dialogs.asked[-1] == "this scenario"
    assert hand.dialogs.answers == []
    assert hand.window.isVisible()
    assert state(hand) == before


@pytest.mark.parametrize("leave", ["Ctrl+N", "Ctrl+O"])
def test_discarding_leaves_without_saving(hand: Hand, seventy: Path, leave: str) -> None:
    hand.enter("params", "7B")
    hand.dialogs.answers = ["discard"]
    hand.dialogs.paths = [seventy]
    hand.key(leave)
    assert hand.scenario.params == (30 * GB if leave == "Ctrl+N" else 70 * GB)
    assert not hand.window.isWindowModified()


def test_saving_on_the_way_out_saves_and_then_leaves(hand: Hand, tmp_path: Path) -> None:
    hand.enter("params", "7B")
    hand.dialogs.answers = ["save"]
    hand.dialogs.paths = [tmp_path / "a.memtax"]
    hand.key("Ctrl+N")
    assert document.load(tmp_path / "a.memtax").params == 7 * GB
    assert hand.scenario == Scenario()
    assert hand.window.store.path is None


def test_a_save_on_the_way_out_that_fails_stays(hand: Hand, tmp_path: Path) -> None:
    hand.enter("params", "7B")
    hand.dialogs.answers = ["save"]
    hand.dialogs.paths = [tmp_path / "gone" / "a.memtax"]
    hand.key("Ctrl+N")
    assert hand.scenario.params == 7 * GB
    assert hand.window.isWindowModified()


def test_saved_work_is_not_asked_about(hand: Hand, seventy: Path) -> None:
    hand.window.commands.files.open_path(seventy)
    hand.key("Ctrl+N")
    assert hand.dialogs.asked == []
    assert hand.scenario == Scenario()
    assert hand.window.windowTitle() == "Untitled[*] – Memory Tax"


def test_closing_with_nothing_unsaved_asks_nothing_and_keeps_the_windows_place(fresh: Hand) -> None:
    assert fresh.window.close()
    assert fresh.dialogs.asked == []
    assert Settings().bytes("geometry") is not None


@pytest.mark.parametrize(("answer", "closed"), [("cancel", False), ("discard", True), ("save", True)])
def test_closing_asks_about_unsaved_work_once(fresh: Hand, tmp_path: Path, answer: str, closed: bool) -> None:
    fresh.enter("params", "7B")
    fresh.dialogs.answers = [answer]  # type: ignore[list-item]
    fresh.dialogs.paths = [tmp_path / "a.memtax"]
    assert fresh.window.close() is closed
    assert fresh.window.isVisible() is not closed
    assert (tmp_path / "a.memtax").exists() is (answer == "save")
    assert fresh.dialogs.asked[0] == "this scenario"


def test_undoing_back_to_what_is_saved_leaves_nothing_to_ask_about(hand: Hand) -> None:
    hand.enter("params", "7B")
    assert hand.window.isWindowModified()
    hand.key("Ctrl+Z")
    assert not hand.window.isWindowModified()
    hand.key("Ctrl+N")
    assert hand.dialogs.asked == []


def test_a_number_of_any_size_comes_back_exactly(hand: Hand, tmp_path: Path) -> None:
    hand.enter("params", "999,999,999,999,999")
    hand.enter("deadline", "0.1 h")
    hand.enter("bytes_weights", "2.03125")
    saved = hand.scenario
    hand.dialogs.paths = [tmp_path / "a.memtax"]
    hand.key("Ctrl+S")
    hand.key("Ctrl+N")
    hand.dialogs.paths = [tmp_path / "a.memtax"]
    hand.key("Ctrl+O")
    assert hand.scenario == saved


if sys.platform == "linux":

    def test_a_files_name_that_is_no_utf8_is_opened_and_named(hand: Hand, seventy: Path) -> None:
        path = seventy.rename(Path(os.fsdecode(os.fsencode(seventy.parent) + b"/\xff.memtax")))
        assert hand.window.commands.files.open_path(path)
        assert hand.scenario.params == 70 * GB
