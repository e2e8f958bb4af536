"""Memory of inference: weights, and the cache of keys and values."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from core.models.dimensions import Dimensions

Number = int | Fraction


class CacheLayers(msgspec.Struct, frozen=True):
    """So many layers that keep `elements` for each token; `window`: of the last so many tokens only (0: of all)."""

    label: str
    layers: int
    elements: int
    window: int = 0

    def tokens(self, context: int) -> int:
        """Tokens of a sequence that are kept."""
        return min(context, self.window) if self.window else context

    def elements_of(self, batch: int, context: int) -> int:
        """Elements for `batch` sequences of `context` tokens."""
        return self.layers * self.elements * batch * self.tokens(context)


def cache_layers(
    dim: Dimensions, *, window: int = 0, window_layers: int = 0, latent: int = 0
) -> tuple[CacheLayers, ...]:
    """How a model's layers cache.

    window, window_layers: sliding attention, and how many layers have it. latent: elements of a compressed cache, which
    multi-head latent attention keeps instead of keys and values (DeepSeek-V2, section 2.1: kv_lora_rank +
    qk_rope_head_dim).
    """
    each = latent or 2 * dim.kv_heads * dim.head_dim
    label = "latent" if latent else "keys and values"
    few = min(window_layers, dim.layers) if window else 0
    found = []
    if dim.layers > few:
        found.append(CacheLayers(label, dim.layers - few, each))
    if few:
        found.append(CacheLayers(f"{label} in a window", few, each, window))
    return tuple(found)


class Inference(msgspec.Struct, frozen=True):
    """Bytes of weights and cache. per_token: of the cache, for one more token of one sequence, windows not yet full."""

    weights: int
    cache: int
    per_token: Number

    @property
    def bytes(self) -> int:
        """Both."""
        return self.weights + self.cache


def inference(
    parameters: int, weight_bytes: Number, layers: Iterable[CacheLayers], batch: int, context: int, cache_bytes: Number
) -> Inference:
    """Memory of `batch` sequences of `context` tokens; weight_bytes, cache_bytes: of one element in its format."""
    layers = tuple(layers)
    cache = cache_bytes * sum(one.elements_of(batch, context) for one in layers)
    each = cache_bytes * sum(one.layers * one.elements for one in layers)
    return Inference(_up(parameters * weight_bytes), _up(cache), each)


def _up(value: Number) -> int:
    return -(-value.numerator // value.denominator)
