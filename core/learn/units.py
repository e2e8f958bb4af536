"""Two unit systems, one number: the same bytes under two rulers, and what comes of mixing them in one division."""

from __future__ import annotations

from fractions import Fraction

from core.account import Account
from core.charts.description import Bar, Chart, Limit, Segment
from core.charts.scale import byte_ticks
from core.learn.description import Figure, Part, Split, View
from core.learn.state import State
from core.learn.texts import text
from core.lines import Line, amount, given, quotient
from core.numbers import Number, significant
from core.quantities import LADDERS, System, Unit, bytes_text, in_unit, ladder_unit

SYSTEMS: tuple[System, System] = ("decimal", "binary")
# Cards whose three figures are all known, old and new.
SHOWN_CARDS = ("H100 SXM", "H200 SXM", "B200 SXM")


def describe(account: Account, system: System, state: State) -> View:
    """One bar under two rulers, beside what cards are sold with, report and give."""
    rulers = Split(tuple(Part(_ruler(account, which)) for which in SYSTEMS))
    return View(
        "units",
        text("units.title"),
        text("units.lead"),
        Split((Part(rulers, 10), Part(_cards(account, system), 11)), across=True),
        _figures(account),
        text("units.said"),
    )


def _ruler(account: Account, system: System) -> Chart:
    training, room = account.training.count, account.card.room.count
    bar = Bar(
        text("units.training"),
        (Segment("", text("units.training"), training, bytes_text(training, system)),),
        f"{training:,} B",
        key="training.bytes",
    )
    needed = account.cards_needed.count if account.cards_needed is not None else 0
    counts = sorted({1, needed}) if 0 < needed * room <= 50 * max(training, 1) else []
    limits = tuple(
        Limit(count * room, _cards_text(count, room, system, alone=count == counts[-1]))
        for count in counts
        if 20 * count * room >= training
    )
    longest = max(training, 1, *(limit.value for limit in limits)) if limits else max(training, 1)
    title = text(f"units.ruler.{system}")
    return Chart(
        f"ruler-{system}",
        title,
        "",
        "B",
        (bar,),
        limits,
        byte_ticks(longest, system),
        longest,
        None,
        f"{title}: {bar.text}.",
    )


def _cards_text(count: int, room: int, system: System, alone: bool) -> str:
    """So many cards, with their memory where the label has the room for it."""
    cards = amount(count, "cards")
    return f"{cards}, {bytes_text(count * room, system)}" if alone else cards


def mixed_quotient(account: Account) -> Fraction:
    """What comes out where the footprint's decimal figure is divided by the card's binary one: of no unit at all.

    Both are taken in giga units (or those of the card), as the figures stand beside each other.
    """
    first, second = same_step(account)
    return Fraction(in_unit(account.training.count, first).value) / Fraction(
        in_unit(account.card.room.count, second).value
    )


def same_step(account: Account) -> tuple[Unit, Unit]:
    """Decimal and binary unit of one step of the ladder: that in which the card reads best."""
    decimal = ladder_unit(account.card.room.count, "decimal")
    place = LADDERS["decimal"].index(decimal)
    return decimal, LADDERS["binary"][place]


def quotient_in(account: Account, unit: Unit) -> Line:
    """The footprint divided by the card, both in one unit."""
    first, second = in_unit(account.training.count, unit), in_unit(account.card.room.count, unit)
    parts = given(text("units.training"), first.value, unit.symbol), given("card", second.value, unit.symbol)
    return quotient(text("units.cards"), "cards", *parts)


def _figures(account: Account) -> tuple[Figure, ...]:
    if account.card.room.count <= 0:
        return ()
    decimal, binary = same_step(account)
    found = [_right(account, unit) for unit in (decimal, binary)]
    wrong = mixed_quotient(account)
    first = significant(in_unit(account.training.count, decimal).value)
    second = significant(in_unit(account.card.room.count, binary).value)
    found.append(
        Figure(
            "mixed",
            f"{first} {decimal.symbol} ÷ {second} {binary.symbol}",
            significant(wrong),
            text("units.mixed.detail"),
            mark="wrong",
        )
    )
    if account.cards_needed is not None:
        found.append(
            Figure(
                "needed",
                text("units.needed"),
                amount(account.cards_needed.count, "cards"),
                text("units.needed.detail"),
                account.cards_needed,
            )
        )
    return tuple(found)


def _right(account: Account, unit: Unit) -> Figure:
    first, second = in_unit(account.training.count, unit), in_unit(account.card.room.count, unit)
    line = quotient_in(account, unit)
    label = f"{significant(first.value)} {unit.symbol} ÷ {significant(second.value)} {unit.symbol}"
    return Figure(unit.symbol, label, significant(line.value or 0), text("units.right.detail"), line, "right")


def _cards(account: Account, system: System) -> Chart:
    from core.cards import card

    names = [account.card.name] if account.card.name else []
    names += [name for name in SHOWN_CARDS if name not in names]
    bars = []
    for name in names[:3]:
        known = card(name)
        figures = (
            ("marketed", known.marketed_bytes),
            ("reported", known.reported_bytes),
            ("usable", known.usable_bytes),
        )
        for which, size in figures:
            if size is None:
                continue
            label = text(f"units.{which}")
            bars.append(
                Bar(
                    known.name if which == "marketed" else label,
                    (Segment("", label, size, bytes_text(size, system)),),
                    f"{bytes_text(size, 'decimal')} · {bytes_text(size, 'binary')}",
                    label if which == "marketed" else "",
                    chosen=name == account.card.name and which == account.scenario.card_capacity,
                )
            )
    longest: Number = max(bar.total for bar in bars)
    title, caption = text("units.cards.chart"), text("units.cards.caption")
    said = ". ".join(f"{f'{bar.label} {bar.note}'.strip()}: {bar.text}" for bar in bars)
    return Chart(
        "card-figures",
        title,
        caption,
        "B",
        tuple(bars),
        (),
        byte_ticks(longest, system),
        longest,
        None,
        f"{title}. {said}.",
    )
