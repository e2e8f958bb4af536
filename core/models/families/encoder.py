"""Encoders of the BERT kind, and encoder-decoders.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type. The pooler stands
on the plain model and on whole-sequence classifiers, not on a masked language model.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import full_heads, gqa
from core.models.blocks.ends import embedding, labels, layer_norm, one, project, rms, table, two
from core.models.blocks.feedforward import glu, mlp
from core.models.families.row import UNREAD, Family, Values, usual
from core.models.layout import Block, Choice, Layout, Prefixed, Stack, View, Weight, Width, by_case, hidden, linear, size, vector

POSITIONS = size("max_position_embeddings", "P")
NARROW = size("embedding_size", "e")
KEYS = {"max_position_embeddings": 512, "type_vocab_size": 2}


def _types(width: Width = hidden) -> Block:
    """The token type table, which some files leave out with 0."""

    def weights(v: View) -> Iterator[Weight]:
        if v.number("type_vocab_size"):
            yield Weight("embeddings.token_type_embeddings.weight", (v.size("type_vocab_size", "T"), width(v)), "table")

    return Block("token type table", "embedding", weights)


def _decoder(name: str, bias: str, width: Width = hidden, twice: bool = True) -> Block:
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


def _self_attention(names: tuple[str, str, str], out: str, norm: str) -> tuple[Block, ...]:
    return (gqa("attention", (*names, out), bias=True, out_bias=True), layer_norm(f"attention.{norm}"))


BERT_LAYER = (
    *_self_attention(("self.query", "self.key", "self.value"), "output.dense", "output.LayerNorm"),
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
                _types(width),
                layer_norm("embeddings.LayerNorm", width, term="embedding norm"),
                *more,
                Stack("encoder.layer", BERT_LAYER),
            ),
        ),
    )


def _transform(path: str, dense: str, norm: str, width: Width = hidden) -> tuple[Block, ...]:
    """A layer and a norm between the encoder and the vocabulary."""
    return (project(f"{path}{dense}", width, hidden), layer_norm(f"{path}{norm}", width, term="head's norm"))


def _pooler(name: str) -> Block:
    return project(name, hidden, hidden, term="pooler")


BERT_POOLER = _pooler("bert.pooler.dense")
BERT_MLM = (
    *_transform("cls.predictions.transform.", "dense", "LayerNorm"),
    _decoder("cls.predictions.decoder", "cls.predictions.bias"),
)
ROBERTA_MLM = (*_transform("lm_head.", "dense", "layer_norm"), _decoder("lm_head.decoder", "lm_head.bias"))
DENSE_CLASSIFIER = (project("classifier.dense", hidden), project("classifier.out_proj", labels))
ROBERTA_HEADS = {
    "masked": ROBERTA_MLM,
    "none": (_pooler("roberta.pooler.dense"),),
    "classify": DENSE_CLASSIFIER,
    "token": (project("classifier", labels),),
    "answer": (project("qa_outputs", two),),
}


def _electra_projection(v: View) -> Iterator[Weight]:
    if v.number("embedding_size") != v.arch.hidden:
        yield from linear("embeddings_project", v.h, NARROW(v), True)


ALBERT = (
    Prefixed(
        "albert.",
        (
            embedding("embeddings.word_embeddings", width=NARROW),
            table("position table", "embeddings.position_embeddings.weight", POSITIONS, NARROW),
            _types(NARROW),
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
ALBERT_POOLER = _pooler("albert.pooler")


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
        inputs = v.named("h/groups", v.arch.hidden // max(v.number("conv_groups"), 1)) if v.number("conv_groups") > 1 else v.h
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
            _types(NARROW),
            Block("embedding projection", "embedding", _deberta_projection),
            layer_norm("embeddings.LayerNorm", term="embedding norm"),
            Block("relative positions", "embedding", _deberta_relative),
            Block("convolution", "mixer", _deberta_convolution),
            Stack(
                "encoder.layer",
                (
                    *_self_attention(
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
    *_transform("cls.predictions.transform.", "dense", "LayerNorm", NARROW),
    _decoder("cls.predictions.decoder", "cls.predictions.bias", NARROW),
)

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
                _decoder("generator_lm_head", "generator_lm_head.bias", NARROW, twice=False),
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
                *_transform("", "vocab_transform", "vocab_layer_norm"),
                _decoder("vocab_projector", "vocab_projector.bias", twice=False),
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
    "albert": Family(
        ALBERT,
        usual(
            4096, 12, 64, UNREAD, UNREAD, 16384, 30000, True, embedding_size=128, num_hidden_groups=1,
            inner_group_num=1, **KEYS,
        ),
        heads={
            "masked": (
                *_transform("predictions.", "dense", "LayerNorm", NARROW),
                _decoder("predictions.decoder", "predictions.bias", NARROW),
            ),
            "pretraining": (
                ALBERT_POOLER,
                *_transform("predictions.", "dense", "LayerNorm", NARROW),
                _decoder("predictions.decoder", "predictions.bias", NARROW),
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
        usual(
            1536, 24, 24, UNREAD, UNREAD, 6144, 128100, True, max_position_embeddings=512, type_vocab_size=0,
            embedding_size=None, relative_attention=False, max_relative_positions=-1, position_buckets=-1,
            position_biased_input=True, pos_att_type=None, share_att_key=False, norm_rel_ebd="none",
            conv_kernel_size=0, conv_groups=1, attention_head_size=None,
        ),
        heads={
            "masked": DEBERTA_MLM,
            "none": (),
            "classify": (_pooler("pooler.dense"), project("classifier", labels)),
            "token": (project("classifier", labels),),
            "answer": (project("qa_outputs", two),),
        },
        settle=_deberta_settle,
        head="masked",
        class_name="DebertaV2ForMaskedLM",
    ),
    "modernbert": Family(
        MODERNBERT,
        usual(
            768, 22, 12, UNREAD, UNREAD, 1152, 50368, True, norm_bias=False, attention_bias=False, mlp_bias=False,
            decoder_bias=True, classifier_bias=False,
        ),
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
