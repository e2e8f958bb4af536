"""Questions about units, cards, number formats, traffic and time."""

from __future__ import annotations

from fractions import Fraction

from core.account import Account
from core.learn.asking import trains, why
from core.learn.laboratory import experiment
from core.learn.loop import traffic
from core.learn.questions import Asked
from core.learn.setup import Setup, format_of
from core.learn.texts import text
from core.learn.units import mixed_quotient, same_step
from core.learn.walls import walls
from core.learn.wording import power_text, real_text
from core.lines import amount, given, quotient
from core.numbers import ceil, scientific, significant
from core.quantities import System, bytes_text, in_unit
from core.verdict import duration_text


def gib(account: Account, system: System) -> Asked | None:
    """The training state in the other unit system."""
    decimal, binary = same_step(account)
    size = account.training.count
    if decimal.size == 1 or size < 10 * decimal.size:
        return None
    ratio = Fraction(binary.size, decimal.size)
    plain_value, value = Fraction(size, decimal.size), Fraction(size, binary.size)
    rows = [(plain_value, "same"), (plain_value * ratio, "times"), (plain_value * 1000 / 1024, "once")]
    line = quotient(
        text("ask.gib.line", unit=binary.symbol),
        binary.symbol,
        account.training,
        given(f"bytes in a {binary.symbol}", binary.size, "B"),
    )
    wrong = why("gib", *((f"{significant(wrong)} {binary.symbol}", why) for wrong, why in rows))
    question = text("ask.gib", size=f"{significant(plain_value)} {decimal.symbol}", unit=binary.symbol)
    return Asked(question, f"{significant(value)} {binary.symbol}", wrong, (line,))


def mixed_units(account: Account, system: System) -> Asked | None:
    """What a division of GB by GiB gives."""
    decimal, binary = same_step(account)
    if account.cards_needed is None or decimal.size == 1 or account.training.count < decimal.size:
        return None
    first = f"{significant(in_unit(account.training.count, decimal).value)} {decimal.symbol}"
    second = f"{significant(in_unit(account.card.room.count, binary).value)} {binary.symbol}"
    figure = significant(mixed_quotient(account))
    wrong = why(
        "mixed_units", *((text(f"ask.mixed_units.{name}"), f"{name}_why") for name in ("cards", "exact", "margin"))
    )
    steps = (text("ask.mixed_units.step", first=first, second=second, figure=figure), account.cards_needed)
    question = text("ask.mixed_units", first=first, second=second, figure=figure)
    return Asked(question, text("ask.mixed_units.right"), wrong, steps)


def cards(account: Account, system: System) -> Asked | None:
    """How many cards hold the training state."""
    room = account.card.room.count
    if account.cards_needed is None or not account.cards_needed.parts:
        return None
    training = account.training.count
    rows = [
        (amount(ceil(mixed_quotient(account)), "cards"), "mixed"),
        (amount(training // room, "cards"), "down"),
        (amount(max(1, -(-account.inference.count // room)), "cards"), "weights"),
        (amount(max(1, -(-account.bands["optimizer"].count // room)), "cards"), "optimizer"),
    ]
    question = text("ask.cards", room=bytes_text(room, system))
    right = amount(account.cards_needed.count, "cards")
    return Asked(question, right, why("cards", *rows), (account.cards_needed,))


def sold_and_reported(account: Account, system: System) -> Asked | None:
    """What a card's own tool reports."""
    card = account.card
    if card.name is None or card.reported is None:
        return None
    rows = [
        (card.marketed, "decimal"),
        (card.marketed * 1024**3 // 1000**3, "binary"),
        (card.reported * 1000**3 // 1024**3, "twice"),
    ]
    wrong = why("sold_and_reported", *((bytes_text(size, "binary"), why) for size, why in rows))
    line = given(text("units.reported"), card.reported, "B")
    in_gib = quotient(text("units.reported"), "GiB", line, given("bytes in a GiB", 1024**3, "B"))
    question = text("ask.sold_and_reported", card=card.name, size=bytes_text(card.marketed))
    return Asked(question, bytes_text(card.reported, "binary"), wrong, (in_gib,))


def operations(account: Account, system: System) -> Asked | None:
    """How many operations the run takes."""
    flops = account.time.flops
    each = Fraction(flops.count, 6)
    rows = [(each * 2, "forward"), (each * 4, "backward"), (each, "once"), (each * 8, "recompute")]
    wrong = why("operations", *((f"{scientific(value)} FLOP", why) for value, why in rows))
    question = text("ask.operations", tokens=scientific(account.tokens.count))
    return Asked(question, f"{scientific(flops.count)} FLOP", wrong, (flops,))


def in_time(account: Account, system: System) -> Asked | None:
    """How many cards end the run before the deadline."""
    found = walls(account)
    at_peak = Fraction(account.time.days_on_one.value or 0) * Fraction(account.mfu.value or 0) / found.deadline
    rows = [(max(1, ceil(at_peak)), "peak"), (max(1, -(-found.time.count // 3)), "forward")]
    if account.cards_needed is not None:
        rows.insert(0, (account.cards_needed.count, "memory"))
    wrong = why("in_time", *((amount(count, "cards"), why) for count, why in rows))
    question = text(
        "ask.in_time",
        days=f"{significant(found.deadline)} days",
        one=duration_text((account.time.days_on_one.value or 0) * 86_400),
    )
    return Asked(question, amount(found.time.count, "cards"), wrong, (found.time,))


def vanishes(account: Account, system: System) -> Asked | None:
    """How far a coarse weight moves under small updates without a 32-bit copy."""
    own = format_of(Setup(), account)
    found = experiment("bf16" if own == "fp32" else own, 1, Fraction(1, 10**6), 4096, 0)
    rows = [
        (real_text(Fraction(4096, 10**6), 3), "exact"),
        (real_text(Fraction(found.weight) - Fraction(found.below), 3), "gap"),
        (real_text(Fraction(1, 10**6), 3), "once"),
    ]
    steps = (
        text("ask.vanishes.half", half=power_text(found.half_gap)),
        text("ask.vanishes.smaller", update=real_text(Fraction(1, 10**6)), half=real_text(found.half_gap, 3)),
    )
    question = text("ask.vanishes", format=found.number_format.replace("-", " "), update=real_text(Fraction(1, 10**6)))
    return Asked(question, text("ask.vanishes.right"), why("vanishes", *rows), steps)


def moved_bytes(account: Account, system: System) -> Asked | None:
    """How many bytes one step reads and writes."""
    if not trains(account):
        return None
    line, size = traffic(account), account.training.count
    rows = [(size, "once"), (2 * size, "twice"), (account.bands["parameters"].count, "weights")]
    wrong = why("moved_bytes", *((bytes_text(each, system), why) for each, why in rows))
    steps = (f"{one.name}: {(one.parts[0] if len(one.parts) == 1 else one).text()}" for one in line.parts)
    return Asked(
        text("ask.moved_bytes"), bytes_text(line.count, system), wrong, (*steps, f"{line.name}: {line.text()}")
    )
