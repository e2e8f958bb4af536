"""Evidence as tables of text: for a terminal, for Markdown, and for the window."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

import msgspec

from core.memory.evidence import Case, Finding, findings
from core.numbers import significant


class Table(msgspec.Struct, frozen=True):
    """Rows of text under a head. `figures`: how many columns, from the right, hold figures."""

    title: str
    about: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: int = 0


def percent(error: Fraction) -> str:
    """A relative error with its sign: "0", "+0.023 %", "−2.6 %"; "under 0.001 %" where it is smaller, but not 0."""
    if not error:
        return "0"
    if abs(error) < Fraction(1, 100_000):
        return "under 0.001 %"
    sign = "" if error < 0 else "+"
    return f"{sign}{significant(error * 100, 2)} %"


def merged(cases: Iterable[Case], *, family: str = "", setting: str = "") -> tuple[Finding, ...]:
    """Findings over cases whose family or setting, where a text is given, goes by that text."""
    return findings(
        msgspec.structs.replace(case, family=family or case.family, setting=setting or case.setting) for case in cases
    )


# Quantity → what it is called in a table, and what it is.
QUANTITIES = {
    "parameters": "Parameters",
    "optimizer states": "Optimizer states",
    "shards": "What one card stores of a shared model",
    "saved tensors": "Tensors kept for the backward pass",
    "live after forward": "Live when the forward pass ends",
    "largest moment": "Largest moment of a pass",
    "saved tensors, LoRA": "Kept for the backward pass, adapters alone trained",
    "live after forward, LoRA": "Live when the forward pass ends, adapters alone trained",
    "largest moment, LoRA": "Largest moment, adapters alone trained",
}
# The law of the largest moment is held to more where a layer is a small part of the whole.
DEEP = 12
PASS_QUANTITIES = ("saved tensors", "live after forward", "largest moment")


def _counts(found: Finding) -> tuple[str, str, str, str]:
    return (f"{found.cases:,}", f"{found.exact:,}", f"{found.within_one_percent:,}", percent(found.worst))


_COUNTS = ("Cases", "Exact", "Within 1 %", "Worst error")


def by_quantity(cases: Sequence[Case], deep: Collection[str] = ()) -> Table:
    """One row a quantity, over all families and settings; the largest moment of `deep` models has its own."""
    found = {one.quantity: one for one in merged(cases, family="all", setting="all")}
    rows = [(name, *_counts(found[quantity])) for quantity, name in QUANTITIES.items() if quantity in found]
    moments = [case for case in cases if case.quantity == "largest moment" and case.model in deep]
    for one in merged(moments, family="all", setting="all"):
        place = next(place for place, row in enumerate(rows) if row[0] == QUANTITIES["largest moment"])
        rows.insert(place + 1, (f"Largest moment, {DEEP} layers or more", *_counts(one)))
    return Table(
        "Predicted against measured",
        "Exact is to the last byte or parameter.",
        ("Quantity", *_COUNTS),
        tuple(rows),
        4,
    )


def passes_by_family(cases: Sequence[Case]) -> Table:
    """One row a family: exact cases of each quantity of a pass, and the largest moment's worst error."""
    return _passes(merged(cases, setting="all"), "family", "Passes by family", "Family")


def passes_by_setting(cases: Sequence[Case]) -> Table:
    """One row a way to run: precision, attention, checkpoints."""
    return _passes(merged(cases, family="all"), "setting", "Passes by setting", "Setting")


def _passes(found: tuple[Finding, ...], key: str, title: str, head: str) -> Table:
    by_key: dict[str, dict[str, Finding]] = {}
    for one in found:
        if one.quantity in PASS_QUANTITIES:
            by_key.setdefault(getattr(one, key), {})[one.quantity] = one
    rows = []
    for name, group in sorted(by_key.items()):
        shares = [_share(group.get(quantity)) for quantity in PASS_QUANTITIES]
        rows.append((name, *shares, percent(group["largest moment"].worst)))
    return Table(
        title,
        "Exact of all cases. With checkpoints PyTorch's hooks see no saved tensors: those passes have no such figure.",
        (head, "Kept for backward", "Live after forward", "Largest moment", "Its worst error"),
        tuple(rows),
        4,
    )


def _share(found: Finding | None) -> str:
    return "" if found is None else f"{found.exact} of {found.cases}"


def in_full(found: Sequence[Finding]) -> Table:
    """One row a quantity, family and setting."""
    return Table(
        "Every quantity, family and setting",
        "The worst case is the one whose error is largest in size.",
        ("Quantity", "Family", "Setting", "Worst case", *_COUNTS),
        tuple((one.quantity, one.family, one.setting, one.worst_model, *_counts(one)) for one in found),
        4,
    )


def as_text(table: Table) -> str:
    """A table for a terminal, under its title; figures stand at the right of their columns."""
    widths = [max(len(row[place]) for row in (table.head, *table.rows)) for place in range(len(table.head))]
    first_figure = len(table.head) - table.figures

    def line(row: tuple[str, ...]) -> str:
        cells = (
            f"{cell:>{wide}}" if place >= first_figure else f"{cell:<{wide}}"
            for place, (cell, wide) in enumerate(zip(row, widths, strict=True))
        )
        return ("  " + "  ".join(cells)).rstrip()

    about = [f"  {table.about}"] if table.about else []
    return "\n".join([table.title, *about, "", line(table.head), *(line(row) for row in table.rows)])


def as_markdown(table: Table) -> str:
    """A table in Markdown, without its title."""
    marks = ["---"] * (len(table.head) - table.figures) + ["---:"] * table.figures
    lines = (table.head, tuple(marks), *table.rows)
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines)
