"""Table 1 of the ZeRO paper (Rajbhandari et al. 2019), all 54 cells as it prints them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.account import account
from core.scenario import Scenario, change

DEGREES = (1, 4, 16, 64, 256, 1024)
# Memory of one device in GB (10⁹ B), stages 1, 2 and 3 for each model; the rows are the degrees of data parallelism.
TABLE = """
120   120   120   2048  2048  2048  16000 16000 16000
52.5  41.3  30    896   704   512   7000  5500  4000
35.6  21.6  7.5   608   368   128   4750  2875  1000
31.4  16.6  1.88  536   284   32    4187  2218  250
30.4  15.4  0.47  518   263   8     4046  2054  62.5
30.1  15.1  0.12  513   257   2     4011  2013  15.6
"""
MODELS = (7_500_000_000, 128_000_000_000, 1_000_000_000_000)

CELLS = [
    (parameters, stage, degree, printed)
    for degree, row in zip(DEGREES, TABLE.split("\n")[1:-1], strict=True)
    for (parameters, stage), printed in zip(((m, s) for m in MODELS for s in (1, 2, 3)), row.split(), strict=True)
]


def test_there_are_54_cells() -> None:
    assert len(CELLS) == 54


@pytest.mark.parametrize(("parameters", "stage", "degree", "printed"), CELLS)
def test_the_paper(parameters: int, stage: int, degree: int, printed: str) -> None:
    scenario = change(Scenario(), {"params": parameters, "cards": degree, "zero": stage})
    found = Fraction(account(scenario).stage.per_card.count, 10**9)
    figure = Fraction(printed)
    places = len(printed.partition(".")[2])
    unit = Fraction(1, 10**places)
    # Some cells are printed rounded, some cut off (2218.75 as 2218).
    assert figure - unit / 2 <= found < figure + unit


@pytest.mark.parametrize("degree", DEGREES)
@pytest.mark.parametrize("parameters", MODELS)
def test_stage_0_is_the_whole_of_16_bytes_on_any_number_of_cards(parameters: int, degree: int) -> None:
    scenario = change(Scenario(), {"params": parameters, "cards": degree})
    assert account(scenario).stages[0].per_card.count == 16 * parameters


# Figure 1 of the paper: 7.5 B parameters on 64 cards, 120 / 31.4 / 16.6 / 1.9 GB.
def test_the_papers_first_figure_to_the_byte() -> None:
    stages = account(change(Scenario(), {"params": 7_500_000_000, "cards": 64})).stages
    # A shard is 7.5 × 10⁹ ÷ 64 = 117,187,500 parameters.
    assert [stage.per_card.count for stage in stages] == [
        7_500_000_000 * 16,
        7_500_000_000 * 4 + 117_187_500 * 12,
        7_500_000_000 * 2 + 117_187_500 * 14,
        117_187_500 * 16,
    ]
