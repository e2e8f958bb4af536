"""Tapes of a whole layer and of the head, and their largest moments."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from core.memory.backward_attention import attention_backward
from core.memory.backward_mlp import mlp_backward
from core.memory.blocks import TOKENS
from core.memory.rows import DTYPE_BYTES, Dtype
from core.memory.setting import DropoutSite, Setting
from core.memory.table import loss_dtype
from core.memory.tape import Band, Event, Part, Shape, Tape

LOGITS: Shape = ("b", "s", "V")


class Moment(msgspec.Struct, frozen=True):
    """The largest moment of a tape: bytes of each band against the tape's beginning, and what runs then."""

    part: Part
    label: str
    saved: int
    weight_cast: int
    gradient: int
    transient: int

    @property
    def bytes(self) -> int:
        """Sum of the bands."""
        return self.saved + self.weight_cast + self.gradient + self.transient


class Run(msgspec.Struct, frozen=True):
    """A tape run with a pass's sizes: its largest moment, and what it leaves changed at its end."""

    largest: Moment
    after: Moment


def play(tape: tuple[Event, ...], letters: dict[str, int], *, accumulate: bool = False) -> Run:
    """Runs a tape with a pass's sizes. accumulate: weight gradients are added to ones that exist, and freed at once."""
    bands: dict[Band, int] = {"saved": 0, "weight cast": 0, "gradient": 0, "transient": 0}
    known: dict[tuple[Shape, Dtype], int] = {}
    total = best = 0
    found: tuple[Part, str, int, int, int, int] = ("mlp", "", 0, 0, 0, 0)
    pending = 0
    for event in tape:
        key = (event.shape, event.dtype)
        size = known.get(key)
        if size is None:
            size = DTYPE_BYTES[event.dtype]
            for letter in event.shape:
                size *= letters[letter]
            known[key] = size
        size *= event.count
        if pending and size < 0:
            bands["transient"] -= pending
            total -= pending
            pending = 0
        if accumulate and event.band == "gradient":
            pending += size
            bands["transient"] += size
            total += size
            continue
        bands[event.band] += size
        total += size
        if total > best:
            best = total
            found = (event.part, event.label, *bands.values())  # type: ignore[assignment]
    if pending:
        bands["transient"] -= pending
    return Run(Moment(*found), Moment("head", "", *bands.values()))


@lru_cache(maxsize=512)
def layer_tape(setting: Setting, kind: Literal["full", "window"] = "full") -> tuple[Event, ...]:
    """The backward of one layer, from the gradient of its output, which is there when it begins, to the gradient of its
    input, which is there when it ends."""
    tape = Tape(setting)
    if setting.family.residual == "parallel":
        _parallel_layer(tape, kind)
    else:
        _layer(tape, kind)
    return tuple(tape.events)


def _layer(tape: Tape, kind: Literal["full", "window"]) -> None:
    """The MLP's branch, then attention's."""
    post = tape.setting.family.residual == "post"
    tape.at("norm after the MLP", "mlp")
    _norm_after(tape)
    mlp_backward(tape, _branch(tape, "mlp_output"), summed=post)
    tape.at("norm before the MLP")
    if not post:
        tape.norm(residual=True)
    tape.at("norm after attention", "attention")
    _norm_after(tape)
    _attention(tape, kind, _branch(tape, "attention_output"), summed=post)
    tape.at("norm before attention")
    if not post:
        tape.norm(residual=True)


