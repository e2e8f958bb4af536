"""ALBERT, whose layers share their parameters, and DeBERTa, whose positions are relative.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import gqa
from core.models.blocks.ends import embedding, labels, layer_norm, project, table, two
from core.models.blocks.feedforward import mlp
from core.models.families.encoder import (
    KEYS,
    NARROW,
    POSITIONS,
    pooler,
    self_attention,
    to_vocabulary,
    token_types,
    transform,
)
from core.models.families.row import UNREAD, Family, Values, also, usual
from core.models.layout import (
    Block,
    Prefixed,
    Stack,
    View,
    Weight,
    hidden,
    linear,
    vector,
)

ALBERT = (
    Prefixed(
        "albert.",
        (
            embedding("embeddings.word_embeddings", width=NARROW),
            table("position table", "embeddings.position_embeddings.weight", POSITIONS, NARROW),
            token_types(NARROW),
            layer_norm("embeddings.LayerNorm", NARROW, term="embedding norm"),
            project("encoder.embedding_hidden_mapping_in", hidden, NARROW, term="embedding projection"),
            Stack(
                "encoder.albert_layer_groups.*.albert_layers",
                (
                    layer_norm("full_layer_layer_norm"),
                    gqa("attention", ("query", "key", "value", "dense"), bias=True, out_bias=True),
                    layer_norm("attention.LayerNorm"),
                    mlp("", ("ffn", "ffn_output")),
                ),
                depth=lambda v: v.named("g", v.number("num_hidden_groups") * v.number("inner_group_num")),
            ),
        ),
    ),
)


ALBERT_POOLER = pooler("albert.pooler")


def _albert_note(v: View) -> list[str]:
    groups = v.number("num_hidden_groups") * v.number("inner_group_num")
    return [f"All {v.arch.layers} layers share the parameters of {groups}: these are counted once."]


def _deberta_settle(values: Values) -> None:
    if values["embedding_size"] is None:
        values["embedding_size"] = values["hidden_size"]
    if values["attention_head_size"] is not None:
        values["head_dim"] = values["attention_head_size"]


def _deberta_ends(v: View) -> Iterator[Weight]:
    if v.flag("position_biased_input"):
        yield Weight("embeddings.position_embeddings.weight", (POSITIONS(v), NARROW(v)), "table")


def _deberta_projection(v: View) -> Iterator[Weight]:
    if v.number("embedding_size") != v.arch.hidden:
        yield from linear("embeddings.embed_proj", v.h, NARROW(v))


def _deberta_relative(v: View) -> Iterator[Weight]:
    """Positions relative to the token: 2·buckets rows where buckets are given, else 2·the farthest position."""
    if v.flag("relative_attention"):
        farthest = v.number("max_relative_positions")
        reach = farthest if farthest >= 1 else v.number("max_position_embeddings")
        rows = v.number("position_buckets") if v.number("position_buckets") > 0 else reach
        yield Weight("encoder.rel_embeddings.weight", (v.named("B", rows) * 2, v.h), "table")
    if "layer_norm" in str(v.get("norm_rel_ebd")).lower():
        yield vector("encoder.LayerNorm.weight", v.h)
        yield vector("encoder.LayerNorm.bias", v.h)


def _deberta_convolution(v: View) -> Iterator[Weight]:
    width = v.number("conv_kernel_size")
    if width > 0:
        inputs = (
            v.named("h/groups", v.arch.hidden // max(v.number("conv_groups"), 1))
            if v.number("conv_groups") > 1
            else v.h
        )
        yield Weight("encoder.conv.conv.weight", (v.h, inputs, v.named("w", width)), "convolution")
        for name in ("conv.bias", "LayerNorm.weight", "LayerNorm.bias"):
            yield vector(f"encoder.conv.{name}", v.h)


def _deberta_keys(v: View) -> Iterator[Weight]:
    """Projections of relative positions, where they do not share those of the content."""
    kinds = v.get("pos_att_type") or []
    kinds = kinds.split("|") if isinstance(kinds, str) else kinds
    if v.flag("relative_attention") and not v.flag("share_att_key"):
        for kind, name in (("c2p", "pos_key_proj"), ("p2c", "pos_query_proj")):
            if kind in kinds:
                yield from linear(f"attention.self.{name}", v.q * v.d, v.h, True)


DEBERTA = (
    Prefixed(
        "deberta.",
        (
            embedding("embeddings.word_embeddings", width=NARROW),
            Block("position table", "embedding", _deberta_ends),
            token_types(NARROW),
            Block("embedding projection", "embedding", _deberta_projection),
            layer_norm("embeddings.LayerNorm", term="embedding norm"),
            Block("relative positions", "embedding", _deberta_relative),
            Block("convolution", "mixer", _deberta_convolution),
            Stack(
                "encoder.layer",
                (
                    *self_attention(
                        ("self.query_proj", "self.key_proj", "self.value_proj"), "output.dense", "output.LayerNorm"
                    ),
                    Block("relative projections", "attention", _deberta_keys),
                    mlp("", ("intermediate.dense", "output.dense")),
                    layer_norm("output.LayerNorm"),
                ),
            ),
        ),
    ),
)


DEBERTA_MLM = (
    *transform("cls.predictions.transform.", "dense", "LayerNorm", NARROW),
    to_vocabulary("cls.predictions.decoder", "cls.predictions.bias", NARROW),
)

FAMILIES = {
    "albert": Family(
        ALBERT,
        usual(4096, 12, 64, UNREAD, UNREAD, 16384, 30000, True)
        | KEYS
        | also(embedding_size=128, num_hidden_groups=1, inner_group_num=1),
        heads={
            "masked": (
                *transform("predictions.", "dense", "LayerNorm", NARROW),
                to_vocabulary("predictions.decoder", "predictions.bias", NARROW),
            ),
            "pretraining": (
                ALBERT_POOLER,
                *transform("predictions.", "dense", "LayerNorm", NARROW),
                to_vocabulary("predictions.decoder", "predictions.bias", NARROW),
                project("sop_classifier.classifier", labels),
            ),
            "none": (ALBERT_POOLER,),
            "classify": (ALBERT_POOLER, project("classifier", labels)),
            "token": (project("classifier", labels),),
            "answer": (project("qa_outputs", two),),
        },
        head="masked",
        quirks=_albert_note,
        class_name="AlbertForMaskedLM",
    ),
    "deberta-v2": Family(
        DEBERTA,
        usual(1536, 24, 24, UNREAD, UNREAD, 6144, 128100, True)
        | also(max_position_embeddings=512, type_vocab_size=0, embedding_size=None, relative_attention=False)
        | also(max_relative_positions=-1, position_buckets=-1, position_biased_input=True, pos_att_type=None)
        | also(share_att_key=False, norm_rel_ebd="none", conv_kernel_size=0, conv_groups=1)
        | also(attention_head_size=None),
        heads={
            "masked": DEBERTA_MLM,
            "none": (),
            "classify": (pooler("pooler.dense"), project("classifier", labels)),
            "token": (project("classifier", labels),),
            "answer": (project("qa_outputs", two),),
        },
        settle=_deberta_settle,
        head="masked",
        class_name="DebertaV2ForMaskedLM",
    ),
}
