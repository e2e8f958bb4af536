"""The timeline of one step: its moments, the bytes of each band then, and the largest.

Exact in the order of PyTorch 2.13's operators; what kernels allocate inside themselves, the allocator's rounding and the
context are not in it.
"""

from __future__ import annotations

from math import prod
from typing import Literal

import msgspec

from core.memory.activations import SavedTensors
from core.memory.backward import Moment, head_tape, layer_tape, play
from core.memory.rows import DTYPE_BYTES
from core.memory.tape import Event, Shape

At = Literal["forward", "loss", "head's backward", "last layer's backward", "first layer's backward", "end of backward"]


class Instant(msgspec.Struct, frozen=True):
    """One moment of a step, in bytes beyond parameters and optimizer states.

    saved: kept for the backward pass; weight_casts: autocast's 16-bit weights; gradients: of parameters; transient:
    whatever lives only then. low, high: between which the moment lies where its law is approximate, else both its sum.
    detail: the operator that runs.
    """

    at: At
    saved: int
    weight_casts: int
    gradients: int
    transient: int
    low: int
    high: int
    detail: str = ""

    @property
    def bytes(self) -> int:
        """Sum of the bands."""
        return self.saved + self.weight_casts + self.gradients + self.transient


class Timeline(msgspec.Struct, frozen=True):
    """The moments in their order; `peak` is the largest."""

    instants: tuple[Instant, ...]
    gradient_bytes: int

    @property
    def peak(self) -> Instant:
        """The first of the largest moments."""
        return max(self.instants, key=lambda instant: instant.bytes)


def timeline(kept: SavedTensors, parameters: int, *, accumulate: bool = False) -> Timeline:
    """The timeline of forward and backward.

    parameters: how many the model has, all of them trained. accumulate: gradients of an earlier micro-batch exist.
    """
    setting, run, letters = kept.setting, kept.run, kept.letters
    dim = run.dimensions
    weight = 2 if run.precision == "bf16" else 4
    gradients = parameters * weight
    before = gradients if accumulate else 0
    saved, casts = kept.saved_bytes + kept.loss_bytes, kept.weight_cast_bytes
    held = kept.logits_bytes
    tokens = letters["b"] * letters["s"]
    stream = tokens * dim.hidden * DTYPE_BYTES[setting.residual]
    embedding = dim.vocabulary * dim.hidden * weight

    def instant(at: At, moment: Moment, grads: int = 0, kept_now: int = 0, casts_now: int = 0, extra: int = 0) -> Instant:
        parts = (
            kept_now + moment.saved, casts_now + moment.weight_cast, before + grads + moment.gradient,
            held + extra + moment.transient,
        )  # fmt: skip
        total = sum(parts)
        return Instant(at, *parts, total, total, moment.label)

    nothing = Moment("head", "", 0, 0, 0, 0)
    layer = kept.layer
    layer_saved = sum(t.bytes for t in layer if t.row.category != "weight cast")
    layer_casts = sum(t.bytes for t in layer if t.row.category == "weight cast")

    cache = dim.layers * layer_casts if setting.recompute else 0
    found = [instant("forward", nothing, 0, saved, casts + cache, _forward_extra(kept))]
    head = play(head_tape(setting), letters, accumulate=accumulate)
    at_loss = play(tuple(e for e in head_tape(setting) if e.label == "loss"), letters)
    found.append(instant("loss", at_loss.largest, 0, saved, casts))
    found.append(instant("head's backward", head.largest, 0, saved, casts))

    rest, rest_casts = saved + head.after.saved, casts + head.after.weight_cast
    grads = head.after.gradient
    kind: Literal["full", "window"] = "window" if kept.window_layers > kept.full_layers else "full"
    tape = play(layer_tape(setting, kind), letters, accumulate=accumulate)
    if setting.recompute:
        again = layer_saved - (stream if _input_is_saved(kept) else 0)
        gone, gone_casts, again_casts = stream, 0, layer_casts
        largest = max(tape.largest, _recomputed(kept), key=lambda moment: moment.bytes)
    else:
        again = again_casts = 0
        gone, gone_casts = layer_saved, layer_casts
        largest = tape.largest
    ends: tuple[tuple[At, int, int], ...] = (
        ("last layer's backward", 0, 0), ("first layer's backward", dim.layers - 1, _held_by_other_kind(kept))
    )  # fmt: skip
    for at, done, other in ends:
        found.append(
            instant(
                at, largest, grads + done * tape.after.gradient, rest - done * gone + again - other,
                rest_casts - done * gone_casts + again_casts, stream,
            )
        )  # fmt: skip
    end = 2 * embedding if dim.tied else stream
    found.append(
        Instant("end of backward", 0, 0, gradients, held + end + 2 * kept.loss_bytes, *(2 * (gradients + held + end + 8,)))
    )
    return Timeline(tuple(found), gradients)


