"""The timeline of one step: its moments, the bytes of each band then, and the largest.

Follows PyTorch 2.13's operators; what kernels allocate inside themselves, the allocator's rounding and the context are
not in it.
"""

from __future__ import annotations

from math import prod
from typing import Literal

import msgspec

from core.memory.activations import SavedTensors
from core.memory.backward import Moment, head_tape, layer_tape, play
from core.memory.rows import DTYPE_BYTES
from core.memory.setting import Setting
from core.memory.tape import Event, Shape

At = Literal[
    "forward", "loss", "head's backward", "last layer's backward", "first layer's backward", "end of backward",
    "optimizer step",
]  # fmt: skip

# How far a layer's moment was from what was measured on models of random sizes, at most, in per cent: without and with
# a second forward pass; and what is allowed for a family whose table another one stands in for.
LAYER_PERCENT, RECOMPUTE_PERCENT, STAND_IN_PERCENT = 1, 3, 20


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
    """The moments in their order; gradient_bytes: of all gradients once they are there."""

    instants: tuple[Instant, ...]
    gradient_bytes: int

    @property
    def peak(self) -> Instant:
        """The first of the largest moments."""
        return max(self.instants, key=lambda instant: instant.bytes)

    @property
    def pass_peak(self) -> Instant:
        """The same of forward and backward alone."""
        passes = (instant for instant in self.instants if instant.at != "optimizer step")
        return max(passes, key=lambda instant: instant.bytes)


def timeline(
    kept: SavedTensors, parameters: int, *, held_gradients: int = 0, accumulate: bool = False, step_copies: int = 0
) -> Timeline:
    """The timeline of forward, backward and update.

    parameters: how many are trained, of the whole model or of its adapters. held_gradients: bytes of gradients that are
    there all along (of earlier micro-batches, or a buffer of the framework's). accumulate: the pass's own gradients are
    added to them and freed one by one. step_copies: bytes the optimizer makes for its step (32-bit copies,
    temporaries).
    """
    setting, run, letters = kept.setting, kept.run, kept.letters
    dim = run.dimensions
    weight = DTYPE_BYTES[setting.residual]
    gradients = parameters * DTYPE_BYTES[setting.adapter if setting.frozen else setting.residual]
    stream = letters["b"] * letters["s"] * dim.hidden * weight
    embedding = dim.vocabulary * dim.hidden * weight
    saved, casts = kept.saved_bytes + kept.loss_bytes, kept.weight_cast_bytes
    found: list[Instant] = []

    def note(at: At, moment: Moment, grads: int, kept_now: int, casts_now: int, extra: int, percent: int) -> None:
        bands = (
            kept_now + moment.saved, casts_now + moment.weight_cast, held_gradients + grads + moment.gradient,
            kept.logits_bytes + extra + moment.transient,
        )  # fmt: skip
        percent = STAND_IN_PERCENT if kept.stand_in else percent
        total = sum(bands)
        low, high = total * (100 - percent) // 100, -(-total * (100 + percent) // 100)
        found.append(Instant(at, *bands, low, high, moment.label))

    layer_casts = sum(t.bytes for t in kept.layer if t.row.category == "weight cast")
    layer_saved = sum(t.bytes for t in kept.layer) - layer_casts
    cache = dim.layers * _cached(kept) if setting.recompute else 0
    note("forward", Moment("head", "", 0, 0, 0, 0), 0, saved, casts + cache, _forward_extra(kept), 0)

    head = play(head_tape(setting), letters, accumulate=accumulate)
    at_loss = play(tuple(event for event in head_tape(setting) if event.label == "loss"), letters)
    note("loss", at_loss.largest, 0, saved, casts, 0, 0)
    note("head's backward", head.largest, 0, saved, casts, 0, 0)

    # What is left when the last layer's backward begins, and what each layer changes.
    rest, rest_casts, grads = saved + head.after.saved, casts + head.after.weight_cast, head.after.gradient
    kind: Literal["full", "window"] = "window" if kept.window_layers > kept.full_layers else "full"
    tape = play(layer_tape(setting, kind), letters, accumulate=accumulate)
    largest, gone, gone_casts, percent = tape.largest, layer_saved, layer_casts, LAYER_PERCENT
    if setting.recompute:
        rest += layer_saved - (stream if _input_is_saved(kept) else 0)
        rest_casts += layer_casts
        second = Moment("mlp", "second forward pass", 0, 0, 0, _recomputed(kept))
        largest = max(largest, second, key=lambda moment: moment.bytes)
        gone, gone_casts, percent = stream, 0, RECOMPUTE_PERCENT
    # A tied head's gradient waits for the embedding's before both are added to one that exists.
    waiting = embedding if accumulate and dim.tied and not setting.frozen else 0
    # Of a frozen model's first layer less is kept; its moment is bounded by that of a layer that keeps all.
    missing = 0 if setting.recompute else dim.layers * (layer_saved + layer_casts) - _in_layers(kept)
    ends: tuple[tuple[At, int, int], ...] = (
        ("last layer's backward", 0, 0),
        ("first layer's backward", dim.layers - 1, _held_by_other_kind(kept) - missing),
    )  # fmt: skip
    for at, done, other in ends:
        note(
            at, largest, grads + done * tape.after.gradient, rest - done * gone - other,
            rest_casts - done * gone_casts, head.after.transient + waiting, percent,
        )  # fmt: skip

    end = 0 if setting.frozen else _end_extra(embedding, stream, tied=dim.tied, accumulate=accumulate)
    after = 0 if accumulate else gradients
    note("end of backward", Moment("head", "", 0, 0, 0, 0), after, 0, 0, end + 2 * kept.loss_bytes, 0)
    note("optimizer step", Moment("head", "", 0, 0, 0, 0), after, 0, 0, step_copies - kept.logits_bytes, 0)
    return Timeline(tuple(found), held_gradients + after)


