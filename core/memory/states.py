"""Bytes of optimizer states and of frozen or adapted weights, tensor by tensor."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import prod

import msgspec

from core.memory.optimizers import RULES, Rule
from core.memory.storage import FROZEN, frozen_parts
from core.memory.tensors import ParameterTensor, Tensor, elements

HIDDEN_MATRICES = frozenset({"matrix", "experts"})


class OptimizerState(msgspec.Struct, frozen=True):
    """Bytes of one optimizer's states: of each item (momentum, variance, other), of step counters, of code books."""

    items: dict[str, int]
    counters: int
    shared: int
    parameters: int

    @property
    def bytes(self) -> int:
        """All of it."""
        return sum(self.items.values()) + self.counters + self.shared

    @property
    def per_parameter(self) -> Fraction:
        """Bytes of a parameter; 0 where there is none."""
        return Fraction(self.bytes, self.parameters) if self.parameters else Fraction(0)


def optimizer_state(name: str, tensors: Iterable[ParameterTensor], moment_bytes: int) -> OptimizerState:
    """States of the optimizer of that name over trained tensors.

    moment_bytes: of an element in the format moments take where the optimizer has none of its own (the master copy's,
    else the weights'). Raises KeyError for a name that is not in the table.
    """
    rule = RULES[name]
    items: dict[str, int] = {}
    counters = parameters = 0
    for tensor in tensors:
        parameters += prod(tensor.shape) * tensor.copies
        one = _rule_of(rule, tensor)
        for state in one.states:
            items[state.item] = items.get(state.item, 0) + tensor.copies * state.storage(tensor.shape, moment_bytes)
        counters += 4 * one.counters * tensor.copies
    return OptimizerState(items, counters, rule.shared, parameters)


def step_temporaries(name: str, parameters: int, moment_bytes: int, *, fused: bool = False) -> int | None:
    """Bytes an optimizer makes for its step and frees after it, on CUDA; None where that was not measured.

    A recipe with a 32-bit master and 16-bit gradients also casts all gradients: 4 B a parameter more if done at once.
    """
    each = 0 if fused else RULES[name].temporaries
    return None if each is None else each * parameters * moment_bytes


def _rule_of(rule: Rule, tensor: ParameterTensor) -> Rule:
    if rule.rest and (tensor.kind not in HIDDEN_MATRICES or len(tensor.shape) < 2):
        return RULES[rule.rest]
    return rule


class FrozenWeights(msgspec.Struct, frozen=True):
    """Bytes of weights that are not trained: those stored in few bits with what belongs to them, and the others."""

    quantised: dict[str, int]
    others: int
    parameters: int

    @property
    def bytes(self) -> int:
        """All of it."""
        return sum(self.quantised.values()) + self.others


def frozen_weights(
    name: str, tensors: Iterable[ParameterTensor], *, other_bytes: int = 2, kinds: frozenset[str] = HIDDEN_MATRICES
) -> FrozenWeights:
    """Weights in the storage of that name ("nf4-double", "int8"): tensors of `kinds`; the others keep other_bytes each.

    QLoRA leaves embeddings, head and norms in 16 bits (2), or in 32 after peft's prepare_model_for_kbit_training (4).
    Raises KeyError for a name that is not in the table.
    """
    storage = FROZEN[name]
    quantised: dict[str, int] = {}
    others = parameters = 0
    for tensor in tensors:
        size = prod(tensor.shape)
        parameters += size * tensor.copies
        if tensor.kind in kinds and len(tensor.shape) > 1:
            for part, part_bytes in frozen_parts(storage, tensor.shape).items():
                quantised[part] = quantised.get(part, 0) + part_bytes * tensor.copies
        else:
            others += size * other_bytes * tensor.copies
    return FrozenWeights(quantised, others, parameters)


def adapters(tensors: Iterable[ParameterTensor], rank: int, targets: tuple[str, ...] = ()) -> tuple[Tensor, ...]:
    """LoRA's two matrices, (rank, in) and (out, rank), for each target (Hu et al. 2021).

    targets: names of linears ("q_proj"); none means every linear of the layers, as peft's "all-linear".
    """
    found: list[Tensor] = []
    for tensor in tensors:
        parts = tensor.name.split(".")
        if tensor.kind != "matrix" or len(tensor.shape) != 2 or (targets and not any(t in parts for t in targets)):
            continue
        out, into = tensor.shape
        found.append(Tensor(f"{tensor.name}.lora_A", (rank, into), tensor.copies, "adapter", tensor.unit))
        found.append(Tensor(f"{tensor.name}.lora_B", (out, rank), tensor.copies, "adapter", tensor.unit))
    return tuple(found)


def adapter_parameters(tensors: Iterable[ParameterTensor], rank: int, targets: tuple[str, ...] = ()) -> int:
    """Trained parameters under LoRA."""
    return elements(adapters(tensors, rank, targets))
