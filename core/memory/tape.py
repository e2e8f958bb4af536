"""The order in which a layer's backward pass takes and gives back memory, as a list of events.

A tape says what is allocated and freed, operator by operator, as PyTorch 2.13's autograd runs transformers 5.24's
layers. The largest moment of a layer follows from its tape and the sizes of a pass. Statistics of b·s elements are left
out where they are temporary.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from core.memory.adapters import adapter_format, copies_input, output_shape, weight_shapes
from core.memory.rows import Dtype
from core.memory.setting import Setting

Band = Literal["saved", "weight cast", "gradient", "transient"]
Part = Literal["head", "mlp", "attention"]
Shape = tuple[str, ...]


class Event(msgspec.Struct, frozen=True):
    """`count` buffers of one shape, allocated (positive) or freed (negative)."""

    part: Part
    label: str
    shape: Shape
    dtype: Dtype
    band: Band
    count: int


class Tape:
    """Collects events; `part` and `label` name the operator that is running."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.events: list[Event] = []
        self.part: Part = "mlp"
        self.label = ""

    def at(self, label: str, part: Part | None = None) -> None:
        """Names what runs from here on."""
        self.label = label
        self.part = part or self.part

    def take(self, shape: Shape, dtype: Dtype, count: int = 1, band: Band = "transient") -> None:
        """Allocates."""
        self.events.append(Event(self.part, self.label, shape, dtype, band, count))

    def give(self, shape: Shape, dtype: Dtype, count: int = 1, band: Band = "transient") -> None:
        """Frees."""
        self.events.append(Event(self.part, self.label, shape, dtype, band, -count))

    def release(self, shape: Shape, dtype: Dtype, count: int = 1) -> None:
        """Frees saved tensors."""
        self.give(shape, dtype, count, "saved")

    def swap(self, shape: Shape, old: Dtype, new: Dtype) -> None:
        """A temporary is replaced by one computed from it."""
        self.take(shape, new)
        self.give(shape, old)

    def add(self, shape: Shape, dtype: Dtype) -> None:
        """Two gradients of one tensor are summed into a third."""
        self.take(shape, dtype)
        self.give(shape, dtype, 2)

    def linear(
        self,
        weight: Shape,
        x: Shape,
        gradient: Shape | None,
        role: str,
        *,
        order: tuple[str, ...] = (),
        saved: bool = True,
        cast: bool = False,
        summed: bool = False,
    ) -> None:
        """A linear's backward: gradients of weight and input.

        role: its name; order: the linears that share its input, as backward reaches them. gradient: of its output,
        freed here unless None (the residual stream's own). saved: its input is freed here. cast: under autocast the
        input was cast for this linear, so that its gradient is cast back. summed: the input's gradient is added to that
        of other readers.
        """
        setting = self.setting
        if setting.frozen:
            self._frozen_linear(weight, x, gradient, role, order=order, saved=saved, cast=cast, summed=summed)
            return
        if setting.precision != "autocast":
            inner = setting.inner
            self.take(weight, inner, band="gradient")
            self.take(x, inner)
            if gradient:
                self.give(gradient, inner)
            if saved:
                self.release(x, inner)
            if summed:
                self.add(x, inner)
            return
        self.take(weight, "bf16")
        self.take(x, "bf16")
        if gradient:
            self.give(gradient, "bf16")
        self.give(weight, "bf16", band="weight cast")
        if saved:
            self.release(x, "bf16")
        if cast:
            self.swap(x, "bf16", "fp32")
        if summed:
            self.add(x, "fp32" if cast else "bf16")
        self.take(weight, "fp32", band="gradient")
        self.give(weight, "bf16")

    def _frozen_linear(
        self, weight: Shape, x: Shape, gradient: Shape | None, role: str, *, order: tuple[str, ...], saved: bool,
        cast: bool, summed: bool,
    ) -> None:  # fmt: skip
        """A frozen linear's backward, its adapter's first: there is no gradient of its weight."""
        setting, inner = self.setting, self.setting.inner
        adapted, auto = setting.trains(role), setting.precision == "autocast"
        if adapted:
            trained = [name for name in order or (role,) if setting.trains(name)]
            shared = not copies_input(setting)
            kept = shared and (trained[-1] != role or not (saved or order))
            gradient = self._adapter(role, x, gradient, kept=kept, cast=cast)
        self.take(x, inner)
        if gradient:
            self.give(gradient, inner)
        kind: Dtype = inner
        if auto:
            self.give(weight, "bf16", band="weight cast")
            if cast:
                self.swap(x, "bf16", "fp32")
                kind = "fp32"
        for _ in range(adapted + summed):
            self.add(x, kind)

    def _adapter(self, role: str, x: Shape, gradient: Shape | None, *, kept: bool, cast: bool) -> Shape | None:
        """An adapter's backward; returns the gradient that is left to the linear. kept: its input stays, for another
        linear or for another reason."""
        setting, inner = self.setting, self.setting.inner
        kind, auto = adapter_format(setting), setting.precision == "autocast"
        out, low = output_shape(role), ("b", "s", "R")
        first, second = weight_shapes(role)
        if kind != inner:
            # The sum of both outputs was in 32 bits: its gradient, and the linear's share cast back.
            self.take(out, kind)
            if gradient:
                self.give(gradient, inner)
            self.take(out, inner)
            self.swap(out, kind, kind)
            gradient = out
        else:
            self.take(out, kind)
        for matrix, into in ((second, low), (first, x)):
            self.take(matrix, setting.adapter, band="gradient")
            self.take(into, kind)
            self.give(out if matrix == second else low, kind)
            if auto:
                self.give(matrix, "bf16", band="weight cast")
            if matrix == second:
                self.release(low, kind)
        if not kept:
            self.release(x, kind if copies_input(setting) else inner)
        if kind != inner:
            self.swap(x, kind, inner)
        if auto and cast:
            self.swap(x, "bf16", "fp32")
        return gradient

    def bias(self, shape: Shape, *, qkv: bool = False) -> None:
        """The gradient of a linear's bias, where the family has one; qkv: of queries, keys and values."""
        has = self.setting.family.biases
        if not self.setting.frozen and (has == "all" or (qkv and has == "qkv")):
            dtype, label = self.setting.residual, f"{self.label}'s bias"
            self.events.append(Event(self.part, label, shape, dtype, "gradient", 1))

    def rms_norm(
        self, shape: Shape, rows: Shape, width: str, x: Dtype, *, residual: bool, shared: bool = False
    ) -> None:
        """RMSNorm's backward. x: format of what it normalised; residual: that is the residual stream, whose gradient
        the result is added to; shared: the incoming gradient is the residual's own and is not freed."""
        gemma = self.setting.family.norm == "gemma_rmsnorm"
        out: Dtype = x if gemma else self.setting.residual
        wide: Dtype = "fp32" if gemma else out
        if shared and out != self.setting.residual:
            self.take(shape, out)
            shared = False
        if wide != out:
            self.take(shape, wide)
            if not shared:
                self.give(shape, out)
            shared = False
        frozen = self.setting.frozen
        self.take(shape, wide, 1 if frozen else 2)
        if not frozen:
            self.take((width,), self.setting.residual, band="gradient")
        self.give(shape, wide, (not shared) + (not frozen))
        if gemma:
            self.release((width,), "fp32")
        if not frozen:
            self.release(shape, "fp32" if gemma else x)
        if not gemma:
            if wide != x:
                self.swap(shape, wide, x)
            if x != "fp32":
                self.swap(shape, x, "fp32")
        self.take(shape, "fp32", 2)
        self.give(shape, "fp32", 2)
        direct = residual and x == "fp32"
        if direct:
            self.add(shape, "fp32")
        self.release(rows, "fp32")
        # The mean square's gradient: quotient, power, its double and their product are alive together.
        self.take(shape, "fp32", 4)
        self.give(shape, "fp32", 3)
        self.release(shape, "fp32")
        self.add(shape, "fp32")
        if x != "fp32":
            self.swap(shape, "fp32", x)
        if residual and not direct:
            self.add(shape, x)

    def layer_norm(self, *, residual: bool, shared: bool = False) -> None:
        """LayerNorm's backward. shared: its input is kept for another norm."""
        whole: Shape = ("b", "s", "h")
        wide = self.setting.residual
        self.take(whole, wide)
        if not self.setting.frozen:
            self.take(("h",), wide, 2, band="gradient")
        self.give(whole, wide)
        if not shared:
            self.release(whole, wide)
        self.release(("b", "s"), "fp32", 2)
        if residual:
            self.add(whole, wide)

    def norm(self, *, residual: bool) -> None:
        """The backward of a norm over the hidden size, before a branch."""
        if self.setting.family.norm == "layernorm":
            self.layer_norm(residual=residual)
        else:
            self.rms_norm(("b", "s", "h"), ("b", "s"), "h", self.setting.residual, residual=residual)
