"""Pictures out of the window: by menu, key, button and context menu, to files and to the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QDrag, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from core.scenario import Scenario
from gui.charts.view import ChartView
from tests.gui.hand import Hand, settle

GB = 10**9


def view(hand: Hand, name: str) -> ChartView:
    """The view of a chart that can be seen."""
    return next(
        card.view
        for board in hand.window.boards.values()
        for card in board.cards
        if card.name == name and card.view.isVisible()
    )


def read(path: Path) -> QImage:
    """A picture from disk; fails where it is none."""
    image = QImage(str(path))
    assert not image.isNull()
    return image


WAYS: dict[str, Callable[[Hand], None]] = {
    "key": lambda hand: hand.key("Ctrl+E"),
    "menu": lambda hand: hand.window.actions_by_name["export_board"].trigger(),
    "button": lambda hand: hand.click(hand.find(QPushButton, "Export…")),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_board_is_exported_at_twice_full_hd(hand: Hand, tmp_path: Path, way: str) -> None:
    hand.dialogs.paths = [tmp_path / "board.png"]
    WAYS[way](hand)
    image = read(tmp_path / "board.png")
    assert (image.width(), image.height()) == (3840, 2160)
    assert hand.said() == "board.png written"
    assert "30B" in image.text("Description") + image.text("Title")
    assert hand.scenario == Scenario()
    assert not hand.window.isWindowModified()


def test_a_name_is_offered_that_says_what_the_picture_shows(hand: Hand) -> None:
    hand.enter("params", "70B")
    hand.dialogs.paths = [None, None]
    hand.key("Ctrl+E")
    hand.key("Ctrl+Shift+E")
    offered = [Path(asked).name for asked in hand.dialogs.asked]
    assert offered == ["memory-tax-70B-mixed-board.png", "memory-tax-70B-mixed-per-parameter.png"]


@pytest.mark.parametrize(("ending", "head"), [(".svg", b"<?xml"), (".pdf", b"%PDF-")])
def test_the_ending_decides_the_kind_of_picture(hand: Hand, tmp_path: Path, ending: str, head: bytes) -> None:
    hand.dialogs.paths = [tmp_path / f"chart{ending}"]
    hand.key("Ctrl+Shift+E")
    assert (tmp_path / f"chart{ending}").read_bytes().startswith(head)


def test_the_chart_with_the_focus_is_the_one_that_is_exported(hand: Hand) -> None:
    view(hand, "footprint").setFocus(Qt.FocusReason.TabFocusReason)
    hand.dialogs.paths = [None]
    hand.key("Ctrl+Shift+E")
    assert Path(hand.dialogs.asked[0]).name == "memory-tax-30B-mixed-footprint.png"


def test_a_picture_has_the_windows_theme(hand: Hand, tmp_path: Path) -> None:
    hand.dialogs.paths = [tmp_path / "light.png", tmp_path / "dark.png"]
    hand.key("Ctrl+E")
    hand.key("Ctrl+Shift+D")
    hand.key("Ctrl+E")
    light, dark = (read(tmp_path / name).pixelColor(5, 5).lightness() for name in ("light.png", "dark.png"))
    assert light > 200
    assert dark < 60


@pytest.mark.parametrize("name", ["gone/board.png", "", "board.gif"])
def test_a_picture_that_cannot_be_written_is_said_and_changes_nothing(hand: Hand, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    before = sorted(tmp_path.iterdir())
    hand.dialogs.paths = [path]
    hand.key("Ctrl+E")
    title, sentence = hand.dialogs.said[-1]
    assert title == "The picture was not written"
    assert sentence.endswith(".")
    assert "Traceback" not in sentence
    assert "\n" not in sentence
    assert sorted(tmp_path.iterdir()) == before
    assert hand.said() == ""
    assert hand.scenario == Scenario()


def test_an_old_picture_is_replaced_whole(hand: Hand, tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    path.write_bytes(b"old")
    hand.dialogs.paths = [path]
    hand.key("Ctrl+E")
    read(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["board.png"]


def test_the_board_is_copied_by_key(hand: Hand) -> None:
    hand.key("Ctrl+Shift+C")
    image = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == (3840, 2160)
    assert hand.said().startswith("Picture copied")


def context_menu(hand: Hand, chart: ChartView, reason: QContextMenuEvent.Reason) -> None:
    """Ask for a chart's context menu, by the right button or by the menu key."""
    at = chart.viewport().rect().center()
    event = QContextMenuEvent(reason, at, chart.viewport().mapToGlobal(at))
    QApplication.sendEvent(chart.viewport() if reason == QContextMenuEvent.Reason.Mouse else chart, event)


@pytest.mark.parametrize("reason", [QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard])
def test_a_charts_menu_copies_it(hand: Hand, reason: QContextMenuEvent.Reason) -> None:
    chart = view(hand, "footprint")
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    context_menu(hand, chart, reason)
    hand.pick("Copy chart as picture")
    assert not QGuiApplication.clipboard().image().isNull()


def test_a_charts_menu_exports_it(hand: Hand, tmp_path: Path) -> None:
    hand.window.show_page("cards")
    settle()
    hand.dialogs.paths = [tmp_path / "stages.png"]
    context_menu(hand, view(hand, "stages"), QContextMenuEvent.Reason.Mouse)
    hand.pick("Export “One card by ZeRO stage”…")
    read(tmp_path / "stages.png")
    assert Path(hand.dialogs.asked[0]).name == "memory-tax-30B-mixed-stages.png"


def test_a_click_on_a_bar_explains_it(hand: Hand) -> None:
    chart = view(hand, "footprint")
    row = chart.item.layout_data.rows[0].body.center()
    at = chart.mapFromScene(chart.item.mapToScene(row))
    QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at.x(), at.y()))
    popup = QApplication.activePopupWidget()
    assert popup is not None
    assert popup.accessibleName() == "Derivation"
    popup.close()


def test_each_chart_that_is_dragged_out_is_a_file_of_its_own(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    # The drag itself belongs to the window system; what it carries is ours.
    carried: list[Path] = []

    def dropped(drag: QDrag, _: object) -> Qt.DropAction:
        carried.append(Path(drag.mimeData().urls()[0].toLocalFile()))
        assert drag.mimeData().hasImage()
        return Qt.DropAction.CopyAction

    monkeypatch.setattr(QDrag, "exec", dropped)
    hand.window.commands.pictures.drag("footprint")
    first = carried[0].read_bytes()
    hand.enter("cards", "64")
    hand.window.commands.pictures.drag("footprint")
    assert carried[0] != carried[1]
    assert carried[0].read_bytes() == first
    assert QImage(str(carried[1])).size() == QSize(3840, 2160)


def test_a_chart_that_cannot_be_dragged_out_is_said(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/nowhere/at/all")
    hand.window.commands.pictures._dragged = None
    hand.window.commands.pictures.drag("footprint")
    assert hand.dialogs.said[-1][0] == "The chart cannot be dragged out"
