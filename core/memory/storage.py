"""How one tensor of optimizer state or of frozen weights is stored, block scales and exceptions included."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import prod

import msgspec

Shape = tuple[int, ...]

BNB_SMALLEST = 4096  # bitsandbytes' min_8bit_size
AO_SMALLEST = 4096  # torchao keeps smaller tensors as they are
BNB_BLOCK = 256
AO_BLOCK_8 = 256
AO_BLOCK_4 = 128


def _ceil_div(numerator: int, denominator: int) -> int:
    return -(-numerator // denominator)


def like_weights(shape: Shape, weight_bytes: int) -> int:
    """One element for each weight, in the weights' format: what torch.optim does."""
    return prod(shape) * weight_bytes


def fp32(shape: Shape, weight_bytes: int) -> int:
    """32 bits for each weight."""
    return 4 * prod(shape)


def bnb_8bit(shape: Shape, weight_bytes: int) -> int:
    """bitsandbytes: one byte, and a 32-bit scale for each block of 256; under 4,096 elements 32 bits."""
    size = prod(shape)
    return 4 * size if size < BNB_SMALLEST else size + 4 * _ceil_div(size, BNB_BLOCK)


def _torchao(shape: Shape, weight_bytes: int, block: int, code_bits: int, map_bytes: int) -> int:
    size = prod(shape)
    if size < AO_SMALLEST or size % block:
        return size * weight_bytes
    return size * code_bits // 8 + 4 * (size // block) + map_bytes


def ao_8bit(shape: Shape, weight_bytes: int) -> int:
    """torchao: one byte, a 32-bit scale for each block of 256 and a map of 256 values for each tensor."""
    return _torchao(shape, weight_bytes, AO_BLOCK_8, 8, 1024)


def ao_4bit(shape: Shape, weight_bytes: int) -> int:
    """torchao: half a byte, a 32-bit scale for each block of 128 and a map of 16 values for each tensor."""
    return _torchao(shape, weight_bytes, AO_BLOCK_4, 4, 64)


def ao_fp8(shape: Shape, weight_bytes: int) -> int:
    """torchao: one fp8 value, and a 32-bit scale for each block of 256."""
    return _torchao(shape, weight_bytes, AO_BLOCK_8, 8, 0)


def _factored(shape: Shape) -> int:
    if len(shape) < 2:
        return prod(shape)
    return prod(shape[:-1]) + prod(shape[:-2]) * shape[-1]


def factored(shape: Shape, weight_bytes: int) -> int:
    """Adafactor (Shazeer and Stern 2018): a row and a column for each matrix, a vector as it is; weights' format."""
    return _factored(shape) * weight_bytes


def factored_fp32(shape: Shape, weight_bytes: int) -> int:
    """The same in 32 bits, as transformers' Adafactor keeps it."""
    return 4 * _factored(shape)


Storage = Callable[[Shape, int], int]


class Frozen(msgspec.Struct, frozen=True):
    """How frozen weights are stored. bits: of each weight; block: weights that share a scale, 0 for one scale a row;
    double: the scales themselves in 8 bits (QLoRA, Dettmers et al. 2023)."""

    name: str
    bits: int
    block: int = 0
    double: bool = False

    @property
    def bulk(self) -> Fraction:
        """Bytes of a weight in a large tensor, row scales and code books left out."""
        each = Fraction(self.bits, 8)
        if self.block and self.double:
            return each + Fraction(1, self.block) + Fraction(4, self.block * BNB_BLOCK)
        return each + (Fraction(4, self.block) if self.block else 0)


FROZEN: dict[str, Frozen] = {
    row.name: row
    for row in (
        Frozen("fp32", 32),
        Frozen("bf16", 16),
        Frozen("int8", 8),
        Frozen("nf4", 4, 64),
        Frozen("nf4-double", 4, 64, True),
        Frozen("nf4-128", 4, 128),
        Frozen("nf4-128-double", 4, 128, True),
        Frozen("fp4", 4, 64),
        Frozen("fp4-double", 4, 64, True),
        Frozen("fp4-128", 4, 128),
        Frozen("fp4-128-double", 4, 128, True),
    )
}


def frozen_parts(storage: Frozen, shape: Shape) -> dict[str, int]:
    """Bytes of one frozen tensor, part by part, as bitsandbytes stores it: packed weights, scales, code books."""
    size = prod(shape)
    if storage.bits >= 16:
        return {"weights": size * storage.bits // 8}
    if not storage.block:
        return {"weights": size, "scale of each row": 4 * (prod(shape[:-1]) if len(shape) > 1 else 1)}
    blocks = _ceil_div(size, storage.block)
    parts = {"weights": _ceil_div(size, 2), "code book": 64}
    if not storage.double:
        return {**parts, "scales": 4 * blocks}
    return {
        **parts,
        "scales": blocks,
        "scales of the scales": 4 * _ceil_div(blocks, BNB_BLOCK),
        "their code book": 1024,
        "their offset": 4,
    }
