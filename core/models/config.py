"""From a configuration file's mapping to an Architecture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from core.models.architecture import Architecture, ModelFileError, Quantisation
from core.models.assemble import assemble
from core.models.families import families
from core.models.families.row import Family, Nested
from core.models.fields import read_fields
from core.models.guess import guess
from core.models.heads import head_of, number_of_labels
from core.models.layout import SEVEN, shown
from core.models.windows import window_of

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
    fields = dict(arch.fields)
    if head in ("classify", "token", "image", "pretraining"):
        fields["num_labels"] = number_of_labels(mapping, row.defaults.get("num_labels", 2))
    dtype, quantisation = _storage(mapping)
    notes = [*notes, *head_notes, *_passed_by(mapping, row, model_type), *arch.notes]
    return replace(arch, fields=fields, dtype=dtype, quantisation=quantisation, notes=tuple(notes))


def _passed_by(mapping: Mapping[str, Any], row: Family, model_type: str) -> list[str]:
    """Nested models that a file of this type has no place for, as where a wrapper carries its text model's type."""
    nested = (*((row.text,) if row.text else ()), *row.towers.values())
    read = {key.split(".")[0] for one in nested for key in (*one.keys, one.over)}
    sizes = {"hidden_size", "num_hidden_layers", "text_config"}
    return [
        f"{key} is not read: the {model_type} class has no such part."
        for key, value in mapping.items()
        if isinstance(value, Mapping) and key not in read and sizes & set(value)
    ]


def _class_name(mapping: Mapping[str, Any], row: Family) -> str:
    stated = mapping.get("architectures")
    if isinstance(stated, list) and stated and isinstance(stated[0], str):
        return stated[0]
    return row.class_name


def _read(mapping: Mapping[str, Any], model_type: str, name: str, class_name: str, head: str) -> Architecture:
    """One model with what is nested in it."""
    row = families()[model_type]
    stated, absent, notes = read_fields(mapping, row, model_type)
    text_type, window = "", window_of(mapping, model_type)
    if row.text is not None:
        (inner, text_type), more = _text(mapping, row.text, model_type)
        text_row, window = families()[text_type], window_of({**mapping, **inner}, text_type)
        text, text_absent, text_notes = read_fields(inner, text_row, text_type)
        tied = row.either_tie and text.get("tie_word_embeddings")
        stated = {**text, **stated}
        stated["tie_word_embeddings"] = bool(stated.get("tie_word_embeddings") or tied)
        outer = [key for key in text_absent if key not in row.defaults]
        absent, notes = [*outer, *absent], [*more, *notes, *text_notes]
    arch = assemble(
        Architecture(
            name=name, model_type=model_type, class_name=class_name, head=head, text_type=text_type, stated=stated,
            hidden=0, layers=0, heads=0, kv_heads=0, head_dim=0, mlp=0, vocabulary=0, tied=False, window=window,
        )
    )  # fmt: skip
    towers: dict[str, Architecture] = {}
    for tower, nested in row.towers.items():
        found, tower_notes = _nested(mapping, nested, model_type, tower)
        if found is not None:
            towers[tower] = _read(found[0], found[1], f"{name} {tower}", "", "none")
            tower_notes = [*tower_notes, *towers[tower].notes]
        notes.extend(tower_notes)
    return replace(arch, towers=towers, notes=(*notes, *_assumed(absent, arch)))


def _text(
    mapping: Mapping[str, Any], nested: Nested, model_type: str
) -> tuple[tuple[Mapping[str, Any], str], list[str]]:
    found, notes = _nested(mapping, nested, model_type, "text model")
    assert found is not None, "a text model is never optional"
    return found, notes


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
    note = f"The file has no {nested.keys[0]}: the {what} is the one that the {model_type} class builds without it"
    if "hidden_size" in mapping and what == "text model":
        return (nested.absent, nested.model_type), [f"{note}; the sizes at the file's root are not read."]
    return (nested.absent, nested.model_type), [f"{note}."]


def _assumed(absent: list[str], arch: Architecture) -> list[str]:
    """What was taken from the class, where it decides the count."""
    rows = [families()[kind] for kind in dict.fromkeys((arch.family, arch.model_type))]
    found = []
    for key in absent:
        row = next((row for row in rows if key in row.defaults), None)
        if row is not None and key in TELLING and row.defaults[key] is not None:
            found.append(f"{row.spelled.get(key, (key,))[0]} {shown(arch.stated[key])}")
    if "tie_word_embeddings" in absent and arch.head in ("lm", "masked", "pretraining"):
        found.append("the head tied to the token table" if arch.tied else "a head of its own, not tied")
    if not found:
        return []
    kind = arch.model_type if not arch.text_type else f"{arch.model_type} and {arch.text_type}"
    return [f"The file does not say, so taken from the {kind} class: {', '.join(found)}."]


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
