"""An architecture: everything about a model that decides how many parameters it has."""

from __future__ import annotations

from typing import Any

import msgspec

from core.models.dimensions import Dimensions


class ModelFileError(ValueError):
    """A model's file or fields cannot be used. The message is one sentence in the user's words."""


class Quantisation(msgspec.Struct, frozen=True):
    """How the file says that its weights are stored: the method's name, and bits per weight where it says so."""

    method: str
    bits: int | None = None


class Architecture(msgspec.Struct, frozen=True):
    """A model as its configuration file states it, with class defaults filled in; whole without the file.

    The seven numbers from `hidden` to `vocabulary` are those that a person edits; 0 where the family has no such
    thing (a vision tower's vocabulary). `head` is the kind of head that `class_name` has. `fields` holds what else the family's layout reads, by the key's usual
    name. `derived` names those of the seven that the file left to be computed from others. In a model with towers
    the numbers are those of its text model, `text_type` names that model's family, and `towers` holds the rest.
    """

    name: str
    model_type: str
    class_name: str
    head: str
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    mlp: int
    vocabulary: int
    tied: bool
    fields: dict[str, Any] = {}
    text_type: str = ""
    towers: dict[str, Architecture] = {}
    derived: tuple[str, ...] = ()
    dtype: str = ""
    quantisation: Quantisation | None = None
    notes: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """The model type whose layout the text model has."""
        return self.text_type or self.model_type


def dimensions(arch: Architecture) -> Dimensions:
    """The sizes that the activation tables read; in a mixture `mlp` is the width of one expert."""
    experts = _whole(arch.fields.get("num_experts"))
    width = _whole(arch.fields.get("moe_intermediate_size")) if experts else 0
    return Dimensions(
        family=arch.family,
        hidden=arch.hidden,
        layers=arch.layers,
        vocabulary=arch.vocabulary,
        heads=arch.heads,
        kv_heads=arch.kv_heads,
        head_dim=arch.head_dim,
        mlp=width or arch.mlp,
        experts=experts,
        experts_per_token=min(_whole(arch.fields.get("num_experts_per_tok")), experts),
        tied=arch.tied,
    )


def _whole(value: Any) -> int:
    """A count that some families state as one number and others as a list, one entry a layer: its largest."""
    if isinstance(value, list):
        return max((_whole(item) for item in value), default=0)
    return value if isinstance(value, int) else 0
