"""Without a mouse and without eyes: the Tab key, names of all that can be reached, why by key, focus in sight."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenuBar, QPushButton, QWidget

from core.ledger import ledger
from core.scenario import FIELDS, INPUTS, from_texts
from gui.panels.why import WhyPopup
from tests.gui.fitting import place_in
from tests.gui.hand import Hand, focus_chain, settle, visible_texts


def open_all(hand: Hand) -> None:
    for fold in hand.window.form.folds.values():
        fold.open()
    settle()


def test_every_field_has_a_label_a_name_and_a_tooltip(hand: Hand) -> None:
    assert set(hand.window.form.rows) == set(INPUTS)
    for name, row in hand.window.form.rows.items():
        field = FIELDS[name]
        label = field.named_label or field.label
        assert row.label.text() == label
        assert row.label.buddy() is row.box
        assert row.box.accessibleName() == label, name
        assert field.help
        assert field.help in row.box.toolTip() or any(
            button.toolTip() for button in row.box.findChildren(QAbstractButton)
        ), name


def test_whatever_can_have_the_focus_has_a_name(hand: Hand) -> None:
    hand.key("Ctrl+D")
    open_all(hand)
    nameless = []
    for page in ("why", "cards", "step", "model", "scenarios", "ledger", "learn"):
        hand.window.show_page(page)
        settle()
        for widget in hand.window.findChildren(QWidget):
            if not widget.isVisible() or widget.focusPolicy() == Qt.FocusPolicy.NoFocus or widget.focusProxy():
                continue
            if not (widget.accessibleName() or widget.property("text")) and not isinstance(widget, QMenuBar):
                nameless.append(f"{page}: {widget.metaObject().className()} {widget.objectName()}")
    assert nameless == []


def test_charts_and_figures_say_their_values(hand: Hand) -> None:
    chart = next(card.view for card in hand.window.boards["why"].cards if card.name == "footprint")
    assert chart.accessibleName() == "Training against inference"
    assert "480 GB" in chart.accessibleDescription()
    assert hand.window.summary.verdict.accessibleName().startswith("Verdict: 6 cards")
    assert [tile.accessibleName() for tile in hand.window.summary.tiles][:2] == ["Training: 480 GB", "Inference: 60 GB"]


def test_tab_goes_down_the_inputs_and_then_through_what_is_shown(hand: Hand) -> None:
    open_all(hand)
    chain = list(focus_chain(hand.box("params")))
    assert len(set(map(id, chain))) == len(chain), "Tab comes to a widget twice before it has been everywhere"
    inputs = [widget for widget in chain if hand.window.form.isAncestorOf(widget)]
    assert chain[: len(inputs)] == inputs, "the inputs come first, without leaving them"
    content = hand.window.form.widget()
    assert content is not None
    heights = [widget.mapTo(content, QPoint(0, 0)).y() for widget in inputs]
    assert heights == sorted(heights), [type(widget).__name__ for widget in inputs]
    boxes = [row.box for row in hand.window.form.rows.values() if row.box.isEnabled()]
    reached = {id(widget) for widget in inputs}
    for box in boxes:
        assert id(box) in reached or any(id(child) in reached for child in box.findChildren(QWidget)), (
            box.accessibleName()
        )
    right = [widget for widget in chain if hand.window.summary.isAncestorOf(widget)]
    assert right == [hand.window.summary.verdict, *hand.window.summary.tiles]
    shown = [place_in(hand.window, widget) for widget in chain[len(inputs) :]]
    middles = [place.center().y() for place in shown if place.left() > 320]
    assert middles == sorted(middles), [type(widget).__name__ for widget in chain[len(inputs) :]]


def test_shift_tab_goes_the_same_way_back(hand: Hand) -> None:
    there = list(focus_chain(hand.box("params")))
    back = list(focus_chain(hand.box("params"), Qt.Key.Key_Backtab))
    assert back == [there[0], *reversed(there[1:])]


def test_a_field_that_tab_comes_to_is_brought_into_view(hand: Hand) -> None:
    hand.window.resize(1024, 700)
    open_all(hand)
    viewport = hand.window.form.viewport()
    for widget in focus_chain(hand.box("params")):
        if hand.window.form.isAncestorOf(widget):
            settle()
            assert viewport.rect().contains(widget.mapTo(viewport, widget.rect().center())), widget


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_focus_can_be_seen(hand: Hand, theme: str) -> None:
    hand.window.look.choose(theme)
    settle()
    unseen = []
    for widget in list(focus_chain(hand.box("params"))):
        focused = QApplication.focusWidget()
        assert focused is not None
        focused.clearFocus()
        if hand.window.form.isAncestorOf(widget):
            hand.window.form.ensureWidgetVisible(widget)
        settle()
        area = place_in(hand.window, widget).adjusted(-3, -3, 3, 3)
        before = hand.window.grab(area).toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        settle()
        after = hand.window.grab(area).toImage()
        changed = sum(
            before.pixelColor(x, y) != after.pixelColor(x, y)
            for x in range(0, after.width(), 2)
            for y in range(0, after.height(), 2)
        )
        # A ring of one pixel's difference around the smallest widget is more than this.
        if changed < 16:
            unseen.append(f"{type(widget).__name__} {widget.accessibleName() or widget.property('text')}: {changed}")
    assert unseen == []


# Why


def popup_texts() -> list[str]:
    popup = QApplication.activePopupWidget()
    assert popup is not None
    return visible_texts(popup)


@pytest.mark.parametrize("key", ["F1", "Return", "Space"])
def test_a_key_on_a_figure_says_why_and_escape_leads_back(hand: Hand, key: str) -> None:
    tile = hand.window.summary.tiles[0]
    tile.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key(key)
    texts = popup_texts()
    assert "480 GB = 447 GiB" in texts
    assert any("30,000,000,000 parameters × 16 B = 480,000,000,000 B" in text for text in texts)
    hand.key("Escape")
    hand.wake()
    assert QApplication.activePopupWidget() is None
    assert tile.hasFocus()


def test_f1_in_a_field_explains_the_verdict(hand: Hand) -> None:
    hand.go("params")
    hand.key("F1")
    assert any("⌈480,000,000,000 B ÷ 80,000,000,000 B⌉ = 6 cards" in text for text in popup_texts())


def test_a_click_on_every_figure_says_why(hand: Hand) -> None:
    for card in [hand.window.summary.verdict, *hand.window.summary.tiles]:
        hand.click(card)
        assert len(popup_texts()) >= 3, card.accessibleName()
        popup = QApplication.activePopupWidget()
        assert popup is not None
        popup.close()


def test_hovering_a_figure_says_how_it_comes_about(hand: Hand) -> None:
    tile = hand.window.summary.tiles[0]
    at = tile.rect().center().toPointF()
    QApplication.sendEvent(tile, QEnterEvent(at, at, at))
    assert tile.toolTip() == "Training: 30,000,000,000 × 16 B = 480,000,000,000 B"
    assert "6 cards" in hand.window.summary.verdict.toolTip()


def test_the_bars_of_a_chart_are_walked_by_arrows_and_explained_by_enter(hand: Hand) -> None:
    chart = next(card.view for card in hand.window.boards["why"].cards if card.name == "footprint")
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key("Down")
    assert "Inference" in chart.accessibleDescription()
    hand.key("Return")
    assert "60 GB = 55.9 GiB" in popup_texts()


def test_every_derivation_copies_as_it_is_read(hand: Hand) -> None:
    hand.window.summary.verdict.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key("F1")
    hand.click(hand.find(QPushButton, "Copy"))
    copied = QGuiApplication.clipboard().text()
    assert "⌈480,000,000,000 B ÷ 80,000,000,000 B⌉ = 6 cards" in copied


def test_a_popup_stays_on_the_screen(hand: Hand) -> None:
    screen = hand.window.screen().availableGeometry()
    for at in (QPoint(0, 0), screen.bottomRight(), QPoint(10**5, -(10**5))):
        hand.window.explain("training.bytes", at)
        popup = QApplication.activePopupWidget()
        assert popup is not None
        assert screen.contains(popup.geometry())
        popup.close()


@pytest.mark.parametrize("steps", [0, 5])  # zooms of 1 and 2
def test_a_derivation_is_shown_whole_however_long_it_is(hand: Hand, steps: int) -> None:
    window = hand.window
    for _ in range(steps):
        hand.key("Ctrl++")
    window.store.put(from_texts({"model": "Llama 3 8B", "cards": "8", "zero": "3", "card": "H100 SXM"}))
    for row in ledger(window.store.account):
        window.explain(row.key, window.mapToGlobal(window.rect().center()))
        popup = QApplication.activePopupWidget()
        assert isinstance(popup, WhyPopup)
        settle()
        text = popup.steps
        assert text.height() >= text.heightForWidth(text.width()), row.key
        screen = popup.screen().availableGeometry()
        assert screen.contains(popup.geometry()), row.key
        popup.close()
