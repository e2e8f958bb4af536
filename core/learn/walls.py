"""The first wall and the second: memory by number of cards at each stage, and time by number of cards.

Memory follows core.states, time C = 6·N·D over the cards' peak and utilisation, as in core.compute. Both are drawn over
the same cards, so that where one wall hides the other can be read off.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from core.account import Account
from core.charts.description import Tick
from core.compute import SECONDS_A_DAY
from core.learn.description import Figure, Part, Plot, Rule, Series, Split, View
from core.learn.state import State
from core.learn.texts import text
from core.learn.wording import raised
from core.lines import Line, amount, given, quotient_up
from core.numbers import Number, significant
from core.quantities import LADDERS, System, bytes_text
from core.shares import carrier, moved_bands, share_lines
from core.states import STAGES, per_card_bytes
from core.verdict import duration_text

QUARTER_DAYS = 90
"""The deadline that stands in where the scenario has none: the run must end this quarter."""

_LEAST_CARDS, _MOST_CARDS = 64, 2**24
_A_POINT_EACH = 4  # points to each doubling


class Walls(msgspec.Struct, frozen=True):
    """Cards that memory asks for at each stage (None: no number is enough), and cards that the deadline asks for."""

    memory: tuple[Line, ...]
    time: Line
    deadline: Number
    assumed: bool

    def higher(self, stage: int) -> str:
        """Which wall stands higher at a stage: "memory", "time", "both" or, where no number of cards fits, "never"."""
        memory = self.memory[stage].value
        if memory is None:
            return "never"
        if memory == self.time.count:
            return "both"
        return "memory" if memory > self.time.count else "time"


def walls(account: Account) -> Walls:
    """Both walls of an account."""
    deadline = account.scenario.deadline
    days = QUARTER_DAYS if deadline is None else deadline
    run = account.time
    needed = quotient_up(text("walls.time.line"), "cards", run.days_on_one, given(text("walls.deadline"), days, "days"))
    return Walls(
        tuple(stage.to_fit for stage in account.stages), run.cards_for_deadline or needed, days, deadline is None
    )


def describe(account: Account, system: System, state: State) -> View:
    """Memory above, time beneath, over the same cards."""
    found = walls(account)
    stage = account.stage.stage or 3
    last = _reach(account, found, stage)
    memory, time = _aligned(_memory(account, system, found, stage, last), _time(account, found, stage, last))
    kind = found.higher(stage)
    said = text(
        f"walls.said.{kind}",
        memory=amount(found.memory[stage].value, "cards"),
        time=amount(found.time.count, "cards"),
        stage=stage,
        deadline=_days(found),
    )
    return View(
        "walls",
        text("walls.title"),
        text("walls.lead"),
        Split((Part(memory, 7), Part(time, 5))),
        _figures(account, found, stage),
        said,
    )


def _days(found: Walls) -> str:
    days = f"{significant(found.deadline)} days"
    return text("walls.quarter", days=days) if found.assumed else days


def _reach(account: Account, found: Walls, stage: int) -> int:
    """The last number of cards drawn: a power of two a little past both walls."""
    walls_at = [line.count for line in (*found.memory[1:], found.time) if line.value is not None]
    wanted = max(_LEAST_CARDS, account.cards.count, min(max(walls_at, default=1), 64 * max(found.time.count, 64)))
    return min(_MOST_CARDS, 1 << (2 * wanted - 1).bit_length())


def _cards(last: int) -> list[int]:
    """Numbers of cards along the axis, equal factors apart."""
    steps = _A_POINT_EACH * (last.bit_length() - 1)
    return sorted({round(2 ** (at / _A_POINT_EACH)) for at in range(steps + 1)})


def states_on(account: Account, stage: int, cards: int) -> int:
    """Bytes of the states on one of `cards` cards at a stage, as the account has them for its own number of cards."""
    scenario = account.scenario
    rows = tuple(kept.item for kept in account.kept)
    how, moved = carrier(scenario), moved_bands(scenario)
    if how is not None and how.stage == stage:
        lines = share_lines(rows, scenario, account.model, account.params, cards)
        return sum(line.count for band, line in lines.items() if band not in moved)
    bands = per_card_bytes(rows, account.params.count, stage, cards)
    return sum(size for band, size in bands.items() if band not in moved)


def _memory(account: Account, system: System, found: Walls, stage: int, last: int) -> Plot:
    series = []
    for which in STAGES:
        points = tuple((float(count), float(states_on(account, which, count))) for count in _cards(last))
        series.append(
            Series(
                text("walls.stage", stage=which),
                "",
                "text" if which == stage else "quiet",
                points,
                strong=which == stage,
            )
        )
    values = [value for line in series for _, value in line.points if value > 0]
    room = account.card.room.count
    low, high = min([*values, float(max(room, 1))]), max([*values, float(max(room, 1))])
    rules = [Rule(float(room), text("walls.card", size=bytes_text(room, system)))] if room > 0 else []
    rules += _upright(found, stage, last)
    return Plot(
        "memory",
        text("walls.memory"),
        text("walls.memory.caption"),
        tuple(series),
        tuple(rules),
        _card_ticks(last),
        _byte_powers(low, high, system),
        (1.0, float(last)),
        (low / 1.5, high * 1.6),
        text("walls.cards"),
        text("walls.memory.spoken", fits=_fits_text(found)),
        log_x=True,
        log_y=True,
    )


def _time(account: Account, found: Walls, stage: int, last: int) -> Plot:
    one = float(account.time.days_on_one.value or 0)
    points = tuple((float(count), one / count) for count in _cards(last))
    days = float(found.deadline)
    low, high = min(one / last, days), max(one, days)
    series = (Series(text("walls.run"), "", "text", points, strong=True),)
    rules = (Rule(days, text("walls.deadline.rule", days=_days(found))), *_upright(found, stage, last))
    return Plot(
        "time",
        text("walls.time"),
        text("walls.time.caption", mfu=_percent(account)),
        series,
        rules,
        _card_ticks(last),
        _day_powers(low, high),
        (1.0, float(last)),
        (low / 1.5, high * 1.8),
        text("walls.cards"),
        text(
            "walls.time.spoken",
            one=duration_text((account.time.days_on_one.value or 0) * SECONDS_A_DAY),
            cards=amount(found.time.count, "cards"),
            deadline=_days(found),
        ),
        log_x=True,
        log_y=True,
    )


def _aligned(above: Plot, beneath: Plot) -> tuple[Plot, Plot]:
    """Both plots with room for each other's texts; the upright lines are named in the upper one alone."""
    ticks = tuple(tick.text for plot in (above, beneath) for tick in plot.y_ticks)
    names = tuple(line.label for plot in (above, beneath) for line in plot.series)
    rules = tuple(msgspec.structs.replace(rule, label="") if rule.upright else rule for rule in beneath.rules)
    above = msgspec.structs.replace(above, tick_room=ticks, name_room=names)
    return above, msgspec.structs.replace(beneath, tick_room=ticks, name_room=names, rules=rules)


