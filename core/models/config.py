"""From a configuration file's mapping to an Architecture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.models.architecture import Architecture, ModelFileError, Quantisation
from core.models.families import families
from core.models.families.row import Family, Nested, Values
from core.models.fields import read_fields
from core.models.guess import guess
from core.models.heads import head_of, number_of_labels
from core.models.layout import SEVEN, shown

TELLING = frozenset((*SEVEN, "num_experts", "num_experts_per_tok", "moe_intermediate_size"))
"""Keys whose absence is always worth a note."""


def read_config(mapping: Mapping[str, Any], name: str) -> Architecture:
    """The architecture that a configuration describes. `name` is what the model is called in notes and lists.

    Absent keys take the defaults of the type's class, explicit nulls are computed, and a note says so. A type that
    is not known is counted as the nearest known layout if the file has every key that it needs. Raises
    ModelFileError, one sentence without the file's name.
    """
    mapping, model_type, notes = guess(mapping)
    row = families()[model_type]
    class_name = _class_name(mapping, row)
    head, head_notes = head_of(class_name, row, model_type)
    arch = _read(mapping, model_type, name, class_name, head)
    labels = number_of_labels(mapping, row.defaults.get("num_labels", 2)) if head in ("classify", "token", "image", "pretraining") else None
    fields = arch.fields if labels is None else {**arch.fields, "num_labels": labels}
    dtype, quantisation = _storage(mapping)
    return _replace(
        arch, fields=fields, dtype=dtype, quantisation=quantisation, notes=(*notes, *head_notes, *arch.notes)
    )


def _replace(arch: Architecture, **changes: Any) -> Architecture:
    return Architecture(**{name: changes.get(name, getattr(arch, name)) for name in arch.__struct_fields__})


def _class_name(mapping: Mapping[str, Any], row: Family) -> str:
    stated = mapping.get("architectures")
    if isinstance(stated, list) and stated and isinstance(stated[0], str):
        return stated[0]
    return row.class_name


def _read(mapping: Mapping[str, Any], model_type: str, name: str, class_name: str, head: str) -> Architecture:
    """One model with what is nested in it."""
    row = families()[model_type]
    values, absent, notes = read_fields(mapping, row, model_type)
    if row.text is None:
        return _plain(mapping, model_type, name, class_name, head, values, absent, notes)
    inner, inner_notes = _nested(mapping, row.text, model_type, "text model")
    assert inner is not None
    text_mapping, text_type = inner
    text_row = families()[text_type]
    text_values, text_absent, text_notes = read_fields(text_mapping, text_row, text_type)
    tied = row.either_tie and text_values["tie_word_embeddings"]
    text_values = {**text_values, **{key: values[key] for key in row.defaults}}
    text_values["tie_word_embeddings"] = bool(text_values["tie_word_embeddings"] or tied)
    arch = _plain(
        text_mapping, text_type, name, class_name, head, text_values, text_absent, [*inner_notes, *notes, *text_notes],
        settle_first=row,
    )  # fmt: skip
    towers: dict[str, Architecture] = {}
    for tower, nested in row.towers.items():
        found, tower_notes = _nested(mapping, nested, model_type, tower)
        if found is not None:
            towers[tower] = _read(found[0], found[1], f"{name} {tower}", "", "none")
        notes = [*tower_notes, *(towers[tower].notes if found is not None else ())]
        arch = _replace(arch, notes=(*arch.notes, *notes))
    return _replace(arch, model_type=model_type, text_type=text_type, towers=towers)


def _nested(
    mapping: Mapping[str, Any], nested: Nested, model_type: str, what: str
) -> tuple[tuple[Mapping[str, Any], str] | None, list[str]]:
    """A nested configuration and its type, the class's own where the file lacks it; None where there is none."""
    for path in nested.keys:
        inner: Any = mapping
        for key in path.split("."):
            inner = inner.get(key) if isinstance(inner, Mapping) else None
        if isinstance(inner, Mapping):
            more = mapping.get(nested.over) if nested.over else None
            inner = {**inner, **more} if isinstance(more, Mapping) else inner
            stated = inner.get("model_type")
            own = nested.follow and isinstance(stated, str) and stated in families()
            kind = stated if own and families()[stated].text is None else nested.model_type
            return (inner, kind), []
        if inner is not None:
            raise ModelFileError(f"{path} is {shown(inner)}, and an object is needed there")
    if nested.optional:
        return None, []
    if nested.flat:
        return (mapping, nested.model_type), []
    return (nested.absent, nested.model_type), [
        f"The file has no {nested.keys[0]}: the {what} is that of the {model_type} class, sizes and all."
    ]


