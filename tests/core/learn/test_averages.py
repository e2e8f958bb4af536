"""Adam's two averages, and what other optimizers keep."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.account import Account, account
from core.learn.averages import follow, noisy_gradients
from core.learn.optimizer_states import compared, states_of
from core.learn.pages import describe
from core.learn.state import State
from core.scenario import from_texts

GB = 10**9


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


# Kingma and Ba 2015, section 3: with the correction, a constant gradient is its own average from the first step on.
@given(st.floats(-10, 10), st.integers(1, 60))
def test_a_constant_gradient_is_its_own_average(gradient: float, steps: int) -> None:
    found = follow((gradient,) * steps)
    assert found.momentum == pytest.approx((gradient,) * steps)
    assert found.variance == pytest.approx((gradient * gradient,) * steps)


# Algorithm 1 by hand for gradients 1, then 3: m = 0.1, 0.39; v = 0.001, 0.009999; divided by 1 − 0.9², 1 − 0.999².
def test_two_steps_by_hand() -> None:
    found = follow((1.0, 3.0))
    assert found.momentum == pytest.approx((1.0, 0.39 / 0.19))
    assert found.variance == pytest.approx((1.0, 0.009999 / 0.001999))


def test_the_momentum_finds_the_slope_and_its_turn_under_the_noise() -> None:
    found = follow(noisy_gradients())
    first, second = found.momentum[60:120], found.momentum[180:]
    assert sum(first) / len(first) == pytest.approx(1, abs=0.5)
    assert sum(second) / len(second) == pytest.approx(-1, abs=0.5)
    # Noise of standard deviation 3 around a slope of 1: the mean square is 10.
    assert math.sqrt(found.variance[-1]) == pytest.approx(math.sqrt(10), rel=0.1)


# Bytes a parameter beside 32-bit weights: PyTorch's optimizers measured after one step; bitsandbytes' 8-bit states are
# 2 × 1 B and 2 × 4 B per block of 256 in the bulk.
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("adamw", 240 * GB),
        ("lion", 120 * GB),
        ("sgd", 0),
        ("adamw-8bit", 60_937_500_000),
        ("adafactor", 795_000_000),
    ],
)
def test_what_optimizers_keep_for_30_billion_parameters(name: str, expected: int) -> None:
    assert states_of(_account(), name).line.count == expected


def test_the_own_optimizer_is_among_them_and_agrees_with_the_account() -> None:
    found = _account(optimizer="amsgrad", precision="pure-16")
    assert "amsgrad" in [states.name for states in compared(found)]
    states = sum(kept.line.count for kept in found.kept if kept.item.name in ("momentum", "variance", "other"))
    assert states_of(found, "amsgrad").line.count == states == 30 * GB * 6  # three tensors of 2 B


def test_bytes_set_by_hand_count() -> None:
    found = _account(bytes_momentum="1", bytes_variance="1")
    assert states_of(found, "adamw").line.count == 60 * GB


def test_inference_shows_the_usual_recipes() -> None:
    found = _account(precision="inference")
    assert states_of(found, "adamw").line.count == 240 * GB
    assert "Inference keeps no averages" in describe("averages", found).said


def test_the_lines_appear_one_after_the_other() -> None:
    for step, names in enumerate((1, 2, 3)):
        plot = describe("averages", _account(), "decimal", State(step=step)).drawings[0]
        assert len(plot.series) == names  # type: ignore[union-attr]
