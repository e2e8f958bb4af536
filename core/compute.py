"""The second wall: operations, time and cost of the whole run.

C = 6·N·D for N active parameters and D tokens: two operations for each parameter and token forward, four backward
(Kaplan et al. 2020, section 2.1; Hoffmann et al. 2022). Utilisation is model FLOPs over the dense 16-bit peak.
"""

from __future__ import annotations

import msgspec

from core.lines import Line, given, product, quotient, quotient_up, total
from core.models.dimensions import Dimensions

# Dense bf16 peak of an A100, from NVIDIA's datasheet (the headline 624 is with sparsity).
A100_PEAK = 312 * 10**12
# Hoffmann et al. 2022, table 3: compute-optimal training takes about twenty tokens for each parameter.
TOKENS_EACH = 20
SECONDS_A_DAY = 86_400
# Two forward, two for the gradient of what the weight multiplied, two for its own; a frozen weight has none of its own.
TRAINED_OPERATIONS = given("operations for each parameter and token", 6)
FROZEN_OPERATIONS = given("operations for each frozen parameter and token", 4)


class Time(msgspec.Struct, frozen=True):
    """Time of the run. Operations in FLOP, times in seconds, days and card hours; None where nothing was asked."""

    flops: Line
    hardware_flops: Line
    seconds: Line
    days: Line
    days_on_one: Line
    card_hours: Line
    cost: Line | None
    cards_for_deadline: Line | None


def attention_line(dimensions: Dimensions, layers: int, seq_len: int) -> Line:
    """Operations of attention's two products for one token, forward and backward: 12·L·a·d·s, L the `layers` with one.

    Full attention over `seq_len` tokens, not causal: PaLM's convention (Chowdhery et al. 2022, appendix B).
    """
    return product(
        "attention for each token", "FLOP",
        given("", 12), given("layers with attention", layers), given("heads", dimensions.heads),
        given("head size", dimensions.head_dim), given("tokens in a sequence", seq_len, field="seq_len"),
    )  # fmt: skip


def time(
    active: Line,
    attention: Line | None,
    tokens: Line,
    cards: Line,
    peak: Line,
    mfu: Line,
    deadline: Line | None,
    price: Line | None,
    recomputed: bool = False,
    each: Line = TRAINED_OPERATIONS,
) -> Time:
    """Time and cost of training `active` parameters on `tokens` tokens with `cards` cards.

    `attention` are the operations of attention for one token, where the model is known; `each` those of a parameter.
    `recomputed`: the forward pass runs a second time for the backward one. The hardware then does a third more, 8·N·D
    for 6·N·D (Korthikanti et al. 2022, section 6), which is no useful work: the utilisation is of model FLOPs, so the
    seconds stay.
    """
    flops = _operations(each, active, attention, tokens)
    # A forward pass is a third of a pass in which every weight is trained.
    whole = flops if each is TRAINED_OPERATIONS else _operations(TRAINED_OPERATIONS, active, attention, tokens)
    again = quotient("forward pass computed again", "FLOP", whole, given("", 3))
    hardware = total("Operations in hardware", "FLOP", (flops, again)) if recomputed else flops
    seconds = quotient("Seconds", "s", flops, cards, peak, mfu)
    day = given("seconds in a day", SECONDS_A_DAY, "s")
    one = given("card", 1)
    hours = quotient("Card hours", "card hours", product("card seconds", "s", seconds, cards), given("", 3600, "s"))
    cost = product("Cost", "", hours, price) if price is not None else None
    needed = None
    if deadline is not None:
        in_time = product("operations of one card until the deadline", "FLOP", peak, mfu, deadline, day)
        needed = quotient_up("Cards for the deadline", "cards", flops, in_time)
    return Time(
        flops=flops,
        hardware_flops=hardware,
        seconds=seconds,
        days=quotient("Days", "days", seconds, day),
        days_on_one=quotient("Days on one card", "days", flops, one, peak, mfu, day),
        card_hours=hours,
        cost=cost,
        cards_for_deadline=needed,
    )


def _operations(each: Line, active: Line, attention: Line | None, tokens: Line) -> Line:
    if attention is None:
        return product("Operations", "FLOP", each, active, tokens)
    one = total("Operations for each token", "FLOP", (product("weights", "FLOP", each, active), attention))
    return product("Operations", "FLOP", one, tokens)
