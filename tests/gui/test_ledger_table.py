"""The ledger: the same rows as the core's, why each is so by hover and by key, and copies that can be read back."""

from __future__ import annotations

import csv
import io

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolTip

from core.ledger import Row, ledger
from core.scenario import Scenario
from gui.panels.ledger_table import LedgerTable
from tests.gui.hand import Hand, settle, visible_texts

GB = 10**9


@pytest.fixture
def table(hand: Hand) -> LedgerTable:
    """The ledger, in sight."""
    hand.window.show_page("ledger")
    settle()
    return hand.window.table


def cells(table: LedgerTable) -> list[list[str]]:
    """The texts of all rows that are no headings, as they are shown."""
    model = table.model()
    columns = [column for column in range(model.columnCount()) if not table.isColumnHidden(column)]
    rows = [[model.index(row, column).data() or "" for column in columns] for row in range(model.rowCount())]
    return [row for row in rows if any(row[1:])]


def place_of(table: LedgerTable, label: str) -> int:
    """The place of the first row of that label."""
    model = table.model()
    return next(row for row in range(model.rowCount()) if model.index(row, 0).data() == label)


def go_to(table: LedgerTable, label: str) -> None:
    """Make a row the current one, as a click does."""
    index = table.model().index(place_of(table, label), 0)
    table.scrollTo(index)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_the_ledger_has_the_lessons_rows(table: LedgerTable) -> None:
    rows = {(row[0], row[1]): row for row in cells(table)}
    # 30 B × 16 B = 480 GB = 447.03 GiB; 2 B each = 60 GB = 55.9 GiB; ⌈480 ÷ 80⌉ = 6.
    assert rows["Training", "480 GB"][2:] == ["447 GiB", "30,000,000,000 × 16 B = 480,000,000,000 B"]
    assert rows["Inference", "60 GB"][2:] == ["55.9 GiB", "30,000,000,000 × 2 B = 60,000,000,000 B"]
    assert rows["Cards needed", "6 cards"][3] == "⌈480,000,000,000 B ÷ 80,000,000,000 B⌉ = 6 cards"
    assert rows["All items", "16 B"][3] == "2 B + 2 B + 4 B + 4 B + 4 B = 16 B"


@pytest.mark.parametrize(
    "values",
    [{}, {"params": 671 * GB, "zero": 2, "cards": 256}, {"params": 1}, {"reserve": 80 * GB}, {"card": "H100 SXM"}],
)
def test_the_table_says_what_the_core_says(hand: Hand, table: LedgerTable, values: dict[str, object]) -> None:
    hand.window.store.apply(values)
    expected = [[row.label, row.decimal, row.binary, row.line.text()] for row in ledger(hand.window.store.account)]
    assert cells(table) == expected


def test_every_bar_of_every_chart_has_its_value_in_the_ledger(hand: Hand, table: LedgerTable) -> None:
    keys = {row.key: row.line.value for row in ledger(hand.window.store.account)}
    seen = 0
    for page in ("why", "cards"):
        hand.window.show_page(page)
        for chart in hand.charts().values():
            for bar in chart.bars:
                if bar.key:
                    assert keys[bar.key] == bar.total, bar
                    seen += 1
    assert seen >= 10


def test_a_live_change_keeps_the_selection_and_the_scroll(hand: Hand, table: LedgerTable) -> None:
    go_to(table, "Inference")
    table.verticalScrollBar().setValue(40)
    hand.window.store.apply({"params": 70 * GB})
    settle()
    assert [row.label for row in table.chosen()] == ["Inference"]
    assert table.verticalScrollBar().value() == 40
    assert table.chosen()[0].decimal == "140 GB"  # 70 B × 2 B


def test_hovering_a_row_says_how_it_comes_about(table: LedgerTable) -> None:
    index = table.model().index(place_of(table, "Cards needed"), 1)
    table.scrollTo(index)
    at = table.visualRect(index).center()
    QApplication.sendEvent(table.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, table.viewport().mapToGlobal(at)))
    assert QToolTip.text().splitlines()[-2:] == [
        "Cards needed: ⌈480,000,000,000 B ÷ 80,000,000,000 B⌉ = 6 cards",
        "for the state alone, if every byte is shared out",
    ]
    QToolTip.hideText()


@pytest.mark.parametrize("key", ["F1", "Return", "Enter"])
def test_a_key_opens_the_derivation_and_escape_closes_it(hand: Hand, table: LedgerTable, key: str) -> None:
    go_to(table, "Training")
    hand.key(key)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    texts = visible_texts(popup)
    assert texts[:2] == ["Whole model · Training", "480 GB = 447 GiB"]
    assert "30,000,000,000 parameters × 16 B = 480,000,000,000 B" in "\n".join(texts)
    hand.key("Escape")
    assert QApplication.activePopupWidget() is None
    assert table.hasFocus()


def test_f1_closes_what_f1_opened(hand: Hand, table: LedgerTable) -> None:
    go_to(table, "Training")
    hand.key("F1")
    hand.key("F1")
    assert QApplication.activePopupWidget() is None


