"""Decoders with fairseq's names: OPT and XGLM.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.models.blocks.attention import gqa
from core.models.blocks.ends import head, layer_norm, pre_layer_norms, project, table
from core.models.blocks.feedforward import mlp
from core.models.families.classic import POSITIONS
from core.models.families.row import LM_HEADS, UNREAD, Family, Values, also, decoder, usual
from core.models.layout import Block, Prefixed, Stack, View, Weight, linear, size, vector

FAIRSEQ = gqa(names=("q_proj", "k_proj", "v_proj", "out_proj"), bias=True, out_bias=True)


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


FAMILIES = {
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
        usual(768, 12, 12, UNREAD, UNREAD, 3072, 50272, True)
        | also(max_position_embeddings=2048, word_embed_proj_dim=None, do_layer_norm_before=True)
        | also(_remove_final_layer_norm=False, enable_bias=True, layer_norm_elementwise_affine=True),
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
}
