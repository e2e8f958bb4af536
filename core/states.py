"""The training state, whole and shared out: bytes of each band on one card, for any stage and number of cards.

Stages follow the ZeRO paper (Rajbhandari et al. 2019, section 5 and table 1): stage 1 shares the optimizer states,
stage 2 the gradients too, stage 3 the parameters too. A shard of P parameters on N cards is n = ceil(P ÷ N)
parameters, and its bytes are ceil(n × bytes) for each item.
"""

from __future__ import annotations

from fractions import Fraction

from core.bands import BAND_LABELS
from core.lines import Line, given, product, quotient_up, search, total
from core.numbers import Number, ceil, ceil_div
from core.recipes import Item

STAGES = (0, 1, 2, 3)
# Which bands each stage shares out.
SHARED: dict[int, frozenset[str]] = {
    0: frozenset(),
    1: frozenset({"optimizer"}),
    2: frozenset({"optimizer", "gradients"}),
    3: frozenset({"optimizer", "gradients", "parameters"}),
}


def item_lines(items: tuple[Item, ...], parameters: Line) -> tuple[Line, ...]:
    """Bytes of each item for `parameters` (a whole model or one shard), each rounded up to a whole byte."""
    return tuple(
        product(
            item.label,
            "B",
            parameters,
            given(f"{item.label.lower()} of a parameter", item.bytes, "B", field=f"bytes_{item.name}"),
            whole=True,
        )
        for item in items
    )


def band_lines(items: tuple[Item, ...], parameters: Line) -> dict[str, Line]:
    """Bytes of each band for `parameters`: one product where all bytes are whole, else a sum of its items."""
    lines = {}
    for band, label in BAND_LABELS.items():
        own = tuple(item for item in items if item.band == band)
        lines[band] = band_line(label, own, parameters)
    return lines


def state_line(name: str, items: tuple[Item, ...], parameters: Line) -> Line:
    """Bytes of all items for `parameters`."""
    return band_line(name, items, parameters)


def band_line(name: str, items: tuple[Item, ...], parameters: Line) -> Line:
    """Bytes of these items for `parameters`: one product where all bytes are whole, else a sum of its items."""
    if all(isinstance(item.bytes, int) for item in items):
        each: Number = sum((item.bytes for item in items), 0)
        return product(name, "B", parameters, given("for each parameter", each, "B", field="precision"))
    kept = tuple(item for item in items if item.bytes)
    lines = item_lines(kept, parameters)
    if len(lines) == 1:
        return Line(name, lines[0].value, "B", "product", lines[0].parts, whole=lines[0].whole)
    return total(name, "B", lines)


def shard_line(parameters: Line, cards: Line) -> Line:
    """Parameters of one card's shard: ceil(P ÷ N)."""
    return quotient_up("parameters of a shard", "", parameters, cards)


def shard_bytes(items: tuple[Item, ...], count: int) -> int:
    """Bytes of `count` parameters, each item rounded up: what the lines give, as a bare figure for searches."""
    return sum((ceil(count * item.bytes) for item in items), 0)


def per_card_bytes(items: tuple[Item, ...], parameters: int, stage: int, cards: int) -> dict[str, int]:
    """Bytes of each band on one of `cards` cards at `stage`."""
    shard = ceil_div(parameters, cards)
    shared = SHARED[stage]
    return {
        band: shard_bytes(tuple(item for item in items if item.band == band), shard if band in shared else parameters)
        for band in BAND_LABELS
    }


def cards_to_fit(items: tuple[Item, ...], parameters: int, stage: int, capacity: int) -> int | None:
    """The smallest number of cards at which the share of one card at `stage` is at most `capacity` bytes; or None.

    What is shared shrinks with the shard n = ceil(P ÷ N), so the search is for the largest n that fits.
    """
    shared = tuple(item for item in items if item.bytes and item.band in SHARED[stage])
    room = capacity - shard_bytes(tuple(item for item in items if item.band not in SHARED[stage]), parameters)
    if room < shard_bytes(shared, 1):
        return None
    if not shared:
        return 1
    each = sum((item.bytes for item in shared), Fraction(0))
    fractional = sum(not isinstance(item.bytes, int) for item in shared)
    # Rounding adds less than a byte for each fractional item, so the answer lies between these two.
    low = max(1, ((room - fractional) / each).__floor__())
    high = max(low, (room / each).__floor__())
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if shard_bytes(shared, middle) <= room else (low, middle - 1)
    return ceil_div(parameters, min(low, parameters))


def fit_line(items: tuple[Item, ...], parameters: int, stage: int, capacity: int) -> Line:
    """`cards_to_fit` as a line of the account."""
    fewest = cards_to_fit(items, parameters, stage, capacity)
    if fewest is None:
        least = sum(per_card_bytes(items, parameters, stage, parameters).values())
        reason = (
            f"at stage {stage} a card holds at least {least:,} B on any number of cards, "
            f"and has room for {max(capacity, 0):,} B"
        )
    else:
        reason = f"the fewest at which one card's share of the states at stage {stage} is at most {capacity:,} B"
    return search(f"Cards to fit at stage {stage}", fewest, "cards", reason)
