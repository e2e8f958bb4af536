"""Which attention kernel PyTorch 2.13's scaled_dot_product_attention picks on CUDA."""

from __future__ import annotations

from typing import Literal

Kernel = Literal["flash", "efficient", "math", "eager"]

KERNEL_NAMES: dict[Kernel, str] = {
    "flash": "FlashAttention-2",
    "efficient": "memory-efficient attention",
    "math": "the math fallback",
    "eager": "eager attention",
}

FLASH_LARGEST_HEAD = 256


def sdpa_kernel(*, sixteen_bit: bool, masked: bool, heads: int, kv_heads: int, head_dim: int) -> Kernel:
    """Flash for 16 bits, no mask and heads up to 256; else memory-efficient where queries and keys have equally many
    heads; else math.

    Transformers repeats shared keys itself where a mask is passed or heads are over 256, so that heads are then equal;
    what is left for math is shared keys in 32 bits. Rules of PyTorch's sdp_utils.cpp and of transformers' sdpa
    integration; cuDNN's kernel, first on Hopper with cuDNN 9.15, keeps the same tensors as flash within 24 B a layer.
    """
    repeated = masked or head_dim > FLASH_LARGEST_HEAD
    if sixteen_bit and not repeated:
        return "flash"
    return "efficient" if repeated or heads == kv_heads else "math"
