"""Choices by key, by mouse and by name; the one-row switches; folds; drags."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox

from core.scenario import Scenario
from gui.controls.choice_box import ChoiceBox, Segments
from gui.controls.named_box import NamedBox
from tests.gui.hand import Hand, settle

GB = 10**9


def headline(hand: Hand) -> str:
    return hand.window.summary.verdict.headline.text()


def shown(hand: Hand, name: str) -> str:
    box = hand.box(name)
    assert isinstance(box, QComboBox)
    return box.currentText()


# Recipes and optimizers


def test_arrows_choose_a_recipe_live(hand: Hand) -> None:
    hand.go("precision")
    hand.key("Down")
    # Mixed precision with 32-bit gradients: 2 + 4 + 4 + 4 + 4 = 18 B; 540 GB; ⌈540 ÷ 80⌉ = 7.
    assert (hand.scenario.precision, shown(hand, "precision")) == ("mixed-fp32-grads", "Mixed, 32-bit gradients")
    assert hand.charts()["footprint"].bars[0].text == "540 GB"
    assert headline(hand) == "7 cards"
    assert hand.echo("precision") == "2 + 4 + 4 + 4 + 4 = 18 B a parameter"


def test_a_choice_is_found_by_its_first_letters(hand: Hand) -> None:
    hand.go("optimizer")
    QTest.keyClicks(hand.box("optimizer"), "sgd")
    # SGD keeps nothing of its own: 2 + 2 + 4 = 8 B; 240 GB; 3 cards.
    assert hand.scenario.optimizer == "sgd"
    assert headline(hand) == "3 cards"


def test_each_choice_is_one_step_to_undo(hand: Hand) -> None:
    hand.go("precision")
    hand.key("Down")
    hand.key("Down")
    assert hand.scenario.precision == "mixed-both-grads"
    hand.key("Ctrl+Z")
    assert (hand.scenario.precision, shown(hand, "precision")) == ("mixed-fp32-grads", "Mixed, 32-bit gradients")
    hand.key("Ctrl+Z")
    assert hand.scenario == Scenario()
    assert shown(hand, "precision") == "Mixed precision"


def test_a_list_opens_by_key_and_its_choice_is_taken_on_enter(hand: Hand) -> None:
    box = hand.go("optimizer")
    assert isinstance(box, ChoiceBox)
    hand.key("Alt+Down")
    assert box.view().isVisible()
    assert box.count() > 10, "the whole list"
    while box.view().currentIndex().data() != "Lion":
        QTest.keyClick(box.view(), Qt.Key.Key_Down)
    assert hand.scenario.optimizer == "adamw", "nothing is chosen before Enter"
    QTest.keyClick(box.view(), Qt.Key.Key_Return)
    settle()
    # Lion keeps one moment: 2 + 2 + 4 + 4 = 12 B.
    assert hand.scenario.optimizer == "lion"
    assert hand.charts()["footprint"].bars[0].text == "360 GB"


def test_escape_closes_a_list_and_chooses_nothing(hand: Hand) -> None:
    box = hand.go("optimizer")
    assert isinstance(box, ChoiceBox)
    hand.key("Alt+Down")
    QTest.keyClick(box.view(), Qt.Key.Key_Down)
    QTest.keyClick(box.view(), Qt.Key.Key_Escape)
    settle()
    assert hand.scenario == Scenario()
    assert shown(hand, "optimizer") == "AdamW"


def test_the_wheel_over_a_focused_list_chooses(hand: Hand) -> None:
    hand.go("precision")
    hand.wheel(hand.box("precision"), -1)
    assert hand.scenario.precision == "mixed-fp32-grads"


def test_every_recipe_and_optimizer_can_be_chosen(hand: Hand) -> None:
    for name in ("precision", "optimizer"):
        box = hand.go(name)
        assert isinstance(box, ChoiceBox)
        hand.key("Home")
        seen = [shown(hand, name)]
        while True:
            hand.key("Down")
            settle()
            if shown(hand, name) == seen[-1]:
                break
            seen.append(shown(hand, name))
            assert hand.error(name) == ""
        assert len(seen) == box.count()


# ZeRO stages


def test_arrows_choose_a_stage(hand: Hand) -> None:
    box = hand.go("zero")
    assert isinstance(box, Segments)
    hand.key("Right")
    assert (hand.scenario.zero, box.place) == (1, 1)
    hand.key("Right")
    hand.key("Right")
    assert hand.scenario.zero == 3
    assert hand.echo("zero") == "everything is spread over the cards"
    hand.key("Ctrl+Z")
    assert (hand.scenario.zero, box.place) == (2, 2)
    hand.key("Left")
    assert hand.scenario.zero == 1


def test_a_click_chooses_a_stage(hand: Hand) -> None:
    box = hand.box("zero")
    assert isinstance(box, Segments)
    hand.click(box.button(3))
    assert hand.scenario.zero == 3
    hand.window.show_page("cards")
    chosen = [bar.label for bar in hand.charts()["stages"].bars if bar.chosen]
    assert chosen == ["Stage 3"]


def test_a_click_on_the_chosen_stage_is_no_step(hand: Hand) -> None:
    box = hand.box("zero")
    assert isinstance(box, Segments)
    hand.click(box.button(0))
    assert not hand.window.store.can_undo


# A card by its name


def press(text: str) -> None:
    """Type where a person's keys go: into the list that is open, else where the cursor is."""
    for mark in text:
        target = QApplication.activePopupWidget() or QApplication.focusWidget()
        assert target is not None
        QTest.keyClicks(target, mark)
        settle()


