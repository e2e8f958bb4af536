"""Recurrent models, and models that mix recurrent layers or several kinds of attention with plain ones.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from collections.abc import Callable

from core.models.blocks.attention import gqa, qk_norm
from core.models.blocks.ends import pre_norms, rms
from core.models.blocks.feedforward import gated_shared, glu, moe
from core.models.blocks.mixers import delta_net, short_convolution
from core.models.families.layers import DENSE, SPARSE, all_layers, every_step, indices, interval, listed
from core.models.families.mixture import switch
from core.models.families.row import UNREAD, Family, Values, also, decoder, mixture, usual
from core.models.layout import (
    Choice,
    View,
    by_case,
)

FULL, LINEAR = "full_attention", "linear_attention"
WORDS = {"attention": FULL, "mamba": LINEAR, "M": LINEAR, "*": FULL, "-": "mlp", "E": "moe"}
BIASED = gqa(bias="attention_bias", out_bias="attention_bias")

QWEN_ATTENTION = (gqa(bias="attention_bias", out_bias="attention_bias", gated=True), qk_norm())
QWEN_LAYERS = listed("layer_types", interval("full_attention_interval", FULL, LINEAR, 4), WORDS)
DELTA = {
    "linear_conv_kernel_dim": 4,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 32,
    "layer_types": None,
    "full_attention_interval": 4,
}


def _qwen(fused: bool) -> Choice:
    """Qwen3-Next's mixers: one layer in four attends to all, the others run a gated delta rule."""
    return Choice(QWEN_LAYERS, by_case({FULL: QWEN_ATTENTION, LINEAR: (delta_net(fused=fused),)}))


def indexed(key: str, inside: str, outside: str) -> Callable[[View], list[str]]:
    def select(v: View) -> list[str]:
        inner = indices(v, key)
        return [inside if i in inner else outside for i in range(v.arch.layers)]

    return select


def _lfm2_width(values: Values) -> None:
    """LFM2 shrinks the stated width to two thirds, scales it, and rounds it up to a multiple."""
    width = values["block_ff_dim"] if values["block_ff_dim"] is not None else values["intermediate_size"]
    if values["block_auto_adjust_ff_dim"]:
        width = int(2 * width / 3)
        if values["block_ffn_dim_multiplier"] is not None:
            step = values["block_multiple_of"]
            width = step * -(-int(values["block_ffn_dim_multiplier"] * width) // step)
    values["intermediate_size"] = width
    if values["tie_embedding"] is not None:
        values["tie_word_embeddings"] = values["tie_embedding"]


def _lfm2_moe_tie(values: Values) -> None:
    if values["tie_embedding"] is not None:
        values["tie_word_embeddings"] = values["tie_embedding"]


def _lfm2_layers(v: View) -> list[str]:
    if v.get("full_attn_idxs") is None:
        return all_layers(FULL)(v)
    return indexed("full_attn_idxs", FULL, "conv")(v)


LFM2_ATTENTION = (
    gqa(names=("q_proj", "k_proj", "v_proj", "out_proj")),
    qk_norm(("q_layernorm", "k_layernorm")),
)
LFM2_GLU = glu("feed_forward", ("w1", "w3", "w2"))
LFM2_NORMS = pre_norms("operator_norm", "ffn_norm")
LFM2_END = (rms("embedding_norm", term="final norm"),)

FAMILIES = {
    "qwen3_next": Family(
        decoder(_qwen(fused=True), switch(every_step("decoder_sparse_step", "mlp_only_layers"), *moe(*gated_shared()))),
        usual(2048, 48, 16, 2, 256, 5632, 151936, attention_bias=False)
        | DELTA
        | mixture(512, 10, 512)
        | also(decoder_sparse_step=1, mlp_only_layers=None, shared_expert_intermediate_size=512)
        | also(mtp_num_hidden_layers=0),
        mtp="mtp_num_hidden_layers",
        class_name="Qwen3NextForCausalLM",
    ),
    "qwen3_5_text": Family(
        decoder(_qwen(fused=False), glu()),
        usual(4096, 32, 16, 4, 256, 12288, 248320, attention_bias=False, **DELTA, mtp_num_hidden_layers=0),
        mtp="mtp_num_hidden_layers",
        class_name="Qwen3_5ForCausalLM",
    ),
    "qwen3_5_moe_text": Family(
        decoder(_qwen(fused=False), *moe(*gated_shared())),
        usual(2048, 40, 16, 2, 256, UNREAD, 248320, attention_bias=False)
        | DELTA
        | mixture(256, 8, 512)
        | also(shared_expert_intermediate_size=512, mtp_num_hidden_layers=0),
        mtp="mtp_num_hidden_layers",
        class_name="Qwen3_5MoeForCausalLM",
    ),
    "lfm2": Family(
        decoder(
            Choice(
                listed("layer_types", _lfm2_layers, WORDS),
                by_case({FULL: LFM2_ATTENTION, "conv": (short_convolution(),)}),
            ),
            LFM2_GLU,
            norms=LFM2_NORMS,
            final=LFM2_END,
        ),
        usual(2560, 32, 32, 8, None, 12288, 65536, True)
        | also(conv_bias=False, conv_L_cache=3, block_multiple_of=256, block_ffn_dim_multiplier=1.0)
        | also(block_auto_adjust_ff_dim=True, full_attn_idxs=None, layer_types=None, block_ff_dim=None)
        | also(tie_embedding=None),
        settle=_lfm2_width,
        class_name="Lfm2ForCausalLM",
    ),
    "lfm2_moe": Family(
        decoder(
            Choice(
                listed("layer_types", _lfm2_layers, WORDS),
                by_case({FULL: LFM2_ATTENTION, "conv": (short_convolution(),)}),
            ),
            Choice(
                lambda v: [DENSE if i < v.number("num_dense_layers") else SPARSE for i in range(v.arch.layers)],
                by_case({DENSE: (LFM2_GLU,), SPARSE: moe(gate="feed_forward.gate", path="feed_forward.experts")}),
            ),
            norms=LFM2_NORMS,
            final=LFM2_END,
        ),
        usual(2048, 32, 32, 8, None, 7168, 65536, True)
        | mixture(32, 4, 1792)
        | also(conv_bias=False, conv_L_cache=3, num_dense_layers=2, full_attn_idxs=None, layer_types=None)
        | also(tie_embedding=None),
        settle=_lfm2_moe_tie,
        class_name="Lfm2MoeForCausalLM",
    ),
}
