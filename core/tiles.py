"""The few figures that stand above the charts."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from core.account import Account
from core.bands import BAND_LABELS
from core.compare import SAME, percent_text
from core.compute import SECONDS_A_DAY
from core.lines import Line, amount
from core.numbers import significant
from core.quantities import bytes_text, ladder_unit
from core.verdict import duration_text

TILES = 5
"""How many figures stand there."""


class Tile(msgspec.Struct, frozen=True):
    """A figure: its label, its value in large type, a line beneath, and the key that leads to its derivation.

    `change` says how it differs from the baseline; "" where nothing is compared.
    """

    key: str
    label: str
    value: str
    detail: str
    line: Line
    change: str = ""


def tiles(account: Account, baseline: Account | None = None) -> tuple[Tile, ...]:
    """The tiles of an account, both unit systems side by side; beside a baseline each says how it differs."""
    shown = _tiles(account)
    if baseline is None:
        return shown
    pairs = zip(shown, _tiles(baseline), strict=True)
    return tuple(_compared(new, old) for new, old in pairs)


def _compared(new: Tile, old: Tile) -> Tile:
    """A tile with its change, for which whatever else stood beneath the value makes room, but the other unit."""
    detail = new.detail
    if new.key == "per_card.peak":
        detail = bytes_text(new.line.count, "binary")
    elif new.value != old.value and (new.line.unit != "B" or new.key == "per_parameter.bytes"):
        detail = f"was {old.value}"
    return msgspec.structs.replace(new, detail=detail, change=_change(old.line, new.line))


def _change(before: Line, after: Line) -> str:
    if before.value is None or after.value is None:
        return ""
    return percent_text(before.value, after.value) if before.value != after.value else SAME


def _tiles(account: Account) -> tuple[Tile, ...]:
    each, run = account.each_bands, account.time
    return (
        _bytes("training.bytes", "Training", account.training),
        _bytes("inference.bytes", "Inference", account.inference),
        Tile(
            "per_parameter.bytes",
            "Each parameter",
            f"{significant(account.each.value or 0, 5)} B",
            " / ".join(significant(each[band], 3) for band in BAND_LABELS),
            account.each,
        ),
        _card(account),
        Tile(
            "time.days",
            f"Time on {amount(account.cards.count, 'cards')}",
            duration_text(run.seconds.value or 0),
            f"on one: {duration_text((run.days_on_one.value or 0) * SECONDS_A_DAY)}",
            run.seconds,
        ),
    )


def _card(account: Account) -> Tile:
    """The card's memory, or where a model is known how much of it one card uses at its peak."""
    if account.stage.bill is None:
        return _bytes("card.bytes", account.card.name or "One card", account.card.capacity)
    peak = account.stage.peak
    room = account.card.room.count
    # Both in the unit of the card: GiB of GB is no part of anything, and neither is TiB of GiB.
    if room > 0:
        held = significant(Fraction(peak.count, ladder_unit(room, "binary").size))
        detail = f"{held} of {bytes_text(room, 'binary')}"
    else:
        detail = "no room on it"
    return Tile("per_card.peak", "Peak per card", bytes_text(peak.count), detail, peak)


def _bytes(key: str, label: str, line: Line) -> Tile:
    return Tile(key, label, bytes_text(line.count), bytes_text(line.count, "binary"), line)
