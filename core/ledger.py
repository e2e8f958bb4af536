"""The account as a table: one row for each figure, with the key that leads to its derivation.

The ledger says in rows what the charts draw; report, window and copies read the same rows.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from core.account import Account
from core.alternative import Alternative, alternative
from core.bill import Bill, moment_line
from core.caching import token_bytes
from core.capacity import overhead_lines
from core.lines import Line, amount, given, product, total
from core.numbers import scientific
from core.quantities import bytes_text
from core.verdict import duration_text


class Row(msgspec.Struct, frozen=True):
    """One figure. `key` is its path in the report; `note` says what it is for."""

    section: str
    key: str
    label: str
    line: Line
    note: str = ""

    @property
    def exact(self) -> str:
        """All digits, with the unit."""
        return amount(self.line.value, self.line.unit)

    @property
    def decimal(self) -> str:
        """Bytes in GB and its kin; other figures as they are."""
        return _in(self.line, "decimal")

    @property
    def binary(self) -> str:
        """Bytes in GiB and its kin; empty for other figures."""
        return _in(self.line, "binary") if self.line.unit == "B" else ""


def _in(line: Line, system: str) -> str:
    if line.value is None:
        return "none"
    if line.unit == "B" and max(line.value, -line.value) >= 1000:
        return bytes_text(line.value, "binary" if system == "binary" else "decimal")
    if line.unit == "FLOP":
        return f"{scientific(line.value)} FLOP"
    return amount(line.value, line.unit)


def ledger(account: Account) -> list[Row]:
    """All rows of an account, in the order of the lesson."""
    rows: list[Row] = []

    def add(section: str, key: str, label: str, line: Line | None, note: str = "") -> None:
        if line is not None:
            rows.append(Row(section, key, label, line, note))

    if account.model is not None:
        section = account.model.arch.name
        for place, part in enumerate(account.params.parts):
            add(section, f"model.terms.{place}.count", part.name[:1].upper() + part.name[1:], part)
        add(section, "parameters.total", "All parameters", account.params)
        if account.active is not account.params:
            add(section, "parameters.active", "Active parameters", account.active, "those that one token uses")

    if account.adapters is not None:
        section, found = "Adapters", account.adapters
        words = f"rank {found.lora.rank}, {found.targets.label}"
        trained = given("adapter parameters", found.parameters, source=words)
        add(section, "adapters.parameters", "Trained parameters", trained)
        of_one = given("of an adapter parameter", found.each, "B")
        add(section, "adapters.bytes", "Adapters", product("Adapters", "B", trained, of_one))
        frozen = given("frozen weights", found.frozen_bytes, "B", source=found.storage or "as the recipe keeps weights")
        add(section, "adapters.frozen_bytes", "Frozen weights", frozen)

    section = "Each parameter"
    for index, kept in enumerate(account.kept):
        if kept.item.bytes or kept.item.name != "other":
            line = Line(kept.item.label, kept.item.bytes, "B", source=kept.item.format)
            add(section, f"per_parameter.{index}.bytes", kept.item.label, line, kept.item.purpose)
    add(section, "per_parameter.bytes", "All items", account.each)

    section = "Whole model"
    for kept in account.kept:
        if kept.item.bytes:
            add(section, f"items.{kept.item.name}", kept.item.label, kept.line, kept.item.format)
    for band, line in account.bands.items():
        add(section, f"training.bands.{band}", f"Band: {line.name.lower()}", line)
    add(section, "training.bytes", "Training", account.training, "the whole training state")
    add(section, "inference.bytes", "Inference", account.inference, "the weights alone")

    if account.cache is not None and account.cached is not None:
        section = "Inference"
        for place, part in enumerate(account.cached.parts):
            add(section, f"inference.cache.{place}.bytes", f"Cache: {part.name}", part)
        each = token_bytes(account.scenario, account.cache)
        add(section, "inference.cache_bytes_per_token", "Cache of one more token", each, "while no window is full")
        add(section, "inference.cache_bytes", "Cache", account.cached, "keys and values of the context")
        both = total("Weights and cache", "B", (account.inference, account.cached))
        add(section, "inference.total_bytes", "Weights and cache", both)

    section = "Cards"
    add(section, "card.bytes", "Memory of one card", account.card.capacity)
    for key, label, size in account.card.figures():
        add(section, f"card.{key}_bytes", f"{label} memory", given(f"{label.lower()} memory", size, "B"))
    for key, line in overhead_lines(account.scenario, account.card.capacity.count).items():
        add(section, key, f"Set aside: {line.name}", line, "on each card")
    if account.card.room is not account.card.capacity:
        add(section, "card.room_bytes", "Room on one card", account.card.room, "after what is set aside")
    add(
        section,
        "cards_needed",
        "Cards needed",
        account.cards_needed,
        "for the state alone, if every byte is shared out",
    )
    add(section, "nodes_needed", "Nodes needed", account.nodes_needed, f"of {account.scenario.node_size} cards")
    for stage in account.stages:
        add(
            section,
            f"stages.{stage.stage}.cards_to_fit",
            f"Stage {stage.stage}: fewest cards for the states",
            stage.to_fit,
        )

    section = f"One of {amount(account.cards.count, 'cards')}"
    for stage in account.stages:
        fits = "fits" if stage.states_fit else "does not fit"
        add(section, f"stages.{stage.stage}.per_card_bytes", f"Stage {stage.stage}: states", stage.per_card, fits)
        if stage.bill is not None:
            fits = "fits" if stage.fits else "does not fit"
            add(section, f"stages.{stage.stage}.peak_bytes", f"Stage {stage.stage}: peak", stage.peak, fits)
    chosen = account.stage
    for band, line in chosen.bands.items():
        add(section, f"per_card.{band}", f"Stage {chosen.stage}: {line.name.lower()}", line)
    for band, line in chosen.host.items():
        add(section, f"host.{band}", f"On the host: {line.name.lower()}", line, "for each card")
    if chosen.host:
        add(
            section,
            "host.bytes",
            "On the host",
            total("On the host", "B", tuple(chosen.host.values())),
            "for each card",
        )
    if chosen.bill is not None:
        _add_step(add, chosen.bill)
        other = alternative(account.scenario, chosen.bill)
        if other is not None:
            _add_alternative(add, other)
        section = f"One of {amount(account.cards.count, 'cards')}, at its peak"
    add(section, "per_card.peak", f"Stage {chosen.stage}: at the peak", chosen.peak)
    add(section, "per_card.headroom_bytes", f"Stage {chosen.stage}: left on the card", chosen.headroom)

    section = "Time"
    run = account.time
    add(section, "time.flops", "Operations", run.flops, "6 for each parameter and token")
    if run.hardware_flops is not run.flops:
        add(section, "time.hardware_flops", "Operations in hardware", run.hardware_flops, "with those done twice")
    add(section, "time.seconds", "Seconds", run.seconds, f"on {amount(account.cards.count, 'cards')}")
    took = duration_text(run.seconds.value or 0)
    add(section, "time.days", "Days", run.days, f"on {amount(account.cards.count, 'cards')}: {took}")
    add(section, "time.days_on_one", "Days on one card", run.days_on_one)
    add(section, "time.card_hours", "Card hours", run.card_hours)
    add(section, "time.cost", "Cost", run.cost, "in the currency of the price")
    add(section, "time.cards_for_deadline", "Cards for the deadline", run.cards_for_deadline)
    return rows


def _add_alternative(add: Callable[..., None], found: Alternative) -> None:
    """A paper's activations against those that PyTorch keeps, group by group."""
    section = f"Activations by {found.label}"
    for place, row in enumerate(found.rows):
        name = row.group[:1].upper() + row.group[1:]
        why = " ".join(row.reasons)
        key = f"alternative.groups.{place}"
        add(section, f"{key}.paper_bytes", f"{name}: by the paper", given(row.group, row.paper, "B"))
        add(section, f"{key}.saved_bytes", f"{name}: as PyTorch keeps it", given(row.group, row.saved, "B"), why)
    add(section, "alternative.bytes", "By the paper", found.line, found.formula)


def _add_step(add: Callable[..., None], step: Bill) -> None:
    """What the forward pass keeps, tensor by tensor, and the moments of the step."""
    section = "Kept for the backward pass"
    for place, tensor in enumerate(step.kept.tensors):
        size = Line(tensor.row.tensor, tensor.bytes, "B", source=tensor.formula)
        add(
            section,
            f"activations.terms.{place}.bytes",
            tensor.row.tensor[:1].upper() + tensor.row.tensor[1:],
            size,
            tensor.row.why,
        )
    casts, saved = step.kept.weight_cast_bytes, step.kept.saved_bytes
    summed = "the sum of these, weight casts apart" if casts else "the sum of these"
    add(section, "activations.saved_bytes", "Saved tensors", Line("saved", saved, "B", source=summed))
    if casts:
        add(section, "activations.weight_cast_bytes", "Weight casts", Line("casts", casts, "B", source="16-bit copies"))
    section = "The step, moment by moment"
    for place, moment in enumerate(step.moments):
        name = moment.name[:1].upper() + moment.name[1:]
        note = "the peak" if moment is step.peak else ""
        add(section, f"moments.{place}.bytes", name, moment_line(name, moment), note)
