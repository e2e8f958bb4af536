"""The dimensions of a model that everything else is computed from."""

from __future__ import annotations

import msgspec


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
