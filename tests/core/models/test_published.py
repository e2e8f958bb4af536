"""Counts against what publishers state, and arithmetic by hand, for types that transformers has no class for."""

from __future__ import annotations

from typing import Any

import pytest

from core.models.catalogue import Model, models
from core.models.config import read_config
from core.models.count import count

LLAMA_LIKE = {"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "intermediate_size": 11008}
HUNYUAN = {
    "model_type": "hunyuan",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "attention_head_dim": 128,
    "intermediate_size": 3072,
    "moe_intermediate_size": [3072] * 32,
    "moe_topk": [8] * 32,
    "num_experts": 64,
    "num_shared_expert": [1] * 32,
    "use_qk_norm": True,
    "tie_word_embeddings": True,
    "vocab_size": 128167,
}
PUBLISHED: list[tuple[str, dict[str, Any], int]] = [
    # The index of each checkpoint states its size in bytes; halved, as its numbers have 16 bits.
    ("Qwen-7B", {"model_type": "qwen", "hidden_size": 4096, "vocab_size": 151936}, 7_721_324_544),
    (
        "internlm-20b",
        {"model_type": "internlm", **LLAMA_LIKE, "hidden_size": 5120, "num_hidden_layers": 60,
         "num_attention_heads": 40, "intermediate_size": 13824, "vocab_size": 103168, "bias": False},
        20_088_714_240,
    ),
    (
        "internlm2_5-7b",
        {"model_type": "internlm2", **LLAMA_LIKE, "num_key_value_heads": 8, "intermediate_size": 14336,
         "vocab_size": 92544, "bias": False},
        7_737_708_544,
    ),
    # The checkpoint has 7,833,409,536 with its one prediction layer of 210,790,400.
    (
        "MiMo-7B-Base",
        {"model_type": "mimo", "hidden_size": 4096, "num_hidden_layers": 36, "num_attention_heads": 32,
         "num_key_value_heads": 8, "intermediate_size": 11008, "vocab_size": 151680},
        7_622_619_136,
    ),
    ("chatglm2-6b", {"model_type": "chatglm", "add_qkv_bias": True, "multi_query_attention": True,
                     "multi_query_group_num": 2}, 6_243_584_000),
    # By hand: 125,696·4096·2 + 32·(4·4096² + 3·4096·11,008 + 2·4096) + 4096.
    ("Baichuan2-7B", {"model_type": "baichuan", **LLAMA_LIKE, "vocab_size": 125696}, 7_505_973_248),
    # By hand: 2·V·h + 34·(2·h² + 2·h·1024 + (4096 + 2·1024) + h + 3·h·12,800 + 2·h) + h with h 4096, V 153,376.
    ("openPangu-Embedded-7B", {"model_type": "PanguEmbedded"}, 8_030_887_936),
    # By hand, and the README's 16.4 B: 27 sparse layers of 64 + 2 experts of 1,408, one dense of 10,944.
    (
        "deepseek-moe-16b",
        {"model_type": "deepseek", "hidden_size": 2048, "num_hidden_layers": 28, "num_attention_heads": 16,
         "num_key_value_heads": 16, "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 64,
         "n_shared_experts": 2, "num_experts_per_tok": 6, "first_k_dense_replace": 1, "vocab_size": 102400},
        16_375_728_128,
    ),
    # The README says 80B in all and 13B active.
    ("Hunyuan-A13B", HUNYUAN, 80_393_183_232),
    # The first spelling of Phi-2, whose MLP width is null.
    (
        "phi-2",
        {"model_type": "phi-msft", "n_embd": 2560, "n_layer": 32, "n_head": 32, "n_inner": None, "vocab_size": 51200},
        2_779_683_840,
    ),
    (
        "falcon-40b",
        {"model_type": "RefinedWeb", "hidden_size": 8192, "n_layer": 60, "n_head": 128, "n_head_kv": 8},
        41_303_293_952,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fields", "total"), PUBLISHED, ids=[name for name, _, _ in PUBLISHED])
def test_a_published_total_is_reached(name: str, fields: dict[str, Any], total: int) -> None:
    assert count(read_config(fields, name)).total == total


def test_a_mixture_with_lists_a_layer_has_its_published_share_active() -> None:
    """Hunyuan-A13B: 12,747,448,320 of 80,393,183,232 (its README: 13B of 80B)."""
    assert count(read_config(HUNYUAN, "Hunyuan-A13B")).active == 12_747_448_320


def test_layers_cut_by_an_architecture_search_are_counted_one_by_one() -> None:
    """By hand, h 512, 8 heads of 64: a whole layer, one without attention, one with a linear layer for its MLP."""
    whole = {"attention": {"n_heads_in_group": 4}, "ffn": {"ffn_mult": 1.5}}
    blocks = [
        whole,
        {"attention": {"no_op": True}, "ffn": {"ffn_mult": 0.5}},
        {"attention": {"n_heads_in_group": 8}, "ffn": {"replace_with_linear": True}},
    ]
    fields = {
        "model_type": "nemotron-nas", "hidden_size": 512, "num_hidden_layers": 3, "num_attention_heads": 8,
        "vocab_size": 1000, "block_configs": blocks, "tie_word_embeddings": False,
    }  # fmt: skip
    first = 2 * 512 * 512 + 2 * 512 * 2 * 64 + 512 + 3 * 512 * 512 + 512  # 2·1.5·512/3 = 512, a multiple of 256
    second = 3 * 512 * 256 + 512  # 2·0.5·512/3 = 170, rounded up to 256
    third = 2 * 512 * 512 + 2 * 512 * 64 + 512 + 512 * 512 + 512
    assert count(read_config(fields, "cut")).total == 2 * 1000 * 512 + first + second + third + 512


@pytest.mark.parametrize("one", models(), ids=[one.name for one in models()])
def test_each_model_of_the_catalogue_counts_to_its_stated_total(one: Model) -> None:
    counted = count(one.architecture)
    assert (counted.total, counted.active) == (one.total, one.active)
