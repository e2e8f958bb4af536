"""How much of a card counts: marketed, reported or usable memory, less what is set aside."""

from __future__ import annotations

import msgspec

from core.lines import Line, difference, given
from core.scenario import FIELDS, Scenario


class CardFigures(msgspec.Struct, frozen=True):
    """The card of a scenario. `capacity` is the figure that counts, `room` what the reserve leaves of it, in bytes."""

    name: str | None
    capacity: Line
    room: Line
    marketed: int
    reported: int | None = None
    usable: int | None = None
    peak_16bit: int | None = None

    def figures(self) -> list[tuple[str, str, int]]:
        """The known memory figures of a catalogue card: key, label and bytes."""
        known = (("marketed", self.marketed), ("reported", self.reported), ("usable", self.usable))
        return [] if self.name is None else [(key, key.capitalize(), size) for key, size in known if size is not None]


def card_figures(scenario: Scenario) -> CardFigures:
    """Capacity and room of one card. Raises InputError where a catalogue card has no figure of the chosen kind."""
    if scenario.card is None:
        capacity = given("memory of one card", scenario.card_memory, "B", field="card_memory")
        return CardFigures(None, capacity, _room(capacity, scenario.reserve), scenario.card_memory)
    from core.cards import card

    chosen = card(scenario.card)
    figures = {"marketed": chosen.marketed_bytes, "reported": chosen.reported_bytes, "usable": chosen.usable_bytes}
    size = figures[scenario.card_capacity]
    if size is None:
        known = ", ".join(name for name, value in figures.items() if value is not None)
        raise FIELDS["card_capacity"].error(
            f"the {scenario.card_capacity} memory of {chosen.name} is not known; known: {known}"
        )
    capacity = given(f"{scenario.card_capacity} memory of one {chosen.name}", size, "B", field="card_memory")
    return CardFigures(
        chosen.name,
        capacity,
        _room(capacity, scenario.reserve),
        chosen.marketed_bytes,
        chosen.reported_bytes,
        chosen.usable_bytes,
        chosen.peak_16bit,
    )


def _room(capacity: Line, reserve: int) -> Line:
    if not reserve:
        return capacity
    return difference("Room on one card", "B", capacity, given("reserve", reserve, "B", field="reserve"))
