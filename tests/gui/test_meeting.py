"""A meeting from beginning to end, as one person at the window would lead it; undoing it ends where it began.

Figures by hand: mixed precision with AdamW keeps 2 + 2 + 4 + 4 + 4 = 16 B a parameter (Rajbhandari et al., "ZeRO",
2020, section 3.1); a card holds 80 GB unless it is said.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from core import document
from core.learn.pages import PAGES as LESSONS
from core.workbook import Workbook
from gui.controls.value_box import ValueBox
from tests.gui.hand import Hand, settle, visible_texts
from tests.gui.test_files_dropped import drop

GB = 10**9
CTRL = Qt.KeyboardModifier.ControlModifier
# Llama 3 8B as its publisher configures it: 8,030,261,248 parameters, which its report rounds to 8 B.
LLAMA = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "tie_word_embeddings": False,
    "hidden_act": "silu",
    "max_position_embeddings": 8192,
    "rope_theta": 500000.0,
    "torch_dtype": "bfloat16",
}
LLAMA_PARAMS = 8_030_261_248


def test_a_meeting_ends_where_it_began(fresh: Hand, tmp_path: Path) -> None:
    start = fresh.window.store.book
    assert start == Workbook()

    _values_change_as_they_are_said(fresh)
    _two_scenarios_beside_a_baseline(fresh)
    _before_an_audience(fresh)
    _the_lesson_and_the_palette(fresh)
    _a_picture_goes_into_the_minutes(fresh, tmp_path)
    _a_line_goes_through_the_chat(fresh)
    _someone_drops_a_model(fresh, tmp_path)

    kept = fresh.window.store.book
    fresh.dialogs.paths = [tmp_path / "meeting.memtax"]
    fresh.key("Ctrl+S")
    assert document.load_book(tmp_path / "meeting.memtax") == kept

    steps = 0
    while fresh.window.actions_by_name["undo"].isEnabled():
        fresh.key("Ctrl+Z")
        steps += 1
    assert fresh.window.store.book == start
    # Typed, dragged, stage, pinned, copied, renamed, edited, presented, pasted, dropped: each is one step and no more.
    assert steps == 10
    assert fresh.line("params").text() == "30B"
    fresh.key("Alt+1")
    assert fresh.charts()["footprint"].bars[0].text == "480 GB"
    assert fresh.window.isWindowModified(), "the saved file holds what the meeting came to"
    assert document.load_book(tmp_path / "meeting.memtax") == kept
    while fresh.window.actions_by_name["redo"].isEnabled():
        fresh.key("Ctrl+Shift+Z")
    assert fresh.window.store.book.scenarios == kept.scenarios
    assert fresh.dialogs.said == []


def _values_change_as_they_are_said(hand: Hand) -> None:
    hand.write("params", "70B")
    assert hand.charts()["footprint"].bars[0].text == "1.12 TB"  # 70 B × 16 B, before Enter
    hand.key("Return")
    # A step of 70 billion is a billion: sixty pixels, six to a step, are ten of them. There and back is one drag.
    hand.scrub(hand.row("params").label, 30, 90, 60)
    assert hand.scenario.params == 80 * GB
    hand.go("zero")
    hand.key("Right")
    assert hand.scenario.zero == 1


def _two_scenarios_beside_a_baseline(hand: Hand) -> None:
    window = hand.window
    hand.key("Ctrl+B")
    assert window.baseline.isVisible()
    hand.key("Ctrl+D")
    hand.dialogs.names = ["Half of it"]
    hand.key("F2")
    assert [named.name for named in window.store.book.scenarios] == ["Scenario", "Half of it"]
    hand.enter("params", "40B")
    assert window.store.baseline is not None
    assert window.store.baseline.scenario.params == 80 * GB
    training = hand.charts()["footprint"].bars[0]
    assert (training.total, training.ghost) == (640 * GB, 1280 * GB)  # 40 B and 80 B × 16 B
    hand.key("Ctrl+1")
    assert hand.scenario.params == 80 * GB
    assert hand.line("params").text() == "80B"
    hand.key("Ctrl+2")
    assert hand.scenario.params == 40 * GB
    assert hand.line("params").text() == "40B"
    hand.key("Alt+5")
    settle()
    assert [bar.label for bar in window.scenarios.card.view.chart.bars] == ["Scenario", "Half of it"]
    heads = [window.scenarios.table.horizontalHeaderItem(column) for column in (1, 2)]
    assert [head.text() if head else "" for head in heads] == ["Scenario", "Half of it"]
    hand.key("Alt+1")


def _before_an_audience(hand: Hand) -> None:
    window = hand.window
    usual = window.look.zoom
    hand.key("F11")
    settle()
    assert window.presenting
    assert not window.form.isVisible()
    assert window.look.zoom > usual
    box = window.slim_bar.rows["params"].box
    assert isinstance(box, ValueBox)
    hand.click(box.lineEdit())
    box.lineEdit().selectAll()
    QTest.keyClicks(box, "20B")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert hand.scenario.params == 20 * GB
    assert hand.charts()["footprint"].bars[0].total == 320 * GB
    shown = window.look.zoom
    hand.wheel(window.boards["why"].cards[0].view, 1, CTRL)
    assert window.look.zoom > shown
    hand.wheel(window.slim_bar, -1, CTRL)
    assert window.look.zoom == shown
    hand.key("F11")
    settle()
    assert not hand.window.presenting
    assert window.form.isVisible()
    assert window.look.zoom == usual
    assert hand.line("params").text() == "20B"


def _the_lesson_and_the_palette(hand: Hand) -> None:
    window = hand.window
    hand.key("Alt+7")
    settle()
    assert window.learn.isVisible()
    assert window.learn.page == next(iter(LESSONS))
    hand.key("Ctrl+P")
    settle()
    palette = window.palette_popup
    assert QApplication.activePopupWidget() is palette
    QTest.keyClicks(palette.line, "many cards")
    assert palette.list.count() == 1
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    settle()
    assert not palette.isVisible()
    assert window.page == "cards"
    hand.key("Ctrl+P")
    settle()
    QTest.keyClicks(palette.line, "field sequence")
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    settle()
    assert hand.box("seq_len").hasFocus()


def _a_picture_goes_into_the_minutes(hand: Hand, folder: Path) -> None:
    files = [folder / f"minutes.{ending}" for ending in ("png", "svg", "pdf")]
    for file in files:
        hand.dialogs.paths = [file]
        hand.key("Ctrl+E")
        assert hand.said() == f"{file.name} written"
    png, svg, pdf = files
    assert not QImage(str(png)).isNull()
    assert ElementTree.parse(svg).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert pdf.read_bytes().startswith(b"%PDF-")
    hand.dialogs.paths = [folder / "one.png"]
    hand.click(hand.find(QPushButton, "Export…"))
    assert not QImage(str(folder / "one.png")).isNull()


def _a_line_goes_through_the_chat(hand: Hand) -> None:
    hand.key("Ctrl+L")
    line = QGuiApplication.clipboard().text()
    assert "\n" not in line
    before = hand.scenario
    hand.key("Ctrl+Shift+V")
    assert hand.scenario == before, "what was copied is what is pasted: no step"
    # Someone answers with another line.
    QGuiApplication.clipboard().setText("memory-tax report --params 30B --cards 8 --zero 3")
    hand.key("Ctrl+Shift+V")
    assert (hand.scenario.params, hand.scenario.cards, hand.scenario.zero) == (30 * GB, 8, 3)
    # 480 GB ÷ 8 = 60 GB a card.
    assert any("60 GB" in text for text in visible_texts(hand.window.summary))


def _someone_drops_a_model(hand: Hand, folder: Path) -> None:
    file = folder / "config.json"
    file.write_text(json.dumps(LLAMA), encoding="utf-8")
    assert drop(hand, hand.window.summary, QUrl.fromLocalFile(str(file)))
    assert hand.window.store.account.params.count == LLAMA_PARAMS
    assert hand.said().endswith("8,030,261,248 parameters")
    assert hand.scenario.cards == 8, "the rest of the scenario stays"
