"""What optimizers keep between steps beside weights, gradients and master copy, in the same scenario."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from core.account import Account, Kept
from core.account import account as account_of
from core.lines import Line, total
from core.numbers import Number, narrow
from core.recipes import optimizer, standard_items
from core.scenario import change

# Shown beside each other; the scenario's own joins them where it is none of these.
COMPARED = ("sgd", "lion", "muon", "adafactor", "adamw-8bit", "adamw")
_USUAL_RECIPE = "mixed"
_STATES = ("momentum", "variance", "other")


class States(msgspec.Struct, frozen=True):
    """One optimizer's states: its items with their bytes, what they are for each parameter, and their sum."""

    name: str
    kept: tuple[Kept, ...]
    each: Number
    line: Line

    @property
    def label(self) -> str:
        """The optimizer's label without what stands in brackets or after a comma."""
        return optimizer(self.name).label.partition(" (")[0].partition(",")[0]


def states_of(account: Account, name: str) -> States:
    """What the optimizer of that name keeps in this scenario; where it does not train, as in the usual recipe.

    Bytes that were set by hand count for the scenario's own optimizer alone.
    """
    rows = account.kept
    if name != account.scenario.optimizer or not account.each_bands["gradients"]:
        others: dict[str, object] = {f"bytes_{state}": None for state in _STATES}
        if not any(item.bytes for item in standard_items(account.scenario.precision, "adamw") if item.name in _STATES):
            others["precision"] = _USUAL_RECIPE
        rows = account_of(change(account.scenario, {"optimizer": name, **others})).kept
    kept = tuple(row for row in rows if row.item.name in _STATES and row.item.bytes)
    each = narrow(sum((Fraction(row.item.bytes) for row in kept), Fraction(0)))
    return States(name, kept, each, total(optimizer(name).label, "B", tuple(row.line for row in kept)))


def compared(account: Account) -> tuple[States, ...]:
    """The optimizers that are shown, those that keep least first."""
    found = [states_of(account, name) for name in {*COMPARED, account.scenario.optimizer}]
    return tuple(sorted(found, key=lambda states: (states.each, states.name)))
