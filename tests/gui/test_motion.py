"""Bars that grow to their new length: only where that is wanted, and never in anybody's way."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.charts import item
from gui.charts.item import STREAM_MS
from gui.charts.view import ChartView
from gui.system_motion import SystemMotion
from tests.gui.hand import Hand


def view(hand: Hand) -> ChartView:
    """The chart of the footprint."""
    return next(card.view for card in hand.window.boards["why"].cards if card.name == "footprint")


def ends(seen: ChartView) -> tuple[float, float]:
    """Where the first bar ends as it is painted, and where it belongs."""
    assert seen.item.bars.layout is not None
    return seen.item.bars.layout.rows[0].body.right(), seen.item.layout_data.rows[0].body.right()


def change(hand: Hand, qtbot: QtBot, text: str) -> float:
    """Commit another number of parameters after a pause; returns where the first bar was painted before."""
    qtbot.wait(2 * STREAM_MS)
    before = ends(view(hand))[0]
    hand.enter("params", text)
    return before


def test_a_bar_grows_and_the_words_are_new_at_once(hand: Hand, qtbot: QtBot) -> None:
    seen = view(hand)
    assert hand.window.look.motion == 120
    seen.set_motion(3000)  # so that a busy machine, too, meets it on its way
    before = change(hand, qtbot, "28B")
    painted, there = ends(seen)
    assert before > there + 5
    assert painted > there + 1
    # 28 billion parameters at 16 bytes are 448 GB, said while the bar is still on its way.
    assert "448 GB" in {label.text for label in seen.item.bars.layout.labels}  # type: ignore[union-attr]
    assert "448 GB" in seen.chart.bars[0].text
    seen.set_motion(120)
    qtbot.waitUntil(lambda: ends(seen)[0] == ends(seen)[1], timeout=10_000)


def test_whoever_wants_no_motion_gets_none_and_it_is_remembered(hand: Hand, qtbot: QtBot) -> None:
    hand.window.actions_by_name["motion_none"].trigger()
    assert hand.window.settings.text("motion", "system") == "none"
    change(hand, qtbot, "28B")
    assert ends(view(hand))[0] == ends(view(hand))[1]


def test_a_page_that_is_opened_stands_still(hand: Hand, qtbot: QtBot) -> None:
    hand.window.show_page("ledger")
    change(hand, qtbot, "28B")
    hand.window.show_page("why")
    assert ends(view(hand))[0] == ends(view(hand))[1]


def test_a_key_in_the_middle_of_a_motion_is_taken_at_once(
    hand: Hand, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(hand, qtbot, "28B")
    monkeypatch.setattr(item, "STREAM_MS", 60_000)  # on a busy machine the key may come late
    box = hand.go("params")
    hand.key("Up", box)
    assert hand.scenario.params > 28 * 10**9
    assert ends(view(hand))[0] == ends(view(hand))[1]


# What a system's own command prints where people have asked it for less motion; on Windows there is no command.
@pytest.mark.skipif(sys.platform != "linux", reason="the commands are Linux's")
@pytest.mark.parametrize(
    ("command", "said", "moves"),
    [
        ("gsettings", "false", False),
        ("gsettings", "true", True),
        ("kreadconfig6", "0", False),
        ("kreadconfig6", "", True),
    ],
)
def test_the_system_is_asked(
    fresh: Hand, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, said: str, moves: bool
) -> None:
    script = tmp_path / command
    script.write_text(f"#!/bin/sh\necho {said}\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    look = fresh.window.look
    asked = SystemMotion(look)
    asked.unwanted.connect(look.system_keeps_still)
    asked.ask()
    qtbot.waitUntil(lambda: not asked.children(), timeout=10_000)
    assert (look.motion > 0) is moves


def test_a_system_that_is_asked_twice_is_heard_once(fresh: Hand) -> None:
    look = fresh.window.look
    heard: list[bool] = []
    look.changed.connect(lambda: heard.append(True))
    look.system_keeps_still()
    look.system_keeps_still()
    assert len(heard) == 1
