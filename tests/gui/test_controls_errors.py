"""Entries that are wrong, or not yet whole: when they are said, what holds meanwhile, and how they are mended."""

from __future__ import annotations

from PySide6.QtTest import QTest

from core.scenario import Scenario
from gui.controls.named_box import NamedBox
from gui.controls.value_box import PAUSE_MS
from tests.gui.hand import Hand
from tests.gui.test_controls_fields import ready


def test_a_value_that_does_not_suit_the_others_is_said_and_escape_brings_back_the_one_before(hand: Hand) -> None:
    # Llama 3 8B has 8 heads of keys and values: 30 query heads cannot share them alike.
    before = ready(hand, "heads")
    hand.enter("heads", "30")
    assert "30" in hand.error("heads")
    assert hand.scenario == before
    hand.key("Escape")
    assert (hand.line("heads").text(), hand.error("heads")) == ("", "")
    assert hand.scenario == before


def test_an_error_appears_after_a_pause_and_goes_when_the_text_is_mended(hand: Hand) -> None:
    hand.write("params", "70X")
    assert hand.error("params") == "", "an error at each key is a nuisance"
    QTest.qWait(60)
    assert hand.error("params").startswith("'70X' ends in 'x', which is no multiple")
    assert hand.box("params").property("error") is True
    hand.key("Backspace")
    hand.key("B")
    assert hand.error("params") == ""
    assert hand.scenario.params == 70 * 10**9
    assert hand.box("params").property("error") is False


def test_the_pause_is_long_enough_to_think_and_short_enough_to_notice() -> None:
    assert 400 <= PAUSE_MS <= 1000


def test_a_held_beginning_is_not_taken_once_the_text_has_gone_wrong(hand: Hand) -> None:
    hand.write("params", "70,5 B")
    QTest.qWait(60)
    assert hand.error("params") != ""
    assert hand.scenario == Scenario()


def test_the_beginning_of_a_wrong_text_does_not_stay(hand: Hand) -> None:
    hand.enter("cards", "4")
    hand.write("cards", "8 nodes")
    assert hand.scenario.cards == 8, "eight, as far as it was typed"
    hand.key("Return")
    assert "nodes" in hand.error("cards")
    assert hand.scenario.cards == 4, "what held before the entry"
    assert hand.line("cards").text() == "8 nodes", "the text stays to be mended"
    hand.enter("cards", "8")
    assert (hand.scenario.cards, hand.error("cards")) == (8, "")
    hand.key("Ctrl+Z")
    assert hand.scenario.cards == 4


def test_the_beginning_of_a_longer_name_waits(hand: Hand) -> None:
    # Four cards are called A100, and A10 is another one.
    hand.write("card_memory", "A100")
    assert hand.scenario == Scenario()
    hand.key("Return")
    assert "A100 40GB SXM" in hand.error("card_memory")
    assert hand.scenario == Scenario()
    hand.key("Escape")
    hand.enter("card_memory", "A10")
    assert hand.scenario.card == "A10"


def test_digits_that_are_no_memory_name_a_card(hand: Hand) -> None:
    hand.enter("card_memory", "4090")
    assert hand.scenario.card == "RTX 4090"
    hand.key("Ctrl+Z")
    hand.enter("card_memory", "80")
    assert hand.error("card_memory").startswith(
        "'80' without a unit is bytes, and is below the least, 1 MB; write 80 GB"
    )
    assert hand.scenario == Scenario()


def test_undo_takes_a_wrong_text_first_where_it_is_in_hand(hand: Hand) -> None:
    hand.enter("params", "70X")
    hand.leave()
    hand.enter("cards", "4")
    hand.key("Ctrl+Z")
    assert hand.scenario == Scenario(), "what was done last"
    assert hand.line("params").text() == "70X", "not in hand"


def test_another_look_interrupts_no_typing(hand: Hand) -> None:
    hand.write("params", "4000")
    hand.key("Ctrl++")
    hand.key("0")
    assert hand.line("params").text() == "40000"
    assert hand.scenario.params == 40_000


def test_undo_takes_a_wrong_text_first(hand: Hand) -> None:
    hand.enter("cards", "4")
    hand.enter("params", "70X")
    hand.key("Ctrl+Z")
    assert (hand.line("params").text(), hand.error("params")) == ("30B", "")
    assert hand.scenario.cards == 4
    hand.key("Ctrl+Z")
    assert hand.scenario == Scenario()


def test_a_small_number_is_taken_after_a_pause_or_on_leaving(hand: Hand) -> None:
    hand.write("params", "7")
    assert hand.scenario == Scenario()
    QTest.qWait(60)
    assert hand.scenario.params == 7
    hand.write("params", "8")
    hand.leave()
    assert hand.scenario.params == 8


def test_a_bad_entry_is_mended_by_escape_after_it_was_left(hand: Hand) -> None:
    hand.write("params", "70X")
    hand.leave()
    hand.go("params")
    hand.key("Escape")
    assert (hand.line("params").text(), hand.error("params")) == ("30B", "")


def test_enter_on_a_bad_entry_says_it_at_once(hand: Hand) -> None:
    hand.write("cards", "0.5")
    hand.key("Return")
    assert "not a whole number" in hand.error("cards")
    assert hand.scenario == Scenario()


def test_typing_into_one_field_leaves_another_fields_bad_text_to_be_mended(hand: Hand) -> None:
    hand.write("params", "70X")
    hand.enter("cards", "64")
    assert hand.scenario.cards == 64
    assert hand.line("params").text() == "70X"
    assert hand.error("params") != ""


def test_a_drag_elsewhere_ends_an_entry_and_its_wrong_text_leaves_nothing(hand: Hand) -> None:
    hand.enter("cards", "16")
    hand.write("cards", "8 nodesx")
    hand.scrub(hand.row("params").label, 40)
    assert hand.scenario.cards == 16
    assert hand.scenario.params != 30 * 10**9
    hand.key("Ctrl+Z")
    hand.key("Ctrl+Z")
    assert (hand.scenario.cards, hand.scenario.params) == (16, 30 * 10**9)


def test_a_name_that_the_others_refuse_leaves_nothing_of_what_was_typed(hand: Hand) -> None:
    hand.enter("card_memory", "H100 SXM")
    store = hand.window.store
    store.apply({"card_capacity": "usable"})
    store.commit()
    hand.write("card_memory", "40 GB")
    box = hand.box("card_memory")
    assert isinstance(box, NamedBox)
    box._completed("A40")  # what a click in the list comes to; the usable memory of an A40 is not known
    assert "usable memory of A40 is not known" in hand.error("card_memory")
    assert hand.scenario.card == "H100 SXM"
    assert hand.line("card_memory").text() == "A40", "the text stays to be mended"


def test_a_wrong_text_goes_with_the_scenario_that_is_removed(hand: Hand) -> None:
    hand.key("Ctrl+D")
    hand.enter("cards", "8x")
    hand.key("Ctrl+Shift+W")
    assert (hand.line("cards").text(), hand.error("cards")) == ("", "")


def test_escape_leaves_what_can_be_redone(hand: Hand) -> None:
    hand.enter("cards", "16")
    hand.enter("cards", "32")
    hand.key("Ctrl+Z")
    hand.write("cards", "7")
    hand.key("Escape")
    assert hand.scenario.cards == 16
    hand.key("Ctrl+Y")
    assert hand.scenario.cards == 32
