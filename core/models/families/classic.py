"""Decoders of the GPT-2 kind: layer norms with bias, plain MLPs, tables of positions or none.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type; `phi-msft` and
`RefinedWeb` are older spellings of phi and falcon, whose files name their own code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.models.blocks.attention import full_heads, gqa
from core.models.blocks.ends import embedding, head, layer_norm, pre_layer_norms, project, rms, table
from core.models.blocks.feedforward import mlp
from core.models.families.row import LM_HEADS, NORMS, UNREAD, Family, Values, decoder, four_times, usual
from core.models.layout import Block, Layout, Prefixed, Stack, View, Weight, linear, size, vector

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
FAIRSEQ = gqa(names=("q_proj", "k_proj", "v_proj", "out_proj"), bias=True, out_bias=True)


def _gpt(attention: Block, *rest: Block, table_of_positions: bool = True) -> Layout:
    """wte, wpe and the layers `h` under "transformer", with a norm behind them."""
    positions = (table("position table", "wpe.weight", POSITIONS),) if table_of_positions else ()
    layer = (attention, *rest)
    end = layer_norm("ln_f", term="final norm")
    return (Prefixed("transformer.", (embedding("wte"), *positions, Stack("h", layer), end)),)


def _one_norm_gpt(attention: Block) -> Layout:
    return _gpt(
        attention, mlp(names=("fc_in", "fc_out")), layer_norm("ln_1"), table_of_positions=False
    )


def _bigcode_attention(v: View) -> Iterator[Weight]:
    """One key and value head for all queries where multi_query, else as many as queries."""
    keys = v.d if v.flag("multi_query") else v.h
    yield from linear("attn.c_attn", v.h + keys * 2, v.h, True)
    yield from linear("attn.c_proj", v.h, v.h, True)


def _one_key_head(values: Values) -> None:
    four_times(values)
    values["num_key_value_heads"] = 1 if values["multi_query"] else values["num_attention_heads"]


def _opt_embedding(v: View) -> list[Weight]:
    return [Weight("embed_tokens.weight", (v.V, v.size("word_embed_proj_dim", "w")), "embedding")]


def _opt_projections(v: View) -> Iterator[Weight]:
    """OPT-350m keeps narrower embeddings, and widens and narrows them around the layers."""
    w = v.size("word_embed_proj_dim", "w")
    if w.value != v.h.value:
        yield from linear("project_out", w, v.h)
        yield from linear("project_in", v.h, w)


def _opt_final(v: View) -> Iterator[Weight]:
    if v.flag("do_layer_norm_before") and not v.flag("_remove_final_layer_norm"):
        yield from _opt_norm("final_layer_norm")(v)


def _opt_norm(name: str) -> Callable[[View], Iterator[Weight]]:
    def weights(v: View) -> Iterator[Weight]:
        if v.flag("layer_norm_elementwise_affine"):
            yield vector(f"{name}.weight", v.h)
            yield vector(f"{name}.bias", v.h)

    return weights


def _opt_settle(values: Values) -> None:
    if values["word_embed_proj_dim"] is None:
        values["word_embed_proj_dim"] = values["hidden_size"]


def _mpt_width(values: Values) -> None:
    values["intermediate_size"] = values["expansion_ratio"] * values["hidden_size"]


def _mpt_note(v: View) -> list[str]:
    if v.number("expansion_ratio") == 4:
        return []
    return [f"expansion_ratio is {v.number('expansion_ratio')}, as the authors' code reads it; transformers builds 4."]


def _falcon_heads(values: Values) -> None:
    """Key and value heads: as given in the new architecture, else one for all queries or one for each."""
    heads = values["num_attention_heads"]
    grouped = values.get("num_key_value_heads")
    if values["new_decoder_architecture"]:
        values["num_key_value_heads"] = heads if grouped is None else grouped
    else:
        values["num_key_value_heads"] = 1 if values["multi_query"] else heads
    four_times(values)
    if values["num_ln_in_parallel_attn"] is None:
        values["num_ln_in_parallel_attn"] = 2 if values["new_decoder_architecture"] else 1


def _refined_web(values: Values) -> None:
    """The first code of Falcon: grouped heads with n_head_kv (40B), one key and value head without (7B)."""
    values["new_decoder_architecture"] = values.get("num_key_value_heads") is not None
    _falcon_heads(values)


def _falcon_norms(v: View) -> Iterator[Weight]:
    """Two norms side by side in 40B and 180B, one in 7B, two in turn where MLP and attention are not parallel."""
    if not v.flag("parallel_attn"):
        names = ["post_attention_layernorm", "input_layernorm"]
    elif v.number("num_ln_in_parallel_attn") == 2:
        names = ["ln_attn", "ln_mlp"]
    else:
        names = ["input_layernorm"]
    for name in names:
        yield vector(f"{name}.weight", v.h)
        yield vector(f"{name}.bias", v.h)


def _falcon_note(v: View) -> list[str]:
    if not (v.arch.tied and v.flag("new_decoder_architecture")):
        return []
    rows = v.arch.vocabulary * v.arch.hidden
    return [
        f"Falcon-40B and 180B checkpoints store a separate head of {rows:,} parameters, which the model class ties to "
        "the token table; it is not counted here."
    ]


FALCON = (
    Prefixed(
        "transformer.",
        (
            embedding("word_embeddings"),
            Stack(
                "h",
                (
                    gqa(
                        "self_attention",
                        ("", "", "", "dense"),
                        bias="bias",
                        out_bias="bias",
                        fused="query_key_value",
                    ),
                    mlp(names=("dense_h_to_4h", "dense_4h_to_h"), bias="bias"),
                    Block("norms", "norm", _falcon_norms),
                ),
            ),
            layer_norm("ln_f", term="final norm"),
        ),
    ),
)
FALCON_KEYS = {
    "new_decoder_architecture": False,
    "multi_query": True,
    "parallel_attn": True,
    "bias": False,
    "num_ln_in_parallel_attn": None,
}


def _rwkv_attention(v: View) -> Iterator[Weight]:
    a = v.size("attention_hidden_size", "a")
    for name in ("decay", "first"):
        yield vector(f"attention.time_{name}", a)
    for name in ("key", "value", "receptance"):
        yield vector(f"attention.time_mix_{name}", 1, 1, v.h)
    for name in ("key", "value", "receptance"):
        yield from linear(f"attention.{name}", a, v.h)
    yield from linear("attention.output", v.h, a)


def _rwkv_mlp(v: View) -> Iterator[Weight]:
    for name in ("key", "receptance"):
        yield vector(f"feed_forward.time_mix_{name}", 1, 1, v.h)
    yield from linear("feed_forward.key", v.f, v.h)
    yield from linear("feed_forward.receptance", v.h, v.h)
    yield from linear("feed_forward.value", v.h, v.f)


def _rwkv_settle(values: Values) -> None:
    four_times(values)
    if values["attention_hidden_size"] is None:
        values["attention_hidden_size"] = values["hidden_size"]


RWKV = (
    Prefixed(
        "rwkv.",
        (
            embedding("embeddings"),
            layer_norm("blocks.0.pre_ln", term="embedding norm"),
            Stack(
                "blocks",
                (
                    Block("time mixing", "mixer", _rwkv_attention),
                    Block("channel mixing", "mlp", _rwkv_mlp),
                    *pre_layer_norms("ln1", "ln2"),
                ),
            ),
            layer_norm("ln_out", term="final norm"),
        ),
    ),
)

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
        usual(768, 12, 12, UNREAD, UNREAD, None, 50257, True, max_position_embeddings=1024, multi_query=True),
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
    "opt": Family(
        (
            Prefixed(
                "model.decoder.",
                (
                    Block("token embedding", "embedding", _opt_embedding),
                    table("position table", "embed_positions.weight", lambda v: POSITIONS(v) + 2),
                    Block("embedding projections", "embedding", _opt_projections),
                    Stack(
                        "layers",
                        (
                            gqa(
                                names=("q_proj", "k_proj", "v_proj", "out_proj"),
                                bias="enable_bias",
                                out_bias="enable_bias",
                            ),
                            mlp("", bias="enable_bias"),
                            Block("norms", "norm", _opt_norm("self_attn_layer_norm")),
                            Block("norms", "norm", _opt_norm("final_layer_norm")),
                        ),
                    ),
                    Block("final norm", "norm", _opt_final),
                ),
            ),
        ),
        usual(
            768, 12, 12, UNREAD, UNREAD, 3072, 50272, True, max_position_embeddings=2048, word_embed_proj_dim=None,
            do_layer_norm_before=True, _remove_final_layer_norm=False, enable_bias=True,
            layer_norm_elementwise_affine=True,
        ),
        heads={
            **LM_HEADS,
            "lm": (head(width=size("word_embed_proj_dim", "w")),),
            "classify": (project("score", size("num_labels", "n"), size("word_embed_proj_dim", "w"), bias=False),),
            "answer": (project("qa_outputs", lambda v: v.named("2", 2), size("word_embed_proj_dim", "w")),),
        },
        spelled={"intermediate_size": ("ffn_dim",)},
        settle=_opt_settle,
        class_name="OPTForCausalLM",
    ),
    "xglm": Family(
        decoder(
            FAIRSEQ,
            mlp(""),
            norms=pre_layer_norms("self_attn_layer_norm", "final_layer_norm"),
            final=(layer_norm("layer_norm", term="final norm"),),
        ),
        usual(1024, 24, 16, UNREAD, UNREAD, 4096, 256008, True),
        spelled={
            "hidden_size": ("d_model",),
            "num_hidden_layers": ("num_layers",),
            "num_attention_heads": ("attention_heads",),
            "intermediate_size": ("ffn_dim",),
        },
        class_name="XGLMForCausalLM",
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
    "falcon": Family(
        FALCON,
        usual(4544, 32, 71, None, UNREAD, None, 65024, True, **FALCON_KEYS),
        spelled={"num_key_value_heads": ("num_kv_heads",), "intermediate_size": ("ffn_hidden_size",)},
        settle=_falcon_heads,
        quirks=_falcon_note,
        class_name="FalconForCausalLM",
    ),
    "RefinedWeb": Family(
        FALCON,
        usual(8192, 60, 128, None, UNREAD, None, 65024, True, **FALCON_KEYS),
        spelled={
            "num_key_value_heads": ("n_head_kv",),
            "num_hidden_layers": ("n_layer",),
            "num_attention_heads": ("n_head",),
            "intermediate_size": ("ffn_hidden_size",),
        },
        settle=_refined_web,
        quirks=_falcon_note,
        class_name="RWForCausalLM",
        like="falcon",
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
    "rwkv": Family(
        RWKV,
        usual(4096, 32, UNREAD, UNREAD, UNREAD, None, 50277, attention_hidden_size=None),
        heads={**LM_HEADS, "lm": (head("head"),)},
        settle=_rwkv_settle,
        class_name="RwkvForCausalLM",
    ),
}
