"""The Learn side: pages by list and key, steps, the laboratory, answers; and in the window."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.learn.pages import PAGES
from gui.charts.view import ChartView
from gui.learn.page import LearnPage
from gui.learn.quiz_panel import QuizPanel
from gui.theme import DARK
from tests.gui.learn.pages import an_account, made

ROOT = Path(__file__).parents[3]


@pytest.fixture
def page(qtbot: QtBot) -> LearnPage:
    """The Learn side on the lesson's scenario."""
    return made(qtbot)


def _quiz(page: LearnPage) -> QuizPanel:
    widgets = page._bodies["questions"].widgets
    assert isinstance(widgets[0], QuizPanel)
    return widgets[0]


def test_all_pages_are_listed_and_can_be_turned_to(page: LearnPage) -> None:
    assert [page.list.item(at).text()[3:] for at in range(page.list.count())] == [kind.label for kind in PAGES.values()]
    for name in PAGES:
        page.show_page(name)
        assert page.page == name
        assert page.title.text() == PAGES[name].title


def test_nothing_is_made_before_it_is_seen(qtbot: QtBot) -> None:
    page = LearnPage()
    qtbot.addWidget(page)
    page.show_account(an_account(), "decimal")
    assert page.view is None
    assert page.names == ()


def test_keys_step_through_a_page_and_on_to_the_next(page: LearnPage) -> None:
    page.show_page("loop")
    for step in range(1, 5):
        QTest.keyClick(page.list, Qt.Key.Key_Right)
        assert (page.page, page.view and page.view.step) == ("loop", step)
    QTest.keyClick(page.list, Qt.Key.Key_PageDown)
    assert page.page == "copy"
    QTest.keyClick(page.list, Qt.Key.Key_PageUp)
    assert page.page == "loop"
    QTest.keyClick(page.list, Qt.Key.Key_Down)
    assert page.page == "copy"


def test_forward_a_page_begins_at_its_first_step(page: LearnPage) -> None:
    page.show_page("units")
    page.go(1)
    page.go(1)
    assert (page.page, page.view and page.view.step) == ("sharding", 0)


def test_the_ends_of_the_book_stop(page: LearnPage) -> None:
    page.show_page("growth")
    for _ in range(8):
        page.go(-1)
    assert (page.page, page.view and page.view.step) == ("growth", 0)
    assert not page.back.isEnabled()


def test_the_pages_follow_the_scenario(page: LearnPage) -> None:
    page.show_page("loop")
    page.show_account(an_account(params="70B"), "decimal")
    assert page.view is not None
    assert page.view.figures[0].text == "2.66 TB"  # 70 × 10⁹ × 38 B
    page.show_account(an_account(params="70B"), "binary")
    assert page.view.figures[0].text == "2.42 TiB"


def test_a_step_that_is_gone_is_left(page: LearnPage) -> None:
    page.show_page("growth")
    page.go(-1)
    page.show_account(an_account(precision="inference"), "decimal")
    assert page.view is not None
    assert (page.view.step, page.view.steps) == (0, 1)


def test_the_laboratory_takes_other_numbers(page: LearnPage) -> None:
    page.show_page("copy")
    lab = page._lab
    assert lab is not None
    assert lab.formats.place == 1  # bf16, as the scenario's weights
    box = lab.boxes["update"]
    box.setFocus()
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), "2^-6")
    assert lab.setup.update == Fraction(1, 64)
    assert "survives in bf16" in page.view.drawings[1].spoken  # type: ignore[union-attr]
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert lab.setup.update == Fraction(1, 10**6)
    lab.formats.button(0).click()
    assert page.view is not None
    assert page.view.figures[1].text == "2⁻¹²"


def test_a_number_that_cannot_be_read_is_said_and_changes_nothing(page: LearnPage, qtbot: QtBot) -> None:
    page.show_page("copy")
    lab = page._lab
    assert lab is not None
    box = lab.boxes["weight"]
    box.setFocus()
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), "1,5")
    QTest.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: box.property("error") is True)
    assert "comma" in box.toolTip()
    assert lab.setup.weight == 1


def test_the_format_follows_the_scenario_until_one_is_chosen(page: LearnPage) -> None:
    page.show_page("copy")
    lab = page._lab
    assert lab is not None
    page.show_account(an_account(precision="fp32"), "decimal")
    assert lab.formats.place == 4
    lab.formats.button(2).click()
    page.show_account(an_account(), "decimal")
    assert lab.formats.place == 2
    box = lab.boxes["weight"]
    box.setFocus()
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), "2")
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert lab.formats.place == 2, "a number that is taken back takes no format with it"


def test_questions_are_answered_by_key_once_and_judged(page: LearnPage) -> None:
    page.show_page("questions")
    quiz = _quiz(page)
    right = next(at for at, answer in enumerate(quiz.quiz.choices) if answer.right)
    wrong = (right + 1) % len(quiz.quiz.choices)
    QTest.keyClick(page.list, [Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4][wrong])
    assert quiz.said.text().startswith("No: ")
    assert quiz.answers[right].text().endswith("✓")
    assert quiz.answers[wrong].text().endswith("✗")
    assert quiz.derivation.text()
    quiz.answers[right].click()
    assert quiz.said.text().startswith("No: ")  # the first answer counts
    page.go(1)
    assert page.view is not None
    assert page.view.step == 1
    assert quiz.said.text() == ""


def test_a_bar_and_a_figure_explain_themselves(page: LearnPage, qtbot: QtBot) -> None:
    page.show_page("growth")
    body = page._bodies["growth"]
    chart = body.widgets[0]
    assert isinstance(chart, ChartView)
    with qtbot.waitSignal(page.asked) as asked:
        chart.activated.emit("items.master")
    assert asked.args is not None
    assert asked.args[0] == "items.master"
    with qtbot.waitSignal(page.explained) as explained:
        QTest.keyClick(body.strip.tiles[1], Qt.Key.Key_Return)
    assert explained.args is not None
    assert explained.args[0].line.count == 480_000_000_000


@pytest.mark.parametrize(("size", "zoom"), [(QSize(912, 470), 1.0), (QSize(612, 363), 1.0), (QSize(1232, 620), 1.35)])
def test_every_page_fits_without_scrolling(qtbot: QtBot, size: QSize, zoom: float) -> None:
    page = made(qtbot, DARK, size, zoom)
    for name in PAGES:
        page.show_page(name)
        qtbot.wait(1)
        assert page.size() == size, name
        hint = page.minimumSizeHint()
        assert hint.width() <= size.width(), name
        assert hint.height() <= size.height(), name


def test_every_drawing_is_spoken(page: LearnPage) -> None:
    for name in PAGES:
        page.show_page(name)
        for widget in page._bodies[name].widgets:
            assert widget.accessibleName()
            assert widget.accessibleDescription()


def test_the_window_starts_without_the_lesson() -> None:
    script = (
        "import os, sys; os.environ['QT_QPA_PLATFORM'] = 'offscreen';"
        "from PySide6.QtWidgets import QApplication; app = QApplication([]);"
        "from gui.learn.page import LearnPage; page = LearnPage();"
        "print([name for name in ('ml_dtypes', 'core.learn') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
