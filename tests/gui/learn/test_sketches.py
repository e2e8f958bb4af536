"""Drawings at any size: nothing over anything else, nothing outside, and at the usual size nothing left out."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from core.account import account
from core.charts.description import Chart
from core.learn.description import Bits, Cells, Drawing, Loop, Plot, Ruler
from core.learn.pages import describe
from core.learn.setup import Setup
from core.learn.state import State
from core.scenario import Scenario
from gui.learn.layouts import lay_out
from gui.learn.sketch import Box, Sketch, Stroke
from tests.core.strategies import any_scenarios
from tests.gui.learn.pages import an_account

pytestmark = pytest.mark.usefixtures("qapp")
LESSON = an_account()
DRAWN = ("loop", "averages", "walls", "sharding", "questions")


def drawings(name: str, **texts: str) -> list[Drawing]:
    """The drawings of a page that are no charts of bars."""
    found = describe(name, an_account(**texts)).drawings
    return [drawing for drawing in found if not isinstance(drawing, Chart)]


def faults(sketch: Sketch) -> list[str]:
    """What a reader would call wrong with a drawing."""
    whole = QRectF(0, 0, sketch.width, sketch.height).adjusted(-0.6, -0.6, 0.6, 0.6)
    texts = [(label.text, label.rect) for label in sketch.labels]
    found = [f"{text!r} leaves the picture" for text, rect in texts if not whole.contains(rect)]
    for (one, here), (two, there) in combinations(texts, 2):
        shared = here.intersected(there)
        if shared.width() > 0.6 and shared.height() > 0.6:
            found.append(f"{one!r} over {two!r}")
    slack = whole.adjusted(-4, -4, 4, 4)
    found += [f"{shape} leaves" for shape in sketch.shapes if isinstance(shape, Box) and not slack.contains(shape.rect)]
    return found


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    scenario=any_scenarios(), name=st.sampled_from(DRAWN), step=st.integers(0, 4),
    width=st.integers(200, 1600), height=st.integers(120, 900), scale=st.sampled_from([1.0, 1.35, 2.0]),
)  # fmt: skip
def test_any_drawing_is_without_fault(
    scenario: Scenario, name: str, step: int, width: int, height: int, scale: float
) -> None:
    for drawing in describe(name, account(scenario), "decimal", State(step=step)).drawings:
        if not isinstance(drawing, Chart):
            assert faults(lay_out(drawing, width, height, scale)) == [], drawing.name


@pytest.mark.parametrize("number_format", ["fp16", "bf16", "fp8-e4m3", "fp8-e5m2", "fp32"])
@pytest.mark.parametrize("update", [1, -1, 0])
@pytest.mark.parametrize("size", [(350, 120), (720, 110), (390, 180), (300, 90), (1500, 500)])
def test_the_laboratorys_drawings_are_without_fault(number_format: str, update: int, size: tuple[int, int]) -> None:
    view = describe("copy", LESSON, "decimal", State(setup=Setup(3, update, 50, number_format)))
    for drawing in view.drawings:
        assert faults(lay_out(drawing, *size, 1.0)) == [], drawing.name


# At 912 × 470 a page's drawings have some 720 × 270 pixels.


def texts(sketch: Sketch) -> list[str]:
    return [label.text for label in sketch.labels]


def test_the_loop_says_everything_at_its_usual_size() -> None:
    (loop,) = drawings("loop")
    assert isinstance(loop, Loop)
    said = texts(lay_out(loop, 720, 275))
    for item in loop.items:
        assert {item.label, item.note, item.text} <= set(said)
    for stage in loop.stages:
        assert {stage.label, stage.text} <= set(said)
    reads = sum(bool(mark.read) for mark in loop.marks)
    assert sum(text.startswith("read ") for text in said) == reads == 7
    assert sum(text.startswith("write ") for text in said) == 5


def test_the_stage_that_is_looked_at_stands_out() -> None:
    (loop,) = describe("loop", LESSON, "decimal", State(step=3)).drawings
    sketch = lay_out(loop, 720, 275)
    lit = [
        shape for shape in sketch.shapes if isinstance(shape, Box) and shape.fill == "optimizer" and shape.strength == 1
    ]
    assert len(lit) == 3 + 3  # three items' bars at their names, three written by the update
    assert any(isinstance(shape, Box) and shape.fill == "tint" for shape in sketch.shapes)


def test_bits_are_drawn_one_a_cell() -> None:
    bits, ruler, paths = describe("copy", LESSON).drawings
    assert isinstance(bits, Bits)
    sketch = lay_out(bits, 720, 100)
    digits = [label.text for label in sketch.labels if label.kind == "bit"]
    assert "".join(digits) == "".join(row.sign + row.exponent + row.fraction for row in bits.rows)
    assert len(digits) == 3 * 16
    assert isinstance(ruler, Ruler)
    assert "✗ One update vanishes in bf16" in texts(lay_out(ruler, 320, 150))
    assert isinstance(paths, Plot)
    named = texts(lay_out(paths, 390, 150))
    assert {"bf16 alone", "32-bit copy", "bf16 from the copy", "stochastic rounding"} <= set(named)


def test_lines_end_where_their_values_are() -> None:
    memory, time = drawings("walls")
    assert isinstance(memory, Plot)
    upper, lower = lay_out(memory, 720, 150), lay_out(time, 720, 110)

    def uprights(sketch: Sketch) -> list[float]:
        strokes = [shape for shape in sketch.shapes if isinstance(shape, Stroke) and shape.ink == "limit"]
        return [stroke.points[0].x() for stroke in strokes if stroke.points[0].x() == stroke.points[1].x()]

    # The same numbers of cards stand above each other; log 6 ÷ log 112 of the way apart.
    assert uprights(upper) == uprights(lower)
    assert len(uprights(upper)) == 2


def test_shards_fall_like_stairs() -> None:
    cells = describe("sharding", LESSON, "decimal", State(step=1)).drawings[0]
    assert isinstance(cells, Cells)
    sketch = lay_out(cells, 420, 280)
    held = [shape.rect for shape in sketch.shapes if isinstance(shape, Box) and shape.fill == "optimizer"][1:]
    assert len(held) == 6
    assert all(one.left() < two.left() and one.top() < two.top() for one, two in pairwise(held))
    # One sixth each of a band whose row is as high as they are together.
    assert held[-1].bottom() - held[0].top() == pytest.approx(6 * held[0].height(), abs=1)
