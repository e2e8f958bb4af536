"""Nothing is cut, nothing overlaps and nothing jumps: at every size, with ordinary, large and huge values."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QScrollArea, QWidget

from core.scenario import FIELDS
from tests.gui.fitting import faults_at_rest, place_in
from tests.gui.hand import Hand, settle

GB = 10**9
SIZES = ((1280, 800), (1920, 1080), (1024, 700))
SCENARIOS: dict[str, dict[str, object]] = {
    "the lesson": {},
    "671B": {"params": 671 * GB, "zero": 2, "cards": 2048, "reserve": 2 * 2**30},
    "one parameter": {"params": 1},
    "huge": {"params": 10**15, "card_memory": 10**6, "tokens": 10**18, "cards": 10**7},
    "long names": {"params": 123_456_789_012, "card": "RTX PRO 6000 Blackwell", "zero": 3, "cards": 1_234_567},
    "no room": {"reserve": 80 * GB},
}


def show(hand: Hand, values: dict[str, object], size: tuple[int, int]) -> None:
    hand.window.resize(*size)
    hand.window.store.apply(values)
    settle()
    settle()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SCENARIOS)
def test_nothing_is_cut_on_any_page(hand: Hand, name: str, size: tuple[int, int]) -> None:
    show(hand, SCENARIOS[name], size)
    found = {}
    for action in [action for action in hand.window.actions_by_name if action.startswith("page_")]:
        hand.window.actions_by_name[action].trigger()
        settle()
        settle()
        if said := faults_at_rest(hand.window):
            found[action] = said
    assert not found


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_is_cut_in_the_dark_with_a_model_and_a_baseline(hand: Hand, size: tuple[int, int]) -> None:
    store = hand.window.store
    hand.window.look.choose("dark")
    store.apply({"model": FIELDS["model"].read("Llama 3 70B"), "card": "H100 SXM", "cards": 64, "zero": 3})
    hand.key("Ctrl+B")
    hand.key("Ctrl+D")
    store.apply({"cards": 1024, "params": 671 * GB})
    show(hand, {"zero": 1}, size)
    assert faults_at_rest(hand.window) == []


@pytest.mark.parametrize("fold", ["model", "batch", "items", "card", "time"])
def test_nothing_is_cut_in_an_open_fold(hand: Hand, fold: str) -> None:
    hand.window.form.folds[fold].open()
    show(hand, SCENARIOS["671B"], (1280, 800))
    assert faults_at_rest(hand.window) == []


def test_nothing_is_cut_while_something_is_wrong(hand: Hand) -> None:
    hand.window.resize(1024, 700)
    hand.write("params", "1000000000000000000000000000001.5 parameters")
    hand.leave()
    settle()
    assert hand.error("params") != ""
    assert faults_at_rest(hand.window) == []


@pytest.mark.parametrize("steps", [-3, 3, 5, 7])
def test_nothing_is_cut_in_smaller_or_larger_type(hand: Hand, steps: int) -> None:
    show(hand, SCENARIOS["671B"], (1280, 800))
    for _ in range(abs(steps)):
        hand.key("Ctrl++" if steps > 0 else "Ctrl+-")
    settle()
    settle()
    assert faults_at_rest(hand.window) == []


def test_nothing_is_cut_on_a_full_screen_at_twice_the_density(hand: Hand) -> None:
    # 1920 × 1080 at 200 % leaves 960 × 540, less a panel of the desktop.
    show(hand, SCENARIOS["671B"], (960, 500))
    assert hand.window.size().height() == 500, "the window is larger than the screen"
    assert faults_at_rest(hand.window) == []


@pytest.mark.parametrize("size", [*SIZES, (800, 600)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_is_cut_before_an_audience(hand: Hand, size: tuple[int, int]) -> None:
    hand.key("F11")
    assert hand.window.presenting
    # The offscreen platform has one small screen: the sizes of others are taken by hand.
    hand.window.setWindowState(Qt.WindowState.WindowNoState)
    show(hand, SCENARIOS["671B"], size)
    assert (hand.window.width(), hand.window.height()) == size
    assert faults_at_rest(hand.window) == []


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_moves_while_numbers_grow(hand: Hand, size: tuple[int, int]) -> None:
    window = hand.window
    hand.window.resize(*size)
    placed = set()
    for params in (7, 7 * 10**6, 7 * GB, 70 * GB, 671 * GB, 10**15):
        window.store.apply({"params": params})
        settle()
        settle()
        cards = [window.summary.verdict, *window.summary.tiles, window.pages, window.form, *board_cards(hand)]
        placed.add(tuple(place_in(window, card).getRect() for card in cards))
    assert len(placed) == 1


def board_cards(hand: Hand) -> list[QWidget]:
    return list(hand.window.boards["why"].cards)


def test_segments_stand_still_whichever_is_chosen(hand: Hand) -> None:
    buttons = [button for button in hand.window.findChildren(QPushButton) if button.property("segment")]
    placed = set()
    for action in [action for action in hand.window.actions_by_name if action.startswith(("page_", "unit_"))]:
        hand.window.actions_by_name[action].trigger()
        settle()
        placed.add(tuple(place_in(hand.window, button).getRect() for button in buttons if button.isVisible()))
    assert len(placed) == 1


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("values", [{}, {"cards": 8, "zero": 3}, {"cards": 4}], ids=str)
def test_nothing_is_scrolled_sideways_in_large_type(
    hand: Hand, size: tuple[int, int], values: dict[str, object]
) -> None:
    window = hand.window
    window.store.apply({"model": FIELDS["model"].read("Llama 3 70B"), **values})
    hand.dialogs.names = ["a name as long as a name can be, and pinned as the baseline that all is compared with"]
    hand.key("F2")
    hand.key("Ctrl+B")
    window.store.apply({"seq_len": 4096})
    window.resize(*size)
    for _ in range(5):  # type twice as large
        hand.key("Ctrl++")
    settle()
    area = window.summary.parentWidget()
    while not isinstance(area, QScrollArea):
        assert area is not None
        area = area.parentWidget()
    for action in [action for action in window.actions_by_name if action.startswith("page_")]:
        window.actions_by_name[action].trigger()
        settle()
        assert area.horizontalScrollBar().maximum() == 0, action
