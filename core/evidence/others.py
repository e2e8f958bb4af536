"""Other people's figures as tables of text: memory of their runs, and how long runs took."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from core.evidence.published import Published
from core.evidence.runs import Run
from core.evidence.tables import Table
from core.numbers import Number, scientific, significant
from core.quantities import in_unit, unit_of


def ratio_text(ratio: Fraction | None) -> str:
    """Predicted for each that was published, to three places: "0.982"; empty where nothing is predicted."""
    return "" if ratio is None else f"{float(ratio):.3f}"


def memory(found: Sequence[Published]) -> Table:
    """One row a published figure of memory, in the unit it is meant in."""
    rows = []
    for one in found:
        unit = unit_of(one.printed.split()[-1])
        predicted = in_unit(one.predicted, unit)
        rows.append(
            (one.run, one.figure, one.left_open, f"{significant(predicted.value, 4)} {unit.symbol}", one.printed,
             ratio_text(one.ratio))
        )  # fmt: skip
    return Table(
        "Memory of other people's runs",
        "Their conditions, as far as they are stated. A ratio below 1 is less than they saw.",
        ("Run", "Figure", "What its conditions leave open", "Predicted", "Published", "Ratio"),
        tuple(rows),
        3,
    )


def memory_in_short(found: Sequence[Published]) -> Table:
    """One row a kind of figure: how many, and between which ratios they lie."""
    groups: dict[str, list[Fraction]] = {}
    for one in found:
        groups.setdefault(one.figure, []).append(one.ratio)
    rows = tuple(
        (figure, str(len(ratios)), ratio_text(min(ratios)), ratio_text(max(ratios)))
        for figure, ratios in groups.items()
    )
    return Table(
        "Memory of other people's runs",
        "Predicted for each that was published: a ratio below 1 is less than they saw.",
        ("Figure", "Runs", "Lowest ratio", "Highest ratio"),
        rows,
        3,
    )


def time(found: Sequence[Run]) -> Table:
    """One row a published figure of a run's time."""
    rows = tuple(
        (one.run, one.quantity, one.left_open, _figure(one.predicted), _figure(one.published), ratio_text(one.ratio),
         _share(one.stated), _share(one.implied))
        for one in found
    )  # fmt: skip
    return Table(
        "Time of other people's runs",
        "Predicted at the utilisation that is printed. Implied is the utilisation at which the figure is right.",
        ("Run", "Figure", "What its conditions leave open", "Predicted", "Published", "Ratio", "Printed utilisation",
         "Implied"),
        rows,
        5,
    )  # fmt: skip


def _figure(value: Number | None) -> str:
    if value is None:
        return ""
    return scientific(value) if value >= 10**12 else significant(value, 4)


def _share(value: Number | None) -> str:
    return "" if value is None else f"{significant(value * 100)} %"
