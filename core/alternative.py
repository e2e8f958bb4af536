"""A paper's activations beside those that PyTorch keeps: how much each group of tensors differs, and why."""

from __future__ import annotations

import msgspec

from core.bill import Bill
from core.lines import Line, given, total
from core.memory.korthikanti import Difference, PaperRecompute, compare
from core.scenario import Scenario


class Alternative(msgspec.Struct, frozen=True):
    """The same pass by a formula. `rows` sum to the paper's figure, and to all that PyTorch keeps with weight casts."""

    name: str
    label: str
    formula: str
    rows: tuple[Difference, ...]

    @property
    def line(self) -> Line:
        """The paper's figure, group by group."""
        parts = tuple(given(row.group, row.paper, "B") for row in self.rows if row.paper)
        return total(self.label, "B", parts or (given("nothing", 0, "B"),))


_FORMULAS: dict[PaperRecompute, str] = {
    "none": "L·s·b·h·(34 + 5·a·s/h), equation 1",
    "selective": "L·34·s·b·h, equation 6",
    "full": "L·2·s·b·h, equation 2",
}


def alternative(scenario: Scenario, step: Bill | None) -> Alternative | None:
    """The alternative that a scenario names; None for PyTorch's own tensors, and where no pass is known."""
    if step is None or scenario.activation_model == "pytorch":
        return None
    how: PaperRecompute = "selective" if scenario.activation_model == "korthikanti-selective" else "none"
    if how == "none" and scenario.recompute == "full":
        how = "full"
    return Alternative(scenario.activation_model, "Korthikanti et al. 2022", _FORMULAS[how], compare(step.kept, how))
