"""Falcon, and the older type of its files.

Source: the configuration and modelling class of transformers 5.24.0, and tiiuae's own code for RefinedWeb.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import gqa
from core.models.blocks.ends import embedding, layer_norm
from core.models.blocks.feedforward import mlp
from core.models.families.row import UNREAD, Family, Values, four_times, usual
from core.models.layout import Block, Prefixed, Stack, View, Weight, vector


def _falcon_heads(values: Values) -> None:
    """Key and value heads: as given in the new architecture, else one for all queries or one for each."""
    heads = values["num_attention_heads"]
    grouped = values.get("num_key_value_heads")
    if values["new_decoder_architecture"]:
        values["num_key_value_heads"] = heads if grouped is None else grouped
    else:
        values["num_key_value_heads"] = 1 if values["multi_query"] else heads
    four_times(values)
    if values["num_ln_in_parallel_attn"] is None:
        values["num_ln_in_parallel_attn"] = 2 if values["new_decoder_architecture"] else 1


def _refined_web(values: Values) -> None:
    """The first code of Falcon: grouped heads with n_head_kv (40B), one key and value head without (7B)."""
    values["new_decoder_architecture"] = values.get("num_key_value_heads") is not None
    _falcon_heads(values)


def _falcon_norms(v: View) -> Iterator[Weight]:
    """Two norms side by side in 40B and 180B, one in 7B, two in turn where MLP and attention are not parallel."""
    if not v.flag("parallel_attn"):
        names = ["post_attention_layernorm", "input_layernorm"]
    elif v.number("num_ln_in_parallel_attn") == 2:
        names = ["ln_attn", "ln_mlp"]
    else:
        names = ["input_layernorm"]
    for name in names:
        yield vector(f"{name}.weight", v.h)
        yield vector(f"{name}.bias", v.h)


def _falcon_note(v: View) -> list[str]:
    if not (v.arch.tied and v.flag("new_decoder_architecture")):
        return []
    rows = v.arch.vocabulary * v.arch.hidden
    note = f"Falcon-40B and 180B checkpoints store a separate head of {rows:,} parameters, which the model class ties"
    return [f"{note} to the token table; it is not counted here."]


FALCON = (
    Prefixed(
        "transformer.",
        (
            embedding("word_embeddings"),
            Stack(
                "h",
                (
                    gqa(
                        "self_attention",
                        ("", "", "", "dense"),
                        bias="bias",
                        out_bias="bias",
                        fused="query_key_value",
                    ),
                    mlp(names=("dense_h_to_4h", "dense_4h_to_h"), bias="bias"),
                    Block("norms", "norm", _falcon_norms),
                ),
            ),
            layer_norm("ln_f", term="final norm"),
        ),
    ),
)


FALCON_KEYS = {
    "new_decoder_architecture": False,
    "multi_query": True,
    "parallel_attn": True,
    "bias": False,
    "num_ln_in_parallel_attn": None,
}

FAMILIES = {
    "falcon": Family(
        FALCON,
        usual(4544, 32, 71, None, UNREAD, None, 65024, True, **FALCON_KEYS),
        spelled={"num_key_value_heads": ("num_kv_heads",), "intermediate_size": ("ffn_hidden_size",)},
        settle=_falcon_heads,
        quirks=_falcon_note,
        class_name="FalconForCausalLM",
    ),
    "RefinedWeb": Family(
        FALCON,
        usual(8192, 60, 128, None, UNREAD, None, 65024, True, **FALCON_KEYS),
        spelled={
            "num_key_value_heads": ("n_head_kv",),
            "num_hidden_layers": ("n_layer",),
            "num_attention_heads": ("n_head",),
            "intermediate_size": ("ffn_hidden_size",),
        },
        settle=_refined_web,
        quirks=_falcon_note,
        class_name="RWForCausalLM",
        like="falcon",
    ),
}