def _end_extra(embedding: int, stream: int, *, tied: bool, accumulate: bool) -> int:
    """Beside all gradients, when the embedding's is there: with a tied head its own, the head's and their sum."""
    if tied:
        return max(2 * embedding, embedding + stream) + (embedding if accumulate else 0)
    return stream + (embedding if accumulate else 0)


def _forward_extra(kept: SavedTensors) -> int:
    """Logits beside what is saved: in 16 and in 32 bits where the loss casts them; and autocast's copies of biases,
    which its cache holds until the forward pass ends."""
    letters, setting = kept.letters, kept.setting
    tokens = letters["b"] * letters["s"]
    logits = tokens * letters["V"]
    masked = setting.family.loss == "masked"
    biases = 0
    if setting.precision == "autocast" and not setting.frozen:
        layer = sum(_elements(event.shape, letters) for event in layer_tape(setting) if _is_bias(event))
        biases = 2 * layer * kept.run.dimensions.layers
        biases += 2 * (letters["V"] + letters["h"]) if masked else 0
    if masked:
        return biases + (0 if kept.logits_bytes else logits * DTYPE_BYTES[setting.inner])
    small = 8 * tokens + 16 + biases
    if setting.precision == "fp32":
        return (0 if kept.logits_bytes else 4 * logits) + small
    cast = 4 * tokens * letters["h"] if setting.precision == "autocast" else 0
    return (4 if kept.logits_bytes else 6) * logits + cast + small


def _cached(kept: SavedTensors) -> int:
    """Weight copies of one layer that autocast's cache holds until the forward pass ends: of trained weights."""
    casts = (t for t in kept.layer if t.row.category == "weight cast")
    return sum(t.bytes for t in casts if not kept.setting.frozen or "R" in t.row.shape)


def _in_layers(kept: SavedTensors) -> int:
    """Bytes that all layers keep."""
    if not kept.setting.frozen or (kept.full_layers and kept.window_layers):
        return kept.run.dimensions.layers * sum(t.bytes for t in kept.layer)
    return sum(t.bytes for t in kept.tensors if t.row.where == "layer")


def _is_bias(event: Event) -> bool:
    return event.band == "gradient" and event.label.endswith("bias")


def _elements(shape: Shape, letters: dict[str, int]) -> int:
    return prod(letters[letter] for letter in shape)


def _recomputed(kept: SavedTensors) -> int:
    """The end of a layer's second forward pass, which stops at the last tensor that backward needs: what is then alive
    beside it. Approximate: results of the branches, outputs of norms that are not kept, the gradient cast for its use.
    """
    setting, letters = kept.setting, kept.letters
    residual = setting.family.residual
    tokens = letters["b"] * letters["s"] * letters["h"]
    inner, wide = DTYPE_BYTES[setting.inner], DTYPE_BYTES[setting.residual]
    auto = setting.precision == "autocast"
    if residual == "post":
        extra = (inner + (2 if auto else 1) * wide) * tokens
        if setting.drops("attention") and setting.full_kernel == "eager" and auto:
            extra += wide * letters["b"] * letters["a"] * letters["s"] ** 2
    else:
        plain = setting.family.norm == "layernorm"
        results = plain + setting.drops("mlp_output") + auto
        unsaved = auto or (setting.precision == "bf16" and not plain)
        extra = (inner * results + wide * unsaved) * tokens
    return extra + _recomputed_adapters(setting, tokens, letters["b"] * letters["s"] * letters["f"])


def _recomputed_adapters(setting: Setting, stream: int, wide: int) -> int:
    """What adapters add to that: elements of the stream and of the MLP's width.

    With 32-bit adapters over 16 bits the sum of both outputs is in 32 bits beside both, and the gradient has begun;
    under autocast the last linear's input is there three times.
    """
    last = setting.trains("down", "second")
    if not setting.frozen or setting.adapter == setting.inner:
        return 0
    if setting.precision == "autocast":
        return (6 * wide + 2 * stream) * last
    sums = 4 if setting.trains("up", "first") else 10 if setting.trains("gate_up") else 0
    return sums * wide + (2 * bool(sums) + 6 * last) * stream


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
