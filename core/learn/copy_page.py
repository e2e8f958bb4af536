"""Why a 32-bit copy: the laboratory as a page."""

from __future__ import annotations

import math
from fractions import Fraction

from core.account import Account
from core.charts.description import Tick
from core.charts.scale import tick_step
from core.learn.description import BitRow, Bits, Figure, Part, Plot, Ruler, Series, Split, View
from core.learn.formats import bit_groups, number_format
from core.learn.laboratory import SEEDS, Result, Run, experiment
from core.learn.setup import format_of
from core.learn.state import State
from core.learn.texts import text
from core.learn.wording import power_text, real_text
from core.lines import Line
from core.numbers import plain
from core.quantities import System

_MOST_POINTS = 400


def describe(account: Account, system: System, state: State) -> View:
    """Bits and neighbours of the weight at the left, its way over the steps at the right."""
    setup = state.setup
    found = experiment(format_of(setup, account), setup.weight, setup.update, setup.steps, setup.seed)
    label = number_format(found.number_format).label
    below = Split((Part(_ruler(found, label), 10), Part(_plot(found, label), 12)), across=True)
    return View(
        "copy",
        text("copy.title"),
        text("copy.lead"),
        Split((Part(_bits(found, label), 11), Part(below, 19))),
        _figures(found, label),
        _said(account, found, label),
    )


def _said(account: Account, found: Result, label: str) -> str:
    """What the experiment shows, and what the scenario's recipe does about it."""
    outcome = "fp32" if found.number_format == "fp32" else _outcome(found)
    first = text(f"copy.said.{outcome}", format=label)
    has_master = any(kept.item.name == "master" and kept.item.bytes for kept in account.kept)
    weights = next(kept.item for kept in account.kept if kept.item.name == "weights")
    recipe = "master" if has_master else "wide" if weights.bytes >= 4 else "bare"
    return f"{first} {text(f'copy.recipe.{recipe}')}"


def _outcome(found: Result) -> str:
    """What becomes of one update in the format alone."""
    return "overflows" if found.overflows else "survives" if found.survives else "vanishes"


def _bits(found: Result, label: str) -> Bits:
    values = [(text("copy.weight"), found.weight)]
    if math.isfinite(found.above):
        values.insert(0, (text("copy.above"), found.above))
    if math.isfinite(found.below):
        values.append((text("copy.below"), found.below))
    own = "".join(bit_groups(found.number_format, found.weight))
    rows = []
    for name, value in values:
        groups = bit_groups(found.number_format, value)
        digits = "".join(groups)
        changed = frozenset(at for at, (one, two) in enumerate(zip(own, digits, strict=True)) if one != two)
        rows.append(BitRow(name, *groups, _exact(value), changed))
    return Bits(
        "bits",
        text("copy.bits", format=label, bits=number_format(found.number_format).bits),
        "",
        (text("copy.sign"), text("copy.exponent"), text("copy.fraction")),
        tuple(rows),
        ". ".join(f"{row.label}: {row.sign} {row.exponent} {row.fraction}, {row.text}" for row in rows) + ".",
    )


def _exact(value: float) -> str:
    """A number of a format: all its digits while they are few."""
    if not math.isfinite(value):
        return text("copy.overflow")
    exact = Fraction(value)
    written = plain(exact)
    return written if len(written) <= 12 and (exact == 0 or abs(exact) >= Fraction(1, 1000)) else real_text(exact, 8)


def _ruler(found: Result, label: str) -> Ruler:
    """The number line in gaps: one gap is the distance to the neighbour on the update's side."""
    gap = float(2 * found.half_gap)
    towards = -1.0 if found.update_32 >= 0 else 1.0
    marks = [(0.0, _exact(found.weight))]
    around = [value for value in (found.below, found.above) if math.isfinite(value)]
    marks += [((value - found.weight) / gap, _exact(value)) for value in around]
    aim = -found.update_32 / gap
    lands = (found.after - found.weight) / gap if math.isfinite(found.after) else towards
    verdict = text(f"copy.{_outcome(found)}", format=label)
    return Ruler(
        "ruler",
        text("copy.ruler"),
        text("copy.ruler.caption", half=power_text(found.half_gap)),
        tuple(sorted(marks)),
        towards / 2,
        text("copy.half"),
        aim,
        text("copy.aim", update=real_text(Fraction(found.update_32), 3)),
        lands,
        verdict,
        found.survives,
        text("copy.ruler.spoken", gap=power_text(2 * found.half_gap), half=power_text(found.half_gap), verdict=verdict),
    )


