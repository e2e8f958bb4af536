"""Text models that stand only inside another model.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import gqa, qk_norm
from core.models.blocks.ends import pre_norms
from core.models.blocks.feedforward import glu, moe, shared
from core.models.families.dense import FAMILIES as DENSE_FAMILIES
from core.models.families.layers import first_dense, indices, listed
from core.models.families.mixture import FAMILIES as MIXTURES
from core.models.families.mixture import switch
from core.models.families.row import NORMS, UNREAD, Family, also, decoder, mixture, untied, usual
from core.models.layout import (
    Block,
    Choice,
    View,
    Weight,
    by_case,
    linear,
    size,
    vector,
)

QWEN2_TEXT = DENSE_FAMILIES["qwen2"].body


def _cross(v: View) -> list[str]:
    cross = indices(v, "cross_attention_layers")
    return ["cross" if i in cross else "self" for i in range(v.arch.layers)]


def _gates(v: View) -> list[Weight]:
    return [vector("cross_attn_attn_gate", 1), vector("cross_attn_mlp_gate", 1)]


MLLAMA_TEXT = decoder(
    Choice(
        _cross,
        by_case(
            {
                "self": (gqa(),),
                "cross": (
                    gqa("cross_attn", term="cross attention"),
                    qk_norm(path="cross_attn"),
                    Block("gates", "norm", _gates),
                ),
            }
        ),
    ),
    glu(),
    rows=lambda v: v.V + 8,
)


def _step_gate(v: View) -> Iterator[Weight]:
    yield from linear("self_attn.g_proj", v.q, v.h)


VL_TEXT = (8192, 80, 64, 8, UNREAD, 29568, 152064)

FAMILIES = {
    "qwen2_vl_text": Family(QWEN2_TEXT, usual(*VL_TEXT), class_name="Qwen2VLTextModel", like="qwen2"),
    "qwen2_5_vl_text": Family(QWEN2_TEXT, usual(*VL_TEXT), class_name="Qwen2_5_VLTextModel", like="qwen2"),
    "qwen3_vl_text": Family(
        DENSE_FAMILIES["qwen3"].body,
        usual(4096, 32, 32, 32, 128, 22016, 151936, attention_bias=False),
        class_name="Qwen3VLTextModel",
        like="qwen3",
    ),
    "qwen3_vl_moe_text": Family(
        MIXTURES["qwen3_moe"].body,
        usual(2048, 24, 16, 16, None, 5632, 151936, True, attention_bias=False)
        | mixture(60, 4, 1408)
        | also(decoder_sparse_step=1, mlp_only_layers=None),
        spelled={"num_experts": ("num_local_experts",)},
        class_name="Qwen3VLMoeTextModel",
        like="qwen3_moe",
    ),
    "qwen3_asr_text": Family(
        DENSE_FAMILIES["qwen3"].body,
        usual(2048, 28, 16, 8, 128, 6144, 151936, True, attention_bias=False),
        like="qwen3",
    ),
    "mllama_text_model": Family(
        MLLAMA_TEXT,
        usual(4096, 40, 32, 8, UNREAD, 14336, 128256, cross_attention_layers=[3, 8, 13, 18, 23, 28, 33, 38]),
        settle=untied,
        class_name="MllamaForCausalLM",
    ),
    "glm4v_text": Family(
        decoder(
            gqa(bias=True),
            glu(fused="gate_up_proj"),
            norms=pre_norms(*NORMS, "post_self_attn_layernorm", "post_mlp_layernorm"),
        ),
        usual(4096, 40, 32, 2, UNREAD, 13696, 151552),
        like="glm4",
    ),
    "step3p5": Family(
        decoder(
            gqa(bias="attention_bias", out_bias="attention_bias"),
            qk_norm(),
            Block("attention", "attention", _step_gate),
            switch(listed("mlp_layer_types", first_dense(3)), *moe(shared(width=size("share_expert_dim", "s")))),
        ),
        usual(4096, 45, 64, 8, 128, 11264, 128815, attention_bias=False)
        | mixture(288, 8, 1280)
        | also(share_expert_dim=1280, mlp_layer_types=None),
        spelled={
            "num_experts": ("n_routed_experts", "moe_num_experts"),
            "num_experts_per_tok": ("moe_top_k",),
            "num_key_value_heads": ("num_attention_groups",),
            "share_expert_dim": ("share_expert_dims",),
        },
    ),
}
