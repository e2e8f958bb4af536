"""What a key of a configuration may hold: a whole number, a flag, a list, an object, or a word, within limits."""

from __future__ import annotations

from typing import Any

from core.models.architecture import ModelFileError
from core.models.layout import SEVEN, shown

LARGEST = 10**9
MOST = {
    "num_hidden_layers": 10_000,
    "num_attention_heads": 10_000,
    "num_key_value_heads": 10_000,
    "swa_num_attention_heads": 10_000,
    "merger_times": 100,
    "enc_res2net_scale": 100,
}
"""What a count of things may be at most; a width, LARGEST."""

COMPUTED = frozenset({"num_key_value_heads", "head_dim"})
"""Keys whose null means "compute it from the others", whatever the class default."""

SIGNED = frozenset({"moe_layer_end_index", "max_relative_positions", "position_buckets", "vision_feature_layer"})
"""Keys that may be negative: counted from the end, or off."""

EITHER = frozenset(
    [
        "image_size",
        "patch_size",
        "num_experts_per_tok",
        "moe_intermediate_size",
        "num_shared_expert",
        "moe_layer_freq",
        "vision_feature_layer",
    ]
)
"""Keys that some files give as one number and others as a list."""

LISTS = frozenset(
    [
        "attn_layer_indices",
        "block_configs",
        "compress_ratios",
        "full_attn_idxs",
        "hybrid_layer_pattern",
        "hybrid_override_pattern",
        "index_topk_pattern",
        "indexer_types",
        "layer_types",
        "layers_block_type",
        "mlp_layer_types",
        "mlp_only_layers",
        "moe_layers",
        "mtp_layers_block_type",
        "pos_att_type",
        "supported_aspect_ratios",
    ]
)
"""Keys that hold a list, or null."""

LETTERS = frozenset(
    ["hybrid_override_pattern", "index_topk_pattern", "layers_block_type", "mtp_layers_block_type", "pos_att_type"]
)
"""Lists that may also be written as one text, a letter each."""

OBJECTS = frozenset({"attn_config", "ffn_config"})
FLAGS = frozenset({"tie_embedding"})
TEXTS = frozenset({"feed_forward_proj", "norm_rel_ebd"})
AUTO = frozenset({"time_step_rank", "mamba_dt_rank"})
"""Keys that hold a whole number or "auto"."""


def checked(name: str, key: str, value: Any, default: Any, model_type: str) -> Any:
    """A value of the file, if it is of the kind that its key needs; its default for a null that means nothing.

    Raises ModelFileError that names the key as the file spells it, what it holds and what is accepted.
    """
    if value is None:
        return _null(name, key, default, model_type)
    if isinstance(default, bool) or key in FLAGS:
        return _one_of(name, value, isinstance(value, bool), "accepted are true and false")
    if isinstance(default, float):
        number = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= LARGEST
        return _one_of(name, value, number, f"accepted are numbers from 0 to {LARGEST:,}")
    if key in LISTS or isinstance(default, list):
        listed = isinstance(value, list) or (isinstance(value, str) and key in LETTERS)
        _one_of(name, value, listed, "a list is needed there")
        return _numbers(name, key, value) if isinstance(default, list) else value
    if key in OBJECTS:
        return _one_of(name, value, isinstance(value, dict), "an object is needed there")
    if key in TEXTS:
        return _one_of(name, value, isinstance(value, str), "a text is needed there")
    if (key in AUTO and value == "auto") or (key in EITHER and isinstance(value, list)):
        return value
    return whole(name, key, value)


def _null(name: str, key: str, default: Any, model_type: str) -> Any:
    """Null is "compute it" or "none" where that has a meaning, the default where it has none, else an error."""
    if default is None or key in COMPUTED or key.endswith("lora_rank"):
        return None
    if isinstance(default, (bool, str, list, float)):
        return default
    raise ModelFileError(f"{name} is null, and a {model_type} model needs a whole number there")


def _one_of(name: str, value: Any, fits: bool, accepted: str) -> Any:
    if not fits:
        raise ModelFileError(f"{name} is {shown(value)}; {accepted}")
    return value


def _numbers(name: str, key: str, values: list[Any]) -> list[int]:
    return [whole(f"an entry of {name}", key, value) for value in values]


def whole(name: str, key: str, value: Any) -> int:
    """A whole number within the limits of its key. Raises ModelFileError."""
    least = 1 if key in SEVEN else -LARGEST if key in SIGNED else 0
    most = MOST.get(key, LARGEST)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ModelFileError(f"{name} is {shown(value)}; accepted are whole numbers from {least:,} to {most:,}")
    return value
