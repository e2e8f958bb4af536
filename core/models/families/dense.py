"""Dense decoders of the llama kind: grouped queries, rotary positions, no table of positions.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from core.models.blocks.attention import full_heads, gqa, mla, qk_norm
from core.models.blocks.ends import head, layer_norm, pre_layer_norms, pre_norms, rms
from core.models.blocks.feedforward import glu, mlp
from core.models.families.row import LM_HEADS, NORMS, UNREAD, Family, Values, also, decoder, usual
from core.models.layout import Block, View, Weight, hidden, vector
from core.models.sizes import Size

LLAMA = decoder(gqa(bias="attention_bias", out_bias="attention_bias"), glu(bias="mlp_bias"))
PLAIN = decoder(gqa(), glu())
BIASED = gqa(bias="attention_bias", out_bias="attention_bias")
FUSED_GLU = glu(fused="gate_up_proj")
SANDWICH = pre_norms(*NORMS, "pre_feedforward_layernorm", "post_feedforward_layernorm")
POST = pre_norms("post_attention_layernorm", "post_feedforward_layernorm")
BIASES = {"attention_bias": False, "mlp_bias": False}
FINAL = (layer_norm("norm", term="final norm"),)


def _share(v: View) -> Size:
    """A head's share of the width, whatever head size the file states."""
    return v.named("(h/q)", v.arch.hidden // v.arch.heads)


def _xielu(v: View) -> list[Weight]:
    return [vector("mlp.act_fn.alpha_p", 1), vector("mlp.act_fn.alpha_n", 1)]


def _per_head_norms(v: View) -> list[Weight]:
    """StableLM's norms of queries and keys: a norm without bias for each head."""
    if not v.flag("qk_layernorm"):
        return []
    pairs = (("q", v.arch.heads), ("k", v.arch.kv_heads))
    return [vector(f"self_attn.{x}_layernorm.norms.{i}.weight", v.d) for x, n in pairs for i in range(n)]


def _cohere_norms(v: View) -> list[Weight]:
    """Cohere's norms of queries and keys: a weight for each head and channel."""
    if not v.flag("use_qk_norm"):
        return []
    return [vector("self_attn.q_norm.weight", v.q, v.d), vector("self_attn.k_norm.weight", v.k, v.d)]


def _latent(values: Values) -> None:
    """MiniCPM3: a null value head is as wide as the width shared out over the heads."""
    if values["v_head_dim"] is None:
        values["v_head_dim"] = values["hidden_size"] // values["num_attention_heads"]


STABLELM = decoder(
    gqa(bias="use_qkv_bias"),
    Block("query and key norms", "norm", _per_head_norms),
    glu(),
    norms=(
        layer_norm("input_layernorm"),
        Block(
            "norms",
            "norm",
            lambda v: (
                []
                if v.flag("use_parallel_residual")
                else [vector(f"post_attention_layernorm.{part}", v.h) for part in ("weight", "bias")]
            ),
        ),
    ),
    final=FINAL,
)
COHERE_QK = Block("query and key norms", "norm", _cohere_norms)

FAMILIES = {
    "llama": Family(LLAMA, usual(4096, 32, 32, None, None, 11008, 32000, **BIASES), class_name="LlamaForCausalLM"),
    "granite": Family(LLAMA, usual(4096, 32, 32, None, None, 11008, 32000, **BIASES), class_name="GraniteForCausalLM"),
    "smollm3": Family(
        LLAMA, usual(2048, 36, 16, 4, None, 11008, 128256, True, **BIASES), class_name="SmolLM3ForCausalLM"
    ),
    "helium": Family(
        decoder(gqa(bias="attention_bias", output=hidden), glu(bias="mlp_bias")),
        usual(2560, 24, 20, 20, 128, 7040, 48000, **BIASES),
        class_name="HeliumForCausalLM",
    ),
    "mistral": Family(PLAIN, usual(4096, 32, 32, 8, None, 14336, 32000), class_name="MistralForCausalLM"),
    "ministral": Family(PLAIN, usual(4096, 32, 32, 8, None, 14336, 32000), class_name="MinistralForCausalLM"),
    "ministral3": Family(PLAIN, usual(4096, 34, 32, 8, 128, 14336, 131072), class_name="Ministral3ForCausalLM"),
    "qwen2": Family(
        decoder(gqa(bias=True), glu()), usual(4096, 32, 32, 32, None, 22016, 151936), class_name="Qwen2ForCausalLM"
    ),
    "qwen3": Family(
        decoder(BIASED, qk_norm(), glu()),
        usual(4096, 32, 32, 32, 128, 22016, 151936, attention_bias=False),
        class_name="Qwen3ForCausalLM",
    ),
    "gemma": Family(
        decoder(BIASED, glu()),
        usual(3072, 28, 16, 16, 256, 24576, 256000, True, attention_bias=False),
        class_name="GemmaForCausalLM",
    ),
    "gemma2": Family(
        decoder(BIASED, glu(), norms=SANDWICH),
        usual(2304, 26, 8, 4, 256, 9216, 256000, True, attention_bias=False),
        class_name="Gemma2ForCausalLM",
    ),
    "gemma3_text": Family(
        decoder(BIASED, qk_norm(), glu(), norms=SANDWICH),
        usual(2304, 26, 8, 4, 256, 9216, 262208, True, attention_bias=False),
        class_name="Gemma3ForCausalLM",
    ),
    "phi3": Family(
        decoder(gqa(fused="qkv_proj"), FUSED_GLU),
        usual(3072, 32, 32, None, None, 8192, 32064),
        class_name="Phi3ForCausalLM",
    ),
    "phi": Family(
        decoder(
            gqa(names=("q_proj", "k_proj", "v_proj", "dense"), bias=True, out_bias=True),
            qk_norm(("q_layernorm", "k_layernorm"), bias=True, when="qk_layernorm", dim=_share),
            mlp(),
            norms=(layer_norm("input_layernorm"),),
            final=(layer_norm("final_layernorm", term="final norm"),),
        ),
        usual(2048, 24, 32, None, None, 8192, 51200, qk_layernorm=False),
        heads={**LM_HEADS, "lm": (head(bias=True),)},
        class_name="PhiForCausalLM",
    ),
    "olmo": Family(
        decoder(BIASED, glu(), norms=(), final=()),
        usual(4096, 32, 32, None, None, 11008, 50304, attention_bias=False),
        class_name="OlmoForCausalLM",
    ),
    "olmo2": Family(
        decoder(BIASED, qk_norm(whole=True), glu(), norms=POST),
        usual(4096, 32, 32, None, None, 11008, 50304, attention_bias=False),
        class_name="Olmo2ForCausalLM",
    ),
    "olmo3": Family(
        decoder(BIASED, qk_norm(whole=True), glu(), norms=POST),
        usual(4096, 32, 32, None, None, 11008, 50304, attention_bias=False),
        class_name="Olmo3ForCausalLM",
    ),
    "stablelm": Family(
        STABLELM,
        usual(2560, 32, 32, 32, UNREAD, 6912, 50304)
        | also(use_qkv_bias=False, qk_layernorm=False, use_parallel_residual=False),
        class_name="StableLmForCausalLM",
    ),
    "starcoder2": Family(
        decoder(
            gqa(bias="use_bias", out_bias="use_bias"),
            mlp(names=("c_fc", "c_proj"), bias="use_bias"),
            norms=pre_layer_norms(),
            final=FINAL,
        ),
        usual(3072, 30, 24, 2, None, 12288, 49152, True, use_bias=True),
        class_name="Starcoder2ForCausalLM",
    ),
    "cohere": Family(
        decoder(BIASED, COHERE_QK, glu(), norms=(rms("input_layernorm"),)),
        usual(8192, 40, 64, None, None, 22528, 256000, True, attention_bias=False, use_qk_norm=False),
        class_name="CohereForCausalLM",
    ),
    "cohere2": Family(
        decoder(BIASED, glu(), norms=(rms("input_layernorm"),)),
        usual(8192, 40, 64, None, None, 22528, 256000, True, attention_bias=False),
        class_name="Cohere2ForCausalLM",
    ),
    "exaone": Family(
        LLAMA,
        usual(4096, 32, 32, 8, None, 14336, 102400, **BIASES),
        spelled={"num_hidden_layers": ("num_layers",)},
        class_name="ExaoneForCausalLM",
    ),
    "exaone4": Family(
        decoder(gqa(), qk_norm(), glu(), norms=POST),
        usual(4096, 32, 32, 32, None, 16384, 102400),
        class_name="Exaone4ForCausalLM",
    ),
    "glm": Family(
        decoder(gqa(bias="attention_bias"), FUSED_GLU),
        usual(4096, 40, 32, 2, 128, 13696, 151552, attention_bias=True),
        class_name="GlmForCausalLM",
    ),
    "glm4": Family(
        decoder(
            gqa(bias="attention_bias"),
            FUSED_GLU,
            norms=pre_norms(*NORMS, "post_self_attn_layernorm", "post_mlp_layernorm"),
        ),
        usual(4096, 40, 32, 2, 128, 13696, 151552, attention_bias=True),
        class_name="Glm4ForCausalLM",
    ),
    "seed_oss": Family(
        decoder(gqa(bias="attention_bias", out_bias="attention_out_bias"), glu(bias="mlp_bias")),
        usual(4096, 64, 80, 8, 128, 27648, 155136, attention_bias=True)
        | also(attention_out_bias=False, mlp_bias=False),
        class_name="SeedOssForCausalLM",
    ),
    "ernie4_5": Family(
        decoder(gqa(bias="use_bias", out_bias="use_bias"), glu(bias="use_bias")),
        usual(1024, 18, 16, 2, 128, 3072, 103424, True, use_bias=False),
        class_name="Ernie4_5ForCausalLM",
    ),
    "apertus": Family(
        decoder(
            BIASED,
            qk_norm(),
            mlp(names=("up_proj", "down_proj"), bias=False),
            Block("activation scalars", "mlp", _xielu),
            norms=pre_norms("attention_layernorm", "feedforward_layernorm"),
        ),
        usual(4096, 32, 32, None, None, 14336, 131072, attention_bias=False),
        class_name="ApertusForCausalLM",
    ),
    "arcee": Family(
        decoder(BIASED, mlp(names=("up_proj", "down_proj"), bias="mlp_bias")),
        usual(2560, 32, 32, None, None, 18432, 32000, **BIASES),
        class_name="ArceeForCausalLM",
    ),
    "nemotron": Family(
        decoder(BIASED, mlp(names=("up_proj", "down_proj"), bias="mlp_bias"), norms=pre_layer_norms(), final=FINAL),
        usual(6144, 32, 48, None, None, 24576, 256000, **BIASES),
        class_name="NemotronForCausalLM",
    ),
    "persimmon": Family(
        decoder(
            full_heads("self_attn", "query_key_value", "dense"),
            qk_norm(("q_layernorm", "k_layernorm"), bias=True, when="qk_layernorm"),
            mlp(names=("dense_h_to_4h", "dense_4h_to_h")),
            norms=pre_layer_norms(),
            final=(layer_norm("final_layernorm", term="final norm"),),
        ),
        usual(4096, 36, 64, UNREAD, UNREAD, 16384, 262144, qk_layernorm=True),
        class_name="PersimmonForCausalLM",
    ),
    "minicpm3": Family(
        decoder(mla(bias="attention_bias"), glu(bias="mlp_bias")),
        usual(2560, 62, 40, 40, None, 6400, 73448, True)
        | BIASES
        | also(kv_lora_rank=256, q_lora_rank=768, qk_nope_head_dim=64, qk_rope_head_dim=32, v_head_dim=None),
        settle=_latent,
        class_name="MiniCPM3ForCausalLM",
    ),
}
