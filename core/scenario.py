"""The question a person asks: every field, frozen. The fields themselves stand in core.inputs, each once.

None means that a field is left to its automatic value.
"""

import difflib
from collections.abc import Mapping
from typing import get_args, get_type_hints

import msgspec

from core.fields import Field, Group, InputError, shown
from core.inputs.where import WhereItRuns
from core.numbers import Number

GROUPS = (
    Group("essentials", "Scenario", folded=False),
    Group("model", "Model dimensions"),
    Group("batch", "Batch and sequence"),
    Group("items", "Bytes per parameter"),
    Group("adapters", "Adapters"),
    Group("sharding", "Sharding and offload"),
    Group("card", "Card details"),
    Group("inference", "Inference"),
    Group("time", "Time and cost"),
)


class Scenario(WhereItRuns, frozen=True):
    """Everything a person asked for."""


def _fields() -> dict[str, Field]:
    defaults = dict(zip(Scenario.__struct_fields__, Scenario.__struct_defaults__, strict=True))
    hints = get_type_hints(Scenario, include_extras=True)
    described = {name: get_args(hint)[1] for name, hint in hints.items()}
    return {
        name: msgspec.structs.replace(field, name=name, default=defaults[name]) for name, field in described.items()
    }


FIELDS = _fields()
# Fields that have an input of their own: a name that stands for another field's value shares that one's.
INPUTS = tuple(name for name in FIELDS if name not in {known.or_named for known in FIELDS.values()})
ITEM_FIELDS = tuple(name for name in FIELDS if name.startswith("bytes_"))


def field(name: str) -> Field:
    """The field of that name; raises InputError with near names where there is none."""
    known = FIELDS.get(name)
    if known is None:
        near = difflib.get_close_matches(name.replace("-", "_"), FIELDS, 3, 0.5)
        hint = f"near it: {', '.join(near)}" if near else "the list is printed by `fields`"
        # As text it may be long and hold anything: quoted it is short and one line.
        raise InputError(shown(name), shown(name), f"no field has this name; {hint}")
    return known


def change(scenario: Scenario, values: Mapping[str, object]) -> Scenario:
    """`scenario` with other values, which are already of their fields' kinds."""
    return msgspec.structs.replace(scenario, **values)


def from_texts(texts: Mapping[str, str], start: Scenario | None = None) -> Scenario:
    """A scenario from what a person typed, by field name. Raises InputError at the first field that is wrong."""
    return change(start or Scenario(), {field(name).name: field(name).read(text) for name, text in texts.items()})


def from_json(values: Mapping[str, object], start: Scenario | None = None) -> Scenario:
    """A scenario from JSON values, by field name. Raises InputError at the first key or value that is wrong."""
    return change(start or Scenario(), {field(name).name: field(name).take(value) for name, value in values.items()})


def to_json(scenario: Scenario) -> dict[str, object]:
    """The values a person set, by field name: what differs from the defaults, exactly."""
    return {
        name: known.kind.give(value)
        for name, known in FIELDS.items()
        if (value := getattr(scenario, name)) != known.default
    }


DIMENSION_FIELDS = ("layers", "hidden", "heads", "kv_heads", "head_dim", "mlp", "vocabulary")


def changed_dimensions(scenario: Scenario) -> dict[str, int]:
    """Dimensions of the model that a person set in place of its own, by name."""
    return {name: value for name in DIMENSION_FIELDS if (value := getattr(scenario, name)) is not None}


def overrides(scenario: Scenario) -> dict[str, Number]:
    """Bytes a person set in place of the recipe's, by item name."""
    return {
        name.removeprefix("bytes_"): value for name in ITEM_FIELDS if (value := getattr(scenario, name)) is not None
    }


def input_of(name: str) -> str:
    """The field whose input takes this one: itself, or the one that a person may name it for."""
    return name if name in INPUTS else next(known.name for known in FIELDS.values() if known.or_named == name)


def applies(scenario: Scenario, known: Field) -> bool:
    """Whether a field acts in this scenario: some do only with, or only without, another that is set."""
    if known.only_while is not None and getattr(scenario, known.only_while[0]) != known.only_while[1]:
        return False
    if known.only_with:
        return getattr(scenario, known.only_with) is not None and applies(scenario, FIELDS[known.only_with])
    return not known.only_without or getattr(scenario, known.only_without) is None


def describe(scenario: Scenario, labels: bool = False) -> str:
    """The scenario in one line, in a person's words: what differs from the defaults after what always matters.

    Choices stand in it by the names that flags take, or by the `labels` that a person reads.
    """
    always = ("params", "model", "precision", "optimizer", "card", "card_memory")
    words = []
    for name, known in FIELDS.items():
        value = getattr(scenario, name)
        if value is None or (name not in always and value == known.default) or not applies(scenario, known):
            continue
        words.append(known.said(value, labels))
    return " · ".join(words)