def _parallel_layer(tape: Tape, kind: Literal["full", "window"]) -> None:
    """Both branches read one residual, and one gradient enters both (cast once under autocast)."""
    setting = tape.setting
    auto, inner = setting.precision == "autocast", setting.inner
    tape.at("MLP", "mlp")
    if auto:
        tape.take(TOKENS, inner)
    gradient: Shape | None = None
    if setting.drops("mlp_output"):
        tape.take(TOKENS, inner)
        tape.release(TOKENS, "bool")
        gradient = TOKENS
    mlp_backward(tape, gradient)
    tape.at("norm before the MLP")
    tape.layer_norm(residual=False, shared=True)
    # Attention still reads the old gradient while its sum with the MLP's is new, unless it has a cast of its own.
    tape.take(TOKENS, setting.residual)
    tape.give(TOKENS, setting.residual, 2 if auto else 1)
    tape.at("attention", "attention")
    if setting.drops("attention_output"):
        tape.take(TOKENS, inner)
        tape.give(TOKENS, inner)
        tape.release(TOKENS, "bool")
    _attention(tape, kind, TOKENS, summed=False)
    tape.at("norm before attention")
    tape.norm(residual=True)


def _attention(tape: Tape, kind: Literal["full", "window"], gradient: Shape | None, *, summed: bool) -> None:
    setting = tape.setting
    kernel, masked = (
        (setting.full_kernel, setting.full_masked) if kind == "full" else (setting.window_kernel, setting.window_masked)
    )
    if kernel:
        attention_backward(tape, kernel, masked, gradient, summed=summed)


@lru_cache(maxsize=512)
def head_tape(setting: Setting) -> tuple[Event, ...]:
    """From the loss, all of the forward pass being there, to the gradient of the last layer's output."""
    tape = Tape(setting)
    family, inner = setting.family, setting.inner
    auto = setting.precision == "autocast"
    tape.at("loss", "head")
    one = loss_dtype(setting)
    tape.take((), one)
    if family.loss == "causal":
        tape.take(LOGITS, "fp32")
        tape.release(("b", "s+1") if setting.one_sequence else ("b", "s"), "int64")
        tape.release((), one)
        tape.swap(LOGITS, "fp32", "fp32")
        tape.release(LOGITS, "fp32")
        if inner != "fp32":
            tape.swap(LOGITS, "fp32", inner)
    else:
        wide: Dtype = "fp32" if auto else inner
        tape.take(LOGITS, wide)
        tape.release((), one)
        if auto:
            tape.release(LOGITS, "fp32")
            tape.swap(LOGITS, "fp32", "bf16")
        tape.swap(LOGITS, inner, inner)
        tape.release(LOGITS, inner)
    if family.softcap:
        tape.at("cap of the logits")
        tape.swap(LOGITS, inner, inner)
        tape.swap(LOGITS, inner, inner)
        tape.release(LOGITS, inner)
        tape.swap(LOGITS, inner, inner)
    tape.at("head")
    if family.loss == "masked":
        tape.bias(("V",))
    tape.linear(("V", "h"), TOKENS, LOGITS, "head", cast=True)
    tape.at("final norm")
    tape.norm(residual=False)
    if family.loss == "masked":
        tape.at("head's transform")
        tape.bias(("h",))
        if auto:
            tape.swap(TOKENS, "fp32", "bf16")
        tape.take(TOKENS, inner)
        tape.give(TOKENS, inner)
        tape.release(TOKENS, inner)
        tape.linear(("h", "h"), TOKENS, TOKENS, "transform", cast=True)
    return tuple(tape.events)


def _norm_after(tape: Tape) -> None:
    if tape.setting.family.residual == "post":
        tape.layer_norm(residual=False)
    elif tape.setting.family.residual == "sandwich":
        tape.rms_norm(TOKENS, ("b", "s"), "h", tape.setting.inner, residual=False, shared=True)


def _branch(tape: Tape, site: DropoutSite) -> Shape | None:
    """The gradient that enters a branch: the residual's own (None) or a copy that the branch frees."""
    setting = tape.setting
    if setting.family.residual == "sandwich":
        return TOKENS
    inner = setting.inner
    cast = setting.precision == "autocast" and not (site == "mlp_output" and setting.family.mlp == "experts")
    if cast:
        tape.take(TOKENS, inner)
    if setting.drops(site):
        tape.take(TOKENS, inner)
        if cast:
            tape.give(TOKENS, inner)
        tape.release(TOKENS, "bool")
        return TOKENS
    return TOKENS if cast else None
