"""Rows of fields, made and shown together: in the form, and in the bar while presenting."""

from __future__ import annotations

from collections.abc import Iterable

from core.account import Account
from core.resolution import echoes, stand_ins
from core.scenario import FIELDS, INPUTS, applies
from gui.controls.field_row import FieldRow
from gui.controls.value_box import ValueBox
from gui.store import Store


def make_rows(store: Store, groups: Iterable[str], compact: bool = False) -> dict[str, FieldRow]:
    """A row for each input of the groups, by field name."""
    wanted = set(groups)
    return {name: FieldRow(FIELDS[name], store, compact) for name in INPUTS if FIELDS[name].group in wanted}


def show_rows(rows: dict[str, FieldRow], account: Account) -> None:
    """Show an account's scenario in rows."""
    resolved, said = stand_ins(account), echoes(account)
    scenario = account.scenario
    for name, row in rows.items():
        named = getattr(scenario, row.field.or_named) if row.field.or_named else None
        acts = bool(row.field.or_named) or applies(scenario, row.field)
        row.show_state(getattr(scenario, name), resolved.get(name), acts, said.get(name), named)


def drop_texts(rows: dict[str, FieldRow]) -> None:
    """Forget what was typed and not taken: it belongs to the document or the scenario before."""
    for row in rows.values():
        if isinstance(row.box, ValueBox):
            row.box.drop()
