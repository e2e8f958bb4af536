"""The few figures that stand above the charts."""

from __future__ import annotations

import msgspec

from core.account import Account
from core.bands import BAND_LABELS
from core.compute import SECONDS_A_DAY
from core.lines import amount
from core.numbers import plain, significant
from core.quantities import bytes_text
from core.verdict import duration_text


class Tile(msgspec.Struct, frozen=True):
    """A figure: its label, its value in large type, a line beneath, and the key that leads to its derivation."""

    key: str
    label: str
    value: str
    detail: str


def tiles(account: Account) -> tuple[Tile, ...]:
    """The tiles of an account: both unit systems side by side."""
    each = account.each_bands
    run = account.time
    return (
        _bytes("training.bytes", "Training", account.training.count),
        _bytes("inference.bytes", "Inference", account.inference.count),
        Tile(
            "per_parameter.bytes",
            "Each parameter",
            f"{significant(account.each.value or 0, 5)} B",
            " / ".join(plain(each[band]) for band in BAND_LABELS),
        ),
        _bytes("card.bytes", account.card.name or "One card", account.card.capacity.count),
        Tile(
            "time.days",
            f"Time on {amount(account.cards.count, 'cards')}",
            duration_text(run.seconds.value or 0),
            f"on one: {duration_text((run.days_on_one.value or 0) * SECONDS_A_DAY)}",
        ),
    )


def _bytes(key: str, label: str, count: int) -> Tile:
    return Tile(key, label, bytes_text(count), bytes_text(count, "binary"))