def _plot(found: Result, label: str) -> Plot:
    rows = [("alone", found.alone, "limit", "dashed", False)]
    if found.stochastic is not None:
        rows.append(("stochastic", found.stochastic, "quiet", "solid", False))
        rows.append(("copy", found.copy, "parameters", "solid", False))
    rows.append(("master", found.master, "optimizer", "solid", True))
    if found.number_format == "fp32":
        rows = rows[-1:]
    series = tuple(
        Series(text(f"copy.{name}", format=label), _moved(run), role, _points(run), dash, strong, stepped=True)  # type: ignore[arg-type]
        for name, run, role, dash, strong in rows
    )
    values = [value for line in series for _, value in line.points]
    low, high = min(values), max(values)
    if low == high:
        reach = float(found.half_gap) or 1.0
        low, high = low - reach, high + reach
    steps = len(found.master.values) - 1
    spoken = ". ".join(f"{line.label}: {line.text}" for line in series)
    update = real_text(Fraction(found.update_32), 3)
    return Plot(
        "paths",
        text("copy.plot"),
        text("copy.plot.caption", update=update, steps=f"{steps:,}"),
        series,
        (),
        _step_ticks(steps),
        _value_ticks(low, high),
        (0.0, float(steps)),
        (low, high),
        text("copy.steps"),
        f"{spoken}.",
    )


def _moved(run: Run) -> str:
    if run.moved == 0:
        return text("copy.not_moved")
    return text("copy.moved", by=real_text(run.moved, 4))


def _points(run: Run) -> tuple[tuple[float, float], ...]:
    """The steps at which the weight changes, thinned where they are very many."""
    values = run.values
    places = [at for at in range(len(values)) if at == 0 or values[at] != values[at - 1]]
    stride = -(-len(places) // _MOST_POINTS)
    kept = sorted({*places[::stride], places[-1], len(values) - 1})
    return tuple((float(at), values[at]) for at in kept)


def _step_ticks(steps: int) -> tuple[Tick, ...]:
    step = max(1, int(tick_step(steps, 4))) if steps > 4 else 1
    if steps >= 1024 and steps & (steps - 1) == 0:
        step = steps // 4
    return tuple(Tick(at, f"{at:,}") for at in range(0, steps + 1, step))


def _value_ticks(low: float, high: float) -> tuple[Tick, ...]:
    step = tick_step(Fraction(high) - Fraction(low), 5)
    first = -(-Fraction(low) // step)
    count = int((Fraction(high) // step) - first)
    return tuple(
        Tick(value, _tick_text(value)) for at in range(count + 1) if (value := (first + at) * step) is not None
    )


def _tick_text(value: Fraction) -> str:
    return plain(value) if value == 0 or abs(value) >= Fraction(1, 10**6) else real_text(value, 3)


def _figures(found: Result, label: str) -> tuple[Figure, ...]:
    above = Fraction(found.above) - Fraction(found.weight) if math.isfinite(found.above) else None
    result = [
        Figure(
            "half",
            text("copy.half.label"),
            power_text(found.half_gap),
            text("copy.half.detail"),
            _line(text("copy.half.label"), found.half_gap),
        ),
    ]
    if above is not None:
        result.insert(
            0,
            Figure(
                "next",
                text("copy.next.label", format=label),
                _exact(found.above),
                text("copy.next.detail", gap=power_text(above)),
                _line(text("copy.above"), Fraction(found.above)),
            ),
        )
    rows = [("alone", found.alone), ("master", found.master)]
    if found.number_format == "fp32":
        rows = rows[1:]
    for name, run in rows:
        result.append(
            Figure(
                name,
                text("copy.run.moved", run=text(f"copy.{name}", format=label)),
                _moved_figure(run.moved),
                _last_move(run),
                _line(text("copy.moved.line"), run.moved),
            )
        )
    if found.stochastic is not None:
        moved = Fraction(found.weight) - Fraction(found.mean)
        result.append(
            Figure(
                "mean",
                text("copy.mean"),
                _moved_figure(moved),
                text("copy.mean.detail", seeds=SEEDS),
                _line(text("copy.moved.line"), moved),
            )
        )
    return tuple(result)


def _moved_figure(moved: Fraction) -> str:
    return real_text(moved, 5)


def _last_move(run: Run) -> str:
    steps = len(run.values) - 1
    if run.last_move == steps:
        return text("copy.still_moving")
    return text("copy.never_moved") if run.last_move == 0 else text("copy.stopped", step=f"{run.last_move:,}")


def _line(name: str, value: Fraction) -> Line:
    return Line(name, value if value.denominator != 1 else value.numerator)
