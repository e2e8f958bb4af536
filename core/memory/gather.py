"""Buffers that come and go while a sharded model runs, and what can be kept on the host.

FSDP2 (PyTorch 2.13) with one unit a layer and the root (embeddings, head, final norm) as a unit of its own: measured on
two Llama models of three layers with 8, 64 and 512 ranks, without overlap of streams. CUDA may free later.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import prod
from typing import Literal

import msgspec

from core.memory.tensors import ParameterTensor, by_rows


class Range(msgspec.Struct, frozen=True):
    """Bytes, and between which they lie."""

    low: int
    bytes: int
    high: int


def scaled(found: Range, share: Fraction) -> Range:
    """So much of a range, each end rounded up."""
    return Range(*(-(-size * share.numerator // share.denominator) for size in (found.low, found.bytes, found.high)))


class _Factors(msgspec.Struct, frozen=True):
    low: Fraction
    middle: Fraction
    high: Fraction

    def of(self, root: int, block: int, layers: int = 0) -> Range:
        found = (root + block * (layers + factor) for factor in (self.low, self.middle, self.high))
        return Range(*(-(-value.numerator // value.denominator) for value in found))


def _factors(low: str, middle: str, high: str) -> _Factors:
    return _Factors(Fraction(low), Fraction(middle), Fraction(high))


# Unsharded layers alive at once, the smallest and largest that were measured beside the middle.
FORWARD = _factors("3", "3.3", "3.4")
BACKWARD = _factors("3.7", "4.3", "4.7")
BACKWARD_REDUCED_WIDER = _factors("4.7", "4.9", "5.7")
KEPT_UNSHARDED = _factors("2", "2.3", "2.3")


class GatherBuffers(msgspec.Struct, frozen=True):
    """Bytes beyond the shards. root, block: of one unsharded unit, padding included, in the format of communication."""

    root: int
    block: int
    forward: Range
    backward: Range


def gather_buffers(
    tensors: Iterable[ParameterTensor], ranks: int, *, format_bytes: int, wider_reduce: bool, reshard: bool = True
) -> GatherBuffers:
    """What FSDP2 gathers on a rank.

    format_bytes: of an element as it is gathered. wider_reduce: gradients are reduced in a wider format than that.
    reshard: layers are sharded again after their forward. Where layers differ the largest counts. The sharded gradients
    of the backward pass are not in it.
    """
    root = 0
    units: dict[str, int] = {}
    copies: dict[str, int] = {}
    for tensor in tensors:
        shape = by_rows(tensor.shape)
        rows = -(-shape[0] // ranks) * ranks
        size = rows * prod(shape[1:]) * format_bytes
        if tensor.unit:
            units[tensor.unit] = units.get(tensor.unit, 0) + size
            copies[tensor.unit] = max(copies.get(tensor.unit, 0), tensor.copies)
        else:
            root += size * tensor.copies
    block = max(units.values(), default=0)
    if not reshard:
        whole = KEPT_UNSHARDED.of(root + sum(units[u] * copies[u] for u in units), block)
        wide = BACKWARD_REDUCED_WIDER.of(root, block) if wider_reduce else whole
        return GatherBuffers(root, block, whole, max(whole, wide, key=lambda found: found.bytes))
    backward = BACKWARD_REDUCED_WIDER if wider_reduce else BACKWARD
    return GatherBuffers(root, block, FORWARD.of(root, block), backward.of(root, block))


Offload = Literal["none", "optimizer", "parameters"]


class Placement(msgspec.Struct, frozen=True):
    """Bytes of each band on the card and on the host."""

    card: dict[str, int]
    host: dict[str, int]


def place(bands: dict[str, int], offload: Offload) -> Placement:
    """Where each band of a rank lives. "optimizer": its states on the host (ZeRO-Offload, Ren et al. 2021).
    "parameters": these, gradients and states, as FSDP2's CPUOffloadPolicy keeps them. Buffers in flight are left out.
    """
    moved = {"none": frozenset(), "optimizer": frozenset({"optimizer"}), "parameters": frozenset(bands)}[offload]
    return Placement(
        {band: 0 if band in moved else size for band, size in bands.items()},
        {band: size if band in moved else 0 for band, size in bands.items()},
    )
