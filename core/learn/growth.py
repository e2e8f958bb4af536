"""From inference to training: the items of one parameter, added one after the other."""

from __future__ import annotations

from core.account import Account
from core.charts.build import share_text
from core.charts.description import Bar, Chart, Limit, Segment
from core.charts.scale import byte_ticks
from core.learn.description import Figure, Part, Split, View
from core.learn.state import State
from core.learn.texts import text
from core.lines import Line, amount, quotient, total
from core.numbers import significant
from core.quantities import System, bytes_text


def describe(account: Account, system: System, state: State) -> View:
    """A bar for each item, on top of those before it."""
    kept = [item for item in account.kept if item.item.bytes]
    steps = max(1, len(kept))
    step = state.at(steps - 1, steps)
    sums = [total("so far", "B", tuple(item.line for item in kept[: at + 1])) for at in range(len(kept))]
    bars = []
    for at, item in enumerate(kept):
        shown = kept[: at + 1] if at <= step else []
        each = sum(other.item.bytes for other in kept[: at + 1])
        bars.append(
            Bar(
                item.item.label if at == 0 else f"+ {item.item.label}",
                tuple(
                    Segment(
                        other.item.band,
                        other.item.label,
                        other.line.count,
                        bytes_text(other.line.count, system),
                        f"items.{other.item.name}",
                    )
                    for other in shown
                ),
                f"{bytes_text(sums[at].count, system)} · {significant(each, 5)} B" if shown else "",
                item.item.format,
                f"items.{item.item.name}",
                chosen=at == step,
            )
        )
    chart = _chart(account, system, tuple(bars), sums)
    return View(
        "growth",
        text("growth.title"),
        text("growth.lead"),
        Split((Part(chart),)),
        _figures(account, system),
        _said(account, system, step),
        step,
        steps,
    )


def _chart(account: Account, system: System, bars: tuple[Bar, ...], sums: list[Line]) -> Chart:
    longest = max(sums[-1].count if sums else 0, 1)
    room = account.card.room.count
    limits: tuple[Limit, ...] = ()
    if room * 50 >= longest and room > 0:
        limits = (Limit(room, text("growth.card", size=bytes_text(room, system))),)
    # The axis reaches past a card only as far as the bars do: a card far to the right would press them flat.
    limits = tuple(limit for limit in limits if limit.value <= 3 * longest)
    maximum = max(longest, *(limit.value for limit in limits)) if limits else longest
    title, caption = text("growth.chart"), text("growth.caption", params=account.params.count)
    said = [f"{bar.label}: {bar.text}" for bar in bars if bar.text]
    return Chart(
        "growth",
        title,
        caption,
        "B",
        bars,
        limits,
        byte_ticks(maximum, system),
        maximum,
        None,
        ". ".join([title, *said, *(f"Line at {limit.label}" for limit in limits)]) + ".",
    )


def _said(account: Account, system: System, step: int) -> str:
    kept = [item for item in account.kept if item.item.bytes]
    if not kept:
        return text("growth.nothing")
    item = kept[step].item
    return text(
        "growth.step",
        item=item.label,
        format=item.format,
        each=f"{significant(item.bytes, 5)} B",
        purpose=item.purpose,
        size=bytes_text(kept[step].line.count, system),
    )


def _figures(account: Account, system: System) -> tuple[Figure, ...]:
    training, weights = account.training, account.inference
    found = [
        Figure(
            "inference", text("growth.inference"), bytes_text(weights.count, system), _cards(account, weights), weights
        ),
        Figure(
            "training", text("growth.training"), bytes_text(training.count, system), _cards(account, training), training
        ),
    ]
    if training.count and 0 < weights.count < training.count:
        share = quotient("Share of the weights", "", weights, training)
        found.append(
            Figure(
                "share",
                text("growth.share"),
                share_text(weights.count, training.count),
                text("growth.share.detail"),
                share,
            )
        )
    optimizer = account.bands["optimizer"]
    if optimizer.count:
        share = quotient("Share of the optimizer states", "", optimizer, training)
        found.append(
            Figure(
                "optimizer",
                text("growth.optimizer"),
                share_text(optimizer.count, training.count),
                text("growth.optimizer.detail"),
                share,
            )
        )
    return tuple(found)


def _cards(account: Account, line: Line) -> str:
    """How many cards hold so many bytes."""
    room = account.card.room
    if room.count <= 0:
        return text("growth.no_room")
    needed = max(1, -(-line.count // room.count))
    return text("growth.fits_one") if needed == 1 else text("growth.needs", cards=amount(needed, "cards"))
