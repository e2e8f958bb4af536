"""The chart in a window: real widgets, real events."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QImage, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.charts import pointing
from gui.charts.item import STREAM_MS
from gui.charts.layout import lay_out
from gui.charts.motion import between, can_move
from gui.charts.pointing import Place
from gui.charts.view import ChartView
from gui.theme import DARK, LIGHT
from tests.gui.samples import GB, SAMPLES, stages, training


@pytest.fixture
def view(qtbot: QtBot) -> ChartView:
    made = ChartView(chart=training())
    qtbot.addWidget(made)
    made.resize(900, 280)
    with qtbot.waitExposed(made):
        made.show()
    return made


def picture(view: ChartView) -> QImage:
    """What the widget shows."""
    image: QImage = view.grab().toImage()
    return image.convertToFormat(QImage.Format.Format_RGB32)


def middle(view: ChartView, bar: int, segment: int) -> QPoint:
    """The middle of a segment."""
    block = next(b for b in view.item.layout_data.blocks if (b.bar, b.segment) == (bar, segment))
    return block.rect.center().toPoint()


def colour(image: QImage, point: QPoint) -> str:
    """The colour at a place."""
    return QColor(image.pixel(point)).name().upper()


def test_segments_are_painted_in_their_bands_colours(view: ChartView) -> None:
    image = picture(view)
    assert [colour(image, middle(view, 0, at)) for at in range(3)] == ["#0072B2", "#56B4E9", "#E69F00"]
    view.set_theme(DARK)
    image = picture(view)
    assert [colour(image, middle(view, 0, at)) for at in range(3)] == ["#0072B2", "#56B4E9", "#E69F00"]
    assert colour(image, QPoint(880, 270)) == DARK.card


def test_the_limit_crosses_the_bars(view: ChartView) -> None:
    image = picture(view)
    rule = view.item.layout_data.rules[0]
    column = {colour(image, QPoint(round(rule.x), y)) for y in range(round(rule.top), round(rule.bottom))}
    assert LIGHT.limit in column


def test_another_chart_is_shown_by_the_same_items(view: ChartView) -> None:
    items = view.scene().items()
    before = picture(view)
    view.set_chart(stages())
    assert view.scene().items() == items
    assert picture(view) != before
    view.set_chart(training())
    assert picture(view) == before


def test_the_axis_is_pyqtgraph_s_with_the_description_s_range_and_ticks(view: ChartView) -> None:
    assert view.item.axis.range == [0.0, 500e9]
    assert [text for _, text in view.item.axis._tickLevels[0]] == ["0", "100", "200", "300", "400", "500"]


def test_a_resize_lays_out_anew(view: ChartView) -> None:
    view.resize(500, 220)
    assert (view.item.layout_data.width, view.item.layout_data.height) == (500, 220)


def test_zoom_enlarges_type_and_bars(view: ChartView) -> None:
    name = next(label for label in view.item.layout_data.labels if label.kind == "title")
    view.resize(1800, 560)
    view.set_zoom(2.0)
    larger = next(label for label in view.item.layout_data.labels if label.kind == "title")
    assert larger.rect.height() == pytest.approx(2 * name.rect.height(), rel=0.02)


def test_pointing_says_what_is_pointed_at(view: ChartView, qtbot: QtBot) -> None:
    heard: list[str] = []
    view.pointed.connect(heard.append)
    QTest.mouseMove(view.viewport(), middle(view, 0, 2))
    QTest.mouseMove(view.viewport(), middle(view, 1, 0))
    QTest.mouseMove(view.viewport(), QPoint(850, middle(view, 1, 0).y()))  # in the bar's strip, beside the bar
    QTest.mouseMove(view.viewport(), QPoint(850, 2))
    assert heard == ["training.optimizer", "training.parameters", "inference", ""]


def test_a_click_asks_and_so_does_enter(view: ChartView, qtbot: QtBot) -> None:
    heard: list[str] = []
    view.activated.connect(heard.append)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=middle(view, 0, 1))
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Return)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(850, 2))
    assert heard == ["training.gradients", "training.optimizer"]


def test_arrow_keys_walk_over_bars_and_segments(view: ChartView) -> None:
    view.activateWindow()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    walk = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Home):
        QTest.keyClick(view, key)
        walk.append(view.focus_key())
    assert walk == [
        "training.parameters",
        "training.gradients",
        "training.parameters",
        "inference",
        "inference",
        "training",
    ]


def test_the_focus_can_be_seen(view: ChartView) -> None:
    view.clearFocus()
    before = picture(view)
    view.activateWindow()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()
    ring = pointing.ring(view.item.layout_data, Place(0, None))
    assert ring is not None
    edge = QPoint(450, round(ring.top()) + 1)
    assert colour(picture(view), edge) == LIGHT.accent
    assert colour(before, edge) != LIGHT.accent


def test_the_focus_stays_where_it_was_when_the_chart_changes(view: ChartView) -> None:
    view.activateWindow()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(view, Qt.Key.Key_Down)
    view.set_chart(stages())
    assert view.focus_key() == "stage1"
    view.set_chart(SAMPLES["empty"]())
    assert view.focus_key() == ""
    QTest.keyClick(view, Qt.Key.Key_Down)  # nothing to walk over


def test_assistive_technology_hears_the_title_and_the_figures(view: ChartView) -> None:
    assert view.accessibleName() == "Training against inference"
    assert view.accessibleDescription() == "Training keeps 480 GB, inference 60 GB; a card holds 80 GB."
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.accessibleDescription() == "Training, Gradients, 60 GB"


def test_tooltips_say_values_and_full_names(view: ChartView) -> None:
    layout = view.item.layout_data
    assert pointing.tip(layout, QPointF(middle(view, 0, 2))) == "Training, Optimizer states, 360 GB"
    view.set_chart(SAMPLES["longest"]())
    layout = view.item.layout_data
    name = next(label for label in layout.labels if label.kind == "name" and "…" in label.text)
    assert pointing.tip(layout, name.rect.center()) == name.full


def test_the_wheel_is_left_to_what_holds_the_chart(view: ChartView) -> None:
    event = QWheelEvent(
        QPointF(400, 100), view.mapToGlobal(QPointF(400, 100)), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    before = view.transform()
    QApplication.sendEvent(view.viewport(), event)
    assert not event.isAccepted()
    assert view.transform() == before


def test_a_context_menu_is_asked_for(view: ChartView) -> None:
    heard: list[QPoint] = []
    view.menu_requested.connect(heard.append)
    place = view.viewport().mapToGlobal(QPoint(300, 100))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(300, 100), place)
    QApplication.sendEvent(view.viewport(), event)
    assert heard == [place]


def test_a_drag_is_no_click(view: ChartView) -> None:
    asked: list[str] = []
    dragged: list[bool] = []
    view.activated.connect(asked.append)
    view.drag_started.connect(lambda: dragged.append(True))
    start = middle(view, 0, 2)
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    away = start + QPoint(3 * QApplication.startDragDistance(), 0)
    for place in (away, away + QPoint(5, 0)):
        move = _move(view, place)
        QApplication.sendEvent(view.viewport(), move)
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=away)
    assert (asked, dragged) == ([], [True])


def _move(view: ChartView, place: QPoint) -> QEvent:
    return QMouseEvent(
        QEvent.Type.MouseMove, QPointF(place), view.viewport().mapToGlobal(QPointF(place)), Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip


def test_two_thousand_changes_leave_nothing_behind(view: ChartView) -> None:
    charts = [stages(params) for params in range(20, 40)]
    count = len(view.scene().items())
    for at in range(2000):
        view.set_chart(charts[at % len(charts)])
    QApplication.processEvents()
    assert len(view.scene().items()) == count
    assert view.item.layout_data.rows[0].body.width() > 0
    assert charts[0].bars[0].total == 20 * 16 * GB


def painted_end(view: ChartView) -> float:
    assert view.item.bars.layout is not None
    return view.item.bars.layout.rows[0].body.right()


def test_bars_grow_where_motion_is_wanted(view: ChartView, qtbot: QtBot) -> None:
    view.set_chart(stages(27))
    start = view.item.layout_data.rows[0].body.right()
    view.set_motion(120)
    qtbot.wait(2 * STREAM_MS)
    view.set_chart(stages(30))
    end = view.item.layout_data.rows[0].body.right()  # the layout never waits
    assert end > start
    assert painted_end(view) == pytest.approx(start, abs=(end - start) / 2)
    qtbot.waitUntil(lambda: view.item.bars.layout == view.item.layout_data, timeout=2000)


def test_a_stream_of_changes_is_shown_at_once(view: ChartView, qtbot: QtBot) -> None:
    view.set_motion(120)
    qtbot.wait(2 * STREAM_MS)
    for params in (27, 28, 29, 30):  # the first may grow; what follows at once, as while dragging, does not lag behind
        view.set_chart(stages(params))
    assert painted_end(view) == view.item.layout_data.rows[0].body.right()


def test_what_nobody_has_seen_does_not_move(view: ChartView, qtbot: QtBot) -> None:
    view.set_chart(stages(27))
    view.set_motion(120)
    qtbot.wait(2 * STREAM_MS)
    view.set_chart(stages(30), seen=False)
    assert painted_end(view) == view.item.layout_data.rows[0].body.right()


def test_a_change_in_motion_starts_from_what_is_seen(view: ChartView) -> None:
    one, two = (lay_out(stages(params), 900, 280) for params in (27, 30))
    half = between(one, two, 0.5)
    ends = [layout.rows[0].body.right() for layout in (one, half, two)]
    assert ends[1] == pytest.approx((ends[0] + ends[2]) / 2)
    assert half.blocks[2].rect.right() == pytest.approx(ends[1])
    values = [next(label for label in layout.labels if label.kind == "over") for layout in (half, two)]
    assert values[0].text == "480 GB"  # the new value at once, on its way to its place
    assert values[0].rect.left() - ends[1] == pytest.approx(values[1].rect.left() - ends[2])
    assert between(one, two, 1.0) == two


def test_another_size_or_number_of_bars_is_shown_at_once() -> None:
    assert not can_move(lay_out(stages(), 900, 280), lay_out(stages(), 901, 280))
    assert not can_move(lay_out(stages(), 900, 280), lay_out(training(), 900, 280))


def test_where_the_axis_changes_an_old_value_stands_on_the_new_one() -> None:
    one, two = (lay_out(stages(params), 900, 280) for params in (27, 60))
    assert one.chart.maximum != two.chart.maximum
    start = between(one, two, 0.0)
    # 27 billion at 16 bytes are 432 GB, 60 billion 960 GB: the bar starts at 27/60 of the length it will have.
    grown, whole = (layout.rows[0].body.width() for layout in (start, two))
    assert grown == pytest.approx(whole * 27 / 60, abs=1.5)
    back = between(two, one, 0.0)
    assert back.rows[0].body.right() == one.plot.right()  # the axis ends before 960 GB


def test_the_bands_of_a_growing_bar_always_meet() -> None:
    # Stage 1 shares the optimizer's states, stage 3 everything: every band of a bar has another length then.
    one, two = (lay_out(stages(30, cards), 900, 280) for cards in (2, 64))
    gone = replace(two.chart.bars[0], segments=two.chart.bars[0].segments[1:])  # without its first band
    other = lay_out(replace(two.chart, bars=(gone, *two.chart.bars[1:])), 900, 280)
    for old, new in ((one, two), (two, one), (other, two), (two, other)):
        for share in (0.0, 0.3, 0.9):
            half = between(old, new, share)
            for bar, row in enumerate(half.rows):
                ends = [row.body.left()]
                for block in (block for block in half.blocks if block.bar == bar):
                    assert block.rect.left() == pytest.approx(ends[-1])
                    ends.append(block.rect.right())
                assert row.body.right() == pytest.approx(ends[-1])
            assert all(label.rect.right() <= half.width for label in half.labels)
