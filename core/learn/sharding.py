"""Sharding, stage by stage: who holds what, and which message moves when.

What each card holds are the account's own lines. Messages follow the ZeRO paper (Rajbhandari et al. 2019, section 7):
stage 0 adds gradients up with an all-reduce; stages 1 and 2 with a reduce-scatter, and gather the updated parameters;
stage 3 gathers the parameters before forward and again before backward. Bytes are what one card sends on a ring of N
cards: (N − 1) shards for a reduce-scatter or an all-gather, twice that for an all-reduce (Patarasuk and Yuan 2009).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from core.account import Account
from core.bands import BAND_LABELS
from core.charts.description import Bar, Chart, Segment
from core.charts.scale import byte_ticks
from core.learn.description import CellBand, CellCard, Cells, Figure, Part, Slot, Split, View
from core.learn.loop import update_bytes
from core.learn.state import State
from core.learn.texts import text
from core.lines import Line, amount, given, product, total
from core.numbers import Number
from core.quantities import System, bytes_text
from core.shares import carrier, ranks_of
from core.states import SHARED, STAGES, shard_line

MOMENTS = ("forward", "backward", "update")
Operation = Literal["all-reduce", "reduce-scatter", "all-gather"]
MOST_DRAWN = 6

# stage: moment, operation, what moves.
_MESSAGES: dict[int, tuple[tuple[str, Operation, str], ...]] = {
    0: (("backward", "all-reduce", "gradients"),),
    1: (("backward", "reduce-scatter", "gradients"), ("update", "all-gather", "parameters")),
    2: (("backward", "reduce-scatter", "gradients"), ("update", "all-gather", "parameters")),
    3: (
        ("forward", "all-gather", "parameters"),
        ("backward", "all-gather", "parameters"),
        ("backward", "reduce-scatter", "gradients"),
    ),
}
# Recipes that send parameters in another format than they are kept in: bytes of one parameter.
_SENT_AS: dict[str, Number] = {"fsdp-mixed": 2}


class Message(msgspec.Struct, frozen=True):
    """One message of a step: when, which, of what band, and how many bytes one card sends."""

    moment: str
    operation: Operation
    band: str
    line: Line


def messages(account: Account, stage: int) -> tuple[Message, ...]:
    """Every message of one training step at a stage; none on one card, and none without gradients.

    Groups of cards that each share out one copy (HSDP) also add their gradient shards up with the other groups.
    """
    cards, ranks = account.cards.count, _ranks(account, stage)
    if cards < 2 or not account.each_bands["gradients"]:
        return ()
    found = [
        Message(moment, operation, band, _sent(account, operation, band, shard_line(account.params, _in(ranks)), ranks))
        for moment, operation, band in _MESSAGES[stage]
        if ranks > 1
    ]
    groups = -(-cards // ranks)
    if groups > 1:
        piece = shard_line(shard_line(account.params, _in(ranks)), given(text("sharding.groups"), groups))
        found.append(
            Message("backward", "all-reduce", "gradients", _sent(account, "all-reduce", "gradients", piece, groups))
        )
    return tuple(found)


def _in(ranks: int) -> Line:
    return given(text("sharding.ranks"), ranks)


def _sent(account: Account, operation: Operation, band: str, shard: Line, ring: int) -> Line:
    """Bytes one card sends round a ring of so many cards, shard by shard."""
    if band == "gradients":
        each = update_bytes(next(kept for kept in account.kept if kept.item.name == "gradients"))
    else:
        each = _SENT_AS.get(account.scenario.precision, account.each_bands["parameters"])
    parts = [shard, given(text(f"sharding.one.{band}"), each, "B"), given(text("sharding.others"), ring - 1)]
    if operation == "all-reduce":
        parts.append(given(text("sharding.twice"), 2))
    return product(text(f"sharding.{operation}", what=BAND_LABELS[band].lower()), "B", *parts, whole=True)


def sent(account: Account, stage: int) -> Line:
    """Bytes one card sends in one step at a stage."""
    lines = tuple(message.line for message in messages(account, stage))
    return lines[0] if len(lines) == 1 else total(text("sharding.sent"), "B", lines)


def describe(account: Account, system: System, state: State) -> View:
    """The cells at one stage, and its messages."""
    stage = state.at(account.stage.stage, len(STAGES))
    chart = _messages_chart(account, system, stage)
    return View(
        "sharding",
        text("sharding.title"),
        text("sharding.lead"),
        Split((Part(_cells(account, system, stage), 13), Part(chart, 10)), across=True),
        _figures(account, system, stage),
        text(f"sharding.stage.{stage}"),
        stage,
        len(STAGES),
    )


def _cells(account: Account, system: System, stage: int) -> Cells:
    row = account.stages[stage]
    count = account.cards.count
    drawn = list(range(count)) if count <= MOST_DRAWN else [*range(MOST_DRAWN - 2), count - 1]
    bands = [band for band in BAND_LABELS if account.bands[band].count]
    share = bytes_text(row.per_card.count, system)
    cards = tuple(
        CellCard(
            text("sharding.card", number=f"{at + 1:,}"),
            tuple(_slot(account, band, stage, at) for band in bands),
            share,
        )
        for at in drawn
    )
    over = not row.states_fit
    size = bytes_text(abs(row.room - row.per_card.count), system)
    verdict = text("sharding.over" if over else "sharding.fits", share=share, size=size)
    lines = tuple(_band(account, system, stage, band) for band in bands)
    spoken = ". ".join(f"{band.label}: {band.text}" for band in lines)
    return Cells(
        "cells",
        text("sharding.cells", stage=stage),
        text("sharding.caption", cards=amount(count, "cards")),
        lines,
        cards,
        MOST_DRAWN - 2 if count > MOST_DRAWN else 0,
        verdict,
        over,
        f"{spoken}. {verdict}",
    )


def _slot(account: Account, band: str, stage: int, at: int) -> Slot:
    """The part of a band that card `at` holds: all of it, or its own shard; nothing of what lives on the host."""
    size, held = account.bands[band].count, account.stages[stage].bands[band].count
    if held == 0:
        return Slot(band, size, Fraction(0), Fraction(0))
    if band not in SHARED[stage]:
        return Slot(band, size, Fraction(0), Fraction(1))
    ranks, params = _ranks(account, stage), account.params.count
    shard = -(-params // ranks)
    place = at % ranks
    begin, end = min(place * shard, params), min((place + 1) * shard, params)
    return Slot(band, size, Fraction(begin, params), Fraction(end, params))


def _ranks(account: Account, stage: int) -> int:
    """Cards that share out one copy: all, or those of one group where the stage is carried out in groups."""
    how = carrier(account.scenario)
    carried = how is not None and how.stage == stage
    return ranks_of(account.scenario, account.cards.count) if carried else account.cards.count


def _band(account: Account, system: System, stage: int, band: str) -> CellBand:
    row = account.stages[stage]
    held, whole = row.bands[band].count, account.bands[band].count
    size = bytes_text(held, system)
    if band in row.host:
        said = text("sharding.host")
    elif held < whole:
        said = text("sharding.part", held=size, whole=bytes_text(whole, system))
    else:
        # An implementation may keep a second copy for its messages.
        said = text("sharding.whole" if held == whole else "sharding.more", held=size)
    return CellBand(BAND_LABELS[band], band, said)


def _messages_chart(account: Account, system: System, stage: int) -> Chart:
    own = messages(account, stage)
    longest = max(1, *(_moment(messages(account, which), moment) for which in STAGES for moment in MOMENTS))
    bars = []
    for moment in MOMENTS:
        parts = [message for message in own if message.moment == moment]
        segments = tuple(
            Segment(message.band, message.line.name, message.line.count, bytes_text(message.line.count, system))
            for message in parts
        ) or (Segment("parameters", text("sharding.silent"), 0, "0 B"),)
        said = bytes_text(sum(segment.value for segment in segments), system) if parts else text("sharding.silent")
        note = " + ".join(message.operation for message in parts)
        bars.append(Bar(text(f"sharding.{moment}"), segments, said, note))
    whole = sent(account, stage)
    title = text("sharding.messages")
    caption = text("sharding.messages.caption", size=bytes_text(whole.count, system)) if own else text("sharding.alone")
    return Chart(
        "messages",
        title,
        caption,
        "B",
        tuple(bars),
        (),
        byte_ticks(longest, system),
        longest,
        None,
        ". ".join([title, *(f"{bar.label}: {bar.text} {bar.note}".rstrip() for bar in bars)]) + ".",
    )


def _moment(own: tuple[Message, ...], moment: str) -> int:
    return sum(message.line.count for message in own if message.moment == moment)


def _figures(account: Account, system: System, stage: int) -> tuple[Figure, ...]:
    row = account.stages[stage]
    found = [
        Figure(
            "per_card",
            text("sharding.per_card"),
            bytes_text(row.per_card.count, system),
            text("sharding.of_cards", cards=amount(account.cards.count, "cards")),
            row.per_card,
        )
    ]
    saved = Line(
        text("sharding.saved.line"),
        account.stages[0].per_card.count - row.per_card.count,
        "B",
        "difference",
        (account.stages[0].per_card, row.per_card),
    )
    if saved.count:
        found.append(
            Figure(
                "saved", text("sharding.saved"), bytes_text(saved.count, system), text("sharding.saved.detail"), saved
            )
        )
    moved = sent(account, stage)
    if moved.count:
        found.append(
            Figure("sent", text("sharding.sent"), bytes_text(moved.count, system), text("sharding.sent.detail"), moved)
        )
    fewest = row.to_fit.value
    found.append(
        Figure(
            "to_fit",
            text("sharding.to_fit"),
            text("walls.never") if fewest is None else amount(fewest, "cards"),
            text("sharding.to_fit.detail", stage=stage),
            row.to_fit,
        )
    )
    return tuple(found)
