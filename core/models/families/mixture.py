"""Mixtures of experts over grouped-query attention.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type. Usual names:
`num_experts` E, `num_experts_per_tok` K, `moe_intermediate_size` m; where a class has one width for its experts
only, that is `intermediate_size`.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import gqa, qk_norm, sinks
from core.models.blocks.ends import embedding, head, layer_norm, pre_layer_norms, rms
from core.models.blocks.feedforward import experts, gated_shared, glu, moe, router, shared
from core.models.families.layers import (
    DENSE,
    SPARSE,
    after_first,
    every_step,
    indices,
)
from core.models.families.quirks import mxfp4_scales, router_bias
from core.models.families.row import LM_HEADS, NORMS, UNREAD, Family, Values, also, decoder, mixture, usual
from core.models.layout import Block, Choice, Prefixed, Stack, View, Weight, by_case, mlp_width, size, vector
from core.models.values import whole

BIASED = gqa(bias="attention_bias", out_bias="attention_bias")
EXPERTS_ARE_MLP = moe(width=mlp_width)
LOCAL = {"num_experts": ("num_local_experts",)}
ROUTED = {"num_experts": ("n_routed_experts", "num_local_experts")}


def switch(select, *sparse: Block) -> Choice:  # type: ignore[no-untyped-def]
    """Layers with a dense MLP, and layers with experts."""
    return Choice(select, by_case({DENSE: (glu(),), SPARSE: sparse}))


def _granite(path: str = "block_sparse_moe") -> tuple[Block, ...]:
    return (router(f"{path}.router"), experts(f"{path}.experts", mlp_width))


def _olmoe_norms(v: View) -> list[Weight]:
    """Norms over the whole width, and over the keys' share of it, whatever head size the file states."""
    share = v.named("(h/q)", v.arch.hidden // v.arch.heads)
    return [vector("self_attn.q_norm.weight", v.h), vector("self_attn.k_norm.weight", share * v.k)]


def _llama4_layers(v: View) -> list[str]:
    if v.get("moe_layers") is not None:
        sparse = indices(v, "moe_layers")
    else:
        step = max(v.number("interleave_moe_layer_step"), 1)
        sparse = range(step - 1, v.arch.layers, step)
    return [SPARSE if i in sparse else DENSE for i in range(v.arch.layers)]


def _ernie_layers(v: View) -> list[str]:
    start, end = v.number("moe_layer_start_index"), v.number("moe_layer_end_index")
    period = max(v.number("moe_layer_interval"), 1)
    last = v.arch.layers - 1 if end == -1 else end
    return [SPARSE if (i + 1) % period == 0 and start <= i <= last else DENSE for i in range(v.arch.layers)]


def _ernie_bias(v: View) -> list[Weight]:
    """Ernie's correction bias is a parameter, unlike DeepSeek's."""
    return [vector("mlp.gate.moe_statics.e_score_correction_bias", 1, v.size("num_experts", "E"))]


def _ernie_shared(v: View) -> Iterator[Weight]:
    if v.number("moe_num_shared_experts"):
        width = v.size("moe_num_shared_experts", "S") * v.size("moe_intermediate_size", "m")
        yield from glu("mlp.shared_experts", width=lambda _: width, bias="use_bias").weights(v)


def _shared(v: View) -> Iterator[Weight]:
    if v.number("n_shared_experts"):
        yield from shared().weights(v)


SHARED = Block("shared experts", "experts", _shared)
"""The shared experts, where the file has any."""


def _dbrx(values: Values) -> None:
    """DBRX keeps its counts in two objects of the file; the class's own defaults where they lack a key."""
    attention, ffn = values["attn_config"] or {}, values["ffn_config"] or {}
    for key, place, name, default in (
        ("num_key_value_heads", attention, "kv_n_heads", 1),
        ("intermediate_size", ffn, "ffn_hidden_size", 3584),
        ("num_experts", ffn, "moe_num_experts", 4),
        ("num_experts_per_tok", ffn, "moe_top_k", 1),
    ):
        values[key] = whole(name, key, place.get(name, default))
    values["moe_intermediate_size"] = values["intermediate_size"]


def _dbrx_experts(v: View) -> Iterator[Weight]:
    """The experts stand one under the other in matrices of E·f rows."""
    e, k = v.size("num_experts", "E"), v.number("num_experts_per_tok")
    for name in ("w1", "v1", "w2"):
        yield Weight(f"ffn.experts.mlp.{name}", (e * v.f, v.h), "experts", e.value, k)


DBRX = (
    Prefixed(
        "transformer.",
        (
            embedding("wte"),
            Stack(
                "blocks",
                (
                    gqa("norm_attn_norm.attn", ("", "", "", "out_proj"), fused="Wqkv"),
                    router("ffn.router.layer"),
                    Block("experts", "experts", _dbrx_experts),
                    rms("norm_attn_norm.norm_1"),
                    rms("norm_attn_norm.norm_2"),
                ),
            ),
            rms("norm_f", term="final norm"),
        ),
    ),
)

FAMILIES = {
    "mixtral": Family(
        decoder(gqa(), *EXPERTS_ARE_MLP),
        usual(4096, 32, 32, 8, None, 14336, 32000, num_experts=8, num_experts_per_tok=2),
        spelled=LOCAL,
        class_name="MixtralForCausalLM",
    ),
    "granitemoe": Family(
        decoder(BIASED, *_granite()),
        usual(4096, 32, 32, None, None, 11008, 32000, attention_bias=False) | mixture(8, 2),
        spelled=LOCAL,
        class_name="GraniteMoeForCausalLM",
    ),
    "phimoe": Family(
        decoder(
            BIASED,
            *moe(gate="mlp.router", width=mlp_width),
            norms=pre_layer_norms(*NORMS),
            final=(layer_norm("norm", term="final norm"),),
        ),
        usual(4096, 32, 32, 8, None, 6400, 32064, attention_bias=False) | mixture(16, 2) | also(lm_head_bias=False),
        heads={**LM_HEADS, "lm": (head(bias="lm_head_bias"),)},
        spelled=LOCAL,
        class_name="PhimoeForCausalLM",
    ),
    "olmoe": Family(
        decoder(BIASED, Block("query and key norms", "norm", _olmoe_norms), *EXPERTS_ARE_MLP),
        usual(2048, 16, 16, None, None, 2048, 50304, attention_bias=False) | mixture(64, 8),
        spelled=LOCAL,
        class_name="OlmoeForCausalLM",
    ),
    "minimax_m2": Family(
        decoder(gqa(), qk_norm(whole=True), *EXPERTS_ARE_MLP),
        usual(3072, 62, 48, 8, 128, 1536, 200064, num_experts=256, num_experts_per_tok=8),
        spelled=LOCAL,
        quirks=router_bias,
        class_name="MiniMaxM2ForCausalLM",
    ),
    "qwen2_moe": Family(
        decoder(
            gqa(bias="qkv_bias"), switch(every_step("decoder_sparse_step", "mlp_only_layers"), *moe(*gated_shared()))
        ),
        usual(2048, 24, 16, 16, None, 5632, 151936)
        | mixture(60, 4, 1408)
        | also(qkv_bias=True, decoder_sparse_step=1, mlp_only_layers=None)
        | also(shared_expert_intermediate_size=5632),
        class_name="Qwen2MoeForCausalLM",
    ),
    "qwen3_moe": Family(
        decoder(BIASED, qk_norm(), switch(every_step("decoder_sparse_step", "mlp_only_layers"), *moe())),
        usual(2048, 24, 32, 4, None, 6144, 151936, attention_bias=False)
        | mixture(128, 8, 768)
        | also(decoder_sparse_step=1, mlp_only_layers=None),
        spelled=LOCAL,
        class_name="Qwen3MoeForCausalLM",
    ),
    "gpt_oss": Family(
        decoder(
            BIASED,
            sinks(),
            router("mlp.router", bias=True),
            experts("mlp.experts", mlp_width, bias=True, columns_first=True),
        ),
        usual(2880, 36, 64, 8, 64, 2880, 201088, attention_bias=True) | mixture(128, 4),
        spelled={**LOCAL, "num_experts_per_tok": ("experts_per_token",)},
        quirks=mxfp4_scales,
        class_name="GptOssForCausalLM",
    ),
    "dbrx": Family(
        DBRX,
        usual(2048, 24, 16, UNREAD, UNREAD, UNREAD, 32000, attn_config=None, ffn_config=None),
        spelled={
            "hidden_size": ("d_model",),
            "num_hidden_layers": ("n_layers",),
            "num_attention_heads": ("n_heads",),
        },
        settle=_dbrx,
        class_name="DbrxForCausalLM",
    ),
    "llama4_text": Family(
        decoder(
            BIASED,
            Choice(
                _llama4_layers,
                by_case(
                    {
                        DENSE: (glu("feed_forward", width=size("intermediate_size_mlp", "fₘ")),),
                        SPARSE: (
                            router("feed_forward.router"),
                            experts("feed_forward.experts", mlp_width, columns_first=True),
                            shared("feed_forward.shared_expert", mlp_width),
                        ),
                    }
                ),
            ),
        ),
        usual(5120, 48, 40, 8, 128, 8192, 202048, attention_bias=False)
        | mixture(16, 1)
        | also(intermediate_size_mlp=16384, moe_layers=None, interleave_moe_layer_step=1),
        spelled=LOCAL,
        class_name="Llama4ForCausalLM",
    ),
    "glm4_moe": Family(
        decoder(
            gqa(bias="attention_bias"),
            qk_norm(when="use_qk_norm"),
            switch(after_first("first_k_dense_replace"), *moe(SHARED)),
        ),
        usual(4096, 46, 96, 8, None, 10944, 151552, attention_bias=False)
        | mixture(128, 8, 1408)
        | also(use_qk_norm=False, first_k_dense_replace=1, n_shared_experts=1, num_nextn_predict_layers=0),
        spelled={**ROUTED, "num_nextn_predict_layers": ("num_mtp_layers",)},
        even_heads=False,
        quirks=router_bias,
        mtp="num_nextn_predict_layers",
        class_name="Glm4MoeForCausalLM",
    ),
    "ernie4_5_moe": Family(
        decoder(
            gqa(bias="use_bias", out_bias="use_bias"),
            Choice(
                _ernie_layers,
                by_case(
                    {
                        DENSE: (glu(bias="use_bias"),),
                        SPARSE: moe(
                            Block("router", "router", _ernie_bias), Block("shared experts", "experts", _ernie_shared)
                        ),
                    }
                ),
            ),
        ),
        usual(2560, 28, 20, 4, None, 12288, 103424, True)
        | mixture(64, 6, 1536)
        | also(use_bias=False, moe_num_shared_experts=2, moe_layer_start_index=1, moe_layer_end_index=-1)
        | also(moe_layer_interval=1),
        heads={**LM_HEADS, "lm": (head(bias="use_bias"),)},
        spelled={"num_experts": ("moe_num_experts",), "num_experts_per_tok": ("moe_k",)},
        class_name="Ernie4_5_MoeForCausalLM",
    ),
}
