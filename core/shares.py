"""What one card stores of the states when a stage is carried out by an implementation, and what of it the host holds.

Without a model there are no tensors to deal out, and the paper's even shares stand in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import msgspec

from core.adapters import Adapted, adapted
from core.bands import BAND_LABELS
from core.exact_states import looks_at_tensors
from core.lines import Line, given, product, total
from core.memory.gather import place
from core.memory.sharding import Strategy, fullest_rank, shard
from core.memory.states import optimizer_state
from core.memory.tensors import ParameterTensor, Tensor, by_rows, count, elements
from core.models.facts import ModelFacts
from core.numbers import Number, ceil
from core.recipes import Item, recipe
from core.scenario import FIELDS, Scenario, overrides
from core.states import SHARED, band_line, band_lines, shard_line


class Carrier(msgspec.Struct, frozen=True):
    """A way of sharing out: the stage it carries out, how it is called, and what a card stores in words."""

    name: Strategy
    label: str
    stage: int
    stored: str
    buckets: bool = False


CARRIERS: dict[str, Carrier] = {
    row.name: row
    for row in (
        Carrier("ddp", "DDP", 0, "all", buckets=True),
        Carrier("ddp-bucket-view", "DDP", 0, "all"),
        Carrier("zero-redundancy", "ZeroRedundancyOptimizer", 1, "all", buckets=True),
        Carrier("fsdp2", "FSDP2", 3, "⌈rows ÷ {ranks:,}⌉ rows of every tensor"),
        Carrier("hsdp", "HSDP", 3, "⌈rows ÷ {ranks:,}⌉ rows of every tensor"),
    )
}


class Held(msgspec.Struct, frozen=True):
    """What the fullest rank holds, in parameters: stored ones with their padding, and those it keeps states of."""

    stored: int
    updated: int
    tensors: tuple[Tensor, ...]


def carrier(scenario: Scenario) -> Carrier | None:
    """How the scenario's stage is carried out; None by the paper."""
    return CARRIERS.get(scenario.sharding)


def stage_of(scenario: Scenario) -> int:
    """The ZeRO stage that counts: the one that the way of sharing carries out, else the one that was asked for."""
    how = carrier(scenario)
    return scenario.zero if how is None else how.stage


def ranks_of(scenario: Scenario, cards: int) -> int:
    """Cards that share out one copy of the model."""
    if scenario.sharding != "hsdp":
        return cards
    return min(scenario.shard_group or scenario.node_size, cards)


_known: dict[tuple[int, str, int], tuple[Sequence[ParameterTensor], Held]] = {}
_MOST = 2048


def held(tensors: Sequence[ParameterTensor], how: Carrier, ranks: int) -> Held:
    """What the fullest of `ranks` ranks holds of these tensors, a model's or its adapters'."""
    key = (id(tensors), how.name, ranks)
    found = _known.get(key)
    # The key is an identity: the tensors themselves are kept beside it, so that it cannot be another's.
    if found is None or found[0] is not tensors:
        if len(_known) >= _MOST:
            _known.clear()
        piece = shard(how.name, tensors, ranks, fullest_rank(how.name, tensors, ranks) if tensors else 0)
        found = _known[key] = (tensors, Held(elements(piece.stored), elements(piece.optimizer), piece.optimizer))
    return found[1]


def share_lines(
    rows: tuple[Item, ...], scenario: Scenario, facts: ModelFacts | None, parameters: Line, cards: int
) -> dict[str, Line]:
    """Bytes of each band that the fullest card stores, under the scenario's way of sharing out."""
    how = CARRIERS[scenario.sharding]
    ranks = ranks_of(scenario, cards)
    if facts is None:
        shard_of_one = shard_line(parameters, given("cards that share one copy", ranks))
        whole, shared = band_lines(rows, parameters), band_lines(rows, shard_of_one)
        return {band: shared[band] if band in SHARED[how.stage] else whole[band] for band in BAND_LABELS}
    piece = held(facts.tensors, how, ranks)
    words = how.stored.format(ranks=ranks)
    stored = given("parameters stored", piece.stored, source=f"{how.label}: {words}")
    adapters = adapted(scenario, facts)
    trained = piece if adapters is None else held(adapters.tensors, how, ranks)
    updated = stored
    if how.stage == 1 or adapters is not None:
        what = f"{count(trained.tensors):,} whole tensors, the most of {ranks:,} ranks" if how.stage == 1 else words
        updated = given("parameters updated here", trained.updated, source=f"{how.label}: {what}")
    by_band = {band: tuple(row for row in rows if row.band == band) for band in BAND_LABELS}
    if adapters is None:
        lines = {band: band_line(BAND_LABELS[band], by_band[band], stored) for band in ("parameters", "gradients")}
    else:
        lines = _adapter_lines(adapters, facts, piece, trained, by_band["gradients"], scenario)
    return lines | {"optimizer": _optimizer_line(by_band["optimizer"], scenario, trained, updated, stored, adapters)}


