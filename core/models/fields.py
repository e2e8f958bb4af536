"""Takes a configuration's fields apart: which keys a family reads, and under which spellings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.models.families.row import Family, Values
from core.models.layout import shown
from core.models.values import checked

ALIASES: Mapping[str, tuple[str, ...]] = {
    "hidden_size": (
        "n_embd",
        "d_model",
        "dim",
        "n_embed",
        "hidden",
        "embed_dim",
        "base_emb_dim",
        "hidden-size",
        "vt_hidden_size",
        "hidden_dim",
    ),
    "num_hidden_layers": (
        "n_layer",
        "n_layers",
        "num_layers",
        "encoder_layers",
        "depth",
        "layer_num",
        "num_blocks",
        "base_num_decoder_layers",
        "block_count",
        "num-layers",
    ),
    "num_attention_heads": (
        "n_head",
        "n_heads",
        "num_heads",
        "encoder_attention_heads",
        "head_num",
        "attn_heads",
        "head_count",
        "num-attention-heads",
    ),
    "num_key_value_heads": (
        "n_kv_heads",
        "num_kv_heads",
        "n_head_kv",
        "multi_query_group_num",
        "num_query_groups",
        "n_query_groups",
        "kv_head_num",
        "head_count_kv",
    ),
    "head_dim": ("attention_head_dim", "kv_channels", "d_kv", "attn_size", "head_size", "key_length"),
    "intermediate_size": (
        "n_inner",
        "ffn_dim",
        "d_ff",
        "ffn_hidden_size",
        "inner_dim",
        "inter_dim",
        "inner_hidden_size",
        "feedforward",
        "block_ff_dim",
        "ffn_embed_dim",
    ),
    "vocab_size": ("padded_vocab_size", "embedding_size", "n_vocab"),
    "num_experts": (
        "num_local_experts",
        "n_routed_experts",
        "moe_num_experts",
        "num_moe_experts",
        "expert_num",
    ),
    "num_experts_per_tok": (
        "top_k_experts",
        "moe_topk",
        "moe_top_k",
        "moe_k",
        "n_activated_experts",
        "num_experts_per_token",
        "experts_per_token",
    ),
    "moe_intermediate_size": ("expert_intermediate_size", "moe_inter_dim"),
}
"""Other spellings of the same quantity, over all families."""


def read_fields(mapping: Mapping[str, Any], row: Family, model_type: str) -> tuple[Values, list[str], list[str]]:
    """The values that a row reads, defaults filled in; the keys that were absent; and notes on keys passed over.

    Raises ModelFileError where a key holds something that it cannot.
    """
    values: Values = {}
    absent: list[str] = []
    for key, default in row.defaults.items():
        name = find(mapping, key, row)
        if name is None:
            values[key] = default
            absent.append(key)
        else:
            values[key] = checked(name, key, mapping[name], default, model_type)
    return values, absent, list(_passed_over(mapping, row, absent, model_type))


def find(mapping: Mapping[str, Any], key: str, row: Family) -> str | None:
    """The spelling under which the file states `key`; its own spelling of the class first. None where it does not."""
    for name in (*row.spelled.get(key, ()), key):
        if name in mapping and not (mapping[name] is None and key in mapping and mapping[key] is not None):
            return name
    return None


def _passed_over(mapping: Mapping[str, Any], row: Family, absent: list[str], model_type: str) -> Iterator[str]:
    """Keys that look like one that is missing, in a spelling that this type of file does not have."""
    for key in absent:
        if key not in ALIASES:
            continue
        for name in ALIASES[key]:
            value = mapping.get(name)
            if isinstance(value, int) and not isinstance(value, bool) and not _belongs(name, row):
                default = row.defaults[key]
                used = "is computed" if default is None else f"is the class's {shown(default)}"
                yield (
                    f"{name} {shown(value)} is not read: in a file of type {model_type} the key is "
                    f"{row.spelled.get(key, (key,))[0]}, which is missing and {used}."
                )
                break


def _belongs(name: str, row: Family) -> bool:
    """Whether the row reads this spelling for some key."""
    return name in row.defaults or any(name in names for names in row.spelled.values())
