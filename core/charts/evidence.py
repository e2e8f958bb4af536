"""The evidence as charts: what was measured by family, and where other people's runs land."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from core.charts.build import spoken
from core.charts.description import Bar, Chart, Limit, Segment
from core.charts.scale import plain_ticks
from core.evidence.gather import Evidence, evidence
from core.evidence.others import ratio_text
from core.evidence.published import Published
from core.evidence.runs import Run
from core.evidence.tables import PASS_QUANTITIES, percent
from core.memory.evidence import Case
from core.numbers import narrow, significant

PASSES_TITLE = "Measured passes, by family"
MEMORY_TITLE = "Memory of other people's runs"
ADAPTERS_TITLE = "Memory of other people's runs with adapters"
TIME_TITLE = "Time of other people's runs"
_AS_PUBLISHED = (Limit(100, "as published"),)


def evidence_charts() -> tuple[Chart, ...]:
    """Charts of the evidence page. They hang on no scenario."""
    found = evidence()
    return (passes_chart(found), memory_chart(found), adapters_chart(found), time_chart(found))


def passes_chart(found: Evidence) -> Chart:
    """Of the figures of measured passes, how many are exact, by family, in per cent."""
    groups: dict[str, list[Case]] = {}
    for case in found.cases:
        if case.quantity in PASS_QUANTITIES:
            groups.setdefault(case.family, []).append(case)
    bars = tuple(_family(name, group) for name, group in sorted(groups.items()))
    cases = [case for group in groups.values() for case in group]
    exact = sum(not case.error for case in cases)
    caption = f"{exact:,} of {len(cases):,} figures are exact to the byte"
    return _percent_chart("evidence", PASSES_TITLE, caption, bars, ())


def _family(name: str, group: Sequence[Case]) -> Bar:
    errors = [case.error for case in group]
    exact = errors.count(Fraction(0))
    near = sum(abs(error) <= Fraction(1, 100) for error in errors) - exact
    parts = (("parameters", "Exact", exact), ("gradients", "Within 1 %", near),
             ("reserve", "Further off", len(group) - exact - near))  # fmt: skip
    segments = tuple(
        Segment(role, label, narrow(Fraction(100 * count, len(group))), f"{count} of {len(group)}")
        for role, label, count in parts
    )
    worst = percent(max(errors, key=abs))
    text = f"{exact} of {len(group)} exact" + (f" · worst {worst}" if worst != "0" else "")
    return Bar(name, segments, text)


def memory_chart(found: Evidence) -> Chart:
    """Predicted in per cent of what was published, for runs that train the whole model and whose whole memory was.

    What a compiler fuses away no scenario states: such runs stand in the table alone.
    """
    whole = [one for one in _peaks(found) if "compiled" not in one.figure and "adapters" not in one.figure]
    return _memory_chart("evidence-memory", MEMORY_TITLE, whole)


def adapters_chart(found: Evidence) -> Chart:
    """The same for runs that train adapters alone."""
    return _memory_chart(
        "evidence-adapters", ADAPTERS_TITLE, [one for one in _peaks(found) if "adapters" in one.figure]
    )


def _peaks(found: Evidence) -> list[Published]:
    return [one for one in found.published if one.predicts == "per_card.peak"]


def _memory_chart(name: str, title: str, runs: Sequence[Published]) -> Chart:
    caption = f"{len(runs)} runs in their own conditions; what these leave open is the difference"
    return _percent_chart(name, title, caption, tuple(_published(one) for one in runs), _AS_PUBLISHED)


def _published(one: Published) -> Bar:
    share = narrow(one.ratio * 100)
    text = f"{significant(share)} % of {one.printed}"
    return Bar(one.run, (Segment("parameters", "Predicted", share, text),), text, one.left_open)


def time_chart(found: Evidence) -> Chart:
    """Predicted in per cent of the published time or pace, for runs that print their utilisation."""
    stated = [(one, one.ratio) for one in found.runs if one.stated is not None and one.ratio is not None]
    bars = tuple(_timed(one, ratio) for one, ratio in stated)
    near = sum(abs(ratio - 1) < Fraction(5, 1000) for _, ratio in stated)
    caption = f"With the utilisation they print, {near} of {len(stated)} come out to half a per cent"
    return _percent_chart("evidence-time", TIME_TITLE, caption, bars, _AS_PUBLISHED)


def _timed(one: Run, ratio: Fraction) -> Bar:
    share = narrow(ratio * 100)
    text = f"{ratio_text(ratio)} × {significant(one.published, 5)} {one.quantity}"
    return Bar(one.run, (Segment("optimizer", "Predicted", share, text),), text, one.left_open)


def _percent_chart(name: str, title: str, caption: str, bars: tuple[Bar, ...], limits: tuple[Limit, ...]) -> Chart:
    maximum = max((bar.total for bar in bars), default=100)
    said = spoken(caption, bars, limits)
    return Chart(name, title, caption, "%", bars, limits, plain_ticks(maximum, "%"), maximum, None, said)