def _percent(account: Account) -> str:
    return f"{significant(Fraction(account.mfu.value or 0) * 100)} %"


def _upright(found: Walls, stage: int, last: int) -> list[Rule]:
    """Upright lines at the cards that each wall asks for, where they are on the axis."""
    result = []
    memory = found.memory[stage].value
    if memory is not None and memory <= last:
        result.append(Rule(float(memory), text("walls.holds", cards=amount(memory, "cards")), upright=True))
    if found.time.count <= last:
        result.append(
            Rule(float(found.time.count), text("walls.ends", cards=amount(found.time.count, "cards")), upright=True)
        )
    return result


def _fits_text(found: Walls) -> str:
    return "; ".join(
        text("walls.fits", stage=stage, cards=_count(line)) for stage, line in zip(STAGES, found.memory, strict=True)
    )


def _card_ticks(last: int) -> tuple[Tick, ...]:
    powers = range(last.bit_length())
    step = max(1, -(-len(powers) // 9))
    return tuple(Tick(2**power, f"{2**power:,}") for power in powers if power % step == 0)


def _byte_powers(low: float, high: float, system: System) -> tuple[Tick, ...]:
    """Powers of ten, or of two, of a byte unit within a range: few enough to be read."""
    found: list[Tick] = []
    base, most = (10, 3) if system == "decimal" else (2, 10)
    for unit in LADDERS[system]:
        for power in range(most):
            value = base**power * unit.size
            if low <= value <= high * 1.2:
                found.append(Tick(value, f"{base**power:,} {unit.symbol}"))
    step = max(1, -(-len(found) // 5))
    return tuple(found[::-step][::-1])


def _day_powers(low: float, high: float) -> tuple[Tick, ...]:
    found = [
        Tick(Fraction(10) ** power, f"{10**power:,} d" if 0 <= power <= 4 else f"10{raised(power)} d")
        for power in range(-9, 16)
        if low <= 10.0**power <= high * 1.2
    ]
    step = max(1, -(-len(found) // 4))
    return tuple(found[::-step][::-1])


def _count(line: Line) -> str:
    return text("walls.never") if line.value is None else amount(line.value, "cards")


def _figures(account: Account, found: Walls, stage: int) -> tuple[Figure, ...]:
    result = [
        Figure(
            f"stage{which}",
            text("walls.stage.figure", stage=which),
            _count(found.memory[which]),
            text("walls.chosen") if which == account.stage.stage else "",
            found.memory[which],
        )
        for which in STAGES[1:]
    ]
    result.append(
        Figure("time", text("walls.time.figure"), amount(found.time.count, "cards"), _days(found), found.time)
    )
    one = account.time.days_on_one
    result.append(Figure("one", text("walls.one"), duration_text((one.value or 0) * SECONDS_A_DAY), "", one))
    return tuple(result)
