"""MiMo-V2-Flash: full and sliding attention with their own head counts and sizes, over experts.

Source: the configuration and modelling class of transformers 5.24.0.
"""

from __future__ import annotations

from core.models.blocks.attention import gqa, sinks
from core.models.blocks.feedforward import glu, moe
from core.models.families.layers import DENSE, SPARSE, first_dense, listed, per_layer, words
from core.models.families.mixture import ROUTED
from core.models.families.quirks import router_bias
from core.models.families.row import Family, Values, also, decoder, mixture, usual
from core.models.layout import Choice, View, by_case, size

_FULL = "full attention"


_SLIDING = "sliding attention"


def _mimo_layers(v: View) -> list[str]:
    """Full attention in the first and each sixth layer, unless the file lists it."""
    pattern = per_layer(v, "hybrid_layer_pattern")
    if v.get("layer_types") is None and pattern is not None:
        return [_SLIDING if kind else _FULL for kind in pattern]
    kinds = words(v, "layer_types")
    if kinds is None:
        return [_FULL if i == 0 or (i + 1) % 6 == 0 else _SLIDING for i in range(v.arch.layers)]
    return [_FULL if kind == "full_attention" else _SLIDING for kind in kinds]


def _mimo_dense(v: View) -> list[str]:
    flags = per_layer(v, "moe_layer_freq") if isinstance(v.get("moe_layer_freq"), list) else None
    if v.get("mlp_layer_types") is None and flags is not None:
        return [SPARSE if flag else DENSE for flag in flags]
    return listed("mlp_layer_types", first_dense(1))(v)


def _mimo_heads(values: Values) -> None:
    """Sliding layers have their own head counts and sizes; absent, twice the key heads, and the rest alike."""
    for key, otherwise in (
        ("swa_num_key_value_heads", 2 * values["num_key_value_heads"]),
        ("swa_num_attention_heads", values["num_attention_heads"]),
        ("swa_head_dim", values["head_dim"]),
        ("swa_v_head_dim", values["v_head_dim"]),
    ):
        if values[key] is None:
            values[key] = otherwise


MIMO = Choice(
    _mimo_layers,
    by_case(
        {
            _FULL: (
                gqa(bias="attention_bias", value_dim=size("v_head_dim", "v")),
                sinks(when="add_full_attention_sink_bias"),
            ),
            _SLIDING: (
                gqa(
                    bias="attention_bias",
                    queries=size("swa_num_attention_heads", "qₛ"),
                    keys=size("swa_num_key_value_heads", "kₛ"),
                    dim=size("swa_head_dim", "dₛ"),
                    value_dim=size("swa_v_head_dim", "vₛ"),
                ),
                sinks(when="add_swa_attention_sink_bias"),
            ),
        }
    ),
)

FAMILIES = {
    "mimo_v2_flash": Family(
        decoder(MIMO, Choice(_mimo_dense, by_case({DENSE: (glu(),), SPARSE: moe()}))),
        usual(4096, 48, 64, 4, 192, 16384, 152576, attention_bias=False)
        | mixture(256, 8, 2048)
        | also(v_head_dim=128, layer_types=None, hybrid_layer_pattern=None, mlp_layer_types=None)
        | also(moe_layer_freq=None, swa_num_attention_heads=None, swa_num_key_value_heads=None)
        | also(swa_head_dim=None, swa_v_head_dim=None, add_swa_attention_sink_bias=True)
        | also(add_full_attention_sink_bias=False),
        spelled=ROUTED,
        settle=_mimo_heads,
        quirks=router_bias,
        class_name="MiMoV2FlashForCausalLM",
    ),
}
