"""One forward and backward pass, and the sizes that its letters stand for."""

from __future__ import annotations

from typing import Literal

import msgspec

from core.models.dimensions import Dimensions

Precision = Literal["fp32", "bf16", "autocast"]
Attention = Literal["sdpa", "eager"]
Recompute = Literal["none", "full"]


class Lora(msgspec.Struct, frozen=True):
    """Adapters over a frozen model. targets: names of linears ("q_proj"), none means every linear of the layers; wide:
    adapters are in 32 bits over a 16-bit model, peft's default."""

    rank: int
    targets: tuple[str, ...] = ()
    wide: bool = True


class Pass(msgspec.Struct, frozen=True):
    """What is run on one card: a model, a batch of micro_batch sequences of seq_len tokens, and how.

    precision: "bf16" is any pure 16-bit pass, "autocast" is torch.autocast over 32-bit weights.
    dropout: the model's dropouts are active (families without one ignore it). padding_mask: a mask is passed.
    recompute: "full" is one checkpoint a layer. keep_logits: the caller holds the model's output through backward.
    rotary_dims: of each head, 0 means the family's usual share. window: tokens a sliding-window layer sees, 0 for
    none; window_layers: how many layers have it, None means as many as is usual for the family. lora: the model is
    frozen, and adapters alone are trained.
    """

    dimensions: Dimensions
    micro_batch: int = 1
    seq_len: int = 2048
    precision: Precision = "bf16"
    attention: Attention = "sdpa"
    dropout: bool = False
    padding_mask: bool = False
    recompute: Recompute = "none"
    keep_logits: bool = False
    rotary_dims: int = 0
    window: int = 0
    window_layers: int | None = None
    lora: Lora | None = None


LETTERS: dict[str, str] = {
    "b": "sequences in the micro-batch",
    "s": "tokens of a sequence",
    "h": "hidden size",
    "a": "attention heads",
    "k": "key and value heads",
    "d": "size of a head",
    "f": "width of the MLP, or of one expert",
    "V": "vocabulary",
    "E": "experts",
    "t": "experts of each token",
    "r": "rotary dimensions of a head",
    "(a+2k)d": "queries, keys and values side by side",
    "2f": "gate and up projection side by side",
    "s+1": "tokens and one padding label",
    "⌈s⌉32": "tokens, rounded up to 32 (rows of the memory-efficient kernel's log-sum-exp)",
    "⌈s⌉16": "tokens, rounded up to 16 (rows of the mask the memory-efficient kernel reads)",
    "⌈d⌉8": "size of a head, rounded up to 8 (what the flash kernel accepts)",
    "R": "rank of an adapter",
    "2": "two",
}


def round_up(count: int, multiple: int) -> int:
    """The smallest multiple of `multiple` that is not below `count`."""
    return -(-count // multiple) * multiple


def sizes(run: Pass, rotary_dims: int) -> dict[str, int]:
    """The number each letter of LETTERS stands for in this pass."""
    dim = run.dimensions
    return {
        "b": run.micro_batch,
        "s": run.seq_len,
        "h": dim.hidden,
        "a": dim.heads,
        "k": dim.kv_heads,
        "d": dim.head_dim,
        "f": dim.mlp,
        "V": dim.vocabulary,
        "E": dim.experts,
        "t": dim.experts_per_token,
        "r": rotary_dims,
        "(a+2k)d": (dim.heads + 2 * dim.kv_heads) * dim.head_dim,
        "2f": 2 * dim.mlp,
        "s+1": run.seq_len + 1,
        "⌈s⌉32": round_up(run.seq_len, 32),
        "⌈s⌉16": round_up(run.seq_len, 16),
        "⌈d⌉8": round_up(dim.head_dim, 8),
        "R": run.lora.rank if run.lora else 0,
        "2": 2,
    }