def test_a_card_is_completed_while_its_name_is_typed(hand: Hand) -> None:
    box = hand.go("card_memory")
    assert isinstance(box, NamedBox)
    hand.line("card_memory").selectAll()
    press("h200")
    popup = QApplication.activePopupWidget()
    assert popup is not None
    assert hand.line("card_memory").text().casefold().startswith("h200")
    hand.key("Down")
    hand.key("Return")
    settle()
    # An H200 has 141 GB; ⌈480 ÷ 141⌉ = 4.
    assert hand.scenario.card == "H200 SXM"
    assert hand.line("card_memory").text() == "H200 SXM"
    assert headline(hand) == "4 cards"
    assert QApplication.activePopupWidget() is None
    hand.key("Ctrl+Z")
    assert hand.scenario == Scenario()
    assert hand.line("card_memory").text() == "80 GB"


def test_a_whole_name_or_an_alias_needs_no_list(hand: Hand) -> None:
    hand.go("card_memory")
    hand.line("card_memory").selectAll()
    press("H100")
    hand.key("Return")
    settle()
    if (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    hand.leave()
    assert hand.scenario.card == "H100 SXM"
    assert hand.line("card_memory").text() == "H100 SXM"
    assert hand.error("card_memory") == ""


def test_a_number_takes_the_place_of_a_name(hand: Hand) -> None:
    hand.window.store.apply({"card": "H200 SXM"})
    assert hand.line("card_memory").text() == "H200 SXM"
    hand.enter("card_memory", "24 GB")
    assert (hand.scenario.card, hand.scenario.card_memory) == (None, 24 * GB)
    assert headline(hand) == "20 cards"  # 480 ÷ 24


def test_a_name_has_no_steps(hand: Hand) -> None:
    hand.window.store.apply({"card": "H200 SXM"})
    hand.go("card_memory")
    hand.key("Up")
    hand.wheel(hand.box("card_memory"), 1)
    assert hand.scenario.card == "H200 SXM"
    assert hand.line("card_memory").text() == "H200 SXM"


def test_alt_down_lists_all_cards(hand: Hand) -> None:
    hand.go("card_memory")
    hand.key("Alt+Down")
    popup = QApplication.activePopupWidget()
    assert popup is not None
    assert popup.property("model") is not None or popup.isVisible()
    hand.key("Escape")
    assert hand.scenario == Scenario()


def test_a_cards_other_memory_figure_is_chosen_and_an_unknown_one_is_said(hand: Hand) -> None:
    # Marketed: 80 GB. Reported: 81,559 MiB = 85,520,809,984 B. The A30's usable memory is in no source.
    hand.window.store.apply({"card": "H100 SXM"})
    hand.go("card_capacity")
    assert hand.box("card_capacity").isEnabled()
    hand.key("Down")
    assert hand.scenario.card_capacity == "reported"
    assert hand.window.store.account.card.capacity.value == 81_559 * 2**20
    hand.window.store.apply({"card": "A30", "card_capacity": "marketed"})
    hand.go("card_capacity")
    hand.key("End")
    assert hand.error("card_capacity").startswith("The usable memory of A30 is not known")
    assert hand.scenario.card_capacity == "marketed"
    hand.key("Home")
    assert hand.error("card_capacity") == ""
    assert shown(hand, "card_capacity") == "Marketed"


def test_an_error_of_a_choice_goes_with_the_next_change(hand: Hand) -> None:
    hand.window.store.apply({"card": "A30"})
    hand.go("card_capacity")
    hand.key("End")
    assert hand.error("card_capacity") != ""
    hand.enter("card_memory", "80 GB")
    assert hand.error("card_capacity") == ""
    assert shown(hand, "card_capacity") == "Marketed"


def test_a_field_that_cannot_act_is_disabled(hand: Hand) -> None:
    hand.window.form.folds["card"].open()
    assert not hand.box("card_capacity").isEnabled()
    hand.window.store.apply({"card": "H100 SXM"})
    assert hand.box("card_capacity").isEnabled()


# Folds


@pytest.mark.parametrize("name", ["items", "card", "time"])
def test_a_fold_opens_and_closes_by_key_and_says_its_state_while_closed(hand: Hand, name: str) -> None:
    fold = hand.window.form.folds[name]
    assert fold.state.isVisible()
    assert fold.state.whole
    fold.heading.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key("Space")
    assert fold.body.isVisible()
    assert not fold.state.isVisible()
    hand.key("Space")
    assert not fold.body.isVisible()


def test_an_opened_fold_keeps_its_heading_in_place(hand: Hand) -> None:
    fold = hand.window.form.folds["items"]
    settle()
    before = fold.heading.mapTo(hand.window, QPoint(0, 0)).x()
    hand.click(fold.heading)
    settle()
    assert fold.heading.mapTo(hand.window, QPoint(0, 0)).x() == before


# Drags


def test_escape_takes_back_a_drag_wherever_the_cursor_is(hand: Hand) -> None:
    hand.go("cards")
    label = hand.row("params").label
    middle = label.rect().center()
    QTest.mousePress(label, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(label, middle + QPoint(30, 0))
    settle()
    QTest.mouseMove(label, middle + QPoint(60, 0))
    settle()
    assert hand.scenario.params == 40 * GB  # ten steps of a billion
    hand.key("Escape")
    assert hand.scenario.params == 30 * GB
    QTest.mouseRelease(label, Qt.MouseButton.LeftButton, pos=middle + QPoint(60, 0))
    assert hand.scenario == Scenario()
    assert not hand.window.store.can_undo
