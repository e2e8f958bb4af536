"""The evidence as charts: complete, and with the figures of the tables."""

from __future__ import annotations

from fractions import Fraction

from core.charts.evidence import adapters_chart, evidence_charts, memory_chart, passes_chart, time_chart
from core.evidence.gather import Evidence, evidence
from core.evidence.published import Published
from core.evidence.runs import Run
from core.memory.evidence import Case


def _evidence(*found: Case | Published | Run) -> Evidence:
    return Evidence(
        tuple(one for one in found if isinstance(one, Case)),
        (),
        tuple(one for one in found if isinstance(one, Published)),
        tuple(one for one in found if isinstance(one, Run)),
    )


def _case(predicted: int, quantity: str = "largest moment", family: str = "llama") -> Case:
    return Case(quantity, family, "bf16, sdpa", "a model", predicted, 1000)


def test_a_familys_bar_by_hand() -> None:
    """Eight figures: five exact, two within 1 %, one 3 % short; what is no figure of a pass is not among them."""
    cases = [_case(1000)] * 5 + [_case(1010), _case(995), _case(970), _case(7, "optimizer states")]
    (bar,) = passes_chart(_evidence(*cases)).bars
    assert [(part.label, part.value) for part in bar.segments] == [
        ("Exact", Fraction(125, 2)), ("Within 1 %", 25), ("Further off", Fraction(25, 2)),
    ]  # fmt: skip
    assert bar.text == "5 of 8 exact · worst −3 %"


def test_a_published_run_by_hand() -> None:
    one = Published("A run", "peak", "per_card.peak", "", "", "10 GB", 10**10, 9 * 10**9, "A paper", "its versions")
    part = Published("B", "weights loaded", "inference.bytes", "", "", "1 GB", 10**9, 10**9, "A paper", "")
    thin = Published("C", "peak, adapters alone trained", "per_card.peak", "", "", "1 GB", 10**9, 10**9, "A paper", "")
    chart = memory_chart(_evidence(one, part, thin))
    assert [bar.label for bar in adapters_chart(_evidence(one, part, thin)).bars] == ["C"]
    assert [(bar.label, bar.total, bar.text, bar.note) for bar in chart.bars] == [
        ("A run", 90, "90 % of 10 GB", "its versions")
    ]
    assert [(limit.value, limit.label) for limit in chart.limits] == [(100, "as published")]


def test_only_runs_that_print_their_utilisation_are_timed() -> None:
    quick = Run("A run", "card hours", "", 1000, 1002, Fraction(2, 5), Fraction(1, 5), "A paper", "")
    silent = Run("B", "card hours", "", 1000, None, None, Fraction(1, 5), "A paper", "")
    work = Run("C", "operations", "", 10**20, 10**20, None, None, "A paper", "")
    chart = time_chart(_evidence(quick, silent, work))
    assert [(bar.label, bar.text) for bar in chart.bars] == [("A run", "1.002 × 1,000 card hours")]
    assert chart.caption == "With the utilisation they print, 1 of 1 come out to half a per cent"


def test_the_charts_of_the_page() -> None:
    charts = evidence_charts()
    assert [chart.name for chart in charts] == ["evidence", "evidence-memory", "evidence-adapters", "evidence-time"]
    for chart in charts:
        assert 0 < len(chart.bars) <= 16
        assert len({bar.label for bar in chart.bars}) == len(chart.bars)
        assert chart.maximum >= max(bar.total for bar in chart.bars)
        assert all(tick.value <= chart.maximum for tick in chart.ticks)
        assert chart.spoken.startswith(chart.caption)
    passes = charts[0]
    assert all(bar.total == 100 for bar in passes.bars)
    assert {bar.label for bar in passes.bars} == {
        case.family for case in evidence().cases if case.quantity == "largest moment"
    }
