"""Where texts and bars stand: nothing over anything else, nothing outside, lengths to scale."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtCore import QRectF

from core.charts.description import Chart
from gui.charts.layout import lay_out
from gui.charts.parts import Layout
from tests.gui.samples import GB, SAMPLES, stages, training
from tests.gui.strategies import charts

pytestmark = pytest.mark.usefixtures("qapp")


def overlap(one: QRectF, two: QRectF, slack: float = 0.6) -> bool:
    """Whether two rectangles share more than rounding's breadth."""
    shared = one.intersected(two)
    return shared.width() > slack and shared.height() > slack


def faults(layout: Layout) -> list[str]:
    """What a reader would call wrong with a layout."""
    whole = QRectF(0, 0, layout.width, layout.height).adjusted(-0.6, -0.6, 0.6, 0.6)
    texts = [(f"{label.kind} {label.text!r}", label.rect) for label in layout.labels]
    bodies = [row.body for row in layout.rows if row.body.width() > 0]
    found = [f"{name} leaves the picture" for name, rect in texts if not whole.contains(rect)]
    found += [f"{one} over {two}" for (one, here), (two, there) in combinations(texts, 2) if overlap(here, there)]
    found += [f"{name} over a chip" for name, rect in texts for chip in layout.chips if overlap(rect, chip.rect)]
    found += [f"{name} over a bar" for name, rect in texts for body in bodies if overlap(rect, body)]
    found += ["a bar leaves the picture" for body in bodies if not whole.contains(body)]
    found += ["a bar over a bar" for one, two in pairwise(bodies) if overlap(one, two, 0.01)]
    return found


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_samples_are_without_fault_at_every_size(name: str, scale: float) -> None:
    for width in (64, 120, 200, 320, 480, 640, 900, 1600):
        for height in (64, 120, 150, 180, 220, 280, 400, 900):
            assert faults(lay_out(SAMPLES[name](), width * scale, height * scale, scale)) == [], (width, height)


anywhere = given(
    chart=charts(), width=st.integers(64, 2000), height=st.integers(64, 1200), scale=st.sampled_from([1.0, 1.25, 2.0])
)


@settings(max_examples=100, deadline=None)
@anywhere
def test_any_chart_is_without_fault(chart: Chart, width: int, height: int, scale: float) -> None:
    assert faults(lay_out(chart, width, height, scale)) == []


@pytest.mark.soak
@settings(max_examples=5000, deadline=None)
@anywhere
def test_very_many_charts_are_without_fault(chart: Chart, width: int, height: int, scale: float) -> None:
    assert faults(lay_out(chart, width, height, scale)) == []


def test_bars_are_to_scale_from_the_zero_line() -> None:
    layout = lay_out(training(), 900, 280)
    train, infer = layout.rows
    assert train.body.left() == infer.body.left() == layout.plot.left()
    # 480 GB against 60 GB on an axis to 500 GB; edges are rounded to whole pixels.
    assert train.body.width() == pytest.approx(layout.plot.width() * 480 / 500, abs=0.5)
    assert infer.body.width() == pytest.approx(layout.plot.width() * 60 / 500, abs=0.5)
    parameters, gradients, optimizer = layout.blocks[:3]
    assert optimizer.rect.width() == pytest.approx(layout.plot.width() * 360 / 500, abs=1)
    assert parameters.rect.right() == gradients.rect.left()
    assert gradients.rect.right() == optimizer.rect.left()


def test_limits_and_ticks_stand_at_their_values() -> None:
    layout = lay_out(training(), 900, 280)
    left, width = layout.plot.left(), layout.plot.width()
    assert [rule.x for rule in layout.rules] == [pytest.approx(left + width * gb / 500) for gb in (80, 480)]
    assert list(layout.ticks) == [pytest.approx(left + width * gb / 500) for gb in (0, 100, 200, 300, 400, 500)]


def test_a_broken_bar_is_to_scale_up_to_the_break_and_keeps_the_order_after_it() -> None:
    chart = SAMPLES["broken"]()
    layout = lay_out(chart, 900, 280)
    assert len(layout.breaks) == 3  # 10.7, 2.7 and 1.4 TB on an axis that ends at 200 GB
    broken_at = layout.plot.left() + layout.plot.width() * 160 / 200
    assert all(mark.left() == pytest.approx(broken_at, abs=0.5) for mark in layout.breaks)
    ends = [row.body.right() for row in layout.rows]
    assert ends[0] == pytest.approx(layout.plot.right(), abs=1)
    assert ends[0] > ends[1] > ends[2] > broken_at > ends[3]
    # 41.9 GB, stage 3, is drawn to scale.
    assert layout.rows[3].body.width() == pytest.approx(layout.plot.width() * 41.9375 / 200, abs=0.6)