def _forward_extra(kept: SavedTensors) -> int:
    """Logits beside what is saved: in 16 and in 32 bits where the loss casts them; and autocast's copies of biases,
    which its cache holds until the forward pass ends."""
    letters, setting = kept.letters, kept.setting
    tokens = letters["b"] * letters["s"]
    logits = tokens * letters["V"]
    masked = setting.family.loss == "masked"
    biases = 0
    if setting.precision == "autocast":
        biases = 2 * sum(_bytes(event.shape, letters) for event in layer_tape(setting) if _is_bias(event)) * kept.run.dimensions.layers
        biases += 2 * (letters["V"] + letters["h"]) if masked else 0
    if masked:
        return biases + (0 if kept.logits_bytes else logits * DTYPE_BYTES[setting.inner])
    small = 8 * tokens + 16 + biases
    if setting.precision == "fp32":
        return (0 if kept.logits_bytes else 4 * logits) + small
    cast = 4 * tokens * letters["h"] if setting.precision == "autocast" else 0
    return (4 if kept.logits_bytes else 6) * logits + cast + small


def _is_bias(event: Event) -> bool:
    return event.band == "gradient" and event.label.endswith("bias")


def _bytes(shape: Shape, letters: dict[str, int]) -> int:
    return prod(letters[letter] for letter in shape)


def _recomputed(kept: SavedTensors) -> Moment:
    """The end of a layer's second forward pass, which stops at the last tensor that backward needs: what is then alive
    beside it. Approximate: the results of both branches and, in a post-norm model, of both norms."""
    setting, letters = kept.setting, kept.letters
    tokens = letters["b"] * letters["s"] * letters["h"]
    inner, wide = DTYPE_BYTES[setting.inner], DTYPE_BYTES[setting.residual]
    extra = 2 * inner * tokens
    if setting.family.residual == "post":
        extra = (inner + wide) * tokens + (wide * tokens if setting.precision == "autocast" else 0)
        if setting.drops("attention") and setting.full_kernel == "eager" and setting.precision == "autocast":
            extra += wide * letters["b"] * letters["a"] * letters["s"] ** 2
    return Moment("mlp", "second forward pass", 0, 0, 0, extra)


def _held_by_other_kind(kept: SavedTensors) -> int:
    """What only the layers that see the whole sequence hold, once they are done: their rotary table and their mask."""
    setting, letters = kept.setting, kept.letters
    if not (kept.full_layers and kept.window_layers):
        return 0
    found = 0
    if setting.family.two_rotary_bases:
        found += 2 * letters["s"] * letters["r"] * DTYPE_BYTES[setting.residual]
    if setting.recompute:
        if setting.full_kernel == "eager":
            found += letters["b"] * letters["s"] ** 2 * DTYPE_BYTES[setting.residual]
        elif setting.full_masked:
            found += letters["b"] * letters["s"] ** 2
    return found


def _input_is_saved(kept: SavedTensors) -> bool:
    """Whether the input a checkpoint holds is itself among what the layer saves."""
    setting = kept.setting
    if setting.family.residual == "post":
        return setting.precision != "autocast"
    return setting.family.norm == "layernorm" or setting.precision != "bf16"
