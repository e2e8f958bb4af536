"""The Learn pages, in order: each by its name, with the function that describes it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from core.account import Account
from core.learn import averages, copy_page, growth, loop, questions, sharding, units, walls
from core.learn.description import View
from core.learn.state import State
from core.learn.texts import text
from core.quantities import System


class Kind(msgspec.Struct, frozen=True):
    """A page: the name that others rely on, and what describes it for an account."""

    name: str
    describe: Callable[[Account, System, State], View]

    @property
    def label(self) -> str:
        """The short name in the list of pages."""
        return text(f"{self.name}.label")

    @property
    def title(self) -> str:
        """The page's heading."""
        return text(f"{self.name}.title")


PAGES: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("growth", growth.describe),
        Kind("loop", loop.describe),
        Kind("copy", copy_page.describe),
        Kind("averages", averages.describe),
        Kind("units", units.describe),
        Kind("walls", walls.describe),
        Kind("sharding", sharding.describe),
        Kind("questions", questions.describe),
    )
}


def describe(name: str, account: Account, system: System = "decimal", state: State | None = None) -> View:
    """The page of that name. Raises KeyError where there is none."""
    return PAGES[name].describe(account, system, state or State())
