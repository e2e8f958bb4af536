"""The first screen, live charts, units, pages and undo, seen from outside."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from core.charts.catalogue import PAGES
from core.scenario import Scenario
from tests.gui.hand import Hand, visible_texts

GB = 10**9


def test_the_first_screen_says_the_lessons_numbers_without_a_click(fresh: Hand) -> None:
    # The lesson: 30 B parameters × 16 B = 480 GB = 447 GiB; 480 ÷ 80 = 6 cards; inference 2 B = 60 GB; 2 / 2 / 12.
    texts = visible_texts(fresh.window)
    for said in ("16 B", "480 GB", "447 GiB", "6 cards", "60 GB", "2 / 2 / 12", "80 GB", "74.5 GiB"):
        assert said in texts, said
    verdict = " ".join(visible_texts(fresh.window.summary.verdict))
    assert verdict.startswith("6 cards if every byte is shared out")
    # At stage 0 every card holds all 480 GB: 400 GB (372.5 GiB) more than it has.
    assert "over by 400 GB (373 GiB)" in verdict


def test_the_first_charts_show_the_same_numbers(fresh: Hand) -> None:
    charts = fresh.charts()
    assert list(charts) == ["per-parameter", "footprint"]
    items = {bar.label: bar.text for bar in charts["per-parameter"].bars}
    assert items == {"Weights": "2 B", "Gradients": "2 B", "Master copy": "4 B", "Momentum": "4 B", "Variance": "4 B"}
    training, inference = charts["footprint"].bars
    assert [segment.value // GB for segment in training.segments] == [60, 60, 360]
    assert (training.text, inference.text) == ("480 GB", "60 GB")
    # Lines at whole cards of 80 GB, the last at the sixth.
    assert charts["footprint"].limits[-1].label == "6 cards"
    assert charts["footprint"].limits[-1].value == 480 * GB


def test_the_window_opens_with_the_cursor_in_the_parameters_and_nothing_to_save(fresh: Hand) -> None:
    window = fresh.window
    assert fresh.box("params").hasFocus()
    assert window.windowTitle() == "Untitled[*] – Memory Tax"
    assert not window.isWindowModified()
    assert not window.actions_by_name["undo"].isEnabled()
    assert not window.actions_by_name["redo"].isEnabled()


def test_charts_change_while_a_number_is_typed(hand: Hand) -> None:
    # 671 B × 16 B = 10,736 GB: ⌈10,736 ÷ 80⌉ = 135 cards. No Enter, no leaving.
    hand.write("params", "671B")
    assert hand.charts()["footprint"].bars[0].text == "10.7 TB"
    assert hand.charts()["footprint"].bars[0].total == 10_736 * GB
    assert "135 cards" in visible_texts(hand.window.summary)


def test_a_beginning_of_a_number_does_not_flash_through_the_charts(hand: Hand) -> None:
    seen = []
    hand.window.store.changed.connect(lambda: seen.append(hand.scenario.params))
    hand.write("params", "70B")
    assert seen == [70 * GB]


def test_the_unit_switch_changes_texts_and_no_bytes(hand: Hand) -> None:
    hand.key("Ctrl+Shift+G")
    # 480 × 10⁹ ÷ 2³⁰ = 447.03; 60 × 10⁹ ÷ 2³⁰ = 55.88.
    training, inference = hand.charts()["footprint"].bars
    assert (training.text, inference.text) == ("447 GiB", "55.9 GiB")
    assert (training.total, inference.total) == (480 * GB, 60 * GB)
    assert hand.scenario == Scenario()
    assert "6 cards" in visible_texts(hand.window.summary)
    assert not hand.window.store.can_undo
    hand.key("Ctrl+G")
    assert hand.charts()["footprint"].bars[0].text == "480 GB"


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(params=st.integers(1, 10**15), memory=st.integers(10**6, 10**15), page=st.sampled_from(["why", "cards"]))
def test_bytes_never_change_with_the_unit_shown(hand: Hand, params: int, memory: int, page: str) -> None:
    window = hand.window
    window.show_page(page)
    window.store.set_system("decimal")
    window.store.apply({"params": params, "card_memory": memory})
    decimal = hand.charts()
    window.store.set_system("binary")
    binary = hand.charts()
    assert decimal.keys() == binary.keys()
    for name, chart in decimal.items():
        assert [bar.total for bar in chart.bars] == [bar.total for bar in binary[name].bars]
        assert [limit.value for limit in chart.limits] == [limit.value for limit in binary[name].limits]


def test_pages_are_reached_by_key_and_by_click(hand: Hand) -> None:
    shown = {page.name: list(page.charts) for page in PAGES} | {"scenarios": ["scenarios"], "ledger": []}
    for number, (name, charts) in enumerate(shown.items(), 1):
        hand.key(f"Alt+{number}")
        assert hand.window.page == name
        if name in hand.window.boards:
            assert list(hand.charts()) == charts
        assert hand.window.actions_by_name[f"page_{name}"].isChecked()
    assert hand.window.table.isVisible()
    hand.click(hand.find(QPushButton, "View: How many cards"))
    assert hand.window.page == "cards"
    assert hand.window.actions_by_name["page_cards"].isChecked()


def test_a_page_that_was_hidden_catches_up(hand: Hand) -> None:
    hand.enter("params", "70B")
    hand.key("Alt+2")
    # Stage 0 keeps everything on each card: 70 B × 16 B = 1,120 GB.
    assert hand.charts()["stages"].bars[0].total == 1_120 * GB


def test_stage_three_on_six_cards_just_fits(hand: Hand) -> None:
    # 480 GB ÷ 6 = 80 GB, which is all that a card has.
    hand.window.store.apply({"zero": 3})
    verdict = " ".join(visible_texts(hand.window.summary.verdict))
    assert "✓" in verdict
    assert "80 GB (74.5 GiB): it just fits, with nothing to spare" in verdict


def test_undo_and_redo_take_one_entry_at_a_time_with_the_cursor_in_the_field(hand: Hand) -> None:
    hand.enter("params", "70B")
    hand.enter("params", "671B")
    assert hand.box("params").hasFocus()
    hand.key("Ctrl+Z")
    assert (hand.scenario.params, hand.line("params").text()) == (70 * GB, "70B")
    hand.key("Ctrl+Z")
    assert (hand.scenario.params, hand.line("params").text()) == (30 * GB, "30B")
    assert not hand.window.actions_by_name["undo"].isEnabled()
    hand.key("Ctrl+Shift+Z")
    assert hand.scenario.params == 70 * GB
    hand.key("Ctrl+Y")
    assert (hand.scenario.params, hand.line("params").text()) == (671 * GB, "671B")


def test_an_entry_typed_in_several_goes_is_one_step(hand: Hand) -> None:
    hand.write("params", "70000B")
    hand.key("Backspace")
    hand.key("Backspace")
    hand.key("Backspace")
    hand.key("Backspace")
    hand.key("B")
    hand.leave()
    hand.key("Ctrl+Z")
    assert hand.scenario == Scenario()
    assert not hand.window.store.can_undo


def test_entries_in_two_fields_are_two_steps(hand: Hand) -> None:
    hand.write("params", "70B")
    hand.write("cards", "64")
    hand.leave()
    hand.key("Ctrl+Z")
    assert (hand.scenario.params, hand.scenario.cards) == (70 * GB, None)
    hand.key("Ctrl+Z")
    assert hand.scenario == Scenario()


def test_a_change_after_undo_drops_what_could_be_redone(hand: Hand) -> None:
    hand.enter("params", "70B")
    hand.key("Ctrl+Z")
    hand.enter("params", "7B")
    assert not hand.window.actions_by_name["redo"].isEnabled()


def test_the_notes_say_what_is_not_counted(hand: Hand) -> None:
    hand.click(hand.find(QToolButton, "3 notes"))
    popup = QApplication.activePopupWidget()
    assert popup is not None
    texts = visible_texts(popup)
    assert any("Counted is the training state alone: activations" in text for text in texts)