def _adapter_lines(
    adapters: Adapted, facts: ModelFacts, piece: Held, trained: Held, gradients: tuple[Item, ...], scenario: Scenario
) -> dict[str, Line]:
    """Frozen weights by their share of the model's parameters, adapters and their gradients by their own tensors."""
    share = ceil(Fraction(adapters.frozen_bytes * piece.stored, facts.count.total))
    frozen = given("frozen weights", share, "B", source="their share of the parameters stored")
    own = given("adapter parameters stored", trained.stored)
    each = given("of an adapter parameter", adapters.each, "B")
    parts = (frozen, product("adapters", "B", own, each))
    line = product(BAND_LABELS["gradients"], "B", own, each)
    if "gradients" in overrides(scenario) or not any(row.bytes for row in gradients):
        line = band_line(BAND_LABELS["gradients"], gradients, given("parameters stored", piece.stored))
    return {"parameters": total(BAND_LABELS["parameters"], "B", parts), "gradients": line}


def _optimizer_line(
    rows: tuple[Item, ...], scenario: Scenario, trained: Held, updated: Line, stored: Line, adapters: Adapted | None
) -> Line:
    """States of the tensors updated here; by tensor where the optimizer looks at each."""
    label, moment = BAND_LABELS["optimizer"], recipe(scenario.precision).moment[1]
    if not moment or not (adapters or looks_at_tensors(scenario.optimizer)):
        return band_line(label, rows, updated)
    state = optimizer_state(scenario.optimizer, trained.tensors, ceil(moment) if adapters is None else adapters.each)
    own = dict(state.items)
    if adapters is not None:
        own["other"] = own.get("other", 0) + state.counters
    by_hand = overrides(scenario)
    parts = []
    for row in rows:
        if row.name in by_hand:
            parts.append(band_line(row.label, (row,), updated if adapters is None else stored))
        elif row.name == "master":
            parts.append(band_line(row.label, (row,), updated))
        else:
            parts.append(given(row.label, own.get(row.name, 0), "B", source="tensor by tensor"))
    return total(label, "B", tuple(part for part in parts if part.value))


def split(lines: dict[str, Line], scenario: Scenario) -> tuple[dict[str, Line], dict[str, Line]]:
    """Each band on the card, and what of it lives on the host instead."""
    if scenario.offload == "none":
        return lines, {}
    moved = moved_bands(scenario)
    card = {
        band: given(line.name, 0, "B", source="on the host") if band in moved else line for band, line in lines.items()
    }
    return card, {band: line for band, line in lines.items() if band in moved}


def moved_bands(scenario: Scenario) -> frozenset[str]:
    """Bands that live on the host."""
    if scenario.offload == "none":
        return frozenset()
    host = place(dict.fromkeys(BAND_LABELS, 1), "optimizer" if scenario.offload == "optimizer" else "parameters").host
    return frozenset(band for band, size in host.items() if size)


def bucket_bytes(how: Carrier, parameters: int, gradient: Number) -> int:
    """DDP's buckets, a second copy of the gradients; of those kept in two formats the narrow one is reduced."""
    if not how.buckets:
        return 0
    return ceil(parameters * (gradient - 4 if gradient > 4 else gradient))


def most_ranks(scenario: Scenario, how: Carrier, facts: ModelFacts | None) -> int:
    """Ranks beyond which a card's share shrinks no further."""
    most = FIELDS["cards"].maximum
    assert isinstance(most, int)
    most = ranks_of(scenario, most)
    if how.stage == 0:
        return 1
    if facts is None:
        return most
    adapters = adapted(scenario, facts)
    trained = facts.tensors if adapters is None else adapters.tensors
    if how.stage == 1:
        return max(1, min(most, count(trained)))
    rows: int = max(by_rows(tensor.shape)[0] for tensor in (*facts.tensors, *trained))
    return min(most, rows)


def fewest(fits: Callable[[int], bool], most: int) -> int | None:
    """The smallest count from 1 to `most` that fits, where whatever is above one that fits does too; None for none."""
    if not fits(most):
        return None
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle + 1, high)
    return low
