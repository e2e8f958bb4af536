"""Two scenarios side by side: which fields differ, and by how much each figure does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import msgspec

from core.account import Account
from core.lines import Line, amount
from core.numbers import Number, narrow, scientific, significant
from core.quantities import System, both_text, bytes_text
from core.scenario import FIELDS, Scenario, applies
from core.verdict import duration_text

SAME = "the same"
_LONG = 10**12


class Difference(msgspec.Struct, frozen=True):
    """A field that differs, with both values as a person writes them."""

    field: str
    label: str
    before: str
    after: str


def differences(before: Scenario, after: Scenario) -> list[Difference]:
    """The fields in which two scenarios differ and that act in at least one of them."""
    found = []
    for name, field in FIELDS.items():
        old, new = getattr(before, name), getattr(after, name)
        if old == new or not (applies(before, field) or applies(after, field)):
            continue
        texts = [field.automatic if value is None else field.kind.label(value) for value in (old, new)]
        found.append(Difference(name, field.label, *texts))
    return found


def differences_line(before: Scenario, after: Scenario) -> str:
    """What differs, in one line."""
    found = differences(before, after)
    return " · ".join(f"{row.label} {row.before} → {row.after}" for row in found) or SAME


def percent_text(before: Number, after: Number) -> str:
    """A change in per cent, signed; from nothing there is none."""
    if before == 0:
        return ""
    share = (Fraction(after) - before) / abs(Fraction(before)) * 100
    size = max(share, -share)
    # What is nearly all is not all: 99.98 % has its digits.
    digits = next((count for count in (3, 4, 5, 6) if size == 100 or significant(size, count) != "100"), 6)
    return f"{_sign(share)}{significant(size, digits)} %"


def change_text(before: Line, after: Line, system: System = "decimal") -> str:
    """How a figure changed: "+400 GB, +83.3 %"; "the same"; "" where one of them has no value."""
    if before.value is None or after.value is None:
        return "" if before.value is after.value else f"{amount(before.value, '')} → {amount(after.value, '')}"
    return moved_text(before.value, after.value, after.unit, system)


def moved_text(before: Number, after: Number, unit: str, system: System = "decimal") -> str:
    """How far a number of `unit` moved, signed, with its per cent; "the same" where it did not."""
    moved = narrow(Fraction(after) - before)
    if moved == 0:
        return SAME
    size = max(moved, -moved)
    if unit == "B":
        text = bytes_text(size, system)
    elif isinstance(size, int) and size < _LONG:
        text = amount(size, unit)
    else:
        # A figure of twenty digits says no more than its first three, and would push all else aside.
        text = f"{scientific(size) if size >= _LONG else significant(size)} {unit}".rstrip()
    percent = percent_text(before, after)
    return f"{_sign(moved)}{text}{', ' if percent else ''}{percent}"


def _sign(value: Number) -> str:
    return "+" if value > 0 else "−"


def comparison(named: Sequence[tuple[str, Account]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """All scenarios as a table: the head, then a row for each field that differs and for each figure that decides."""
    head = ("", *(name for name, _ in named))
    accounts = [account for _, account in named]
    rows = []
    for name, field in FIELDS.items():
        values = [getattr(account.scenario, name) for account in accounts]
        if any(value != values[0] for value in values):
            rows.append(
                (field.label, *(field.automatic if value is None else field.kind.label(value) for value in values))
            )
    figures: tuple[tuple[str, Callable[[Account], str]], ...] = (
        ("Training", lambda account: both_text(account.training.count)),
        ("Inference", lambda account: both_text(account.inference.count)),
        ("Each parameter", lambda account: amount(account.each.value, "B")),
        ("Cards needed", lambda account: amount(account.cards_needed.value if account.cards_needed else None, "cards")),
        ("One card holds", lambda account: both_text(account.stage.peak.count)),
        ("Left on it", lambda account: both_text(account.stage.headroom.count)),
        ("Fits", lambda account: "yes" if account.stage.fits else "no"),
        ("Time", lambda account: duration_text(account.time.seconds.value or 0)),
    )
    rows += [(label, *(write(account) for account in accounts)) for label, write in figures]
    return head, rows
