"""Figures that others published of their own runs, and where the account lands on them.

resources/measured/published.csv states each run as the words that follow `report` on the command line, so that anyone
can ask the same. A figure is in the unit it is meant in (GB = 10⁹ B, GiB = 2³⁰ B), whatever its source prints.
"""

from __future__ import annotations

import csv
import shlex
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import msgspec

from core.account import Account, account
from core.memory.evidence import MEASURED
from core.numbers import Number
from core.quantities import unit_of
from core.scenario import Scenario, from_texts


class Published(msgspec.Struct, frozen=True):
    """One published figure. `less` is the run whose figure was taken off, where the figure is a difference.

    `predicts` names the figure of the report that is compared with it; `printed` is the figure in the unit it is meant
    in; `published` and `predicted` are bytes. `left_open`: what the source does not say, or does otherwise.
    """

    run: str
    figure: str
    predicts: str
    report: str
    less: str
    printed: str
    published: Number
    predicted: int
    source: str
    left_open: str

    @property
    def ratio(self) -> Fraction:
        """Predicted for each that was published."""
        return Fraction(self.predicted) / Fraction(self.published)


PREDICTS: dict[str, Callable[[Account], int]] = {
    "training.bytes": lambda asked: asked.training.count,
    "inference.bytes": lambda asked: asked.inference.count,
    "per_card.peak": lambda asked: asked.stage.peak.count,
    "per_card.states": lambda asked: asked.stage.per_card.count,
}


def scenario_of(words: str) -> Scenario:
    """The scenario of words as they follow `report`: "--model 'Llama 2 7B' --zero 3". Raises InputError."""
    parts = shlex.split(words)
    return from_texts({flag[2:].replace("-", "_"): text for flag, text in zip(parts[::2], parts[1::2], strict=True)})


def published(folder: Path = MEASURED) -> Iterator[Published]:
    """Every row of the table, with what is predicted for it. Raises OSError where the table is missing."""
    with (folder / "published.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            predict = PREDICTS[row["predicts"]]
            predicted = predict(account(scenario_of(row["report"])))
            if row["less"]:
                predicted -= predict(account(scenario_of(row["less"])))
            yield Published(
                run=row["run"],
                figure=row["figure"],
                predicts=row["predicts"],
                report=row["report"],
                less=row["less"],
                printed=f"{_grouped(row['published'])} {row['unit']}",
                published=Fraction(row["published"]) * unit_of(row["unit"]).size,
                predicted=predicted,
                source=row["source"],
                left_open=row["left_open"],
            )


def _grouped(figure: str) -> str:
    return f"{int(figure):,}" if figure.isdigit() else figure