def _plain(
    mapping: Mapping[str, Any],
    model_type: str,
    name: str,
    class_name: str,
    head: str,
    values: Values,
    absent: list[str],
    notes: list[str],
    settle_first: Family | None = None,
) -> Architecture:
    row = families()[model_type]
    if settle_first is not None and settle_first.settle is not None:
        settle_first.settle(values)
    stated = {key: values.get(key) for key in SEVEN}
    if row.settle is not None:
        row.settle(values)
    seven = _seven(values, row, absent)
    derived = tuple(
        SEVEN[key] for key in SEVEN if stated[key] is None and seven[SEVEN[key]] and key in row.defaults
    ) + tuple(SEVEN[key] for key in SEVEN if key not in row.defaults and seven[SEVEN[key]])
    fields = {key: value for key, value in values.items() if key not in SEVEN and key != "tie_word_embeddings"}
    return Architecture(
        name=name,
        model_type=model_type,
        class_name=class_name,
        head=head,
        **seven,
        tied=bool(values.get("tie_word_embeddings", False)),
        fields=fields,
        derived=derived,
        notes=(*notes, *_assumed(absent, row, values, seven, model_type)),
    )


def _seven(values: Values, row: Family, absent: list[str]) -> dict[str, int]:
    """The seven numbers, those that are null computed: key heads from heads, head size from width and heads."""
    heads, hidden = values.get("num_attention_heads") or 0, values["hidden_size"]
    if values.get("num_key_value_heads") is None:
        values["num_key_value_heads"] = heads
    if values.get("head_dim") is None and heads:
        if hidden % heads and row.even_heads:
            raise ModelFileError(
                f"{_key(row, 'num_attention_heads')} is {heads:,}, which does not divide "
                f"{_key(row, 'hidden_size')} {hidden:,}, and the file gives no head_dim"
            )
        values["head_dim"] = hidden // heads
    for key in ("hidden_size", "num_hidden_layers"):
        if not values.get(key):
            raise ModelFileError(f"the file does not say {_key(row, key)}, without which nothing can be counted")
    return {short: values.get(key) or 0 for key, short in SEVEN.items()}


def _key(row: Family, key: str) -> str:
    return row.spelled.get(key, (key,))[0]


def _assumed(
    absent: list[str], row: Family, values: Values, seven: dict[str, int], model_type: str
) -> list[str]:
    """What was taken from the class, where it decides the count."""
    found = []
    for key in absent:
        if key not in TELLING or row.defaults[key] is None:
            continue
        found.append(f"{_key(row, key)} {shown(values[key])}")
    if "tie_word_embeddings" in absent and seven["vocabulary"] and row.heads:
        tied = values.get("tie_word_embeddings")
        found.append("the head tied to the token table" if tied else "a head of its own, not tied")
    if not found:
        return []
    return [f"The file does not say, so taken from the {model_type} class: {', '.join(found)}."]


def _storage(mapping: Mapping[str, Any]) -> tuple[str, Quantisation | None]:
    """Number format and quantisation as the file states them, also where only a nested text model does."""
    places = [mapping, *(inner for inner in mapping.values() if isinstance(inner, Mapping))]
    dtype = next(
        (
            place[key].removeprefix("torch.")
            for place in places
            for key in ("torch_dtype", "dtype", "params_dtype")
            if isinstance(place.get(key), str)
        ),
        "",
    )
    for place in places:
        stated = place.get("quantization_config")
        if isinstance(stated, Mapping):
            method = next((stated[k] for k in ("quant_method", "quant_algo") if isinstance(stated.get(k), str)), "")
            bits = next((stated[k] for k in ("bits", "w_bit") if type(stated.get(k)) is int), None)
            return dtype, Quantisation(method or "unnamed", bits)
        if type(place.get("quantization_bit")) is int and place["quantization_bit"]:
            return dtype, Quantisation("quantization_bit", place["quantization_bit"])
    return dtype, None
