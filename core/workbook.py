"""A document: named scenarios of which one is current, and the baseline that others are compared with."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from core.scenario import Scenario, change

MOST_SCENARIOS = 50
LONGEST_NAME = 80
# Within one sign of several (a family, a letter of Persian) they are no gap.
_JOINERS = "\u200c\u200d"
# Signs that are blank: fillers of Hangul, and Braille without a dot.
_UNSEEN = "\u115f\u1160\u3164\uffa0\u2800"


class Named(msgspec.Struct, frozen=True):
    """A scenario with its name in the document."""

    name: str
    scenario: Scenario


def tidy(name: str) -> str:
    """A name as it is kept: one line, without spaces around it, never empty, of bounded length."""
    shown = "".join(mark if mark.isprintable() or mark in _JOINERS else " " for mark in name)
    kept = " ".join(shown.split())[:LONGEST_NAME].strip(_JOINERS + " ")
    return kept if kept.strip(_UNSEEN + _JOINERS + " ") else "Scenario"


class Workbook(msgspec.Struct, frozen=True):
    """Scenarios in order, at least one. `current` is the place of the one that is shown and edited."""

    scenarios: tuple[Named, ...] = (Named("Scenario", Scenario()),)
    current: int = 0
    baseline: Named | None = None

    @property
    def scenario(self) -> Scenario:
        """The current scenario."""
        return self.scenarios[self.current].scenario

    @property
    def name(self) -> str:
        """The name of the current scenario."""
        return self.scenarios[self.current].name

    def edit(self, values: Mapping[str, object]) -> Workbook:
        """The current scenario with other values."""
        return self.put(change(self.scenario, values))

    def put(self, scenario: Scenario) -> Workbook:
        """Another scenario in the place of the current one, under the same name."""
        return self._at(self.current, Named(self.name, scenario))

    def select(self, place: int) -> Workbook:
        """Another scenario as the current one; a place where there is none changes nothing."""
        if not 0 <= place < len(self.scenarios):
            return self
        return msgspec.structs.replace(self, current=place)

    def add(self, named: Named) -> Workbook:
        """One more scenario after the current one, which it takes the place of as current; full books stay."""
        if len(self.scenarios) >= MOST_SCENARIOS:
            return self
        place = self.current + 1
        fresh = Named(self._free(tidy(named.name)), named.scenario)
        scenarios = (*self.scenarios[:place], fresh, *self.scenarios[place:])
        return msgspec.structs.replace(self, scenarios=scenarios, current=place)

    def duplicate(self) -> Workbook:
        """A copy of the current scenario beside it."""
        return self.add(self.scenarios[self.current])

    def rename(self, place: int, name: str) -> Workbook:
        """Another name for a scenario; a name that another has is numbered."""
        here = self.scenarios[place]
        wanted = tidy(name)
        others = {row.name for at, row in enumerate(self.scenarios) if at != place}
        return self._at(place, Named(numbered(wanted, others), here.scenario))

    def remove(self, place: int) -> Workbook:
        """Without a scenario; the last one stays."""
        if len(self.scenarios) == 1:
            return self
        scenarios = self.scenarios[:place] + self.scenarios[place + 1 :]
        current = self.current - (place < self.current)
        return msgspec.structs.replace(self, scenarios=scenarios, current=min(current, len(scenarios) - 1))

    def move(self, place: int, to: int) -> Workbook:
        """A scenario moved to another place; the current one stays current."""
        rows = list(self.scenarios)
        order = list(range(len(rows)))
        order.insert(to, order.pop(place))
        return msgspec.structs.replace(
            self, scenarios=tuple(rows[at] for at in order), current=order.index(self.current)
        )

    def pin(self) -> Workbook:
        """The current scenario as baseline."""
        return msgspec.structs.replace(self, baseline=self.scenarios[self.current])

    def unpin(self) -> Workbook:
        """No baseline."""
        return msgspec.structs.replace(self, baseline=None)

    def _at(self, place: int, named: Named) -> Workbook:
        scenarios = (*self.scenarios[:place], named, *self.scenarios[place + 1 :])
        return msgspec.structs.replace(self, scenarios=scenarios)

    def _free(self, name: str) -> str:
        return numbered(name, {row.name for row in self.scenarios})


def numbered(name: str, taken: set[str]) -> str:
    """The name, or where it is taken the first number after it that is free; no longer than a name may be."""
    if name not in taken:
        return name
    stem, _, last = name.rpartition(" ")
    stem = stem if stem and last.isdigit() else name
    number = 2
    while (found := tidy(f"{stem[: LONGEST_NAME - len(f' {number}')].rstrip()} {number}")) in taken:
        number += 1
    return found


def single(scenario: Scenario) -> Workbook:
    """A document of one scenario."""
    return Workbook((Named("Scenario", scenario),))
