"""The whole bill of one card: states, activations and buffers at each moment of a step, and the largest.

The moments are those of core.memory.peak; what a stage shares out and what it gathers is added here. Nothing of this is
known without a model.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Literal

import msgspec

from core.adapters import Adapted, adapted
from core.bands import ALL_LABELS
from core.lines import Line, given, total
from core.memory.activations import SavedTensors, saved
from core.memory.gather import Range, gather_buffers, scaled
from core.memory.passes import Pass
from core.memory.peak import Timeline, timeline
from core.memory.rows import DTYPE_BYTES
from core.memory.states import step_temporaries
from core.models.facts import ModelFacts
from core.numbers import Number, ceil, ceil_div
from core.recipes import recipe
from core.scenario import Scenario
from core.shares import bucket_bytes, carrier, ranks_of, stage_of
from core.shares import held as held_by

# Which pass a recipe runs; a custom recipe with two-byte weights runs the 16-bit one.
PASSES: dict[str, Literal["fp32", "bf16", "autocast"]] = {"autocast": "autocast", "fp32": "fp32"}
# Moments at which a linear of a layer runs.
LAYER_MOMENTS = ("last layer's backward", "first layer's backward")
ACTIVATION_BANDS = ("activations", "transient")


class Moment(msgspec.Struct, frozen=True):
    """One moment of a step on one card: bytes of each band, and between which the sum lies where it is approximate."""

    name: str
    bands: dict[str, int]
    low: int
    high: int

    @property
    def bytes(self) -> int:
        """Sum of the bands."""
        return sum(self.bands.values())


def moment_line(name: str, moment: Moment) -> Line:
    """The bands of a moment, added."""
    parts = tuple(given(ALL_LABELS[band], size, "B") for band, size in moment.bands.items() if size)
    return total(name, "B", parts or (given("nothing", 0, "B"),))


class Bill(msgspec.Struct, frozen=True):
    """All moments of a step on one card. `kept` and `steps` are of the pass itself, before anything is shared out.

    `buckets`: bytes of the gradients' second copy, which is part of every moment.
    """

    kept: SavedTensors
    steps: Timeline
    moments: tuple[Moment, ...]
    notes: tuple[str, ...]
    buckets: int = 0

    @property
    def peak(self) -> Moment:
        """The first of the largest moments."""
        return max(self.moments, key=lambda moment: moment.bytes)


def pass_of(scenario: Scenario, facts: ModelFacts) -> Pass:
    """The pass that a scenario runs on one card."""
    found = adapted(scenario, facts)
    precision = PASSES.get(scenario.precision, "bf16")
    if found is not None and found.narrow and precision == "autocast":
        # What is stored in 16 bits or unpacked to them has nothing for autocast to cast.
        precision = "bf16"
    return Pass(
        dimensions=facts.dimensions,
        micro_batch=scenario.micro_batch,
        seq_len=scenario.seq_len,
        precision=precision,
        attention="eager" if scenario.attention == "eager" else "sdpa",
        dropout=scenario.dropout,
        padding_mask=scenario.padding_mask,
        recompute="full" if scenario.recompute == "full" else "none",
        keep_logits=scenario.keep_logits,
        window=scenario.sliding_window or 0,
        lora=None if found is None else found.lora,
    )


@lru_cache(maxsize=128)
def _steps(run: Pass, parameters: int, held: int, accumulate: bool) -> tuple[SavedTensors, Timeline]:
    kept = saved(run)
    return kept, timeline(kept, parameters, held_gradients=held, accumulate=accumulate)


def bill(
    scenario: Scenario, facts: ModelFacts, bytes_each: dict[str, Number], bands: dict[str, int], stage: int, cards: int
) -> Bill | None:
    """The bill of one card. `bytes_each`: of a parameter, by item; `bands`: of the states on this card at `stage`.

    None for a recipe that does not train, and for a model that is no single transformer over a vocabulary.
    """
    if recipe(scenario.precision).moment[1] == 0 or not bytes_each["gradients"]:
        return None
    if not facts.tabled:
        return None
    adapters = adapted(scenario, facts)
    run = pass_of(scenario, facts)
    trained = facts.count.total if adapters is None else adapters.parameters
    gradient = bytes_each["gradients"] if adapters is None else adapters.each
    kept, steps, notes = _pass(scenario, run, trained, gradient)
    how = carrier(scenario) if stage == stage_of(scenario) else None
    ranks = ranks_of(scenario, cards) if how is not None else cards
    # Parameters on the host visit the card a layer at a time, whatever the number of cards.
    gathers = (stage == 3 and ranks > 1) or scenario.offload == "parameters"
    nothing = Range(0, 0, 0)
    forward, backward = _gather(facts, run, gradient, adapters, ranks if how else 1) if gathers else (nothing, nothing)
    whole = steps.gradient_bytes or 1
    updated = ceil_div(trained, cards if stage else 1)
    if how is not None:
        updated = held_by(facts.tensors if adapters is None else adapters.tensors, how, ranks).updated
    moment = ceil(recipe(scenario.precision).moment[1])
    temporaries = 0
    if scenario.offload == "none":
        temporaries = step_temporaries(scenario.optimizer, updated, moment, fused=scenario.fused_update) or 0
    buckets = 0 if how is None else bucket_bytes(how, trained, gradient)
    unpacked = 0 if adapters is None else adapters.largest * DTYPE_BYTES["bf16" if run.precision != "fp32" else "fp32"]
    moments = []
    for instant in steps.instants:
        updating = instant.at == "optimizer step"
        gathered = nothing if updating else forward if instant.at == "forward" else backward
        transient = instant.transient + buckets + gathered.bytes + (temporaries if updating else 0)
        if instant.at in LAYER_MOMENTS:
            transient += unpacked
        shown = {
            "parameters": bands["parameters"],
            "gradients": ceil_div(instant.gradients * bands["gradients"], whole),
            "optimizer": bands["optimizer"],
            "activations": instant.saved + instant.weight_casts,
            "transient": transient,
        }
        held = sum(shown.values())
        less = instant.bytes - instant.low + gathered.bytes - gathered.low
        more = instant.high - instant.bytes + gathered.high - gathered.bytes
        moments.append(Moment(instant.at, shown, held - less, held + more))
    return Bill(kept, steps, tuple(moments), notes, buckets)


def _pass(
    scenario: Scenario, run: Pass, parameters: int, gradient: Number
) -> tuple[SavedTensors, Timeline, tuple[str, ...]]:
    """The pass with gradients as the recipe keeps them.

    A recipe whose gradients are wider than the pass's keeps them all along: a main gradient that each of the pass's is
    added to and freed (6 B: kept beside it). With several micro-batches in a step gradients are there all along too.
    """
    own = DTYPE_BYTES["bf16" if run.precision == "bf16" and not (run.lora and run.lora.wide) else "fp32"]
    several = scenario.gradient_accumulation > 1
    if gradient == own and not several:
        held, accumulate = 0, False
    elif gradient == own + 4 and own == 2 and not several:
        held, accumulate = 4 * parameters, False
    else:
        held, accumulate = -((-parameters * gradient).__floor__()), True
    kept, steps = _steps(run, parameters, held, accumulate)
    notes = list(kept.notes)
    if scenario.precision == "fp8-deepseek-v3":
        notes.append("Activations are those of a 16-bit pass: what fp8 saves was not measured.")
    return kept, steps, tuple(notes)


_buffers: dict[tuple[int, int, int, str], tuple[ModelFacts, tuple[Range, Range]]] = {}


def _gather(
    facts: ModelFacts, run: Pass, gradient: Number, adapters: Adapted | None, ranks: int
) -> tuple[Range, Range]:
    """Unsharded layers that stage 3 holds while it runs: forward and backward, in bytes, padded for `ranks`.

    They are gathered in the format that the pass computes its linears in, or keeps its weights in where these are
    cast on the spot; frozen ones as they are stored, and without a gradient that is gathered beside them.
    """
    format_bytes = DTYPE_BYTES["bf16" if run.precision == "bf16" else "fp32"]
    kind = "frozen" if adapters is not None else "wide" if gradient > format_bytes else ""
    key = (id(facts), ranks, format_bytes, kind)
    found = _buffers.get(key)
    if found is None or found[0] is not facts:
        if len(_buffers) > 512:
            _buffers.clear()
        buffers = gather_buffers(facts.tensors, ranks, format_bytes=format_bytes, wider_reduce=kind == "wide")
        backward = buffers.forward if adapters is not None else buffers.backward
        found = _buffers[key] = (facts, (buffers.forward, backward))
    if adapters is None or not adapters.packed:
        return found[1]
    share = Fraction(adapters.frozen_bytes, facts.count.total * format_bytes)
    return scaled(found[1][0], share), scaled(found[1][1], share)
