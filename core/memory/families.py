"""The families whose saved tensors are tabled, and the table that stands in for a family without one.

How each is built: its modeling file in transformers 5.24. What PyTorch 2.13 saves then follows from the blocks.
"""

from __future__ import annotations

from core.memory.setting import DropoutSite, Family
from core.models.dimensions import Dimensions

_ALL: tuple[DropoutSite, ...] = ("embedding", "attention", "attention_output", "mlp_output")

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family(
            "gpt2", "layernorm", "pre", "fused", "gelu_python", softmax="bf16", positions=("s",), dropouts=_ALL,
            biases="all",
        ),
        Family(
            "bert", "layernorm", "post", "separate", "gelu", softmax="bf16", positions=("s",), loss="masked",
            dropouts=_ALL, causal_mask=False, biases="all",
        ),
        Family(
            "opt", "layernorm", "pre", "separate", "relu", positions=("b", "s"),
            dropouts=("attention", "attention_output", "mlp_output"), biases="all",
        ),
        Family(
            "gpt_neox", "layernorm", "parallel", "fused", "gelu", rotary_share=25, joined=True, dropouts=_ALL,
            biases="all",
        ),
        Family("llama", "rmsnorm", "pre", "separate", "swiglu", rotary_share=100),
        Family("mistral", "rmsnorm", "pre", "separate", "swiglu", rotary_share=100),
        Family("qwen2", "rmsnorm", "pre", "separate", "swiglu", rotary_share=100, biases="qkv"),
        Family("qwen3", "rmsnorm", "pre", "separate", "swiglu", qk_norm=True, rotary_share=100),
        Family("phi3", "rmsnorm", "pre", "fused", "swiglu_fused", rotary_share=100, joined=True, sliced=True),
        Family("mixtral", "rmsnorm", "pre", "separate", "experts", rotary_share=100),
        Family("qwen3_moe", "rmsnorm", "pre", "separate", "experts", qk_norm=True, rotary_share=100),
        Family("gemma", "gemma_rmsnorm", "pre", "separate", "geglu", rotary_share=100),
        Family(
            "gemma2", "gemma_rmsnorm", "sandwich", "separate", "geglu", rotary_share=100, softcap=True, window_of=2
        ),
        Family(
            "gemma3", "gemma_rmsnorm", "sandwich", "separate", "geglu", qk_norm=True, rotary_share=100, window_of=6,
            two_rotary_bases=True,
        ),
    )
}  # fmt: skip

MEASURED = frozenset(FAMILIES) - {"qwen3_moe"}

SAME_AS: dict[str, str] = {"gemma3_text": "gemma3"}

NEAREST: dict[str, str] = {
    "albert": "bert", "electra": "bert", "roberta": "bert", "xlm-roberta": "bert", "camembert": "bert",
    "deberta-v2": "bert", "distilbert": "bert", "mpnet": "bert", "ernie": "bert", "modernbert": "bert", "vit": "bert",
    "gpt_bigcode": "gpt2", "bloom": "gpt2", "gpt_neo": "gpt2", "mpt": "gpt2", "starcoder2": "gpt_neox",
    "gptj": "gpt_neox", "codegen": "gpt_neox", "phi": "gpt_neox", "falcon": "gpt_neox", "stablelm": "llama",
    "deepseek_v2": "mixtral", "deepseek_v3": "mixtral", "qwen2_moe": "mixtral", "olmoe": "mixtral", "dbrx": "mixtral",
    "gpt_oss": "mixtral", "llama4": "mixtral", "llama4_text": "mixtral", "glm4_moe": "qwen3_moe",
    "olmo2": "qwen3", "phi4": "phi3", "glm": "phi3", "glm4": "phi3", "chatglm": "phi3",
    "recurrent_gemma": "gemma", "gemma3n": "gemma3", "gemma3n_text": "gemma3", "gemma4": "gemma3",
    "gemma4_text": "gemma3",
}  # fmt: skip


def table_of(dim: Dimensions) -> tuple[Family, str]:
    """The family's table, or the nearest one with a sentence that says so ("" where the family's own was measured)."""
    name = SAME_AS.get(dim.family, dim.family)
    if name in FAMILIES:
        if name in MEASURED:
            return FAMILIES[name], ""
        return FAMILIES[name], (
            f"The activations of {dim.family} are put together from blocks measured in other families "
            "and were not measured as a whole."
        )
    nearest = NEAREST.get(name) or ("mixtral" if dim.experts else "llama")
    return FAMILIES[nearest], (
        f"The activations of {dim.family} are not tabled: those of {nearest}, the nearest in structure, stand in."
    )


def stand_in(dim: Dimensions) -> bool:
    """Whether another family's table is used for this one."""
    return SAME_AS.get(dim.family, dim.family) not in FAMILIES
