"""Decoders of the GPT-2 kind: layer norms with bias, plain MLPs, tables of positions or none.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type; `phi-msft` and
`RefinedWeb` are older spellings of phi and falcon, whose files name their own code.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import full_heads, gqa
from core.models.blocks.ends import embedding, head, layer_norm, pre_layer_norms, project, rms, table
from core.models.blocks.feedforward import mlp
from core.models.families.row import LM_HEADS, NORMS, UNREAD, Family, Values, also, decoder, four_times, usual
from core.models.layout import Block, Layout, Prefixed, Stack, View, Weight, linear, size

NEOX_MLP = mlp(names=("dense_h_to_4h", "dense_4h_to_h"))
POSITIONS = size("max_position_embeddings", "P")
GPT_KEYS = {
    "hidden_size": ("n_embd",),
    "num_hidden_layers": ("n_layer",),
    "num_attention_heads": ("n_head",),
    "max_position_embeddings": ("n_positions",),
    "intermediate_size": ("n_inner",),
}
BIASED_HEAD = {**LM_HEADS, "lm": (head(bias=True),)}


def _gpt(attention: Block, *rest: Block, table_of_positions: bool = True) -> Layout:
    """wte, wpe and the layers `h` under "transformer", with a norm behind them."""
    positions = (table("position table", "wpe.weight", POSITIONS),) if table_of_positions else ()
    layer = (attention, *rest)
    end = layer_norm("ln_f", term="final norm")
    return (Prefixed("transformer.", (embedding("wte"), *positions, Stack("h", layer), end)),)


def _one_norm_gpt(attention: Block) -> Layout:
    return _gpt(attention, mlp(names=("fc_in", "fc_out")), layer_norm("ln_1"), table_of_positions=False)


def _bigcode_attention(v: View) -> Iterator[Weight]:
    """One key and value head for all queries where multi_query, else as many as queries."""
    keys = v.d if v.flag("multi_query") else v.h
    yield from linear("attn.c_attn", v.h + keys * 2, v.h, True)
    yield from linear("attn.c_proj", v.h, v.h, True)


def _one_key_head(values: Values) -> None:
    four_times(values)
    values["num_key_value_heads"] = 1 if values["multi_query"] else values["num_attention_heads"]


def _mpt_width(values: Values) -> None:
    values["intermediate_size"] = values["expansion_ratio"] * values["hidden_size"]


def _mpt_note(v: View) -> list[str]:
    if v.number("expansion_ratio") == 4:
        return []
    return [f"expansion_ratio is {v.number('expansion_ratio')}, as the authors' code reads it; transformers builds 4."]


PHI = decoder(
    gqa(names=("q_proj", "k_proj", "v_proj", "dense"), bias=True, out_bias=True),
    mlp(),
    norms=(layer_norm("input_layernorm"),),
    final=(layer_norm("final_layernorm", term="final norm"),),
)

FAMILIES = {
    "gpt_neox": Family(
        (
            Prefixed(
                "gpt_neox.",
                (
                    embedding("embed_in"),
                    Stack(
                        "layers",
                        (
                            full_heads("attention", "query_key_value", "dense", bias="attention_bias"),
                            NEOX_MLP,
                            *pre_layer_norms(*NORMS),
                        ),
                    ),
                    layer_norm("final_layer_norm", term="final norm"),
                ),
            ),
        ),
        usual(6144, 44, 64, UNREAD, UNREAD, 24576, 50432, attention_bias=True),
        heads={**LM_HEADS, "token": (project("classifier", size("num_labels", "n")),)},
        class_name="GPTNeoXForCausalLM",
    ),
    "gptj": Family(
        _one_norm_gpt(gqa("attn", ("q_proj", "k_proj", "v_proj", "out_proj"))),
        usual(4096, 28, 16, UNREAD, UNREAD, None, 50400),
        heads=BIASED_HEAD,
        spelled=GPT_KEYS,
        settle=four_times,
        class_name="GPTJForCausalLM",
    ),
    "codegen": Family(
        _one_norm_gpt(full_heads("attn", "qkv_proj", "out_proj", bias=False)),
        usual(4096, 28, 16, UNREAD, UNREAD, None, 50400),
        heads=BIASED_HEAD,
        spelled=GPT_KEYS,
        settle=four_times,
        class_name="CodeGenForCausalLM",
    ),
    "gpt2": Family(
        _gpt(
            full_heads("attn", "c_attn", "c_proj", columns_first=True),
            mlp(names=("c_fc", "c_proj"), columns_first=True),
            *pre_layer_norms("ln_1", "ln_2"),
        ),
        usual(768, 12, 12, UNREAD, UNREAD, None, 50257, True, max_position_embeddings=1024),
        heads={**LM_HEADS, "token": (project("classifier", size("num_labels", "n")),)},
        spelled={**GPT_KEYS, "num_hidden_layers": ("n_layer", "num_layers")},
        settle=four_times,
        class_name="GPT2LMHeadModel",
    ),
    "gpt_bigcode": Family(
        _gpt(
            Block("attention", "attention", _bigcode_attention),
            mlp(names=("c_fc", "c_proj")),
            *pre_layer_norms("ln_1", "ln_2"),
        ),
        usual(768, 12, 12, UNREAD, UNREAD, None, 50257, True) | also(max_position_embeddings=1024, multi_query=True),
        heads={**LM_HEADS, "token": (project("classifier", size("num_labels", "n")),)},
        spelled=GPT_KEYS,
        settle=_one_key_head,
        class_name="GPTBigCodeForCausalLM",
    ),
    "gpt_neo": Family(
        _gpt(
            gqa("attn.attention", ("q_proj", "k_proj", "v_proj", "out_proj"), out_bias=True),
            mlp(names=("c_fc", "c_proj")),
            *pre_layer_norms("ln_1", "ln_2"),
        ),
        usual(2048, 24, 16, UNREAD, UNREAD, None, 50257, True, max_position_embeddings=2048),
        heads={**LM_HEADS, "token": (project("classifier", size("num_labels", "n")),)},
        spelled={"num_hidden_layers": ("num_layers",), "num_attention_heads": ("num_heads",)},
        settle=four_times,
        class_name="GPTNeoForCausalLM",
    ),
    "bloom": Family(
        (
            Prefixed(
                "transformer.",
                (
                    embedding("word_embeddings"),
                    layer_norm("word_embeddings_layernorm", term="embedding norm"),
                    Stack(
                        "h",
                        (
                            full_heads("self_attention", "query_key_value", "dense"),
                            NEOX_MLP,
                            *pre_layer_norms(*NORMS),
                        ),
                    ),
                    layer_norm("ln_f", term="final norm"),
                ),
            ),
        ),
        usual(64, 2, 8, UNREAD, UNREAD, UNREAD, 250880, True),
        spelled={
            "hidden_size": ("n_embed",),
            "num_hidden_layers": ("n_layer",),
            "num_attention_heads": ("n_head",),
        },
        settle=four_times,
        class_name="BloomForCausalLM",
    ),
    "mpt": Family(
        (
            Prefixed(
                "transformer.",
                (
                    embedding("wte"),
                    Stack(
                        "blocks",
                        (
                            full_heads("attn", "Wqkv", "out_proj", bias=False),
                            mlp("ffn", ("up_proj", "down_proj"), bias=False),
                            rms("norm_1"),
                            rms("norm_2"),
                        ),
                    ),
                    rms("norm_f", term="final norm"),
                ),
            ),
        ),
        usual(2048, 24, 16, UNREAD, UNREAD, UNREAD, 50368, True, expansion_ratio=4),
        spelled={
            "hidden_size": ("d_model",),
            "num_hidden_layers": ("n_layers",),
            "num_attention_heads": ("n_heads",),
        },
        settle=_mpt_width,
        quirks=_mpt_note,
        class_name="MptForCausalLM",
    ),
    "phi-msft": Family(
        PHI,
        usual(2048, 24, 32, None, UNREAD, None, 50304),
        heads=BIASED_HEAD,
        spelled={**GPT_KEYS, "num_key_value_heads": ("n_head_kv",)},
        settle=four_times,
        class_name="PhiForCausalLM",
        like="phi",
    ),
}
