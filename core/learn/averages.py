"""The two averages: Adam following a noisy gradient, and what other optimizers keep in their place.

Kingma and Ba 2015, "Adam", algorithm 1, with its usual β₁ = 0.9 and β₂ = 0.999: m and v are running averages of the
gradient and of its square, both corrected for having begun at 0. The gradient here is made up: a steady slope that
turns half way, under noise three times as large.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache

import msgspec

from core.account import Account
from core.charts.description import Bar, Chart, Segment, Tick
from core.charts.scale import plain_ticks
from core.learn.description import Figure, Part, Plot, Rule, Series, Split, View
from core.learn.optimizer_states import States, compared
from core.learn.state import State
from core.learn.texts import text
from core.lines import difference
from core.numbers import significant
from core.quantities import System, bytes_text

BETA_1, BETA_2 = 0.9, 0.999
STEPS, TURN = 240, 120
SLOPE, NOISE = 1.0, 3.0


class Following(msgspec.Struct, frozen=True):
    """Gradient, first and second moment (corrected for their start) after each step."""

    gradient: tuple[float, ...]
    momentum: tuple[float, ...]
    variance: tuple[float, ...]


def follow(gradients: tuple[float, ...], beta_1: float = BETA_1, beta_2: float = BETA_2) -> Following:
    """Adam's two averages of a series of gradients, in double precision."""
    first = second = 0.0
    firsts, seconds = [], []
    for at, gradient in enumerate(gradients, 1):
        first = beta_1 * first + (1 - beta_1) * gradient
        second = beta_2 * second + (1 - beta_2) * gradient * gradient
        firsts.append(first / (1 - beta_1**at))
        seconds.append(second / (1 - beta_2**at))
    return Following(gradients, tuple(firsts), tuple(seconds))


@lru_cache(maxsize=1)
def noisy_gradients(seed: int = 3) -> tuple[float, ...]:
    """A slope of 1 that turns to −1 half way, with noise of standard deviation 3."""
    drawn = random.Random(seed)
    # Twelve uniform numbers less six: near enough to a bell, and the same on every version of Python.
    bell = (sum(drawn.random() for _ in range(12)) - 6 for _ in range(STEPS))
    return tuple((SLOPE if at < TURN else -SLOPE) + NOISE * noise for at, noise in enumerate(bell))


def describe(account: Account, system: System, state: State) -> View:
    """The gradient, then its average, then the average of its square; beside them what each optimizer keeps."""
    step = state.at(2, 3)
    rows, own = compared(account), account.scenario.optimizer
    trains = account.each_bands["gradients"] != 0
    said = text(f"averages.step.{('gradient', 'momentum', 'variance')[step]}")
    return View(
        "averages",
        text("averages.title"),
        text("averages.lead"),
        Split((Part(_plot(step), 11), Part(_chart(rows, own, system), 12)), across=True),
        _figures(rows, own, system),
        said if trains else f"{text('averages.no_training')} {said}",
        step,
        3,
    )


def _plot(step: int) -> Plot:
    found = follow(noisy_gradients())
    root = tuple(math.sqrt(value) for value in found.variance)
    series = [_series("gradient", found.gradient, "gradients", strong=step == 0)]
    if step >= 1:
        series.append(_series("momentum", found.momentum, "optimizer", strong=True))
    if step >= 2:
        series.append(_series("variance", root, "optimizer", dash=True))
    reach = math.ceil(max(abs(value) for value in found.gradient))
    ticks = tuple(
        Tick(at, f"{at}".replace("-", "−")) for at in range(-reach // 5 * 5, reach + 1, 5) if abs(at) <= reach
    )
    return Plot(
        "averages",
        text("averages.plot"),
        text("averages.plot.caption", first=BETA_1, second=BETA_2),
        tuple(series),
        (Rule(float(TURN), text("averages.turn"), upright=True),),
        tuple(Tick(at, str(at)) for at in range(0, STEPS + 1, 60)),
        ticks,
        (0.0, float(STEPS)),
        (-float(reach), float(reach)),
        text("averages.steps"),
        text("averages.plot.spoken", last=f"{found.momentum[-1]:.2f}".replace("-", "−"), root=f"{root[-1]:.2f}"),
    )


def _series(name: str, values: tuple[float, ...], role: str, strong: bool = False, dash: bool = False) -> Series:
    points = tuple((float(at), value) for at, value in enumerate(values, 1))
    return Series(text(f"averages.{name}"), "", role, points, "dashed" if dash else "solid", strong)


def _chart(rows: tuple[States, ...], own: str, system: System) -> Chart:
    bars = []
    for states in rows:
        segments = tuple(
            Segment(
                "optimizer",
                kept.item.label if len(states.kept) > 1 else states.label,
                kept.item.bytes,
                f"{significant(kept.item.bytes, 4)} B",
            )
            for kept in states.kept
        ) or (Segment("optimizer", states.label, 0, "0 B"),)
        said = f"{significant(states.each, 3)} B · {bytes_text(states.line.count, system)}"
        bars.append(Bar(states.label, segments, said, chosen=states.name == own))
    longest = max(*(bar.total for bar in bars), 1)
    title, caption = text("averages.chart"), text("averages.chart.caption")
    spoken = ". ".join([title, *(f"{bar.label}: {bar.text}" for bar in bars)])
    ticks = plain_ticks(longest, "B")
    return Chart("optimizers", title, caption, "B", tuple(bars), (), ticks, longest, None, f"{spoken}.")


def _figures(rows: tuple[States, ...], own: str, system: System) -> tuple[Figure, ...]:
    mine = next(states for states in rows if states.name == own)
    each = f"{significant(mine.each, 4)} B {text('each')}"
    size = bytes_text(mine.line.count, system)
    found = [Figure("kept", text("averages.kept", optimizer=mine.label), size, each, mine.line)]
    found += [
        Figure(kept.item.name, kept.item.label, bytes_text(kept.line.count, system), kept.item.purpose, kept.line)
        for kept in mine.kept
    ]
    least = rows[0]
    if least.each < mine.each:
        saved = difference(text("averages.saved.line"), "B", mine.line, least.line)
        label, size = text("averages.saved", optimizer=least.label), bytes_text(saved.count, system)
        found.append(Figure("saved", label, size, text("averages.saved.detail"), saved))
    return tuple(found)
