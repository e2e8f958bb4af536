"""Mixtures of experts over latent or compressed attention: the DeepSeek line.

Sources: DeepSeek-V2 (2024), DeepSeek-V3 (2024), DeepSeek-V3.2 (2025), and the classes of transformers 5.24.0.
kimi_k2 has no class of its own: its files name DeepSeek-V3's.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.architecture import ModelFileError
from core.models.blocks.attention import indexer, mla
from core.models.blocks.ends import rms
from core.models.blocks.feedforward import moe
from core.models.families.layers import after_first, first_dense, listed, per_layer, words
from core.models.families.mixture import ROUTED, SHARED, switch
from core.models.families.quirks import router_bias
from core.models.families.row import Family, Values, also, decoder, mixture, usual
from core.models.layout import Block, Choice, View, Weight, by_case, linear, shown, vector

AFTER = after_first("first_k_dense_replace", "moe_layer_freq")
LATENT = mla(bias="attention_bias")
DEEPSEEK = decoder(LATENT, switch(AFTER, *moe(SHARED)))
WIDTHS = {"kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}
V3 = (
    usual(7168, 61, 128, 128, None, 18432, 129280, attention_bias=False)
    | WIDTHS
    | mixture(256, 8, 2048)
    | also(q_lora_rank=1536, n_shared_experts=1, first_k_dense_replace=3)
    | also(moe_layer_freq=1, num_nextn_predict_layers=0)
)
GLM = {"qk_nope_head_dim": 192, "v_head_dim": 256}
MTP = {"num_nextn_predict_layers": ("num_mtp_layers",)}


def _rotary_head(values: Values) -> None:
    """The head size of these classes is that of the rotary part; the layout does not read it."""
    values["head_dim"] = values["qk_rope_head_dim"]


def _indexers(v: View) -> list[str]:
    """Layers that choose their tokens, and layers that share the choice of one before (GLM-5.2)."""
    kinds = words(v, "indexer_types")
    if kinds is None:
        letters = words(v, "index_topk_pattern")
        kinds = letters and [{"F": "full", "S": "shared"}.get(letter, letter) for letter in letters]
    if kinds is None:
        every, offset = max(v.number("index_topk_freq"), 1), v.number("index_skip_topk_offset")
        kinds = ["shared" if max(i - offset + 1, 0) % every else "full" for i in range(v.arch.layers)]
    return kinds


def _v4_attention(v: View) -> Iterator[Weight]:
    r, g, o = v.size("q_lora_rank", "r"), v.size("o_groups", "g"), v.size("o_lora_rank", "o")
    share = v.named("(q·d/g)", v.arch.heads * v.arch.head_dim // max(g.value, 1))
    yield vector("self_attn.sinks", v.q)
    yield from linear("self_attn.q_a_proj", r, v.h)
    yield vector("self_attn.q_a_norm.weight", r)
    yield from linear("self_attn.q_b_proj", v.q * v.d, r)
    yield from linear("self_attn.kv_proj", v.d, v.h)
    yield vector("self_attn.kv_norm.weight", v.d)
    yield Weight("self_attn.o_a_proj.weight", (g * o, share))
    yield from linear("self_attn.o_b_proj", v.h, g * o)


def _v4_compressor(case: tuple[str, int]) -> tuple[Block, ...]:
    """Ratio 0 has none; 4 overlaps its windows, so it is twice as wide, and has an indexer; others are plain."""
    ratio = case[1]
    if not ratio:
        return ()
    path = "self_attn.compressor"

    def weights(v: View) -> Iterator[Weight]:
        rate, wide = v.named("R", ratio), v.d * 2 if ratio == 4 else v.d
        yield Weight(f"{path}.position_bias", (rate, wide), "table")
        yield from linear(f"{path}.kv_proj", wide, v.h)
        yield from linear(f"{path}.gate_proj", wide, v.h)
        yield vector(f"{path}.kv_norm.weight", v.d)

    def index(v: View) -> Iterator[Weight]:
        n, t = v.size("index_n_heads", "nᵢ"), v.size("index_head_dim", "t")
        yield Weight(f"{path}.indexer.position_bias", (v.named("R", ratio), t * 2), "table")
        yield from linear(f"{path}.indexer.kv_proj", t * 2, v.h)
        yield from linear(f"{path}.indexer.gate_proj", t * 2, v.h)
        yield vector(f"{path}.indexer.kv_norm.weight", t)
        yield from linear(f"{path}.indexer.q_b_proj", n * t, v.size("q_lora_rank", "r"))
        yield from linear(f"{path}.indexer.scorer.weights_proj", n, v.h)

    blocks = (Block("compressor", "attention", weights),)
    return (*blocks, Block("compressor's indexer", "attention", index)) if ratio == 4 else blocks


_V4_RATES = {"sliding_attention": 0, "compressed_sparse_attention": 4, "heavily_compressed_attention": 128}


def _v4_ratios(v: View) -> list[int]:
    """How many tokens each layer folds into one: listed as numbers or words, else 128, 128, 128, 4, 128, 4 …"""
    ratios = per_layer(v, "compress_ratios")
    kinds = words(v, "layer_types")
    if kinds is not None:
        try:
            return [_V4_RATES[kind] for kind in kinds]
        except KeyError as unknown:
            raise ModelFileError(
                f"layer_types holds {shown(unknown.args[0])}; known are {', '.join(_V4_RATES)}"
            ) from None
    if ratios is not None:
        if not all(isinstance(ratio, int) and ratio >= 0 for ratio in ratios):
            raise ModelFileError("compress_ratios holds something else than whole numbers from 0")
        return ratios
    return [128 if i < 2 or i % 2 == 0 else 4 for i in range(v.arch.layers)]


def _v4_streams(path: str) -> Block:
    """Hyper-connections: how m residual streams are read, written and mixed around one sublayer."""

    def weights(v: View) -> Iterator[Weight]:
        m = v.size("hc_mult", "mₕ")
        mix = m * 2 + m * m
        yield Weight(f"{path}.fn", (mix, m * v.h))
        yield vector(f"{path}.base", mix)
        yield vector(f"{path}.scale", 3)

    return Block("hyper-connections", "mixer", weights)


def _v4_last_stream(v: View) -> Iterator[Weight]:
    m = v.size("hc_mult", "mₕ")
    yield Weight("hc_head.hc_fn", (m, m * v.h))
    yield vector("hc_head.hc_base", m)
    yield vector("hc_head.hc_scale", 1)


def _v4_width(values: Values) -> None:
    values["intermediate_size"] = values["moe_intermediate_size"]


DEEPSEEK_V3 = Family(
    DEEPSEEK,
    V3,
    spelled={**ROUTED, **MTP},
    settle=_rotary_head,
    quirks=router_bias,
    mtp="num_nextn_predict_layers",
    class_name="DeepseekV3ForCausalLM",
)

FAMILIES = {
    "deepseek_v2": Family(
        DEEPSEEK,
        usual(4096, 32, 32, None, None, 11008, 102400)
        | WIDTHS
        | mixture(64, None, 1407)
        | also(q_lora_rank=1536, attention_bias=False, n_shared_experts=2, first_k_dense_replace=0)
        | also(moe_layer_freq=1),
        spelled=ROUTED,
        settle=_rotary_head,
        class_name="DeepseekV2ForCausalLM",
    ),
    "deepseek_v3": DEEPSEEK_V3,
    "kimi_k2": DEEPSEEK_V3._replace(like="deepseek_v3"),
    "glm4_moe_lite": Family(
        decoder(LATENT, switch(listed("mlp_layer_types", first_dense(1)), *moe(SHARED))),
        usual(2048, 47, 20, 20, None, 10240, 154880)
        | {**WIDTHS, **GLM}
        | mixture(64, 4, 1536)
        | also(q_lora_rank=768, attention_bias=False, n_shared_experts=1, mlp_layer_types=None)
        | also(num_nextn_predict_layers=0),
        spelled={**ROUTED, **MTP, "qk_rope_head_dim": ("head_dim",)},
        settle=_rotary_head,
        quirks=router_bias,
        mtp="num_nextn_predict_layers",
        class_name="Glm4MoeLiteForCausalLM",
    ),
    "deepseek_v32": Family(
        decoder(
            LATENT, indexer(), switch(listed("mlp_layer_types", after_first("first_k_dense_replace")), *moe(SHARED))
        ),
        {**V3, "mlp_layer_types": None, "index_n_heads": 64, "index_head_dim": 128},
        spelled={**ROUTED, **MTP},
        settle=_rotary_head,
        quirks=router_bias,
        mtp="num_nextn_predict_layers",
        class_name="DeepseekV32ForCausalLM",
    ),
    "glm_moe_dsa": Family(
        decoder(
            LATENT,
            Choice(_indexers, by_case({"full": (indexer(),), "shared": ()})),
            switch(listed("mlp_layer_types", after_first("first_k_dense_replace")), *moe(SHARED)),
        ),
        usual(6144, 78, 64, 64, None, 12288, 154880)
        | {**WIDTHS, **GLM}
        | mixture(256, 8, 2048)
        | also(q_lora_rank=2048, attention_bias=False, n_shared_experts=1, first_k_dense_replace=3)
        | also(mlp_layer_types=None, index_n_heads=32, index_head_dim=128, indexer_types=None)
        | also(index_topk_pattern=None, index_topk_freq=1, index_skip_topk_offset=2)
        | also(num_nextn_predict_layers=0),
        spelled={**ROUTED, **MTP},
        settle=_rotary_head,
        quirks=router_bias,
        mtp="num_nextn_predict_layers",
        class_name="GlmMoeDsaForCausalLM",
    ),
    "deepseek_v4": Family(
        decoder(
            Block("compressed attention", "attention", _v4_attention),
            Choice(lambda v: [(f"1 to {r}" if r else "none", r) for r in _v4_ratios(v)], _v4_compressor),
            *moe(SHARED),
            _v4_streams("attn_hc"),
            _v4_streams("ffn_hc"),
            final=(rms("norm", term="final norm"), Block("hyper-connections", "mixer", _v4_last_stream)),
        ),
        usual(4096, 43, 64, 1, 512, None, 129280)
        | mixture(256, 6, 2048)
        | also(q_lora_rank=1024, o_groups=8, o_lora_rank=1024, n_shared_experts=1, compress_ratios=None)
        | also(layer_types=None, hc_mult=4, index_n_heads=64, index_head_dim=128, num_nextn_predict_layers=0),
        spelled={**ROUTED, "moe_intermediate_size": ("intermediate_size",)},
        settle=_v4_width,
        quirks=router_bias,
        mtp="num_nextn_predict_layers",
        class_name="DeepseekV4ForCausalLM",
    ),
}
