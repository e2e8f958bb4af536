"""What each rank stores, tensor by tensor, under each way of sharing a model out.

Rules of PyTorch 2.13's torch.distributed, checked on its shards under a fake process group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapreplace
from math import prod
from typing import Literal

import msgspec

from core.memory.tensors import ParameterTensor, Tensor, by_rows, elements

Strategy = Literal["ddp", "ddp-bucket-view", "zero-redundancy", "fsdp2", "hsdp"]


class Shard(msgspec.Struct, frozen=True):
    """What one rank holds.

    stored: parameters as stored, padding included, and gradients with them; own: the rows that are its own; optimizer:
    tensors it keeps states of. bucket_copies: a second copy of the gradients, in the reducer's buckets (elements).
    """

    stored: tuple[Tensor, ...]
    own: tuple[Tensor, ...]
    optimizer: tuple[Tensor, ...]
    bucket_copies: int = 0

    @property
    def padding(self) -> int:
        """Elements stored that belong to no parameter."""
        return elements(self.stored) - elements(self.own)


def shard(
    strategy: Strategy, tensors: Iterable[ParameterTensor], world: int, rank: int = 0, *, shard_size: int = 0
) -> Shard:
    """What rank `rank` of `world` holds. shard_size: ranks that share one copy under "hsdp" (0: all)."""
    whole = tuple(Tensor(t.name, t.shape, t.copies, t.kind, t.unit) for t in tensors)
    if strategy in ("fsdp2", "hsdp"):
        ranks = (shard_size or world) if strategy == "hsdp" else world
        return _by_first_dimension(whole, ranks, rank % ranks)
    if strategy == "zero-redundancy":
        return Shard(whole, whole, _greedy(whole, world, rank), elements(whole))
    copies = elements(whole) if strategy == "ddp" else 0
    return Shard(whole, whole, whole, copies)


def _rows(first: int, ranks: int, rank: int) -> tuple[int, int]:
    """Rows stored on every rank, and rows that are this rank's own, as torch.chunk deals them out."""
    stored = -(-first // ranks)
    return stored, max(0, min(stored, first - stored * rank))


def _by_first_dimension(tensors: Sequence[Tensor], ranks: int, rank: int) -> Shard:
    """FSDP2: ceil(rows ÷ ranks) rows of every tensor on every rank; moments follow the rows that are its own."""
    stored, own = [], []
    for tensor in tensors:
        first, *rest = by_rows(tensor.shape)
        padded, rows = _rows(first, ranks, rank)
        stored.append(msgspec.structs.replace(tensor, shape=(padded, *rest)))
        own.append(msgspec.structs.replace(tensor, shape=(rows, *rest)))
    return Shard(tuple(stored), tuple(own), tuple(own))


def _greedy(tensors: Sequence[Tensor], world: int, rank: int) -> tuple[Tensor, ...]:
    """The tensors of one rank under ZeroRedundancyOptimizer."""
    return tuple(tensor for tensor, owner in _dealt(tensors, world) if owner == rank)


def _dealt(tensors: Iterable[ParameterTensor], world: int) -> Iterator[tuple[Tensor, int]]:
    """ZeroRedundancyOptimizer deals out whole tensors, the largest first, each to the first rank that has least."""
    single = [Tensor(t.name, t.shape, 1, t.kind, t.unit) for t in tensors for _ in range(t.copies)]
    single.sort(key=lambda t: prod(t.shape), reverse=True)
    loads = [(0, rank) for rank in range(min(world, len(single)))]
    for tensor in single:
        load, rank = loads[0]
        heapreplace(loads, (load + prod(tensor.shape), rank))
        yield tensor, rank


def fullest_rank(strategy: Strategy, tensors: Iterable[ParameterTensor], world: int) -> int:
    """A rank that holds as much as any. Rows are dealt out from rank 0 on, so only whole tensors need a look."""
    if strategy != "zero-redundancy":
        return 0
    loads: dict[int, int] = {}
    for tensor, rank in _dealt(tensors, world):
        loads[rank] = loads.get(rank, 0) + prod(tensor.shape)
    return max(loads, key=lambda rank: loads[rank])


Cut = Literal["rows", "columns", "whole"]

# How tensor parallelism cuts a Llama layer (Megatron-LM, Shoeybi et al. 2019): column-parallel linears by rows of
# their weight, row-parallel ones by columns; norms stay whole.
_CUTS: dict[str, Cut] = {
    "q_proj": "rows", "k_proj": "rows", "v_proj": "rows", "gate_proj": "rows", "up_proj": "rows",
    "o_proj": "columns", "down_proj": "columns", "embed_tokens": "rows", "lm_head": "rows",
}  # fmt: skip


def cut_of(tensor: ParameterTensor) -> Cut:
    """How tensor parallelism cuts a tensor, by its name."""
    for part in tensor.name.split("."):
        if part in _CUTS:
            return _CUTS[part]
    return "whole"


def tensor_parallel(tensors: Iterable[ParameterTensor], ranks: int, rank: int = 0) -> Shard:
    """DTensor's tensor parallelism: torch.chunk's uneven last piece; storage is padded where rows are cut."""
    stored, own = [], []
    for tensor in tensors:
        one = Tensor(tensor.name, tensor.shape, tensor.copies, tensor.kind, tensor.unit)
        cut = cut_of(tensor)
        padded, mine = _rows((tensor.shape or (1,))[0 if cut == "rows" else -1], ranks, rank)
        if cut == "rows":
            stored.append(msgspec.structs.replace(one, shape=(padded, *one.shape[1:])))
            own.append(msgspec.structs.replace(one, shape=(mine, *one.shape[1:])))
        elif cut == "columns":
            stored.append(msgspec.structs.replace(one, shape=(*one.shape[:-1], mine)))
            own.append(stored[-1])
        else:
            stored.append(one)
            own.append(one)
    return Shard(tuple(stored), tuple(own), tuple(own))


def fsdp2_over_tensor_parallel(
    tensors: Iterable[ParameterTensor], data_ranks: int, tensor_ranks: int, data_rank: int = 0, tensor_rank: int = 0
) -> Shard:
    """FSDP2 over tensor parallelism: what tensor parallelism leaves is cut again by first dimension."""
    return _by_first_dimension(tensor_parallel(tensors, tensor_ranks, tensor_rank).own, data_ranks, data_rank)


def zero_elements(parameters: int, stage: int, ranks: int) -> dict[str, int]:
    """Elements of each band on one rank by the ZeRO paper (Rajbhandari et al. 2019, section 5): stage 1 shares
    optimizer states, 2 gradients too, 3 parameters too; a share is ceil(parameters ÷ ranks), ranks being
    data-parallel ones."""
    share = -(-parameters // ranks)
    first = {"optimizer": 1, "gradients": 2, "parameters": 3}
    return {band: share if stage >= at else parameters for band, at in first.items()}
