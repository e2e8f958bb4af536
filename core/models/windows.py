"""Which layers of a model see a sliding window of the last tokens only: what its cache keeps follows from it.

Sources: the configuration classes of transformers 5.24.0, one for each type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec


class Window(msgspec.Struct, frozen=True):
    """`tokens` that a windowed layer sees. `every`: each such layer sees all, the others the window (0: no layer does).

    `listed` says for each layer whether it has the window, where the file does; it wins over `every`.
    """

    tokens: int
    every: int = 0
    listed: tuple[bool, ...] = ()

    def layers(self, depth: int) -> int:
        """How many of so many layers have the window; a list that is shorter is continued in its pattern."""
        if self.listed:
            return sum(self.listed[layer % len(self.listed)] for layer in range(depth))
        return depth - depth // self.every if self.every else depth


class _Rule(NamedTuple):
    """`tokens` where the file says nothing (0: no window), `every` as in Window, `key` of the file.

    `switched`: the window acts only where `use_sliding_window` is true, and then from layer `max_window_layers` on.
    """

    tokens: int = 0
    every: int = 0
    key: str = "sliding_window"
    switched: bool = False


_ALL, _QWEN = _Rule(), _Rule(switched=True)
RULES: dict[str, _Rule] = {
    "mistral": _Rule(4096), "ministral": _Rule(4096), "mixtral": _ALL, "ministral3": _ALL, "starcoder2": _ALL,
    "phi3": _ALL, "minimax_m2": _ALL, "phimoe": _ALL,
    "qwen2": _QWEN, "qwen2_moe": _QWEN, "qwen2_vl_text": _QWEN, "qwen2_5_vl_text": _QWEN, "qwen3": _QWEN,
    "qwen3_moe": _QWEN, "qwen2_5_omni_text": _QWEN, "mimo": _QWEN, "smollm3": _QWEN,
    "gemma2": _Rule(4096, 2), "gemma3_text": _Rule(4096, 6), "gemma4_text": _Rule(512, 6),
    "gpt_oss": _Rule(128, 2), "olmo3": _Rule(4096, 4), "cohere2": _Rule(4096, 4), "exaone4": _Rule(4096, 4),
    "mimo_v2_flash": _Rule(128), "step3p5": _Rule(512, 1),
    "llama4_text": _Rule(8192, 4, key="attention_chunk_size"),
}  # fmt: skip
_WINDOWED = frozenset({"sliding_attention", "chunked_attention"})


def window_of(mapping: Mapping[str, Any], family: str) -> Window | None:
    """The window of a text model's configuration; None where every layer sees all tokens."""
    rule = RULES.get(family)
    if rule is None:
        return None
    tokens = mapping.get(rule.key, rule.tokens)
    if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 1:
        return None
    kinds = mapping.get("layer_types")
    if isinstance(kinds, list) and kinds:
        listed = tuple(kind in _WINDOWED for kind in kinds)
        return Window(tokens, listed=listed) if any(listed) else None
    if rule.switched:
        return _switched(mapping, tokens)
    every = mapping.get("sliding_window_pattern", rule.every)
    return Window(tokens, every if isinstance(every, int) and every > 0 else rule.every)


def _switched(mapping: Mapping[str, Any], tokens: int) -> Window | None:
    """The first layers see everything, as many as `max_window_layers` says; the others the window."""
    if mapping.get("use_sliding_window") is not True:
        return None
    first, depth = mapping.get("max_window_layers", 28), mapping.get("num_hidden_layers")
    if not isinstance(first, int) or not isinstance(depth, int) or not 0 < depth <= 10_000 or first >= depth:
        return None
    return Window(tokens, listed=tuple(layer >= first for layer in range(depth)))
