"""Embeddings, norms and heads: what stands around the layers, and between their parts."""

from __future__ import annotations

from collections.abc import Iterator

from core.models.layout import Block, Flag, View, Weight, Width, hidden, linear, vector
from core.models.sizes import Size


def vocabulary(v: View) -> Size:
    """Rows of the token table."""
    return v.V


def embedding(name: str = "model.embed_tokens", rows: Width = vocabulary, width: Width = hidden) -> Block:
    """The token table, one row for each entry of the vocabulary as the file writes it (padding included)."""
    return Block("token embedding", "embedding", lambda v: [Weight(f"{name}.weight", (rows(v), width(v)), "embedding")])


def table(term: str, name: str, rows: Width, width: Width = hidden) -> Block:
    """A further table that is looked up: positions, token types."""
    return Block(term, "embedding", lambda v: [Weight(name, (rows(v), width(v)), "table")])


def rms(name: str, width: Width = hidden, term: str = "norms") -> Block:
    """A norm with a weight and no bias."""
    return Block(term, "norm", lambda v: [vector(f"{name}.weight", width(v))])


def layer_norm(name: str, width: Width = hidden, bias: Flag = True, term: str = "norms") -> Block:
    """A norm with a weight and a bias."""

    def weights(v: View) -> Iterator[Weight]:
        yield vector(f"{name}.weight", width(v))
        if v.flag(bias):
            yield vector(f"{name}.bias", width(v))

    return Block(term, "norm", weights)


def pre_norms(*names: str) -> tuple[Block, ...]:
    """RMS norms of the model's width; the usual two of a layer where no names are given."""
    return tuple(rms(name) for name in names or ("input_layernorm", "post_attention_layernorm"))


def pre_layer_norms(*names: str) -> tuple[Block, ...]:
    """Layer norms with bias of the model's width; the usual two of a layer where no names are given."""
    return tuple(layer_norm(name) for name in names or ("input_layernorm", "post_attention_layernorm"))


def head(name: str = "lm_head", bias: Flag = False, width: Width = hidden) -> Block:
    """The projection to the vocabulary; without its matrix where it is tied to the token table."""

    def weights(v: View) -> Iterator[Weight]:
        if not v.arch.tied:
            yield Weight(f"{name}.weight", (v.V, width(v)), "head")
        if v.flag(bias):
            yield vector(f"{name}.bias", v.V)

    return Block("head", "head", weights)


def labels(v: View) -> Size:
    """Number of classes that a classifier tells apart."""
    return v.size("num_labels", "n")


def one(v: View) -> Size:
    """A single output, as a reward model has."""
    return v.named("1", 1)


def two(v: View) -> Size:
    """Start and end of an answer."""
    return v.named("2", 2)


def project(name: str, rows: Width, columns: Width = hidden, bias: Flag = True, term: str = "head") -> Block:
    """A linear layer outside the stack: a classifier, a pooler, a transform before the head."""
    group = "head" if term == "head" else term.split()[0] if term.split()[0] in GROUPS else "head"
    return Block(term, group, lambda v: linear(name, rows(v), columns(v), v.flag(bias)))


GROUPS = ("embedding", "projector", "vision", "audio", "head", "pooler")
