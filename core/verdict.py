"""The answer in words: how many cards, whether it fits, what is left or missing."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from core.account import Account
from core.capacity import set_aside
from core.lines import amount
from core.numbers import Number, significant
from core.quantities import both_text, count_text
from core.recipes import recipe
from core.scenario import Scenario
from core.shares import carrier

State = Literal["fits", "tight", "over", "impossible"]
# Less than this part of a card left, and nothing set aside, is no room for context and fragmentation.
_TIGHT = 20


class Verdict(msgspec.Struct, frozen=True):
    """What is said first. `headline` is about the cards needed, `detail` about the stage and cards that were chosen.

    `nodes` says how many cards whole nodes have, where these are more; `where` for which stage and cards the headline
    holds, where it is about them. `key` and `detail_key` lead to the lines behind.
    """

    state: State
    headline: str
    condition: str
    detail: str
    nodes: str = ""
    where: str = ""
    key: str = "cards_needed"
    detail_key: str = "per_card.headroom_bytes"

    @property
    def line(self) -> str:
        """Headline and condition in one line, as they stand without the detail beside them."""
        return f"{self.headline} {self.where}; {self.condition}" if self.where else f"{self.headline}, {self.condition}"


def count_of_cards(count: int) -> str:
    """A number of cards with its noun."""
    return amount(count, "cards")


def trains(scenario: Scenario) -> bool:
    """Whether the recipe keeps more than weights."""
    return recipe(scenario.precision).moment[1] != 0


def _is_tight(headroom: int, account: Account) -> bool:
    return headroom * _TIGHT < account.card.capacity.count


def verdict(account: Account) -> Verdict:
    """The verdict of an account."""
    stage = account.stage
    alone = account.cards.count == 1
    whose = "one card holds" if alone else f"each of {count_of_cards(account.cards.count)} holds"
    how = carrier(account.scenario)
    chosen = f"At stage {stage.stage} {whose}" if how is None else f"With {how.label}, stage {stage.stage}, {whose}"
    held = both_text(stage.peak.count)
    at = "" if stage.bill is None else f" at its peak ({stage.bill.peak.name})"
    reserve = set_aside(account.scenario, account.card.capacity.count)
    aside = f" after {both_text(reserve)} set aside" if reserve else ""
    state: State = "fits" if stage.fits else "over"
    if not stage.fits:
        detail = f"{chosen} {held}{at}: over by {both_text(-stage.headroom.count)}{aside}."
    elif stage.headroom.count == 0:
        detail = f"{chosen} {held}{at}: it just fits, with nothing to spare{aside}."
    else:
        only = "but with only" if not reserve and _is_tight(stage.headroom.count, account) else "with"
        detail = f"{chosen} {held}{at}: it fits, {only} {both_text(stage.headroom.count)} to spare{aside}."
    if not stage.peak.count and account.scenario.offload != "none":
        detail = f"{chosen} none of it between layers: all lies on the host, and layers in flight are not counted."
    if not trains(account.scenario) and account.cached is not None:
        both = account.inference.count + account.cached.count
        detail += f" With its cache of {both_text(account.cached.count)} a whole copy takes {both_text(both)}."
    if stage.fits and not reserve and _is_tight(stage.headroom.count, account):
        state = "tight"
    if account.cards_needed is None:
        return Verdict("impossible", "No card", "what is set aside is as large as the card", detail)
    needed = account.cards_needed.count
    enough = "enough for the whole training state" if trains(account.scenario) else "enough for the weights"
    condition = "if every byte is shared out (stage 3)" if needed > 1 else enough
    headline, where = count_of_cards(needed), ""
    if stage.bill is not None:
        # With activations known, whether it fits is the answer, and the lesson's figure stands beside it.
        condition = f"{headline} would hold the state alone{' (stage 3)' if needed > 1 else ''}"
        where = f"at stage {stage.stage} on {count_of_cards(account.cards.count)}"
        left = both_text(max(stage.headroom.count, -stage.headroom.count)).split(" (", 1)[0]
        headline = f"{'Fits, with' if stage.fits else 'Over by'} {left}{' left' if stage.fits else ''}"
    whole = account.nodes_needed.count * account.scenario.node_size if account.nodes_needed is not None else needed
    rounded = needed > 1 and whole != needed
    nodes = f"{whole:,} in whole nodes of {account.scenario.node_size}" if rounded else ""
    return Verdict(state, headline, condition, detail, nodes, where)


def duration_text(seconds: Number) -> str:
    """A time in the unit it reads best in; `seconds` is an exact number."""
    value = Fraction(seconds)
    for size, name in ((365 * 86_400, "years"), (86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if value >= 10**6 * size and name == "years":
            return f"{count_text(value / size)} {name}"
        if value >= 2 * size:
            return f"{significant(value / size)} {name}"
    return f"{significant(value)} s" if value >= 1 else "under 1 s"
