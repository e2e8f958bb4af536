"""The two averages: Adam following a noisy gradient, and what other optimizers keep in their place.

Kingma and Ba 2015, "Adam", algorithm 1, with its usual β₁ = 0.9 and β₂ = 0.999: m and v are running averages of the
gradient and of its square, both corrected for having begun at 0. The gradient here is made up: a steady slope that
turns half way, under noise three times as large.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import lru_cache

import msgspec

from core.account import Account
from core.charts.description import Bar, Chart, Segment, Tick
from core.charts.scale import plain_ticks
from core.learn.description import Figure, Part, Plot, Rule, Series, Split, View
from core.learn.state import State
from core.learn.texts import text
from core.lines import Line, amount, given, product, total
from core.numbers import Number, narrow, significant
from core.quantities import System, bytes_text
from core.recipes import Item, optimizer, standard_items

BETA_1, BETA_2 = 0.9, 0.999
STEPS, TURN = 240, 120
SLOPE, NOISE = 1.0, 3.0
# Shown beside each other; the scenario's own joins them where it is none of these.
COMPARED = ("sgd", "lion", "muon", "adafactor", "adamw-8bit", "adamw")
_USUAL_RECIPE = "mixed"
_STATES = ("momentum", "variance", "other")


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
    trains = account.each_bands["gradients"] != 0
    said = text(f"averages.step.{('gradient', 'momentum', 'variance')[step]}")
    return View(
        "averages",
        text("averages.title"),
        text("averages.lead"),
        Split((Part(_plot(step), 11), Part(_chart(account, system), 12)), across=True),
        _figures(account, system),
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


def recipe_for_states(account: Account) -> str:
    """The recipe whose moments are shown: the scenario's, or the usual one where the scenario does not train."""
    trains = any(item.bytes for item in standard_items(account.scenario.precision, "adamw") if item.name in _STATES)
    return account.scenario.precision if trains else _USUAL_RECIPE


def states_of(account: Account, name: str) -> tuple[Item, ...]:
    """What an optimizer keeps for each parameter beside weights, gradients and master copy."""
    if name == account.scenario.optimizer and recipe_for_states(account) == account.scenario.precision:
        return tuple(kept.item for kept in account.kept if kept.item.name in _STATES)
    return tuple(item for item in standard_items(recipe_for_states(account), name) if item.name in _STATES)


def states_line(account: Account, name: str) -> Line:
    """Bytes that an optimizer's averages take in the whole model."""
    parts = tuple(
        product(
            item.label, "B", account.params, given(f"{item.label.lower()} of a parameter", item.bytes, "B"), whole=True
        )
        for item in states_of(account, name)
        if item.bytes
    )
    return total(optimizer(name).label, "B", parts)


def compared(account: Account) -> tuple[str, ...]:
    """The optimizers that are shown, those that keep least first."""
    names = {*COMPARED, account.scenario.optimizer}
    return tuple(sorted(names, key=lambda name: (_each(account, name), name)))


def _each(account: Account, name: str) -> Number:
    return narrow(sum((Fraction(item.bytes) for item in states_of(account, name)), Fraction(0)))


def short_label(name: str) -> str:
    """An optimizer's label without what stands in brackets or after a comma."""
    return optimizer(name).label.partition(" (")[0].partition(",")[0]


def _chart(account: Account, system: System) -> Chart:
    bars = []
    for name in compared(account):
        label, kept = short_label(name), [item for item in states_of(account, name) if item.bytes]
        segments = tuple(
            Segment("optimizer", item.label if len(kept) > 1 else label, item.bytes, amount(item.bytes, "B"))
            for item in kept
        ) or (Segment("optimizer", label, 0, "0 B"),)
        size = bytes_text(states_line(account, name).count, system)
        bars.append(
            Bar(
                label,
                segments,
                f"{significant(_each(account, name), 3)} B · {size}",
                chosen=name == account.scenario.optimizer,
            )
        )
    longest = max(*(bar.total for bar in bars), 1)
    said = ". ".join(f"{bar.label}: {bar.text}" for bar in bars)
    title, caption = text("averages.chart"), text("averages.chart.caption")
    return Chart(
        "optimizers",
        title,
        caption,
        "B",
        tuple(bars),
        (),
        plain_ticks(longest, "B"),
        longest,
        None,
        f"{title}. {said}.",
    )


def _figures(account: Account, system: System) -> tuple[Figure, ...]:
    own = account.scenario.optimizer
    line = states_line(account, own)
    found = [
        Figure(
            "kept",
            text("averages.kept", optimizer=short_label(own)),
            bytes_text(line.count, system),
            amount(_each(account, own), "B") + " " + text("each"),
            line,
        )
    ]
    for item in states_of(account, own):
        if item.bytes:
            part = product(item.label, "B", account.params, given("bytes of a parameter", item.bytes, "B"), whole=True)
            found.append(Figure(item.name, item.label, bytes_text(part.count, system), item.purpose, part))
    least = next((name for name in compared(account) if name != own and _each(account, name) < _each(account, own)), "")
    if least:
        other = states_line(account, least)
        saved = Line(text("averages.saved.line"), line.count - other.count, "B", "difference", (line, other))
        found.append(
            Figure(
                "saved",
                text("averages.saved", optimizer=short_label(least)),
                bytes_text(saved.count, system),
                text("averages.saved.detail"),
                saved,
            )
        )
    return tuple(found)