def test_a_double_click_opens_the_derivation_and_copy_copies_it(hand: Hand, table: LedgerTable) -> None:
    go_to(table, "Inference")
    at = table.visualRect(table.currentIndex()).center()
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    copy = hand.find(QPushButton, "Copy")
    hand.click(copy)
    assert copy.text() == "Copied"
    assert clipboard().splitlines()[0] == "Whole model · Inference"
    assert "60,000,000,000 B" in clipboard()
    hand.key("Escape")


def test_a_heading_explains_nothing_and_cannot_be_selected(hand: Hand, table: LedgerTable) -> None:
    go_to(table, "Whole model")
    assert table.selectionModel().selectedRows() == []
    hand.key("F1")
    assert QApplication.activePopupWidget() is None


def test_the_selected_rows_are_copied_as_text(hand: Hand, table: LedgerTable) -> None:
    go_to(table, "Training")
    hand.key("Shift+Down")
    hand.key("Ctrl+C")
    lines = [line.split("\t") for line in clipboard().splitlines()]
    assert [line[:4] for line in lines] == [
        ["Training", "480 GB", "447 GiB", "480,000,000,000 B"],
        ["Inference", "60 GB", "55.9 GiB", "60,000,000,000 B"],
    ]
    assert hand.said() == "2 rows copied"


def test_without_a_selection_all_rows_are_copied(hand: Hand, table: LedgerTable) -> None:
    table.setFocus()
    hand.key("Ctrl+C")
    assert len(clipboard().splitlines()) == len(cells(table))


def menu(hand: Hand, table: LedgerTable, label: str, entry: str) -> None:
    """Open the context menu of a row and pick from it."""
    go_to(table, label)
    at = table.visualRect(table.currentIndex()).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, table.viewport().mapToGlobal(at))
    QApplication.sendEvent(table.viewport(), event)
    hand.pick(entry)


def test_the_menu_of_a_row_copies_markdown(hand: Hand, table: LedgerTable) -> None:
    menu(hand, table, "Training", "Copy as Markdown")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in clipboard().splitlines() if "|" in line]
    widths = {len(row) for row in rows}
    assert len(widths) == 1, "all rows have as many cells"
    assert "Training" in rows[-1]
    assert {"480 GB", "447 GiB"} <= set(rows[-1])


def test_the_menu_of_a_row_copies_csv(hand: Hand, table: LedgerTable) -> None:
    menu(hand, table, "Training", "Copy as CSV")
    rows = list(csv.DictReader(io.StringIO(clipboard())))
    assert len(rows) == 1
    assert "Training" in rows[0].values()
    assert "480000000000" in [str(value).replace(",", "").removesuffix(" B") for value in rows[0].values()]


def test_the_menu_of_a_row_explains_it(hand: Hand, table: LedgerTable) -> None:
    menu(hand, table, "Training", "Why this figure")
    popup = QApplication.activePopupWidget()
    assert popup is not None
    assert "Whole model · Training" in visible_texts(popup)
    hand.key("Escape")


@pytest.mark.parametrize("name", ["copy_text", "copy_markdown", "copy_csv", "copy_latex"])
def test_the_edit_menu_copies_the_whole_ledger_from_any_page(hand: Hand, name: str) -> None:
    hand.window.actions_by_name[name].trigger()
    text = clipboard()
    rows = ledger(hand.window.store.account)
    for row in rows:
        assert row.label.replace("&", r"\&") in text
    assert hand.said() == f"Ledger copied, {len(rows)} rows"
    assert hand.scenario == Scenario()


def test_every_derivation_can_be_opened(hand: Hand, table: LedgerTable) -> None:
    hand.window.store.apply({"deadline": 90, "card_price": 2, "reserve": GB, "bytes_other": 1})
    for row in table.ledger.entries:
        if isinstance(row, Row):
            hand.window.explain(row.key, QPoint(0, 0))
            popup = QApplication.activePopupWidget()
            assert popup is not None, row.key
            assert any(row.decimal in text for text in visible_texts(popup)), row.key
            popup.close()


def test_numbers_stand_at_the_right_and_are_never_cut(hand: Hand, table: LedgerTable) -> None:
    model = table.model()
    for column in (1, 2):
        index = model.index(place_of(table, "Training"), column)
        assert index.data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    usual = [table.columnWidth(column) for column in range(3)]
    for params in (7 * GB, 70 * GB, 671 * GB):
        hand.window.store.apply({"params": params})
        settle()
        assert [table.columnWidth(column) for column in range(3)] == usual, "columns stand still as numbers grow"
    hand.window.store.apply({"params": 10**15, "tokens": 10**18})
    settle()
    for column in range(3):
        texts = [model.index(place, column).data() or "" for place in range(model.rowCount())]
        longest = max(table.fontMetrics().horizontalAdvance(text) for text in texts)
        assert longest + 22 <= table.columnWidth(column), "a number that is cut is another number"
    hand.window.store.undo()
    settle()
    assert [table.columnWidth(column) for column in range(3)] == usual
