"""Backward of the feed-forward part."""

from __future__ import annotations

from core.memory.blocks import MLP, TOKENS
from core.memory.rows import Dtype
from core.memory.tape import Shape, Tape

GATE_UP = ("b", "s", "2f")


def mlp_backward(tape: Tape, gradient: Shape | None, *, summed: bool = False) -> None:
    """From the gradient of the MLP's output (freed here unless None) to that of its input, in the residual's format;
    summed: which is added to another one."""
    kind = tape.setting.family.mlp
    if kind == "experts":
        _experts(tape)
    elif kind in ("swiglu", "geglu"):
        _gated(tape, gradient)
    elif kind == "swiglu_fused":
        _gated_fused(tape, gradient)
    else:
        _plain(tape, gradient, summed)


def _gated(tape: Tape, gradient: Shape | None) -> None:
    inner = tape.setting.inner
    tape.at("down projection")
    tape.linear(("f", "h"), MLP, gradient, "down")
    tape.at("product with the gate")
    tape.take(MLP, inner, 2)
    tape.give(MLP, inner)
    tape.release(MLP, inner, 2)
    tape.at("up projection")
    # The input is shared with the gate's linear, except under autocast, where each has its own copy.
    own, order = tape.setting.precision == "autocast", ("up", "gate")
    tape.linear(("f", "h"), TOKENS, MLP, "up", order=order, saved=own, cast=True)
    tape.at("activation")
    tape.take(MLP, inner)
    tape.give(MLP, inner)
    tape.release(MLP, inner)
    tape.at("gate projection")
    tape.linear(("f", "h"), TOKENS, MLP, "gate", order=order, cast=True, summed=True)


def _gate(tape: Tape, product: Shape, both: Shape, number: Dtype) -> None:
    """Back through the product of gate and up, where one projection made both."""
    tape.at("product with the gate")
    tape.take(product, number, 2)
    tape.give(product, number)
    tape.release(product, number)
    tape.at("activation")
    tape.take(product, number)
    tape.give(product, number)
    tape.release(both, number)
    tape.at("gate and up side by side")
    tape.take(both, number)
    tape.give(product, number, 2)


def _gated_fused(tape: Tape, gradient: Shape | None) -> None:
    inner = tape.setting.inner
    tape.at("down projection")
    tape.linear(("f", "h"), MLP, gradient, "down")
    _gate(tape, MLP, GATE_UP, inner)
    tape.at("gate and up projection")
    tape.linear(("2f", "h"), TOKENS, GATE_UP, "gate_up", cast=True)


def _plain(tape: Tape, gradient: Shape | None, summed: bool) -> None:
    inner, kind = tape.setting.inner, tape.setting.family.mlp
    tape.at("second linear")
    tape.bias(("h",))
    tape.linear(("f", "h"), MLP, gradient, "second", saved=kind != "relu")
    tape.at("activation")
    if kind == "gelu_python":
        _gelu_python(tape)
    else:
        tape.take(MLP, inner)
        tape.give(MLP, inner)
        tape.release(MLP, inner)
    tape.at("first linear")
    tape.bias(("f",))
    tape.linear(("f", "h"), TOKENS, MLP, "first", cast=True, summed=summed)


def _gelu_python(tape: Tape) -> None:
    """x/2 · (1 + tanh(√(2/π)·(x + 0.0447·x³))), operator by operator; under autocast the power is in 32 bits."""
    inner, wide = tape.setting.inner, tape.setting.residual
    auto = tape.setting.precision == "autocast"
    if auto:
        tape.swap(MLP, inner, wide)
    tape.take(MLP, wide, 2)
    early = tape.setting.recompute  # a second forward pass's tensors are freed before the gradients are cast
    if early:
        tape.release(MLP, wide)  # 1 + tanh
        tape.release(MLP, inner)  # x/2
    if auto:
        tape.swap(MLP, wide, inner)
    tape.give(MLP, wide)
    if not early:
        tape.release(MLP, wide)
        tape.release(MLP, inner)
    tape.take(MLP, wide)
    tape.give(MLP, wide)
    tape.release(MLP, wide)  # tanh
    tape.swap(MLP, wide, wide)
    if auto:
        tape.take(MLP, inner)
    tape.take(MLP, wide)
    if auto:
        tape.give(MLP, wide)
    tape.take(MLP, wide, 3)
    tape.give(MLP, wide, 3)
    tape.release(MLP, wide)  # x
    if auto:
        tape.swap(MLP, wide, inner)
    tape.add(MLP, inner)
    tape.swap(MLP, inner, inner)
    tape.add(MLP, inner)


def _experts(tape: Tape) -> None:
    """A mixture through torch's grouped matrix product, whose weight gradients appear whole."""
    setting = tape.setting
    wide: Dtype = setting.residual
    routed: Shape = ("b", "s", "t")
    out, mid, both = (*routed, "h"), (*routed, "f"), (*routed, "2f")
    tape.at("weights of the experts")
    narrow = setting.precision == "bf16"
    if narrow:
        tape.take(TOKENS, "fp32")
    tape.take(out, "fp32")
    if narrow:
        tape.give(TOKENS, "fp32")
    tape.take(out, "fp32", 2)
    tape.give(out, "fp32", 2)
    tape.release(routed, "int64")
    tape.take(out, "fp32", 2)
    tape.take(routed, "fp32")
    if setting.recompute:
        tape.release(out, wide)
    if narrow:
        tape.swap(out, "fp32", "bf16")
    tape.give(out, "fp32", 2)
    if not setting.recompute:
        tape.release(out, wide)
    tape.release(routed, "fp32")
    tape.at("down projections")
    if not setting.frozen:
        tape.take(("E", "f", "h"), wide, band="gradient")
    tape.take(mid, wide)
    tape.give(out, wide)
    if not setting.frozen:
        tape.release(mid, wide)
    _gate(tape, mid, both, wide)
    tape.at("gate and up projections")
    if not setting.frozen:
        tape.take(("E", "2f", "h"), wide, band="gradient")
    tape.take(out, wide)
    tape.give(both, wide)
    if not setting.frozen:
        tape.release(out, wide)
    tape.release(("E",), "int32")
    tape.at("back to tokens")
    tape.take(TOKENS, wide, 2)
    tape.give(TOKENS, wide)
    tape.give(out, wide)
    tape.at("router")
    tape.give(routed, "fp32")
    tape.release(routed, "int64", 3)
    tape.release(routed, "fp32")
    tape.release(("b", "s", "E"), "fp32")
    tape.release(("b", "s"), "fp32")
    tape.linear(("E", "h"), TOKENS, None, "router", cast=True, summed=True)
