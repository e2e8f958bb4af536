"""Encoders of the BERT kind, and encoder-decoders.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type. The pooler stands
on the plain model and on whole-sequence classifiers, not on a masked language model.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import full_heads, gqa
from core.models.blocks.ends import embedding, labels, layer_norm, one, project, table, two
from core.models.blocks.feedforward import glu, mlp
from core.models.families.row import UNREAD, Family, also, usual
from core.models.layout import (
    Block,
    Choice,
    Layout,
    Prefixed,
    Stack,
    View,
    Weight,
    Width,
    by_case,
    hidden,
    linear,
    size,
    vector,
)

POSITIONS = size("max_position_embeddings", "P")
NARROW = size("embedding_size", "e")
KEYS = {"max_position_embeddings": 512, "type_vocab_size": 2}


def token_types(width: Width = hidden) -> Block:
    """The token type table, which some files leave out with 0."""

    def weights(v: View) -> Iterator[Weight]:
        if v.number("type_vocab_size"):
            yield Weight("embeddings.token_type_embeddings.weight", (v.size("type_vocab_size", "T"), width(v)), "table")

    return Block("token type table", "embedding", weights)


def to_vocabulary(name: str, bias: str, width: Width = hidden, twice: bool = True) -> Block:
    """The masked model's projection to the vocabulary: a bias, and a matrix where it is not tied.

    `twice`: the matrix then has a bias of its own beside that of the model.
    """

    def weights(v: View) -> Iterator[Weight]:
        if not v.arch.tied:
            yield Weight(f"{name}.weight", (v.V, width(v)), "head")
            if twice:
                yield vector(f"{name}.bias", v.V)
        yield vector(bias, v.V)

    return Block("head", "head", weights)


def self_attention(names: tuple[str, str, str], out: str, norm: str) -> tuple[Block, ...]:
    return (gqa("attention", (*names, out), bias=True, out_bias=True), layer_norm(f"attention.{norm}"))


BERT_LAYER = (
    *self_attention(("self.query", "self.key", "self.value"), "output.dense", "output.LayerNorm"),
    mlp("", ("intermediate.dense", "output.dense")),
    layer_norm("output.LayerNorm"),
)


def _bert(prefix: str, width: Width = hidden, *more: Block) -> Layout:
    """V·h + P·h + T·h + 2h + L·(4h² + 4h + MLP + 4h)."""
    return (
        Prefixed(
            f"{prefix}.",
            (
                embedding("embeddings.word_embeddings", width=width),
                table("position table", "embeddings.position_embeddings.weight", POSITIONS, width),
                token_types(width),
                layer_norm("embeddings.LayerNorm", width, term="embedding norm"),
                *more,
                Stack("encoder.layer", BERT_LAYER),
            ),
        ),
    )


def transform(path: str, dense: str, norm: str, width: Width = hidden) -> tuple[Block, ...]:
    """A layer and a norm between the encoder and the vocabulary."""
    return (project(f"{path}{dense}", width, hidden), layer_norm(f"{path}{norm}", width, term="head's norm"))


def pooler(name: str) -> Block:
    return project(name, hidden, hidden, term="pooler")


BERT_POOLER = pooler("bert.pooler.dense")
BERT_MLM = (
    *transform("cls.predictions.transform.", "dense", "LayerNorm"),
    to_vocabulary("cls.predictions.decoder", "cls.predictions.bias"),
)
ROBERTA_MLM = (*transform("lm_head.", "dense", "layer_norm"), to_vocabulary("lm_head.decoder", "lm_head.bias"))
DENSE_CLASSIFIER = (project("classifier.dense", hidden), project("classifier.out_proj", labels))
ROBERTA_HEADS = {
    "masked": ROBERTA_MLM,
    "none": (pooler("roberta.pooler.dense"),),
    "classify": DENSE_CLASSIFIER,
    "token": (project("classifier", labels),),
    "answer": (project("qa_outputs", two),),
}


def _electra_projection(v: View) -> Iterator[Weight]:
    if v.number("embedding_size") != v.arch.hidden:
        yield from linear("embeddings_project", v.h, NARROW(v), True)


MODERNBERT = (
    Prefixed(
        "model.",
        (
            embedding("embeddings.tok_embeddings"),
            layer_norm("embeddings.norm", bias="norm_bias", term="embedding norm"),
            Stack(
                "layers",
                (
                    Choice(
                        lambda v: ["first"] + ["later"] * (v.arch.layers - 1),
                        by_case({"first": (), "later": (layer_norm("attn_norm", bias="norm_bias"),)}),
                    ),
                    full_heads("attn", "Wqkv", "Wo", bias="attention_bias"),
                    layer_norm("mlp_norm", bias="norm_bias"),
                    glu(names=("", "", "Wo"), fused="Wi", bias="mlp_bias"),
                ),
            ),
            layer_norm("final_norm", bias="norm_bias", term="final norm"),
        ),
    ),
)
MODERN_HEAD = (
    project("head.dense", hidden, bias="classifier_bias"),
    layer_norm("head.norm", bias="norm_bias", term="head's norm"),
)


def _modern_decoder(v: View) -> Iterator[Weight]:
    if not v.arch.tied:
        yield Weight("decoder.weight", (v.V, v.h), "head")
    if v.flag("decoder_bias"):
        yield vector("decoder.bias", v.V)


FAMILIES = {
    "bert": Family(
        _bert("bert"),
        usual(768, 12, 12, UNREAD, UNREAD, 3072, 30522, True, **KEYS),
        heads={
            "masked": BERT_MLM,
            "pretraining": (BERT_POOLER, *BERT_MLM, project("cls.seq_relationship", two)),
            "none": (BERT_POOLER,),
            "classify": (BERT_POOLER, project("classifier", labels)),
            "token": (project("classifier", labels),),
            "answer": (project("qa_outputs", two),),
            "choice": (BERT_POOLER, project("classifier", one)),
            "next": (BERT_POOLER, project("cls.seq_relationship", two)),
        },
        head="masked",
        class_name="BertForMaskedLM",
    ),
    "roberta": Family(
        _bert("roberta"),
        usual(768, 12, 12, UNREAD, UNREAD, 3072, 50265, True, **KEYS),
        heads=ROBERTA_HEADS,
        head="masked",
        class_name="RobertaForMaskedLM",
    ),
    "xlm-roberta": Family(
        _bert("roberta"),
        usual(768, 12, 12, UNREAD, UNREAD, 3072, 30522, True, **KEYS),
        heads=ROBERTA_HEADS,
        head="masked",
        class_name="XLMRobertaForMaskedLM",
        like="roberta",
    ),
    "electra": Family(
        _bert("electra", NARROW, Block("embedding projection", "embedding", _electra_projection)),
        usual(256, 12, 4, UNREAD, UNREAD, 1024, 30522, True, embedding_size=128, **KEYS),
        heads={
            "masked": (
                layer_norm("generator_predictions.LayerNorm", NARROW, term="head's norm"),
                project("generator_predictions.dense", NARROW, hidden),
                to_vocabulary("generator_lm_head", "generator_lm_head.bias", NARROW, twice=False),
            ),
            "pretraining": (
                project("discriminator_predictions.dense", hidden),
                project("discriminator_predictions.dense_prediction", one),
            ),
            "none": (),
            "classify": DENSE_CLASSIFIER,
            "token": (project("classifier", labels),),
            "answer": (project("qa_outputs", two),),
        },
        head="masked",
        class_name="ElectraForMaskedLM",
    ),
    "distilbert": Family(
        (
            Prefixed(
                "distilbert.",
                (
                    embedding("embeddings.word_embeddings"),
                    table("position table", "embeddings.position_embeddings.weight", POSITIONS),
                    layer_norm("embeddings.LayerNorm", term="embedding norm"),
                    Stack(
                        "transformer.layer",
                        (
                            gqa("attention", ("q_lin", "k_lin", "v_lin", "out_lin"), bias=True, out_bias=True),
                            layer_norm("sa_layer_norm"),
                            mlp("ffn", ("lin1", "lin2")),
                            layer_norm("output_layer_norm"),
                        ),
                    ),
                ),
            ),
        ),
        usual(768, 6, 12, UNREAD, UNREAD, 3072, 30522, True, max_position_embeddings=512),
        heads={
            "masked": (
                *transform("", "vocab_transform", "vocab_layer_norm"),
                to_vocabulary("vocab_projector", "vocab_projector.bias", twice=False),
            ),
            "none": (),
            "classify": (project("pre_classifier", hidden), project("classifier", labels)),
            "token": (project("classifier", labels),),
            "answer": (project("qa_outputs", two),),
        },
        spelled={
            "hidden_size": ("dim",),
            "num_hidden_layers": ("n_layers",),
            "num_attention_heads": ("n_heads",),
            "intermediate_size": ("hidden_dim",),
        },
        head="masked",
        class_name="DistilBertForMaskedLM",
    ),
    "modernbert": Family(
        MODERNBERT,
        usual(768, 22, 12, UNREAD, UNREAD, 1152, 50368, True)
        | also(norm_bias=False, attention_bias=False, mlp_bias=False, decoder_bias=True, classifier_bias=False),
        heads={
            "masked": (*MODERN_HEAD, Block("head", "head", _modern_decoder)),
            "none": (),
            "classify": (*MODERN_HEAD, project("classifier", labels)),
            "token": (*MODERN_HEAD, project("classifier", labels)),
            "answer": (*MODERN_HEAD, project("classifier", two)),
        },
        head="masked",
        class_name="ModernBertForMaskedLM",
    ),
}
