"""What assistive technology hears of the window, and the order in which Tab leads through it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from gui.actions import ACTIONS
from gui.charts.view import ChartView
from gui.controls.value_box import ValueBox
from tests.gui.hand import Hand, focus_chain, settle

PAGE_KEYS = [row.keys[0] for row in ACTIONS if row.choice == "page"]
NO_ROLE = {QAccessible.Role.NoRole, QAccessible.Role.Client, QAccessible.Role.Pane, QAccessible.Role.Grouping}


def controls(hand: Hand) -> list[QWidget]:
    """Whatever can be seen and takes the focus or a click, the parts of a compound one left out."""
    return [
        widget
        for widget in hand.window.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and (widget.focusPolicy() & Qt.FocusPolicy.TabFocus or isinstance(widget, QAbstractButton))
        and not isinstance(widget.parentWidget(), ValueBox)
        and widget.focusProxy() is None
    ]


@pytest.mark.parametrize("keys", PAGE_KEYS)
def test_every_control_has_a_name_and_a_role(hand: Hand, keys: str) -> None:
    hand.window.store.change_book(hand.window.store.book.pin().duplicate())
    for fold in hand.window.form.folds.values():
        fold.open()
    hand.key(keys)
    settle()
    found = controls(hand)
    assert len(found) > 20
    for widget in found:
        heard = QAccessible.queryAccessibleInterface(widget)
        who = f"{type(widget).__name__} {widget.objectName()} in {type(widget.parentWidget()).__name__}"
        assert heard is not None, who
        assert heard.text(QAccessible.Text.Name).strip(), f"{who} has no name"
        assert isinstance(widget, ChartView) or heard.role() not in NO_ROLE, f"{who} is {heard.role()}"


def test_a_field_s_value_and_error_are_heard(hand: Hand) -> None:
    hand.enter("params", "70B")
    box = hand.box("params")
    assert box.accessibleDescription() == "70,000,000,000 parameters"
    hand.enter("params", "70,5B")
    assert "comma" in box.accessibleDescription()


def test_tab_leads_through_the_form_from_top_to_bottom_and_comes_round(hand: Hand) -> None:
    first = hand.go("params")
    chain = list(focus_chain(first))
    assert len(set(chain)) == len(chain), "nothing twice"
    form = hand.window.form
    body = form.widget()
    assert body is not None
    inside = [widget for widget in chain if form.isAncestorOf(widget)]
    heights = [widget.mapTo(body, QPoint(0, 0)).y() for widget in inside]
    assert all(one <= two for one, two in pairwise(heights)), heights
    assert chain[: len(inside)] == inside, "the form first, then the rest"
    assert list(focus_chain(first, Qt.Key.Key_Backtab))[1:] == chain[:0:-1]


@pytest.mark.parametrize("keys", PAGE_KEYS)
def test_each_page_can_be_reached_and_left_by_tab(hand: Hand, keys: str) -> None:
    hand.key(keys)
    settle()
    chain = list(focus_chain(hand.go("params")))
    page = hand.window.pages.currentWidget()
    assert page is not None
    assert any(page.isAncestorOf(widget) for widget in chain)
    assert QApplication.focusWidget() is chain[0]


def test_tab_leads_through_a_learn_page_as_it_is_read(hand: Hand) -> None:
    window = hand.window
    hand.key("Alt+7")
    settle()
    window.learn.list.setFocus(Qt.FocusReason.TabFocusReason)
    chain = [widget for widget in focus_chain(window.learn.list) if window.learn.isAncestorOf(widget)]
    places = [widget.mapTo(window, QPoint(0, 0)).y() for widget in chain]
    assert len(chain) >= 6, "the list, two arrows, a drawing and figures"
    assert places[1:] == sorted(places[1:]), "down the page, the list at its left first"
    whole = list(focus_chain(hand.go("params")))
    # They are met with the page, before what stands beneath it.
    at = [whole.index(widget) for widget in chain]
    assert at == list(range(at[0], at[0] + len(at)))
    assert whole.index(window.notes.findChildren(QAbstractButton)[0]) > at[-1]


def test_tab_leads_through_the_right_side_as_it_is_read(hand: Hand) -> None:
    window = hand.window
    window.summary.verdict.setFocus(Qt.FocusReason.TabFocusReason)
    met = []
    for _ in range(8):
        focused = QApplication.focusWidget()
        assert focused is not None
        met.append(focused)
        hand.key("Tab")
    assert met[0] is window.summary.verdict
    assert met[1:6] == window.summary.tiles
    places = [widget.mapTo(window, QPoint(0, 0)) for widget in met]
    assert all(before.y() <= after.y() + 60 for before, after in pairwise(places)), "down the window, never up"
    assert isinstance(QApplication.focusWidget(), QAbstractButton)
