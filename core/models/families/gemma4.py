"""Gemma 4's text model: two head sizes, shared keys and values, inputs for each layer, experts beside the MLP.

Source: the configuration and modelling classes of transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import gqa, qk_norm
from core.models.blocks.ends import pre_norms, rms
from core.models.blocks.feedforward import experts, glu
from core.models.families.layers import interval, listed
from core.models.families.row import Family, Values, also, decoder, mixture, usual
from core.models.layout import Block, Choice, View, Weight, linear, mlp_width, size, vector

FULL, SLIDING = "full_attention", "sliding_attention"
GLOBAL = size("global_head_dim", "D")
GLOBAL_KEYS = size("num_global_key_value_heads", "kᵍ")
NORMS = ("input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm")


def _kinds(v: View) -> list[str]:
    """Sliding or full attention, and whether a layer reuses the keys and values of one before."""
    kinds = listed("layer_types", interval("sliding_window_pattern", FULL, SLIDING, 6))(v)
    if kinds:
        kinds[-1] = FULL
    first = v.arch.layers - v.number("num_kv_shared_layers")
    return [kind if i < first else f"{kind}, shared" for i, kind in enumerate(kinds)]


def _attention(kind: str) -> tuple[Block, ...]:
    full, shares = kind.startswith(FULL), kind.endswith("shared")
    dim = GLOBAL if full else (lambda v: v.d)
    norms = qk_norm(dim=dim, keys=not shares)
    if shares:
        return (Block("attention", "attention", lambda v: _queries(v, full)), norms)

    def weights(v: View) -> Iterator[Weight]:
        same = full and v.flag("attention_k_eq_v")
        keys = GLOBAL_KEYS if same and v.get("num_global_key_value_heads") is not None else (lambda v: v.k)
        yield from gqa(bias="attention_bias", out_bias="attention_bias", dim=dim, keys=keys, values=not same).weights(v)

    return (Block("attention", "attention", weights), norms)


def _queries(v: View, full: bool) -> Iterator[Weight]:
    d, bias = GLOBAL(v) if full else v.d, v.flag("attention_bias")
    yield from linear("self_attn.q_proj", v.q * d, v.h, bias)
    yield from linear("self_attn.o_proj", v.h, v.q * d, bias)


def _mlp(kind: str) -> tuple[Block, ...]:
    return (glu(width=(lambda v: v.f * 2) if kind == "double" else mlp_width),)


def _doubled(v: View) -> list[str]:
    """Layers that reuse keys and values have a doubled MLP, where the file says so."""
    first = v.arch.layers - v.number("num_kv_shared_layers")
    doubled = v.flag("use_double_wide_mlp")
    return ["double" if doubled and i >= first else "single" for i in range(v.arch.layers)]


def _table(v: View) -> Iterator[Weight]:
    p = v.size("hidden_size_per_layer_input", "p")
    if p.value:
        yield Weight("embed_tokens_per_layer.weight", (v.size("vocab_size_per_layer_input", "Vₚ"), v.L * p), "table")


def _project(v: View) -> Iterator[Weight]:
    p = v.size("hidden_size_per_layer_input", "p")
    if p.value:
        yield from linear("per_layer_model_projection", v.L * p, v.h)
        yield vector("per_layer_projection_norm.weight", p)


def _gate(v: View) -> Iterator[Weight]:
    p = v.size("hidden_size_per_layer_input", "p")
    if p.value:
        yield from linear("per_layer_input_gate", p, v.h)
        yield from linear("per_layer_projection", v.h, p)
        yield vector("post_per_layer_input_norm.weight", v.h)


def _router(v: View) -> Iterator[Weight]:
    e = v.size("num_experts", "E")
    yield from linear("router.proj", e, v.h)
    yield vector("router.scale", v.h)
    yield vector("router.per_expert_scale", e)


MOE = (
    Block("router", "router", _router),
    experts("experts"),
    *pre_norms("post_feedforward_layernorm_1", "post_feedforward_layernorm_2", "pre_feedforward_layernorm_2"),
)


def _has_experts(v: View) -> list[str]:
    return ["experts" if v.flag("enable_moe_block") else "none"] * v.arch.layers


def _no_experts(values: Values) -> None:
    if not values["enable_moe_block"]:
        values["num_experts"] = values["num_experts_per_tok"] = values["moe_intermediate_size"] = None


FAMILIES = {
    "gemma4_text": Family(
        decoder(
            Choice(_kinds, _attention),
            Choice(_doubled, _mlp),
            Choice(_has_experts, lambda kind: MOE if kind == "experts" else ()),
            Block("per-layer inputs", "embedding", _gate),
            norms=pre_norms(*NORMS),
            final=(rms("norm", term="final norm"), Block("per-layer inputs", "embedding", _project)),
            before=(Block("per-layer token table", "embedding", _table),),
        ),
        usual(2304, 30, 8, 4, 256, 9216, 262144, True, attention_bias=False)
        | mixture(None, None, None)
        | also(layer_types=None, global_head_dim=512, num_global_key_value_heads=None, attention_k_eq_v=False)
        | also(num_kv_shared_layers=0, vocab_size_per_layer_input=262144, hidden_size_per_layer_input=256)
        | also(use_double_wide_mlp=False, enable_moe_block=False),
        spelled={"num_experts_per_tok": ("top_k_experts",)},
        settle=_no_experts,
        class_name="Gemma4ForCausalLM",
    ),
}
