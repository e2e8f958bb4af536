"""Charts beside a baseline, and the chart of all scenarios of a document."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from core.account import Account
from core.charts.build import against, band_segments, byte_chart, spoken
from core.charts.catalogue import CHARTS
from core.charts.description import Bar, Chart, Limit
from core.compare import moved_text
from core.lines import amount
from core.numbers import Number
from core.quantities import System, bytes_text

SCENARIOS = "scenarios"


def beside(chart: Chart, baseline: Chart, system: System) -> Chart:
    """A chart with each bar's length in the baseline as its ghost, and how far it moved, on an axis that holds both."""
    lengths: dict[str, Number] = {bar.label: bar.total for bar in baseline.bars}
    bars = tuple(
        bar if (ghost := lengths.get(bar.label)) is None else _moved(bar, ghost, chart.unit, system)
        for bar in chart.bars
    )
    if chart.unit != "B" or not chart.limits:
        longest = max((bar.ghost or 0 for bar in bars), default=0)
        said = spoken(chart.caption, bars, chart.limits)
        return msgspec.structs.replace(chart, bars=bars, maximum=max(chart.maximum, longest), spoken=said)
    return byte_chart(chart.name, chart.title, chart.caption, bars, chart.limits, system)


def _moved(bar: Bar, ghost: Number, unit: str, system: System) -> Bar:
    """The bar with its ghost, and the change in place of what is said of it alone: over a limit it stays marked."""
    if unit != "B" or bar.total == ghost:
        return msgspec.structs.replace(bar, ghost=ghost)
    value = bar.text.partition(" · ")[0]
    return msgspec.structs.replace(bar, ghost=ghost, text=f"{value} · {moved_text(ghost, bar.total, unit, system)}")


def describe_beside(name: str, account: Account, baseline: Account | None, system: System) -> Chart:
    """The named chart of an account, beside the baseline's where there is one."""
    chart = CHARTS[name].describe(account, system)
    return chart if baseline is None else beside(chart, CHARTS[name].describe(baseline, system), system)


def scenarios_chart(named: Sequence[tuple[str, Account]], current: int, system: System) -> Chart:
    """One bar for each scenario: what one of its cards holds, by band."""
    bars, rooms = [], set()
    for place, (name, account) in enumerate(named):
        stage, room = account.stage, account.card.room.count
        rooms.add(room)
        bars.append(
            Bar(
                name,
                band_segments(stage.at_peak(), "", system),
                against(stage.peak.count, room, system),
                f"stage {stage.stage}, {amount(account.cards.count, 'cards')}",
                over=not stage.fits,
                chosen=place == current,
            )
        )
    limits: tuple[Limit, ...] = ()
    if len(rooms) == 1 and (room := rooms.pop()) > 0:
        limits = (Limit(room, f"{bytes_text(room, system)}, one card"),)
    caption = "What one card holds in each scenario, at its own stage and number of cards"
    return byte_chart(SCENARIOS, "All scenarios", caption, tuple(bars), limits, system)