def test_a_ghost_ends_where_the_baseline_s_bar_did() -> None:
    layout = lay_out(SAMPLES["compared"](), 900, 280)
    left, width = layout.plot.left(), layout.plot.width()
    assert [row.ghost for row in layout.rows] == [
        pytest.approx(left + width * gb / 500, abs=0.5) for gb in (480, 180, 100, 80)
    ]
    # Words stand after whichever is longer: at stage 1 165 GB now, 180 GB then; at stage 2 112.5 GB now, 100 GB then.
    values = [label for label in layout.labels if label.kind in ("value", "over")]
    assert values[1].rect.left() > layout.rows[1].end == layout.rows[1].ghost
    assert values[2].rect.left() > layout.rows[2].end == layout.rows[2].body.right()
    assert lay_out(stages(), 900, 280).rows[0].ghost is None


def test_a_sliver_stays_visible() -> None:
    layout = lay_out(SAMPLES["extremes"](), 900, 280)
    assert layout.rows[1].body.width() == 2
    assert [block.role for block in layout.blocks if block.bar == 1] == ["activations"]


def test_every_band_is_named_once_above_a_bar() -> None:
    layout = lay_out(stages(), 900, 300)
    assert [label.text for label in layout.labels if label.kind == "key"] == [
        "Parameters",
        "Gradients",
        "Optimizer states",
    ]
    assert [chip.role for chip in layout.chips] == ["parameters", "gradients", "optimizer"]
    assert all(label.rect.bottom() <= layout.rows[0].body.top() for label in layout.labels if label.kind == "key")


def test_bars_of_one_piece_need_no_key() -> None:
    assert lay_out(SAMPLES["items"](), 900, 280).chips == ()


def test_a_long_name_is_shortened_and_kept_in_full() -> None:
    layout = lay_out(SAMPLES["longest"](), 700, 320)
    name = next(label for label in layout.labels if label.kind == "name")
    assert "…" in name.text
    assert name.full == "Llama-3.1-Nemotron-Ultra-253B-v1 fine-tuned with LoRA rank 64"


def test_the_unit_is_written_at_the_axis() -> None:
    texts = [label.text for label in lay_out(training(), 900, 280).labels if label.kind == "tick"]
    assert texts == ["0", "100", "200", "300", "400", "500 GB"]


def test_over_is_said_without_colour() -> None:
    layout = lay_out(training(), 900, 280)
    over = next(label for label in layout.labels if label.kind == "over")
    # Room for the triangle before the value.
    assert over.rect.left() - layout.rows[0].body.right() >= 16


def test_digits_do_not_move_the_bars() -> None:
    one, two = lay_out(stages(29), 900, 300), lay_out(stages(30), 900, 300)
    assert one.plot == two.plot


def test_more_room_never_shows_less() -> None:
    chart = stages()
    shown = [len(lay_out(chart, 900, height).labels) for height in range(100, 500, 20)]
    assert shown == sorted(shown)


def test_what_is_said_of_a_value_gives_way_before_the_value() -> None:
    bar = replace(training().bars[1], text="60 GB · as sold, taken as decimal gigabytes, before anything is kept back")
    chart = replace(training(), bars=(bar,))
    wide, narrow = ([label.text for label in lay_out(chart, width, 260).labels] for width in (1200, 480))
    assert "60 GB" in wide
    assert any(text.startswith("as sold") for text in wide)
    assert "60 GB" in narrow
    assert not any(text.startswith("as sold") for text in narrow)


def test_nothing_but_zeros_is_a_chart_too() -> None:
    chart = Chart("z", "Zeros", "", "B", (training().bars[0].__class__("Nothing", (), "0 B"),), (), (), 0, None, "0 B")
    layout = lay_out(chart, 600, 200)
    assert layout.rows[0].body.width() == 0
    assert faults(layout) == []


def test_an_empty_chart_says_why() -> None:
    layout = lay_out(SAMPLES["empty"](), 900, 280)
    assert "Choose a model" in " ".join(label.text for label in layout.labels if label.kind == "empty")
    assert layout.rows == ()


def test_huge_figures_are_no_floats_until_they_are_pixels() -> None:
    chart = training()
    grown = Chart(
        chart.name,
        chart.title,
        chart.caption,
        chart.unit,
        chart.bars,
        chart.limits,
        chart.ticks,
        500 * GB + 1,
        None,
        "",
    )
    assert lay_out(grown, 900, 280).rows[0].body == lay_out(chart, 900, 280).rows[0].body
