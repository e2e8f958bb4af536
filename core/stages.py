"""One card at each ZeRO stage: the states it stores, what of them the host holds, and the peak of a step."""

from __future__ import annotations

import msgspec

from core.bands import BAND_LABELS
from core.bill import Bill, bill, moment_line
from core.lines import Line, difference, given, search, total
from core.models.facts import ModelFacts
from core.recipes import Item
from core.scenario import Scenario
from core.shares import carrier, fewest, most_ranks, moved_bands, share_lines, split
from core.states import SHARED, STAGES, band_lines, fit_line, per_card_bytes, shard_line


class Stage(msgspec.Struct, frozen=True):
    """One ZeRO stage at the scenario's cards: one card's share of the states by band and in all, and its peak.

    `bill` has the moments of a step where a model is known; without one the peak is the states alone. `host` has the
    bands that live there, for each card.
    """

    stage: int
    bands: dict[str, Line]
    host: dict[str, Line]
    per_card: Line
    bill: Bill | None
    peak: Line
    headroom: Line
    to_fit: Line
    room: int

    @property
    def fits(self) -> bool:
        """Whether the peak is at most what the card has left after what is set aside."""
        return self.headroom.count >= 0

    @property
    def states_fit(self) -> bool:
        """Whether the states alone are."""
        return self.per_card.count <= self.room

    def at_peak(self) -> dict[str, int]:
        """Bytes of each band at the peak."""
        if self.bill is None:
            return {band: line.count for band, line in self.bands.items()}
        return self.bill.peak.bands


def stages_of(
    scenario: Scenario, model: ModelFacts | None, rows: tuple[Item, ...], params: Line, cards: Line, room: Line
) -> tuple[Stage, ...]:
    """One card at each stage: by the paper, and the carried one as it is really stored."""
    whole = band_lines(rows, params)
    shared = band_lines(rows, shard_line(params, cards))
    each_item = {row.name: row.bytes for row in rows}
    moved = moved_bands(scenario)
    on_card = tuple(row for row in rows if row.band not in moved)
    how = carrier(scenario)
    stages = []
    for stage in STAGES:
        if how is not None and stage == how.stage:
            stored = share_lines(rows, scenario, model, params, cards.count)
            to_fit = _carried_fit(rows, scenario, model, params, room.count)
        else:
            stored = {band: shared[band] if band in SHARED[stage] else whole[band] for band in BAND_LABELS}
            to_fit = fit_line(on_card, params.count, stage, room.count)
        bands, host = split(stored, scenario)
        per_card = total(f"One card at stage {stage}", "B", tuple(bands.values()))
        step = None
        if model is not None:
            held = {band: line.count for band, line in bands.items()}
            step = bill(scenario, model, each_item, held, stage, cards.count)
        peak = per_card if step is None else _peak_line(step, stage)
        headroom = difference("Left on one card", "B", room, peak)
        stages.append(Stage(stage, bands, host, per_card, step, peak, headroom, to_fit, room.count))
    return tuple(stages)


def _carried_fit(rows: tuple[Item, ...], scenario: Scenario, model: ModelFacts | None, params: Line, room: int) -> Line:
    """The fewest cards on which the states fit as they are really stored."""
    how = carrier(scenario)
    assert how is not None
    moved = moved_bands(scenario)

    def states(count: int) -> int:
        lines = share_lines(rows, scenario, model, params, count)
        return sum(line.count for band, line in lines.items() if band not in moved)

    most = most_ranks(scenario, how, model)
    found = fewest(lambda count: states(count) <= room, most)
    reason = f"the fewest at which what {how.label} stores on one card is at most {room:,} B"
    if found is None:
        reason = f"{how.label} stores at least {states(most):,} B on a card, which has room for {max(room, 0):,} B"
    return search(f"Cards to fit at stage {how.stage}", found, "cards", reason)


def peak_bands(
    scenario: Scenario, model: ModelFacts | None, rows: tuple[Item, ...], parameters: int, stage: int, cards: int
) -> dict[str, int]:
    """Bytes of each band on one of `cards` cards at the largest moment of a step at `stage`."""
    how = carrier(scenario)
    if how is not None and stage == how.stage:
        params = given("parameters", parameters)
        bands = {band: line.count for band, line in share_lines(rows, scenario, model, params, cards).items()}
    else:
        bands = per_card_bytes(rows, parameters, stage, cards)
    bands |= dict.fromkeys(moved_bands(scenario), 0)
    if model is None:
        return bands
    step = bill(scenario, model, {row.name: row.bytes for row in rows}, bands, stage, cards)
    return bands if step is None else step.peak.bands


def _peak_line(step: Bill, stage: int) -> Line:
    return moment_line(f"Peak of one card at stage {stage}, {step.peak.name}", step.peak)
