"""Encoder-decoders: T5, BART and Whisper.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.models.blocks.attention import gqa
from core.models.blocks.ends import embedding, head, labels, layer_norm, project, rms, table, two
from core.models.blocks.feedforward import mlp
from core.models.families.row import UNREAD, Family, Values, also, usual
from core.models.layout import Block, Layout, Prefixed, Stack, View, Weight, hidden, linear, size, vector

DECODER_DEPTH = size("decoder_layers", "L₂")
DECODER_WIDTH = size("decoder_ffn_dim", "f₂")


def _t5_mlp(sub: int) -> Block:
    path = f"layer.{sub}.DenseReluDense"

    def weights(v: View) -> Iterator[Weight]:
        names = ("wi_0", "wi_1") if v.flag("gated") else ("wi",)
        for name in names:
            yield from linear(f"{path}.{name}", v.f, v.h)
        yield from linear(f"{path}.wo", v.h, v.f)

    return Block("MLP", "mlp", weights)


def _t5_attention(sub: int, name: str, term: str) -> Block:
    return gqa(f"layer.{sub}.{name}", ("q", "k", "v", "o"), term=term)


def _buckets(side: str) -> Block:
    """The first layer's table of relative positions, which all layers use."""
    name = f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
    return Block(
        "relative positions",
        "embedding",
        lambda v: [Weight(name, (v.size("relative_attention_num_buckets", "B"), v.q), "table")],
    )


T5_ENCODER = (
    Stack(
        "encoder.block",
        (
            _t5_attention(0, "SelfAttention", "encoder attention"),
            rms("layer.0.layer_norm", term="encoder norms"),
            _t5_mlp(1)._replace(term="encoder MLP"),
            rms("layer.1.layer_norm", term="encoder norms"),
        ),
    ),
    _buckets("encoder"),
    rms("encoder.final_layer_norm", term="final norm"),
)
T5: Layout = (
    embedding("shared"),
    *T5_ENCODER,
    Stack(
        "decoder.block",
        (
            _t5_attention(0, "SelfAttention", "decoder attention"),
            rms("layer.0.layer_norm", term="decoder norms"),
            _t5_attention(1, "EncDecAttention", "cross attention"),
            rms("layer.1.layer_norm", term="decoder norms"),
            _t5_mlp(2)._replace(term="decoder MLP"),
            rms("layer.2.layer_norm", term="decoder norms"),
        ),
        DECODER_DEPTH,
    ),
    _buckets("decoder"),
    rms("decoder.final_layer_norm", term="final norm"),
)


def _t5_settle(values: Values) -> None:
    if values["decoder_layers"] is None:
        values["decoder_layers"] = values["num_hidden_layers"]
    form = values["feed_forward_proj"]
    values["gated"] = isinstance(form, str) and form.startswith("gated")


def _t5_note(v: View) -> Iterable[str]:
    if not v.arch.tied:
        yield (
            "The file says that the head is not tied, and the count follows it, as T5 1.1 and FLAN checkpoints do; "
            f"transformers 5 ties it all the same, and so builds {v.arch.vocabulary * v.arch.hidden:,} fewer."
        )


def _layer(side: str, key_bias: bool, cross: bool = False) -> tuple[Block, ...]:
    """Self attention, cross attention in a decoder, and an MLP, each with a norm (fairseq's names)."""
    names = ("q_proj", "k_proj", "v_proj", "out_proj")
    more = (
        (
            gqa("encoder_attn", names, True, True, key_bias=key_bias, term="cross attention"),
            layer_norm("encoder_attn_layer_norm", term=f"{side} norms"),
        )
        if cross
        else ()
    )
    width = DECODER_WIDTH if cross else (lambda v: v.f)
    return (
        gqa("self_attn", names, True, True, key_bias=key_bias, term=f"{side} attention"),
        layer_norm("self_attn_layer_norm", term=f"{side} norms"),
        *more,
        mlp("", width=width, term=f"{side} MLP"),
        layer_norm("final_layer_norm", term=f"{side} norms"),
    )


def _own_tables(v: View) -> Iterator[Weight]:
    """BART's sides share one table with the head where it is tied, and else have one each."""
    if not v.arch.tied:
        for side in ("encoder", "decoder"):
            yield Weight(f"{side}.embed_tokens.weight", (v.V, v.h), "table")


