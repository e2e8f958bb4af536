"""The laboratory: an update subtracted again and again from a weight, in the formats as they are.

Three ways, side by side: the weight kept in the format alone; a 32-bit master copy that takes the updates, from which
the weight is rounded; the format alone with stochastic rounding. Everything is computed by numpy and ml_dtypes.

Sources: Micikevicius et al. 2018, "Mixed precision training", section 3.1 (the master copy); Gupta et al. 2015, "Deep
learning with limited numerical precision", section 3 (stochastic rounding: up with the probability of the distance).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import msgspec

from core.learn import formats
from core.numbers import Number

SEEDS = 64
"""Runs over which the mean of stochastic rounding is taken."""


class Run(msgspec.Struct, frozen=True):
    """A weight over the steps: `values[t]` after t updates. `last_move` is the last step that changed it."""

    values: tuple[float, ...]
    last_move: int

    @property
    def moved(self) -> Fraction:
        """How far the weight has come from where it began, downwards counted as positive."""
        return Fraction(self.values[0]) - Fraction(self.values[-1])


class Result(msgspec.Struct, frozen=True):
    """One experiment. Floats are numbers of the format, or of fp32 where they say so, exactly.

    Attributes:
        weight, update: as the format holds them; `weight_32`, `update_32` as fp32 does.
        below, above: the next representable numbers around the weight (infinite past the largest).
        after: the weight after one update in the format.
        alone, master, copy: the runs in the format alone, of the 32-bit copy, and of the weight rounded from it.
        stochastic: one run with stochastic rounding, None for fp32, which is the yardstick; `mean` is where 64 runs
            end on average.
    """

    number_format: str
    weight: float
    update: float
    weight_32: float
    update_32: float
    below: float
    above: float
    after: float
    alone: Run
    master: Run
    copy: Run
    stochastic: Run | None
    mean: float

    @property
    def overflows(self) -> bool:
        """Whether one update leaves the format's range."""
        return not math.isfinite(self.after)

    @property
    def survives(self) -> bool:
        """Whether one update changes the weight in the format alone."""
        return not self.overflows and self.after != self.weight

    @property
    def half_gap(self) -> Fraction:
        """Half the distance to the neighbour that the update moves towards: no smaller update moves the weight."""
        towards = self.below if self.update_32 >= 0 else self.above
        if math.isinf(towards):
            towards = self.above if towards == self.below else self.below
        return abs(Fraction(self.weight) - Fraction(towards)) / 2


@lru_cache(maxsize=64)
def experiment(number_format: str, weight: Number, update: Number, steps: int, seed: int) -> Result:
    """Subtract `update` `steps` times from `weight`. In the format alone both are rounded to it first."""
    w, u = formats.nearest(number_format, weight), formats.nearest(number_format, update)
    w32, u32 = formats.nearest("fp32", weight), formats.nearest("fp32", update)
    below, above = formats.neighbours(number_format, w)
    master = _run("fp32", w32, u32, steps)
    stochastic, mean = None, master.values[-1]
    if number_format != "fp32":
        chain = _Chain(number_format, u32)
        stochastic = _with_last_move(chain.walk(w, steps, seed))
        mean = chain.mean(w, steps, seed, SEEDS)
    return Result(
        number_format,
        w,
        u,
        w32,
        u32,
        below,
        above,
        formats.subtract(number_format, w, u),
        alone=_run(number_format, w, u, steps),
        master=master,
        copy=_rounded(number_format, master),
        stochastic=stochastic,
        mean=mean,
    )


def _run(number_format: str, weight: float, update: float, steps: int) -> Run:
    """The weight over the steps in a format's own arithmetic. A weight that one update leaves alone stays for good."""
    import numpy as np

    kind = formats.scalar(number_format)
    now, change = kind(weight), kind(update)
    values = [weight]
    with np.errstate(all="ignore"):
        for _ in range(steps):
            after = now - change
            if after == now or not math.isfinite(after):
                break
            now = after
            values.append(float(now))
    last_move = len(values) - 1
    return Run((*values, *([values[-1]] * (steps - last_move))), last_move)


def _rounded(number_format: str, master: Run) -> Run:
    """The weight as it is refreshed from a master copy after each step; past the largest number it stays there."""
    import numpy as np

    largest = formats.number_format(number_format).largest
    fine = np.clip(np.array(master.values, dtype=np.float32), np.float32(-largest), np.float32(largest))
    with np.errstate(all="ignore"):
        coarse = fine.astype(formats.scalar(number_format)).astype(np.float64)
    return _with_last_move(tuple(coarse.tolist()))


def _with_last_move(values: tuple[float, ...]) -> Run:
    last = next((at for at in range(len(values) - 1, 0, -1) if values[at] != values[at - 1]), 0)
    return Run(values, last)


class _Chain:
    """Stochastic rounding as a walk on the format's numbers: from each, where one update may lead, and how likely.

    The subtraction is done in fp32, as kernels do it; the result lies between two numbers of the format and is rounded
    to the upper one with the probability of its distance from the lower one.
    """

    def __init__(self, number_format: str, update_32: float) -> None:
        import numpy as np

        self._grid = grid = formats.grid(number_format)
        exact = (grid.astype(np.float32) - np.float32(update_32)).astype(np.float64)
        exact = np.clip(exact, grid[0], grid[-1])
        self._low = np.clip(np.searchsorted(grid, exact, side="right") - 1, 0, len(grid) - 2).astype(np.int32)
        gap = grid[self._low + 1] - grid[self._low]
        self._chance = (exact - grid[self._low]) / gap

    def walk(self, weight: float, steps: int, seed: int) -> tuple[float, ...]:
        """One run."""
        import numpy as np

        low, chance, grid = self._low, self._chance, self._grid
        at = int(np.searchsorted(grid, weight))
        places = [at]
        for drawn in np.random.default_rng(seed).random(steps).tolist():
            at = int(low[at]) + (drawn < chance[at])
            places.append(at)
        return tuple(grid[places].tolist())

    def mean(self, weight: float, steps: int, seed: int, runs: int) -> float:
        """The mean of many runs after the last step."""
        import numpy as np

        low, chance, grid = self._low, self._chance, self._grid
        at = np.full(runs, np.searchsorted(grid, weight))
        for drawn in np.random.default_rng([seed, 1]).random((steps, runs)):
            at = low[at] + (drawn < chance[at])
        return float(grid[at].mean())


def stochastic_mean(number_format: str, weight: Number, update: Number, steps: int, seed: int, runs: int) -> Fraction:
    """How far the mean of `runs` runs with stochastic rounding has moved after `steps` updates."""
    chain = _Chain(number_format, formats.nearest("fp32", update))
    start = formats.nearest(number_format, weight)
    return Fraction(start) - Fraction(chain.mean(start, steps, seed, runs))
