"""How many parameters an architecture has, and of what they consist."""

from __future__ import annotations

from typing import Any

import msgspec

from core.models.architecture import Architecture
from core.models.expand import Item, expand, layer_size
from core.models.families import families
from core.models.layout import View
from core.models.sizes import product, total


class Term(msgspec.Struct, frozen=True):
    """One line of the account: `count` parameters, of which one token uses `active`, in `layers` layers (1: once).

    `formula` is in letters (Dimensions gives the usual ones), `figures` the same with this model's numbers.
    """

    name: str
    group: str
    count: int
    active: int
    layers: int
    formula: str
    figures: str

    @property
    def per_layer(self) -> int:
        """Parameters in one of its layers."""
        return self.count // self.layers if self.layers else 0


class Count(msgspec.Struct, frozen=True):
    """Parameters, a tied matrix once, no buffers. `terms` sum to `total`.

    `active` are those that one token uses, all embeddings included; publishers differ, so the two narrower figures
    stand beside it. `embedding` is the token table, `head` the matrix to the vocabulary (0 where tied or none).
    """

    terms: tuple[Term, ...]
    total: int
    active: int
    active_without_input_embedding: int
    active_without_embeddings: int
    embedding: int
    head: int
    tied: bool
    notes: tuple[str, ...]


def count(arch: Architecture) -> Count:
    """Counts the parameters of a model. Raises ModelFileError where its fields contradict each other."""
    items = expand(arch)
    terms = _terms(items)
    whole, active = sum(term.count for term in terms), sum(term.active for term in terms)
    embedding = sum(_numel(item) for item in items if item.weight.kind == item.group == "embedding")
    head = sum(_numel(item) for item in items if item.weight.kind == item.group == "head")
    return Count(
        terms=terms,
        total=whole,
        active=active,
        active_without_input_embedding=active - embedding,
        active_without_embeddings=active - embedding - head,
        embedding=embedding,
        head=head,
        tied=arch.tied and arch.head in HEADS,
        notes=(*arch.notes, *_quirks(arch)),
    )


def count_report(arch: Architecture, counted: Count) -> dict[str, Any]:
    """The JSON of a count: plain numbers, texts and lists."""
    return {
        "schema": 1,
        "model_type": arch.model_type,
        "name": arch.name,
        "class": arch.class_name,
        "total": counted.total,
        "active": counted.active,
        "active_without_input_embedding": counted.active_without_input_embedding,
        "active_without_embeddings": counted.active_without_embeddings,
        "embedding": counted.embedding,
        "head": counted.head,
        "tied": counted.tied,
        "dtype": arch.dtype or None,
        "quantisation": msgspec.to_builtins(arch.quantisation),
        "dimensions": {
            "hidden": arch.hidden,
            "layers": arch.layers,
            "heads": arch.heads,
            "kv_heads": arch.kv_heads,
            "head_dim": arch.head_dim,
            "mlp": arch.mlp,
            "vocabulary": arch.vocabulary,
        },
        "terms": [
            {
                "name": term.name,
                "group": term.group,
                "count": term.count,
                "active": term.active,
                "layers": term.layers,
                "formula": term.formula,
                "figures": term.figures,
            }
            for term in counted.terms
        ],
        "notes": list(counted.notes),
    }


HEADS = ("lm", "masked", "pretraining")
"""Kinds of head that reach the vocabulary."""


def _quirks(arch: Architecture) -> list[str]:
    rows = [families()[name] for name in dict.fromkeys((arch.model_type, arch.family))]
    notes = [note for row in rows if row.quirks for note in row.quirks(View(arch))]
    if arch.fields.get("num_experts") and not arch.fields.get("num_experts_per_tok"):
        notes.append("The file does not say how many experts a token passes: all of them are counted as active.")
    return [note for row in rows if row.mtp for note in _prediction_layers(arch, row.mtp)] + notes


def _prediction_layers(arch: Architecture, key: str) -> list[str]:
    """Layers that predict further tokens: one more layer each, 2·h² to join its inputs, and 3·h of norms."""
    extra = View(arch).number(key)
    if not extra:
        return []
    pattern = arch.fields.get("mtp_layers_block_type") or [None]
    layers = sum(layer_size(arch, case) for case in pattern)
    size = extra * (layers + 2 * arch.hidden**2 + 3 * arch.hidden)
    one = "layer" if extra == 1 else "layers"
    held = f"about {size:,} parameters (a layer of the model, 2·h² and 3·h each)"
    note = f"The file names {extra} multi-token prediction {one}, which checkpoints and some published totals hold"
    return [f"{note} and this count does not: {held}."]


def _numel(item: Item) -> int:
    number = item.copies
    for side in item.weight.shape:
        number *= int(side)
    return number


def _active(item: Item) -> int:
    """Of routed experts a token uses some, where the file says how many; of everything else, all."""
    experts, used = item.weight.experts, item.weight.used
    return _numel(item) // experts * used if 0 < used < experts else _numel(item)


def _terms(items: list[Item]) -> tuple[Term, ...]:
    """One term for each part of a stack, layers that agree taken together."""
    parts: dict[tuple[str, str, str], dict[str, list[Item]]] = {}
    for item in items:
        parts.setdefault((item.stack, item.term, item.case), {}).setdefault(item.name, []).append(item)
    terms = (_term(case, named) for (_, _, case), named in parts.items())
    return tuple(term for term in terms if term.count)


def _term(case: str, named: dict[str, list[Item]]) -> Term:
    first = next(iter(named.values()))
    copies = sum(item.copies for item in first)
    one = total(product(same[0].weight.shape) for same in named.values())
    depth = first[0].depth
    letters, figures = one.in_letters(), one.in_figures()
    some = bool(case) and copies != depth.value
    if first[0].stack:
        times = depth.in_letters() + (_subscript(case) if some else "")
        letters = f"{times}·({letters})" if one.is_sum else f"{times}·{letters}"
        figures = f"{copies:,} × ({figures})" if one.is_sum else f"{copies:,} × {figures}"
    return Term(
        name=f"{first[0].term} ({case})" if some else first[0].term,
        group=first[0].group,
        count=one.value * copies,
        active=sum(_active(item) for same in named.values() for item in same),
        layers=copies,
        formula=letters,
        figures=figures,
    )


def _subscript(case: str) -> str:
    return f"_{case}" if case.isidentifier() else f"[{case}]"