POSITIONS = size("max_position_embeddings", "P")
BART: Layout = (
    Prefixed(
        "model.",
        (
            embedding("shared"),
            Block("token tables of each side", "embedding", _own_tables),
            table("position tables", "encoder.embed_positions.weight", lambda v: POSITIONS(v) + 2),
            Stack("encoder.layers", _layer("encoder", True)),
            layer_norm("encoder.layernorm_embedding", term="embedding norms"),
            table("position tables", "decoder.embed_positions.weight", lambda v: POSITIONS(v) + 2),
            Stack("decoder.layers", _layer("decoder", True, cross=True), DECODER_DEPTH),
            layer_norm("decoder.layernorm_embedding", term="embedding norms"),
        ),
    ),
)


def whisper_layers(side: str, key_bias: bool = False) -> tuple[Block, ...]:
    """A layer of Whisper's encoder, whose keys have no bias."""
    return _layer(side, key_bias)


def whisper_encoder(prefix: str) -> Layout:
    """Two convolutions over the spectrum, fixed positions kept as a parameter, layers, and a norm."""

    def front(v: View) -> Iterator[Weight]:
        yield Weight("conv1.weight", (v.h, v.size("num_mel_bins", "M"), 3), "convolution")
        yield vector("conv1.bias", v.h)
        yield Weight("conv2.weight", (v.h, v.h, 3), "convolution")
        yield vector("conv2.bias", v.h)

    return (
        Prefixed(
            prefix,
            (
                Block("spectrum convolutions", "audio", front),
                table("encoder positions", "embed_positions.weight", size("max_source_positions", "S")),
                Stack("layers", _layer("encoder", False)),
                layer_norm("layer_norm", term="final norm"),
            ),
        ),
    )


WHISPER: Layout = (
    *whisper_encoder("model.encoder."),
    Prefixed(
        "model.decoder.",
        (
            embedding("embed_tokens"),
            table("decoder positions", "embed_positions.weight", size("max_target_positions", "T")),
            Stack("layers", _layer("decoder", False, cross=True), DECODER_DEPTH),
            layer_norm("layer_norm", term="final norm"),
        ),
    ),
)
SIDES = {
    "hidden_size": ("d_model",),
    "num_hidden_layers": ("encoder_layers",),
    "num_attention_heads": ("encoder_attention_heads",),
    "intermediate_size": ("encoder_ffn_dim",),
}

CLASSIFIER = (project("classification_head.dense", hidden), project("classification_head.out_proj", labels))

FAMILIES = {
    "t5": Family(
        T5,
        usual(512, 6, 8, UNREAD, 64, 2048, 32128, True)
        | also(decoder_layers=None, feed_forward_proj="relu", relative_attention_num_buckets=32),
        heads={
            "lm": (head(),),
            "none": (),
            "encoder": (),
            "classify": CLASSIFIER,
            "token": (project("classifier", labels),),
            "answer": (project("qa_outputs", two),),
        },
        bodies={kind: (embedding("shared"), *T5_ENCODER) for kind in ("encoder", "token")},
        spelled={
            "hidden_size": ("d_model",),
            "num_hidden_layers": ("num_layers",),
            "num_attention_heads": ("num_heads",),
            "head_dim": ("d_kv",),
            "intermediate_size": ("d_ff",),
            "decoder_layers": ("num_decoder_layers",),
        },
        settle=_t5_settle,
        quirks=_t5_note,
        class_name="T5ForConditionalGeneration",
    ),
    "bart": Family(
        BART,
        usual(1024, 12, 16, UNREAD, UNREAD, 4096, 50265, True)
        | also(max_position_embeddings=1024, decoder_layers=12, decoder_ffn_dim=4096, num_labels=3),
        heads={
            "lm": (head(),),
            "none": (),
            "classify": CLASSIFIER,
            "answer": (project("qa_outputs", two),),
        },
        spelled=SIDES,
        class_name="BartForConditionalGeneration",
    ),
    "whisper": Family(
        WHISPER,
        usual(384, 4, 6, UNREAD, UNREAD, 1536, 51865, True)
        | also(decoder_layers=4, decoder_ffn_dim=1536, num_mel_bins=80, max_source_positions=1500)
        | also(max_target_positions=448),
        heads={"lm": (head("proj_out"),), "none": ()},
        spelled=SIDES,
        class_name="WhisperForConditionalGeneration",
    ),
}
