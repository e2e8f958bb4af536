"""What would make a scenario fit: the largest micro-batch, the longest sequence, the fewest cards at each stage.

Found by search over the account's own peak, never by turning a formula round. A search asks some hundred times for the
peak of one card, so views ask for it after they have painted; an account never does.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from core.account import Account, at_peak
from core.lines import amount
from core.numbers import ceil_div
from core.quantities import both_text
from core.scenario import FIELDS, change
from core.shares import carrier, fewest, most_ranks
from core.stages import peak_bands
from core.states import STAGES


class Found(msgspec.Struct, frozen=True):
    """The answer to one question: `value` of the field `field` at `stage`, None where none fits, and a sentence."""

    field: str
    stage: int
    value: int | None
    sentence: str


class WouldFit(msgspec.Struct, frozen=True):
    """What would fit. Micro-batch and sequence are of the stage and cards that are chosen, None without a model."""

    micro_batch: Found | None
    seq_len: Found | None
    cards: tuple[Found, ...]

    @property
    def all(self) -> tuple[Found, ...]:
        """All answers, in the order in which they are told."""
        return (*(row for row in (self.micro_batch, self.seq_len) if row is not None), *self.cards)


def would_fit(account: Account) -> WouldFit:
    """What would make the scenario of an account fit on its cards."""
    batch = length = None
    if account.stage.bill is not None:
        batch = _most(account, "micro_batch", "micro-batch", "")
        length = _most(account, "seq_len", "sequence", " tokens")
    return WouldFit(batch, length, tuple(_fewest_cards(account, stage) for stage in STAGES))


def short(found: WouldFit) -> list[str]:
    """What is said first: micro-batch, sequence, and the first stage that fits on any number of cards."""
    fits = next((row.sentence for row in found.cards if row.value is not None), None)
    first = [row.sentence for row in (found.micro_batch, found.seq_len) if row is not None]
    return [*first, fits or found.cards[-1].sentence]


def _most(account: Account, name: str, noun: str, unit: str) -> Found:
    """The largest value of a field at which the chosen stage fits on the account's cards; all else stays."""
    stage, cards, room = account.stage.stage, account.cards.count, account.card.room.count
    rows = tuple(kept.item for kept in account.kept)

    def held(value: int) -> int:
        scenario = change(account.scenario, {name: value})
        return sum(peak_bands(scenario, account.model, rows, account.params.count, stage, cards).values())

    limit = FIELDS[name].maximum
    assert isinstance(limit, int)
    where = f"at stage {stage} on {amount(cards, 'cards')}"
    value = largest(lambda count: held(count) <= room, limit)
    if value is None:
        over = both_text(held(1) - room)
        return Found(name, stage, None, f"No {noun} fits {where}: at 1{unit[:-1]} it is over by {over}.")
    if value == limit:
        return Found(name, stage, value, f"Any {noun} up to {limit:,}{unit} fits {where}.")
    kind = "largest" if name == "micro_batch" else "longest"
    return Found(name, stage, value, f"The {kind} {noun} that fits {where} is {value:,}{unit}.")


def _fewest_cards(account: Account, stage: int) -> Found:
    """The fewest cards on which a stage fits, peak included."""
    room, how = account.card.room.count, carrier(account.scenario)
    most = int(FIELDS["cards"].maximum or 1)
    if account.stages[stage].bill is None:
        value = account.stages[stage].to_fit.value
        assert value is None or isinstance(value, int)
        return _cards_found(account, stage, value, lambda: sum(at_peak(account, stage, most).values()))
    if how is not None and stage == how.stage:
        most = most_ranks(account.scenario, how, account.model)
    elif stage == 0:
        most = 1

    def held(count: int) -> int:
        return sum(at_peak(account, stage, count).values())

    value = fewest(lambda count: held(count) <= room, most)
    return _cards_found(account, stage, value, lambda: held(most))


def _cards_found(account: Account, stage: int, value: int | None, least: Callable[[], int]) -> Found:
    if value is None:
        over = least() - account.card.room.count
        more = f": over by at least {both_text(over)}" if over > 0 else ""
        return Found("cards", stage, None, f"At stage {stage} it fits on no number of cards{more}.")
    return Found("cards", stage, value, f"At stage {stage} it fits from {_roughly(value)} on.")


def largest(fits: Callable[[int], bool], most: int) -> int | None:
    """The largest count from 1 to `most` that fits, where whatever is below one that fits does too; None for none."""
    if not fits(1):
        return None
    low, high = 1, 2
    while high < most and fits(high):
        low, high = high, high * 2
    if high >= most:
        if fits(most):
            return most
        high = most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _roughly(cards: int) -> str:
    """Thousands of cards to three digits, rounded up: so many hang on less of a card than anyone can say."""
    if cards < 1000:
        return amount(cards, "cards")
    step = 10 ** (len(str(cards)) - 3)
    return f"about {amount(ceil_div(cards, step) * step, 'cards')}"
