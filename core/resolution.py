"""What automatic fields come to in an account, and the state of a group of fields in one line."""

from __future__ import annotations

from core.account import Account
from core.caching import context_of
from core.capacity import set_aside
from core.lines import amount
from core.numbers import Number, plain, significant
from core.quantities import both_text, bytes_text, count_text
from core.scenario import DIMENSION_FIELDS, FIELDS, applies, overrides
from core.shares import carrier, ranks_of
from core.verdict import duration_text

_LONG = 24


def stand_ins(account: Account) -> dict[str, Number]:
    """The values that stand in for automatic fields, by field name."""
    found: dict[str, Number] = {
        "cards": account.cards.count,
        "context": context_of(account.scenario),
        "shard_group": ranks_of(account.scenario, account.cards.count),
        "card_memory": account.card.capacity.count,
        "tokens": account.tokens.count,
        "peak_flops": account.peak_flops.count,
    }
    if account.model is not None:
        found["params"] = account.params.count
        found |= {name: getattr(account.model.arch, name) for name in DIMENSION_FIELDS}
    return found | {f"bytes_{kept.item.name}": kept.item.bytes for kept in account.kept}


def echoes(account: Account) -> dict[str, str]:
    """What stands beneath fields whose value alone does not say what it comes to, by field name."""
    figures = " + ".join(significant(kept.item.bytes, 7) for kept in account.kept if kept.item.bytes)
    total = f"{significant(account.each.value or 0, 7)} B"
    # Long figures are cut at the right: what they come to is said first then.
    said = {"precision": f"{figures} = {total} a parameter"}
    if account.custom or len(figures) > _LONG:
        said = {"precision": f"{'Custom, ' if account.custom else ''}{total} = {figures}"}
    if account.scenario.cards is None and account.stage.bill is not None:
        said["cards"] = f"as many as the state alone needs: {amount(account.cards.count, 'cards')}"
    if account.model is not None:
        said["params"] = f"{account.params.count:,} parameters"
        if account.active is not account.params:
            said["params"] = f"{account.params.count:,}; a token uses {count_text(account.active.count)}"
    if account.card.name is not None:
        said["card_memory"] = f"{both_text(account.card.capacity.count)}, {account.scenario.card_capacity}"
    return said


def _items(account: Account) -> str:
    changed = overrides(account.scenario)
    if not changed:
        return "by recipe"
    return ", ".join(f"{name} {plain(value)} B" for name, value in changed.items())


def _time(account: Account) -> str:
    return duration_text(account.time.seconds.value or 0)


def _model(account: Account) -> str:
    if account.model is None:
        return "no model"
    arch = account.model.arch
    return f"{arch.layers:,} × {arch.hidden:,}"


def _batch(account: Account) -> str:
    return f"{account.scenario.micro_batch:,} × {account.scenario.seq_len:,}"


def _inference(account: Account) -> str:
    if account.cached is None:
        return both_text(account.inference.count)
    return f"{bytes_text(account.inference.count + account.cached.count)} with its cache"


def _sharding(account: Account) -> str:
    how = carrier(account.scenario)
    offload = account.scenario.offload
    said = "by the paper" if how is None else how.label
    return said if offload == "none" else f"{said}, {offload} on the host"


def _card(account: Account) -> str:
    aside = set_aside(account.scenario, account.card.capacity.count)
    return f"{FIELDS['reserve'].kind.text(aside)} set aside" if aside else "nothing set aside"


def _adapters(account: Account) -> str:
    rank = account.scenario.lora_rank
    return "none" if rank is None else f"rank {rank:,}, {account.scenario.lora_targets}"


_SUMMARIES = {
    "adapters": _adapters,
    "batch": _batch,
    "card": _card,
    "inference": _inference,
    "items": _items,
    "model": _model,
    "sharding": _sharding,
    "time": _time,
}


def summary(account: Account, group: str) -> str:
    """The state of a group of fields in one line."""
    if group in _SUMMARIES:
        return _SUMMARIES[group](account)
    known = [field for field in FIELDS.values() if field.group == group and applies(account.scenario, field)]
    values = [(field, getattr(account.scenario, field.name)) for field in known]
    return " · ".join(field.said(value) for field, value in values if value is not None)
