"""What an optimizer keeps on this very model: rules that look at each tensor, in place of the figure of the bulk."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from core.memory.states import optimizer_state
from core.models.facts import ModelFacts
from core.numbers import Number, narrow
from core.recipes import Item, optimizer, recipe

_known: dict[tuple[int, str, Number], tuple[ModelFacts, dict[str, Number]]] = {}
_MOST = 256


def looks_at_tensors(name: str) -> bool:
    """Whether what the optimizer keeps depends on more than the number of parameters."""
    row = optimizer(name)
    return bool(row.own or row.note)


def exact_items(rows: tuple[Item, ...], recipe_name: str, optimizer_name: str, facts: ModelFacts) -> tuple[Item, ...]:
    """The items with the optimizer's states counted tensor by tensor: averages for a parameter, whose sum is exact."""
    moment = recipe(recipe_name).moment[1]
    if not moment or not looks_at_tensors(optimizer_name):
        return rows
    key = (id(facts), optimizer_name, moment)
    found = _known.get(key)
    if found is None or found[0] is not facts:
        state = optimizer_state(optimizer_name, facts.tensors, int(moment))
        averages: dict[str, Number] = {
            name: narrow(Fraction(size, facts.count.total)) for name, size in state.items.items()
        }
        if len(_known) >= _MOST:
            _known.clear()
        found = _known[key] = (facts, averages)
    averages = found[1]
    return tuple(
        msgspec.structs.replace(
            row, bytes=averages.get(row.name, 0), format=row.format or optimizer(optimizer_name).own
        )
        if row.name in ("momentum", "variance", "other")
        else row
        for row in rows
    )
