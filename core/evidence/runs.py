"""Published training runs: do 6·N·D and attention, at the utilisation a run states, give the time it took?

resources/measured/runs.csv states each run as the words that follow `report` on the command line. Utilisation is of
the dense 16-bit peak that the words name.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import msgspec

from core.account import Account, account
from core.evidence.published import scenario_of
from core.memory.evidence import MEASURED
from core.numbers import Number
from core.scenario import change


class Run(msgspec.Struct, frozen=True):
    """One published figure of a run's time or work, and what is predicted for it.

    `stated` is the utilisation that the source prints, None where it prints none: then `predicted` is None too, but for
    operations, which need none. `implied`: at what utilisation the figure would be right; None for operations.
    """

    run: str
    quantity: str
    report: str
    published: Number
    predicted: Number | None
    stated: Number | None
    implied: Number | None
    source: str
    left_open: str

    @property
    def ratio(self) -> Fraction | None:
        """Predicted for each that was published."""
        return None if self.predicted is None else Fraction(self.predicted) / Fraction(self.published)


def _value(line_value: Number | None) -> Number:
    assert line_value is not None
    return line_value


# Figures that are longer where utilisation is lower, then the one that is shorter.
_TIMES: dict[str, Callable[[Account], Number]] = {
    "card hours": lambda asked: _value(asked.time.card_hours.value),
    "seconds a step": lambda asked: _value(asked.time.seconds.value),
}
_RATES: dict[str, Callable[[Account], Number]] = {
    "tokens a second and card": lambda asked: asked.tokens.count / Fraction(_value(asked.time.seconds.value))
    / asked.cards.count,
}  # fmt: skip
_WORK: dict[str, Callable[[Account], Number]] = {"operations": lambda asked: asked.time.flops.count}


def runs(folder: Path = MEASURED) -> Iterator[Run]:
    """Every row of the table, with what is predicted for it. Raises OSError where the table is missing."""
    with (folder / "runs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield _run(row)


def _run(row: dict[str, str]) -> Run:
    quantity, figure = row["quantity"], Fraction(row["published"])
    stated = Fraction(row["utilisation"]) if row["utilisation"] else None
    scenario = scenario_of(row["report"])
    if quantity in _WORK:
        predicted, implied = _WORK[quantity](account(scenario)), None
    else:
        # At full utilisation, from which every other follows.
        whole = {**_TIMES, **_RATES}[quantity](account(change(scenario, {"mfu": 1})))
        implied = whole / figure if quantity in _TIMES else figure / whole
        predicted = None
        if stated is not None:
            predicted = whole / stated if quantity in _TIMES else whole * stated
    return Run(row["run"], quantity, row["report"], figure, predicted, stated, implied, row["source"], row["left_open"])
