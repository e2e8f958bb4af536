"""What automatic fields come to in an account, and the state of a group of fields in one line."""

from __future__ import annotations

from core.account import Account
from core.numbers import Number, plain
from core.quantities import both_text
from core.scenario import FIELDS, applies, overrides
from core.verdict import duration_text


def stand_ins(account: Account) -> dict[str, Number]:
    """The values that stand in for automatic fields, by field name."""
    found: dict[str, Number] = {
        "cards": account.cards.count,
        "card_memory": account.card.capacity.count,
        "tokens": account.tokens.count,
        "peak_flops": account.peak_flops.count,
    }
    return found | {f"bytes_{kept.item.name}": kept.item.bytes for kept in account.kept}


def echoes(account: Account) -> dict[str, str]:
    """What stands beneath fields whose value alone does not say what it comes to, by field name."""
    figures = " + ".join(plain(kept.item.bytes) for kept in account.kept if kept.item.bytes)
    custom = "Custom: " if account.custom else ""
    said = {"precision": f"{custom}{figures} = {plain(account.each.value or 0)} B a parameter"}
    if account.card.name is not None:
        said["card_memory"] = f"{both_text(account.card.capacity.count)}, {account.scenario.card_capacity}"
    return said


def _items(account: Account) -> str:
    changed = overrides(account.scenario)
    if not changed:
        return FIELDS["bytes_weights"].automatic
    return "set by hand: " + ", ".join(f"{name} {plain(value)} B" for name, value in changed.items())


def _time(account: Account) -> str:
    return f"{duration_text(account.time.seconds.value or 0)} on {account.cards.count:,} at {_mfu(account)} of peak"


def _mfu(account: Account) -> str:
    return FIELDS["mfu"].kind.text(account.mfu.value)


_SUMMARIES = {"items": _items, "time": _time}


def summary(account: Account, group: str) -> str:
    """The state of a group of fields in one line."""
    if group in _SUMMARIES:
        return _SUMMARIES[group](account)
    fields = [field for field in FIELDS.values() if field.group == group and applies(account.scenario, field)]
    return " · ".join(field.said(getattr(account.scenario, field.name)) for field in fields)
