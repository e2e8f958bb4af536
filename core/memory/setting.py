"""What decides which tensors a pass saves, sizes apart: the key under which a family's table is built once."""

from __future__ import annotations

from typing import Literal

import msgspec

from core.memory.kernels import Kernel
from core.memory.rows import Dtype

Norm = Literal["layernorm", "rmsnorm", "gemma_rmsnorm"]
Residual = Literal["pre", "post", "parallel", "sandwich"]
Projection = Literal["separate", "fused"]
Mlp = Literal["gelu", "gelu_python", "relu", "swiglu", "swiglu_fused", "geglu", "experts"]
DropoutSite = Literal["embedding", "attention", "attention_output", "mlp_output"]


class Family(msgspec.Struct, frozen=True):
    """How one model family is built, as far as it decides what autograd saves.

    residual: "pre" norm, "post" norm (BERT), "parallel" (GPT-NeoX: both branches read the same input), "sandwich"
    (Gemma 2 and 3: a norm before and after each branch). projection: of queries, keys and values. qk_norm: queries
    and keys are normalised by head. rotary_share: rotary part of a head, percent; joined: the turned heads are joined
    anew (torch.cat), which leaves flash's output in an order that the output projection must copy; sliced: the fused
    projection is cut by slices, whose gradients are each as wide as the whole. softmax: format of
    eager attention's softmax in a bf16 pass. softcap: tanh on attention scores and on logits. positions: shape of the
    position indices that an embedding keeps. loss: over next tokens ("causal") or over masked ones ("masked").
    window_of: every window_of-th layer sees the whole sequence and the others a window (0: all layers alike);
    two_rotary_bases: each kind has its own. causal_mask: eager attention adds one. biases: of linears.
    """

    name: str
    norm: Norm
    residual: Residual
    projection: Projection
    mlp: Mlp
    softmax: Dtype = "fp32"
    qk_norm: bool = False
    rotary_share: int = 0
    joined: bool = False
    sliced: bool = False
    softcap: bool = False
    positions: tuple[str, ...] = ()
    loss: Literal["causal", "masked"] = "causal"
    dropouts: tuple[DropoutSite, ...] = ()
    window_of: int = 0
    two_rotary_bases: bool = False
    causal_mask: bool = True
    biases: Literal["", "qkv", "all"] = ""


class Setting(msgspec.Struct, frozen=True):
    """One way to run a family. kernels: of the layers that see the whole sequence, and of those with a window; an
    empty string where there is no such layer. one_kv_head, one_sequence, odd_head: the cases in which PyTorch saves a
    view instead of a copy, a padded label, or padded heads. adapted: the linears with a LoRA adapter where the model
    itself is frozen, in the format `adapter`; None where all is trained.
    """

    family: Family
    precision: Literal["fp32", "bf16", "autocast"]
    full_kernel: Kernel | Literal[""]
    window_kernel: Kernel | Literal[""]
    full_masked: bool
    window_masked: bool
    dropout: bool
    recompute: bool
    one_kv_head: bool
    grouped: bool
    one_sequence: bool
    odd_head: bool
    padding_mask: bool = False
    adapted: tuple[str, ...] | None = None
    adapter: Dtype = "fp32"

    @property
    def frozen(self) -> bool:
        """Whether adapters alone are trained."""
        return self.adapted is not None

    def trains(self, *names: str) -> bool:
        """Whether one of these linears has an adapter."""
        return self.adapted is not None and any(name in self.adapted for name in names)

    @property
    def inner(self) -> Dtype:
        """Format of what linears read and write."""
        return "fp32" if self.precision == "fp32" else "bf16"

    @property
    def residual(self) -> Dtype:
        """Format of the residual stream: 32 bits under autocast."""
        return "bf16" if self.precision == "bf16" else "fp32"

    def drops(self, site: DropoutSite) -> bool:
        """Whether a dropout is active at this site."""
        return self.dropout and site in self.family.dropouts
