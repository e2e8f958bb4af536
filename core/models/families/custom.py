"""Types whose code comes with the checkpoint, which transformers has no class for.

Sources: the configuration and modelling files of the authors, as published beside the weights (chatglm2-6b,
Qwen-7B, Baichuan2-7B, internlm-7b, internlm2-7b, MiMo-7B, openPangu-Embedded-7B, deepseek-moe-16b, Hunyuan-A13B,
Llama-3_3-Nemotron-Super-49B).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.models.architecture import ModelFileError
from core.models.blocks.attention import full_heads, gqa, qk_norm
from core.models.blocks.ends import embedding, head, pre_norms, rms
from core.models.blocks.feedforward import experts, glu, moe, router
from core.models.families.dense import FAMILIES as DENSE_FAMILIES
from core.models.families.layers import DENSE, SPARSE
from core.models.families.mixture import SHARED, switch
from core.models.families.quirks import stored_rotary
from core.models.families.row import LM_HEADS, NORMS, UNREAD, Family, Values, also, decoder, mixture, usual
from core.models.layout import Block, Choice, Prefixed, Stack, View, Weight, linear

BIASED = decoder(gqa(bias="bias", out_bias="bias"), glu())


def _chatglm(values: Values) -> None:
    """Key heads as many as groups where queries share them; the first ChatGLM is another model of the same type."""
    if values["inner_hidden_size"] is not None:
        raise ModelFileError("the file is of the first ChatGLM (inner_hidden_size), whose layout is not known here")
    if not values["multi_query_attention"]:
        values["num_key_value_heads"] = values["num_attention_heads"]


def _chatglm_attention(v: View) -> Iterator[Weight]:
    bias = v.flag("add_bias_linear")
    yield from linear("self_attention.query_key_value", (v.q + v.k * 2) * v.d, v.h, bias or v.flag("add_qkv_bias"))
    yield from linear("self_attention.dense", v.h, v.q * v.d, bias)


CHATGLM = (
    Prefixed(
        "transformer.",
        (
            embedding("embedding.word_embeddings"),
            Stack(
                "encoder.layers",
                (
                    Block("attention", "attention", _chatglm_attention),
                    glu(names=("", "", "dense_4h_to_h"), fused="dense_h_to_4h", bias="add_bias_linear"),
                    *pre_norms(*NORMS),
                ),
            ),
            rms("encoder.final_layernorm", term="final norm"),
        ),
    ),
)


def _halve(values: Values) -> None:
    """The first Qwen states the width of gate and up together."""
    values["intermediate_size"] //= 2


def _qwen_attention(v: View) -> Iterator[Weight]:
    yield from linear("attn.c_attn", v.q * v.d * 3, v.h, True)
    yield from linear("attn.c_proj", v.h, v.q * v.d, not v.flag("no_bias"))


QWEN = (
    Prefixed(
        "transformer.",
        (
            embedding("wte"),
            Stack(
                "h",
                (
                    Block("attention", "attention", _qwen_attention),
                    glu(names=("w2", "w1", "c_proj")),
                    *pre_norms("ln_1", "ln_2"),
                ),
            ),
            rms("ln_f", term="final norm"),
        ),
    ),
)

INTERNLM2 = decoder(
    gqa("attention", ("", "", "", "wo"), bias="bias", out_bias="bias", fused="wqkv"),
    glu("feed_forward", ("w1", "w3", "w2")),
    norms=pre_norms("attention_norm", "ffn_norm"),
    embedding="tok_embeddings",
)


def _deepseek_layers(v: View) -> list[str]:
    """Experts after the first dense layers, in each layer that the frequency hits; none where the file counts none."""
    first, every = v.number("first_k_dense_replace"), max(v.number("moe_layer_freq"), 1)
    some = v.number("num_experts") > 0
    return [SPARSE if some and i >= first and i % every == 0 else DENSE for i in range(v.arch.layers)]


def _entry(v: View, key: str, layer: int) -> int:
    """A field that is one number for all layers, or a list with one for each."""
    value = v.get(key)
    if isinstance(value, list):
        if layer >= len(value) or not isinstance(value[layer], int):
            raise ModelFileError(
                f"{key} has {len(value)} entries for {v.arch.layers} layers, and a number each is needed"
            )
        return int(value[layer])
    return v.number(key)


def _hunyuan_layers(v: View) -> list[Any]:
    skipped, some = v.number("moe_layer_num_skipped"), v.number("num_experts") > 1
    keys = ("moe_intermediate_size", "num_experts_per_tok", "num_shared_expert")
    return [
        ("sparse", *(_entry(v, key, i) for key in keys)) if some and i >= skipped else "dense"
        for i in range(v.arch.layers)
    ]


def _hunyuan(case: Any) -> tuple[Block, ...]:
    if case == "dense":
        return (glu(),)
    _, wide, used, common = case
    return (
        router("mlp.gate.wg"),
        experts(width=lambda v: v.named("m", wide), used=lambda v: v.named("K", used)),
        glu(
            "mlp.shared_mlp",
            width=lambda v: v.named("S", common) * v.named("m", wide),
            term="shared experts",
            group="experts",
        ),
    )


def _hunyuan_settle(values: Values) -> None:
    if values["moe_intermediate_size"] is None:
        values["moe_intermediate_size"] = values["intermediate_size"]


FAMILIES = {
    "chatglm": Family(
        CHATGLM,
        usual(4096, 28, 32, 1, 128, 13696, 65024)
        | also(add_qkv_bias=False, add_bias_linear=False, multi_query_attention=False, inner_hidden_size=None),
        heads={**LM_HEADS, "lm": (head("transformer.output_layer"),)},
        spelled={
            "num_hidden_layers": ("num_layers",),
            "num_key_value_heads": ("multi_query_group_num",),
            "head_dim": ("kv_channels",),
            "intermediate_size": ("ffn_hidden_size",),
            "vocab_size": ("padded_vocab_size",),
        },
        classes={"ChatGLMModel": "lm"},
        settle=_chatglm,
        quirks=stored_rotary,
        class_name="ChatGLMModel",
    ),
    "qwen": Family(
        QWEN,
        usual(4096, 32, 32, UNREAD, 128, 22016, 151936, no_bias=True),
        spelled={"head_dim": ("kv_channels",)},
        settle=_halve,
        class_name="QWenLMHeadModel",
    ),
    "baichuan": Family(
        decoder(full_heads("self_attn", "W_pack", "o_proj", bias=False), glu()),
        usual(4096, 32, 32, UNREAD, UNREAD, 11008, 125696),
        class_name="BaichuanForCausalLM",
    ),
    "internlm": Family(
        BIASED,
        usual(4096, 32, 32, None, None, 11008, 103168, bias=True),
        class_name="InternLMForCausalLM",
    ),
    "internlm2": Family(
        INTERNLM2,
        usual(4096, 32, 32, None, None, 11008, 103168, bias=True),
        heads={**LM_HEADS, "lm": (head("output"),)},
        class_name="InternLM2ForCausalLM",
    ),
    "mimo": Family(
        DENSE_FAMILIES["qwen2"].body,
        usual(4096, 36, 32, 8, None, 11008, 151680, num_nextn_predict_layers=0),
        mtp="num_nextn_predict_layers",
        like="qwen2",
        class_name="MiMoForCausalLM",
    ),
    "PanguEmbedded": Family(
        BIASED,
        usual(4096, 34, 32, 8, None, 12800, 153376, bias=True),
        quirks=stored_rotary,
        class_name="PanguEmbeddedForCausalLM",
    ),
    "deepseek": Family(
        decoder(
            gqa(bias="attention_bias", out_bias="attention_bias"),
            switch(_deepseek_layers, *moe(SHARED)),
        ),
        usual(4096, 30, 32, 32, None, 11008, 102400, attention_bias=False)
        | mixture(None, None, 1407)
        | also(n_shared_experts=None, first_k_dense_replace=0, moe_layer_freq=1),
        spelled={"num_experts": ("n_routed_experts",)},
        class_name="DeepseekForCausalLM",
    ),
    "hunyuan": Family(
        decoder(
            gqa(bias="attention_bias", out_bias="attention_bias"),
            qk_norm(("query_layernorm", "key_layernorm"), when="use_qk_norm"),
            Choice(_hunyuan_layers, _hunyuan),
        ),
        usual(4096, 32, 32, 8, None, 3072, 128167, True, attention_bias=False)
        | mixture(1, 1, None)
        | also(use_qk_norm=False, num_shared_expert=1, moe_layer_num_skipped=0),
        spelled={"head_dim": ("attention_head_dim",), "num_experts_per_tok": ("moe_topk",)},
        settle=_hunyuan_settle,
        class_name="HunYuanMoEV1ForCausalLM",
    ),
}
