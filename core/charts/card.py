"""The three memory figures of a catalogue card, and which of them counts."""

from __future__ import annotations

from core.account import Account
from core.charts.build import byte_chart
from core.charts.description import Bar, Chart, Segment
from core.quantities import System, bytes_text

TITLE = "Memory of the card"
EMPTY = "Name a card to see what it is sold with, what it reports and what a program can use."
_WHY = (
    ("marketed", "Marketed", "as sold, taken as decimal gigabytes"),
    ("reported", "Reported", "what the card's own tool shows: binary sizes, less what error correction takes"),
    ("usable", "Usable", "what a program sees, less what driver and firmware keep"),
)


def card_chart(account: Account, system: System) -> Chart:
    """Marketed, reported and usable memory of the chosen card; the figure that counts is marked."""
    card = account.card
    if card.name is None:
        return Chart("card", TITLE, "", "B", (), (), (), 1, None, EMPTY)
    sizes = {"marketed": card.marketed, "reported": card.reported, "usable": card.usable}
    bars = tuple(
        Bar(
            label,
            (Segment("parameters", "Memory", size, bytes_text(size, system), f"card.{name}_bytes"),),
            f"{bytes_text(size, system)} · {why}",
            "counts here" if name == account.scenario.card_capacity else "",
            f"card.{name}_bytes",
            chosen=name == account.scenario.card_capacity,
        )
        for name, label, why in _WHY
        if (size := sizes[name]) is not None
    )
    missing = [label.lower() for name, label, _ in _WHY if sizes[name] is None]
    unknown = f"; no source for {' and '.join(missing)}" if missing else ""
    return byte_chart("card", TITLE, f"{card.name}: one card, {len(bars)} figures{unknown}", bars, (), system)
