"""How much of a card counts: marketed, reported or usable memory, less what is set aside."""

from __future__ import annotations

import msgspec

from core.lines import Line, difference, given, product
from core.scenario import FIELDS, Scenario


class CardFigures(msgspec.Struct, frozen=True):
    """The card of a scenario, in bytes: `capacity` is the figure that counts, `room` what of it is not set aside."""

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
        return CardFigures(None, capacity, _room(capacity, scenario), scenario.card_memory)
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
        _room(capacity, scenario),
        chosen.marketed_bytes,
        chosen.reported_bytes,
        chosen.usable_bytes,
        chosen.peak_16bit,
    )


class Overhead(msgspec.Struct, frozen=True):
    """Something of each card that a run cannot use: the field that states it, its key, and how it is called."""

    field: str
    key: str
    label: str


OVERHEADS = (
    Overhead("reserve", "card.reserve_bytes", "reserve"),
    Overhead("context_memory", "card.context_bytes", "CUDA context"),
    Overhead("comm_buffers", "card.comm_buffers_bytes", "communication buffers"),
    Overhead("allocator_slack", "card.slack_bytes", "allocator slack"),
)


def overhead_lines(scenario: Scenario, capacity: int) -> dict[str, Line]:
    """What is set aside of a card of `capacity` bytes, by key; only what is not nothing."""
    found = {}
    for row in OVERHEADS:
        value = getattr(scenario, row.field)
        if not value:
            continue
        if row.field == "allocator_slack":
            parts = (given("of the card", capacity, "B"), given("share", value, field=row.field))
            found[row.key] = product(row.label, "B", *parts, whole=True)
        else:
            found[row.key] = given(row.label, value, "B", field=row.field)
    return found


def set_aside(scenario: Scenario, capacity: int) -> int:
    """Bytes of a card of `capacity` bytes that a run cannot use."""
    if not (scenario.reserve or scenario.context_memory or scenario.comm_buffers or scenario.allocator_slack):
        return 0
    return sum(line.count for line in overhead_lines(scenario, capacity).values())


def _room(capacity: Line, scenario: Scenario) -> Line:
    aside = overhead_lines(scenario, capacity.count)
    return difference("Room on one card", "B", capacity, *aside.values()) if aside else capacity
