"""The dimensions of a model that everything else is computed from."""

from __future__ import annotations

from typing import Any

import msgspec

from core.models.architecture import Architecture


class Dimensions(msgspec.Struct, frozen=True):
    """Counts, none of them bytes. `family` is the model type of its configuration file ("llama", "gpt2").

    The letters are those of the formulas: h hidden, L layers, V vocabulary, a heads, k kv_heads, d head_dim, f mlp,
    E experts (0 in a dense model), t experts_per_token. In a mixture f is the width of one expert.
    """

    family: str
    hidden: int
    layers: int
    vocabulary: int
    heads: int
    kv_heads: int
    head_dim: int
    mlp: int
    experts: int = 0
    experts_per_token: int = 0
    tied: bool = False


def dimensions(arch: Architecture) -> Dimensions:
    """The sizes that the activation tables read; in a mixture `mlp` is the width of one expert.

    A family whose layers are another's goes by that one's name: the text model of Qwen2-VL is "qwen2".
    """
    # The families are loaded where they are needed, so that Dimensions alone costs nothing to import.
    from core.models.families import families

    experts = _largest(arch.fields.get("num_experts"))
    width = _largest(arch.fields.get("moe_intermediate_size")) if experts else 0
    return Dimensions(
        family=families()[arch.family].like or arch.family,
        hidden=arch.hidden,
        layers=arch.layers,
        vocabulary=arch.vocabulary,
        heads=arch.heads,
        kv_heads=arch.kv_heads,
        head_dim=arch.head_dim,
        mlp=width or arch.mlp,
        experts=experts,
        experts_per_token=min(_largest(arch.fields.get("num_experts_per_tok")), experts),
        tied=arch.tied,
    )


def _largest(value: Any) -> int:
    """A count that some families state as one number and others as a list, one entry a layer: its largest."""
    if isinstance(value, list):
        return max((_largest(item) for item in value), default=0)
    return value if isinstance(value, int) else 0
