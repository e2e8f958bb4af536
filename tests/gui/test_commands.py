"""Every action of the table: it has a handler and keys of its own, stands in a menu and in the palette, and works."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget

from core.scenario import FIELDS, INPUTS, Scenario, change
from core.version import VERSION
from gui.actions import ACTIONS, MENUS, keys_text
from gui.charts.view import ChartView
from gui.controls.field_row import FieldRow
from gui.look import ZOOMS
from gui.panels.evidence_dialog import EvidenceDialog
from gui.settings import Settings
from tests.gui.hand import Hand, settle

GB = 10**9


# The table


def test_every_action_has_a_handler_and_every_handler_an_action(hand: Hand) -> None:
    # The recent files are a menu of their own.
    assert set(hand.window.commands.handlers()) == {row.name for row in ACTIONS} - {"recent"}


def test_no_two_actions_share_a_name_a_label_or_a_key() -> None:
    names = [row.name for row in ACTIONS]
    assert len(set(names)) == len(names)
    labels = [(row.menu, row.label) for row in ACTIONS]
    assert len(set(labels)) == len(labels)
    keys = [QKeySequence(keys).toString() for row in ACTIONS for keys in row.keys]
    keys += [QKeySequence(f"Alt+{menu[0]}").toString() for menu in MENUS]
    assert len(set(keys)) == len(keys)
    assert all(keys), "a key that Qt does not know"


def test_every_action_stands_in_its_menu_in_order(hand: Hand) -> None:
    shown = {}
    for menu in hand.window.menuBar().actions():
        sub = menu.menu()
        assert sub is not None
        shown[menu.text().replace("&", "")] = [action.text() for action in sub.actions() if not action.isSeparator()]  # type: ignore[attr-defined]
    assert shown == {menu: [row.label for row in ACTIONS if row.menu == menu] for menu in MENUS}


def test_the_page_of_keys_lists_every_key(hand: Hand) -> None:
    hand.key("Ctrl+/")
    title, text = hand.dialogs.said[-1]
    assert title == "Keys"
    for label, keys in keys_text():
        assert f"{keys}\t{label}" in text
    assert len(text.splitlines()) == sum(bool(row.keys) for row in ACTIONS)


def test_the_evidence_opens_once_and_beside_the_window(hand: Hand) -> None:
    action = hand.window.actions_by_name["evidence"]
    action.trigger()
    action.trigger()
    settle()
    (dialog,) = hand.window.findChildren(EvidenceDialog)
    assert dialog.isVisible()
    assert not dialog.isModal()
    shown = {view.chart.title for view in dialog.findChildren(ChartView)}
    assert shown == {
        "Measured passes, by family", "Memory of other people's runs", "Memory of other people's runs with adapters",
        "Time of other people's runs",
    }  # fmt: skip
    heights = [view.height() for view in dialog.findChildren(ChartView)]
    hand.window.look.zoom_by(1)
    assert all(view.height() > height for view, height in zip(dialog.findChildren(ChartView), heights, strict=True))
    dialog.close()
    action.trigger()
    assert [each.isVisible() for each in hand.window.findChildren(EvidenceDialog)][-1]


def test_about_says_the_version_and_the_licences(hand: Hand) -> None:
    hand.window.actions_by_name["about"].trigger()
    text = hand.dialogs.said[-1][1]
    for said in (VERSION, "MIT", "LGPL", "Open Font License"):
        assert said in text


# What is left of a field or closes the window is tried on its own.
QUIET = [row for row in ACTIONS if row.name not in ("recent", "quit")]


@pytest.mark.parametrize("page", ["why", "cards", "step", "model", "scenarios", "ledger", "learn"])
def test_every_action_works_on_every_page(hand: Hand, page: str) -> None:
    # What dresses the whole window anew takes its time and does the same wherever one is.
    for row in [row for row in QUIET if page == "why" or not row.name.startswith(("zoom_", "theme_", "present"))]:
        hand.window.show_page(page)
        hand.dialogs.paths, hand.dialogs.names, hand.dialogs.answers = [None], [""], ["discard"]
        hand.window.actions_by_name[row.name].trigger()
        settle()
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        for widget in QApplication.topLevelWidgets():
            if widget.isModal() or (widget is not hand.window and widget.isVisible()):
                widget.close()
        if hand.window.presenting:
            hand.key("Escape", hand.window)
        assert hand.window.isVisible(), row.name


@pytest.mark.parametrize("row", [row for row in QUIET if row.keys], ids=lambda row: row.name)
def test_every_key_reaches_its_action_from_a_field(hand: Hand, row: object) -> None:
    from gui.actions import ActionRow

    assert isinstance(row, ActionRow)
    hand.enter("params", "7B")
    hand.enter("cards", "8")
    hand.key("Ctrl+Z")  # so that there is something to undo and to redo
    action = hand.window.actions_by_name[row.name]
    for keys in row.keys:
        fired: list[bool] = []
        connection = action.triggered.connect(lambda _=False: fired.append(True))  # noqa: B023
        hand.dialogs.paths, hand.dialogs.names, hand.dialogs.answers = [None], [""], ["discard"]
        if row.name == "redo" and not action.isEnabled():
            hand.key("Ctrl+Z")
        hand.go("cards")
        hand.key(keys, hand.box("cards"))
        action.triggered.disconnect(connection)
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        if hand.window.presenting:
            hand.window.present()
        assert fired, keys


# Looks


def is_dark(hand: Hand) -> bool:
    """Whether the dark theme is in force; asked anew each time."""
    return hand.window.look.theme.dark


def presents(hand: Hand) -> bool:
    """Whether the window is presenting; asked anew each time."""
    return hand.window.presenting


def test_a_theme_is_chosen_by_key_and_remembered(hand: Hand) -> None:
    hand.key("Ctrl+Shift+D")
    assert is_dark(hand)
    assert hand.window.actions_by_name["theme_dark"].isChecked()
    assert Settings().text("theme", "system") == "dark"
    assert hand.window.grab().toImage().pixelColor(3, 300).lightness() < 60
    hand.key("Ctrl+Shift+L")
    assert not is_dark(hand)
    assert hand.window.grab().toImage().pixelColor(3, 300).lightness() > 200


def test_type_grows_and_shrinks_by_key_within_bounds_and_is_remembered(hand: Hand) -> None:
    label = hand.row("params").label
    usual = label.fontMetrics().height()
    hand.key("Ctrl++")
    hand.key("Ctrl+=")
    settle()
    assert hand.window.look.zoom == 1.25
    assert label.fontMetrics().height() > usual
    assert Settings().number("zoom", 1, ZOOMS[0], ZOOMS[-1]) == 1.25
    hand.key("Ctrl+0")
    settle()
    assert label.fontMetrics().height() == usual
    hand.window.look.zoom_by(1 - len(ZOOMS))
    hand.key("Ctrl+-")
    assert hand.window.look.zoom == ZOOMS[0]


def test_presenting_hides_what_an_audience_does_not_need_and_comes_back(hand: Hand) -> None:
    hand.key("F11")
    assert presents(hand)
    assert not hand.window.menuBar().isVisible()
    assert not hand.window.form.isVisible()
    assert hand.window.summary.isVisible()
    box = hand.window.slim_bar.rows["params"].box
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(box, "70B")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert hand.scenario.params == 70 * GB
    hand.key("F11", box)
    assert not presents(hand)
    assert hand.window.form.isVisible()
    assert hand.line("params").text() == "70B"


def test_escape_ends_presenting(hand: Hand) -> None:
    hand.key("F11")
    hand.key("Escape", hand.window)
    assert not hand.window.presenting


# Scenarios as text


def test_a_scenario_is_copied_as_one_line_and_pastes_back_whole(hand: Hand) -> None:
    hand.enter("params", "671B")
    hand.enter("cards", "256")
    hand.enter("bytes_weights", "2.03125")
    hand.enter("mfu", "38.5 %")
    copied = hand.scenario
    hand.key("Ctrl+L")
    text = QGuiApplication.clipboard().text()
    assert "\n" not in text
    assert text.startswith("memory-tax report --params 671B")
    hand.dialogs.answers = ["discard"]
    hand.key("Ctrl+N")
    assert hand.scenario == Scenario()
    hand.key("Ctrl+Shift+V")
    assert hand.scenario == copied
    hand.key("Ctrl+Z")
    assert hand.scenario == Scenario()


@pytest.mark.parametrize(
    "text", ["", "80 GB", "memory-tax report --parms 7B", "--params 70,5B", "--params", '"', "x" * 10**5]
)
def test_a_text_that_is_no_scenario_is_said_and_changes_nothing(hand: Hand, text: str) -> None:
    hand.enter("params", "7B")
    QGuiApplication.clipboard().setText(text)
    hand.key("Ctrl+Shift+V")
    title, sentence = hand.dialogs.said[-1]
    assert title == "The scenario was not pasted"
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert hand.scenario == change(Scenario(), {"params": 7 * GB})


# The palette


def palette(hand: Hand) -> tuple[QLineEdit, QListWidget]:
    hand.key("Ctrl+P")
    popup = QApplication.activePopupWidget()
    assert popup is not None
    line, entries = popup.findChild(QLineEdit), popup.findChild(QListWidget)
    assert isinstance(line, QLineEdit)
    assert isinstance(entries, QListWidget)
    return line, entries


def texts(entries: QListWidget) -> list[str]:
    return [entries.item(place).text() for place in range(entries.count())]


def test_the_palette_lists_every_action_that_can_be_done_and_every_field(hand: Hand) -> None:
    line, entries = palette(hand)
    assert line.hasFocus()
    listed = "\n".join(texts(entries))
    for row in ACTIONS:
        if row.name != "recent" and hand.window.actions_by_name[row.name].isEnabled():
            assert f"{row.menu}: {row.label}" in listed
    for name in INPUTS:
        assert (FIELDS[name].named_label or FIELDS[name].label) in listed
    hand.key("Escape")
    assert QApplication.activePopupWidget() is None


def test_a_few_letters_find_an_action_and_enter_does_it(hand: Hand) -> None:
    line, entries = palette(hand)
    QTest.keyClicks(line, "gib")
    assert re.match("View: Charts in GiB", texts(entries)[0])
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle()
    assert hand.window.store.system == "binary"


def test_arrows_choose_in_the_palette_and_nothing_found_does_nothing(hand: Hand) -> None:
    line, entries = palette(hand)
    QTest.keyClicks(line, "view")
    QTest.keyClick(line, Qt.Key.Key_Down)
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle()
    assert hand.window.page == "cards"
    line, entries = palette(hand)
    QTest.keyClicks(line, "no such thing")
    assert entries.count() == 0
    QTest.keyClick(line, Qt.Key.Key_Return)
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert hand.scenario == Scenario()


def test_every_field_of_the_palette_is_gone_to(hand: Hand) -> None:
    line, entries = palette(hand)
    QTest.keyClicks(line, "field:")
    count = entries.count()
    hand.key("Escape")
    assert count >= len(INPUTS)
    for place in range(count):
        line, entries = palette(hand)
        QTest.keyClicks(line, "field:")
        entries.setCurrentRow(place)
        QTest.keyClick(line, Qt.Key.Key_Return)
        settle()
        hand.wake()
        focused = QApplication.focusWidget()
        row = focused
        while row is not None and not isinstance(row, FieldRow):
            row = row.parentWidget()
        assert isinstance(row, FieldRow), place


def test_the_palette_finds_a_field_by_what_people_call_it(hand: Hand) -> None:
    hand.key("Ctrl+P")
    settle()
    palette = hand.window.palette_popup
    for typed, label in (("gpu", "Field: Cards"), ("eager", "Field: Attention")):
        palette.line.setText(typed)
        found = [palette.list.item(place).text() for place in range(palette.list.count())]
        assert label in found, found
    palette.close()


def test_while_presenting_the_palette_leads_to_what_can_be_seen(hand: Hand) -> None:
    window = hand.window
    hand.key("F11")
    window.go_to("cards")
    assert window.slim_bar.rows["cards"].box.hasFocus()
    window.go_to("layers")
    assert hand.said() == "Layers is in the form, which F11 brings back"


@pytest.mark.parametrize(
    ("typed", "label"),
    [("vram", "Card, or its memory"), ("kv cache", "Context"), ("gradient checkpointing", FIELDS["recompute"].label)],
)
def test_the_palette_knows_what_else_people_say(hand: Hand, typed: str, label: str) -> None:
    hand.key("Ctrl+P")
    settle()
    palette = hand.window.palette_popup
    palette.line.setText(typed)
    found = [palette.list.item(place).text() for place in range(palette.list.count())]
    assert any(label in text for text in found), found
    palette.close()
