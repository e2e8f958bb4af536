"""The activation formula that people compare with: s·b·h·(34 + 5·a·s/h) a layer, and why PyTorch keeps something else.

Korthikanti et al. 2022, "Reducing Activation Recomputation in Large Transformer Models", section 4.1 and equations 1
(none), 2 (full, 2·s·b·h) and 6 (selective, 34·s·b·h), without tensor parallelism: 16-bit activations, dropout, f = 4h.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from core.memory.activations import SavedTensors
from core.memory.passes import Pass
from core.memory.rows import SavedTensor

PaperRecompute = Literal["none", "selective", "full"]
Group = Literal["norms", "attention inputs", "attention scores", "MLP", "dropout masks", "head and loss", "other"]


class PaperTerm(msgspec.Struct, frozen=True):
    """`each` bytes for each element of `shape` in a layer."""

    group: Group
    tensor: str
    each: int
    shape: tuple[str, ...]


TERMS: tuple[PaperTerm, ...] = (
    PaperTerm("norms", "inputs of both LayerNorms", 4, ("s", "b", "h")),
    PaperTerm("attention inputs", "shared input of queries, keys and values", 2, ("s", "b", "h")),
    PaperTerm("attention inputs", "queries and keys", 4, ("s", "b", "h")),
    PaperTerm("attention inputs", "values", 2, ("s", "b", "h")),
    PaperTerm("attention inputs", "input of the output projection", 2, ("s", "b", "h")),
    PaperTerm("attention scores", "softmax", 2, ("a", "s", "s", "b")),
    PaperTerm("attention scores", "dropout mask of the weights", 1, ("a", "s", "s", "b")),
    PaperTerm("attention scores", "weights after dropout", 2, ("a", "s", "s", "b")),
    PaperTerm("MLP", "input of the first linear", 2, ("s", "b", "h")),
    PaperTerm("MLP", "GELU input, four times as wide", 8, ("s", "b", "h")),
    PaperTerm("MLP", "GELU output, four times as wide", 8, ("s", "b", "h")),
    PaperTerm("dropout masks", "after attention and after the MLP", 2, ("s", "b", "h")),
)


def paper_bytes(run: Pass, recompute: PaperRecompute = "none") -> int:
    """The formula for all layers of a pass."""
    return sum(_term_bytes(term, run) for term in _kept(recompute))


def _kept(recompute: PaperRecompute) -> tuple[PaperTerm, ...]:
    if recompute == "full":
        return (PaperTerm("other", "input of the layer", 2, ("s", "b", "h")),)
    if recompute == "selective":
        return tuple(term for term in TERMS if term.group != "attention scores")
    return TERMS


def _term_bytes(term: PaperTerm, run: Pass) -> int:
    dim = run.dimensions
    size = {"s": run.seq_len, "b": run.micro_batch, "h": dim.hidden, "a": dim.heads}
    total = term.each * dim.layers
    for letter in term.shape:
        total *= size[letter]
    return total


class Difference(msgspec.Struct, frozen=True):
    """One group of tensors: by the paper, as PyTorch keeps them, and the reasons why they differ."""

    group: Group
    paper: int
    saved: int
    reasons: tuple[str, ...]

    @property
    def bytes(self) -> int:
        """What PyTorch keeps more (less where negative)."""
        return self.saved - self.paper


def compare(kept: SavedTensors, recompute: PaperRecompute = "none") -> tuple[Difference, ...]:
    """The paper's formula against a pass's saved tensors, group by group; their sums differ by all that is kept."""
    paper: dict[Group, int] = {}
    for term in _kept(recompute):
        paper[term.group] = paper.get(term.group, 0) + _term_bytes(term, kept.run)
    ours: dict[Group, list[SavedTensor]] = {}
    for tensor in kept.tensors:
        ours.setdefault(_group(tensor), []).append(tensor)
    found = []
    for group in ("norms", "attention inputs", "attention scores", "MLP", "dropout masks", "head and loss", "other"):
        by_paper, tensors = paper.get(group, 0), ours.get(group, [])
        size = sum(tensor.bytes for tensor in tensors)
        if by_paper or size:
            reasons = () if by_paper == size else _reasons(group, kept)
            if by_paper < size and recompute != "none" and group not in paper:
                reasons = ("The formula leaves out what is computed again.", *reasons)
            found.append(Difference(group, by_paper, size, reasons))
    return tuple(found)


def _group(tensor: SavedTensor) -> Group:
    row = tensor.row
    if row.category in ("weight cast", "checkpoint", "position") or row.where == "embedding":
        return "other"
    if row.where in ("head", "loss"):
        return "head and loss"
    if row.shape.count("s") == 2:
        return "attention scores"
    groups: dict[str, Group] = {
        "norm": "norms", "attention": "attention inputs", "mlp": "MLP", "dropout": "dropout masks"
    }  # fmt: skip
    return groups.get(row.category, "other")


def _reasons(group: Group, kept: SavedTensors) -> tuple[str, ...]:
    run, family = kept.run, kept.setting.family
    wide = {
        "fp32": "Everything is in 32 bits; the paper counts 16.",
        "autocast": "Autocast keeps the residual stream in 32 bits and a 16-bit copy for each linear that reads it.",
        "bf16": "",
    }[run.precision]
    found: list[str] = [wide] if group not in ("dropout masks", "head and loss", "other") else []
    if group == "norms":
        if family.norm == "layernorm":
            found.append("LayerNorm also keeps a mean and 1/σ in 32 bits for each token, which the paper leaves out.")
        else:
            found.append("RMSNorm is written in Python: it keeps its input in 32 bits and the normalised values.")
        if family.residual == "sandwich":
            found.append("There are four norms in a layer.")
        if family.residual == "parallel":
            found.append("Both branches read one input.")
        if family.qk_norm:
            found.append("Queries and keys are normalised by head.")
    elif group == "attention inputs":
        if run.dimensions.kv_heads != run.dimensions.heads:
            found.append("Keys and values have fewer heads than queries.")
        if run.dimensions.heads * run.dimensions.head_dim != run.dimensions.hidden:
            found.append("The heads are not as wide together as the hidden size.")
        if family.joined and kept.kernel == "flash":
            found.append("The fused projection stays alive, since values are a view of it.")
        if kept.kernel != "eager":
            found.append("A fused kernel keeps its output and a log-sum-exp for each query.")
    elif group == "attention scores":
        if kept.kernel in ("flash", "efficient"):
            found.append("A fused kernel computes the scores again instead of keeping them.")
        elif not kept.setting.drops("attention"):
            found.append("Without dropout there is no mask and no second copy of the weights.")
        if kept.kernel == "eager" and family.softmax == "fp32":
            found.append("The softmax is taken in 32 bits.")
    elif group == "MLP":
        if run.dimensions.mlp != 4 * run.dimensions.hidden:
            found.append("The MLP is not four times the hidden size.")
        found += {
            "gelu_python": ["GELU is written in Python and keeps five tensors."],
            "relu": ["ReLU keeps its output alone."],
            "gelu": [],
            "experts": ["Each token passes several experts, whose inputs, outputs and order are kept."],
        }.get(family.mlp, ["A gated MLP keeps four tensors of its width."])
    elif group == "dropout masks":
        found.append("Dropout is off." if not kept.setting.dropout else "Not all of the paper's dropouts are there.")
    elif group == "head and loss":
        found.append("The paper counts layers alone; head and loss keep the log-probabilities of the vocabulary.")
    else:
        found.append("Positions, rotary tables and what embeddings keep are not in the formula.")
        if run.precision == "autocast":
            found.append("Autocast keeps 16-bit copies of the weights from forward to backward.")
    return tuple(reason for reason in found if reason)
