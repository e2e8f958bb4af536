"""From stated values to the numbers of an architecture: what is null is computed from the rest."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from core.models.architecture import Architecture, ModelFileError
from core.models.families import families
from core.models.families.row import Family, Values
from core.models.layout import SEVEN


def assemble(arch: Architecture) -> Architecture:
    """The architecture that `stated` and `edited` make. Raises ModelFileError where they contradict each other."""
    row, outer = families()[arch.family], families()[arch.model_type]
    values: Values = dict(arch.stated)
    for key, short in SEVEN.items():
        if short in arch.edited:
            values[key] = arch.edited[short]
    null = {key for key in SEVEN if values.get(key) is None}
    if outer is not row and outer.settle is not None:
        outer.settle(values)
    if row.settle is not None:
        row.settle(values)
    seven = {**_seven(values, row), **_kept(arch, row)}
    fields = {key: value for key, value in values.items() if key not in SEVEN and key != "tie_word_embeddings"}
    if "num_labels" in arch.fields:
        fields["num_labels"] = arch.fields["num_labels"]
    return replace(
        arch,
        **seven,
        tied=bool(values.get("tie_word_embeddings", False)),
        fields=fields,
        derived=tuple(short for key, short in SEVEN.items() if key in null and seven[short]),
    )


def _kept(arch: Architecture, row: Family) -> dict[str, int]:
    """What a person changed stays as typed, but for a depth that a pattern decides."""
    pattern = arch.stated.get("layers_block_type") is not None or arch.stated.get("hybrid_override_pattern") is not None
    return {short: value for short, value in arch.edited.items() if not (short == "layers" and pattern)}


def _seven(values: Values, row: Family) -> dict[str, int]:
    """The seven numbers, those that are null computed: key heads from heads, head size from width and heads."""
    heads: int = values.get("num_attention_heads") or 0
    hidden: int = values["hidden_size"]
    if values.get("num_key_value_heads") is None:
        values["num_key_value_heads"] = heads
    if values.get("head_dim") is None and heads:
        if hidden % heads and row.even_heads:
            raise ModelFileError(
                f"{_key(row, 'num_attention_heads')} is {heads:,}, which does not divide "
                f"{_key(row, 'hidden_size')} {hidden:,}, and no head_dim is given"
            )
        values["head_dim"] = hidden // heads
    if not values.get("num_hidden_layers"):
        raise ModelFileError(
            f"the file does not say {_key(row, 'num_hidden_layers')}, without which nothing is counted"
        )
    return {short: _whole(values.get(key)) for key, short in SEVEN.items()}


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _key(row: Family, key: str) -> str:
    return row.spelled.get(key, (key,))[0]
