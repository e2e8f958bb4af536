"""The shape of a family's row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from core.models.blocks.ends import embedding as token_table
from core.models.blocks.ends import head, labels, one, pre_norms, project, rms, two, vocabulary
from core.models.layout import SEVEN, Block, Choice, Layout, Prefixed, Stack, View, Width

Values = dict[str, Any]
"""A configuration's fields by their usual names, class defaults filled in."""

NORMS = ("input_layernorm", "post_attention_layernorm")

LM_HEADS: Mapping[str, tuple[Block, ...]] = {
    "lm": (head(),),
    "none": (),
    "classify": (project("score", labels, bias=False),),
    "token": (project("score", labels),),
    "answer": (project("qa_outputs", two),),
    "reward": (project("v_head", one, bias=False),),
}
"""What stands on a decoder, by the kind of class that `architectures` names."""


class Nested(NamedTuple):
    """A model inside a model: under which keys of the file it may stand, and its type where it does not say.

    A dot parts the steps of a way through several objects. `optional`: absent or null means that the model has
    none; else its class defaults are used. `flat`: old files keep its keys at their root. `follow`: any known type
    that the nested file states is taken. `absent` is what the class builds where the nested file is absent. `over`
    names a further object whose keys win.
    """

    keys: tuple[str, ...]
    model_type: str
    optional: bool = False
    flat: bool = False
    follow: bool = False
    absent: Mapping[str, Any] = {}
    over: str = ""


class Family(NamedTuple):
    """One model type.

    `defaults` are those of its configuration class in transformers 5.24.0 (or of the authors' own code, for types
    that transformers lacks), for every key that the layout reads and no other. `spelled` gives a key's other
    spellings in files of this type. `settle` completes the values where a key's meaning depends on others.
    `quirks` yields notes about counts that differ from what is published. `bodies` are layouts for kinds of class
    that lack a part of the model, `classes` the kinds of class whose name does not tell. `even_heads`: heads must
    divide the width where no head size is given. `either_tie`: a true flag of the nested text model ties too.
    `like` names the type whose layers these are, where only defaults or spellings differ. `mtp` names the key that
    counts layers of multi-token prediction, which checkpoints hold and transformers does not build.
    """

    body: Layout
    defaults: Mapping[str, Any]
    heads: Mapping[str, tuple[Block, ...]] = LM_HEADS
    spelled: Mapping[str, tuple[str, ...]] = {}
    head: str = "lm"
    class_name: str = ""
    text: Nested | None = None
    towers: Mapping[str, Nested] = {}
    settle: Callable[[Values], None] | None = None
    quirks: Callable[[View], Iterable[str]] | None = None
    bodies: Mapping[str, Layout] = {}
    classes: Mapping[str, str] = {}
    even_heads: bool = True
    either_tie: bool = False
    like: str = ""
    mtp: str = ""


def usual(
    hidden: int,
    layers: Any,
    heads: Any,
    kv_heads: Any,
    head_dim: Any,
    mlp: Any,
    vocabulary: Any,
    tied: Any = False,
    **more: Any,
) -> Values:
    """A class's defaults in the usual order: h, L, q, k, d, f, V; then the tie flag and whatever else is read.

    None stands for null: computed from the others. UNREAD stands for a key that files of this type do not have.
    """
    seven = zip(SEVEN, (hidden, layers, heads, kv_heads, head_dim, mlp, vocabulary), strict=True)
    return {**{key: value for key, value in seven if value is not UNREAD}, "tie_word_embeddings": tied, **more}


def mixture(experts: int | None, used: int | None, *width: int | None) -> Values:
    """Defaults of a mixture: experts, those that a token passes, and their width where it is not the MLP's."""
    more = {"moe_intermediate_size": width[0]} if width else {}
    return {"num_experts": experts, "num_experts_per_tok": used, **more}


def also(**values: Any) -> Values:
    """Further defaults."""
    return values


UNREAD = object()
"""A key that files of this type do not have."""


def untied(values: Values) -> None:
    """Classes that never tie, whatever the file says."""
    values["tie_word_embeddings"] = False


def four_times(values: Values) -> None:
    """Where the MLP's width is null it is four times the model's."""
    if values.get("intermediate_size") is None:
        values["intermediate_size"] = 4 * values["hidden_size"]


def decoder(
    *layer: Block | Choice,
    norms: tuple[Block, ...] = pre_norms(*NORMS),
    embedding: str = "embed_tokens",
    layers: str = "layers",
    final: tuple[Block, ...] = (rms("norm", term="final norm"),),
    before: tuple[Block, ...] = (),
    prefix: str = "model",
    rows: Width = vocabulary,
) -> Layout:
    """V·h + L·(layer + norms) + final norm: the usual decoder. `before` are further tables and norms in front."""
    return (Prefixed(f"{prefix}.", (token_table(embedding, rows), *before, Stack(layers, (*layer, *norms)), *final)),)
