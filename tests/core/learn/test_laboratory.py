"""The laboratory: what repeated updates do to a weight in each format."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.account import account
from core.fields import InputError
from core.learn import formats
from core.learn.laboratory import experiment, stochastic_mean
from core.learn.setup import SETUP_FIELDS, Setup, format_of, read_setup
from core.learn.wording import power_text, real_text
from core.scenario import from_texts

MILLIONTH = Fraction(1, 10**6)
STEPS = 4096


# Just below 1 the numbers of fp32 lie 2⁻²⁴ apart, and 10⁻⁶ is 16.78 of that: each step rounds to 17.
@pytest.mark.parametrize("name", ["fp16", "bf16"])
def test_4096_millionths_off_one(name: str) -> None:
    found = experiment(name, 1, MILLIONTH, STEPS, 0)
    assert found.alone.moved == 0
    assert found.alone.last_move == 0
    assert not found.survives
    assert found.master.moved == STEPS * 17 * Fraction(1, 2**24)
    assert f"{float(found.master.moved):.10f}" == "0.0041503906"
    assert found.master.last_move == STEPS


def test_the_weight_from_the_copy_follows_it_to_half_a_gap() -> None:
    found = experiment("fp16", 1, MILLIONTH, STEPS, 0)
    # Below 1 fp16 numbers lie 2⁻¹¹ apart.
    for coarse, fine in zip(found.copy.values, found.master.values, strict=True):
        assert abs(coarse - fine) <= 2.0**-12


# Gupta et al. 2015, section 3: stochastic rounding is right on average. A step in bf16 below 1 is 2⁻⁸ with probability
# 17 × 2⁻²⁴ ÷ 2⁻⁸, so the sum over 4,096 steps has standard deviation 0.0040, and the mean of 4,096 runs 0.0000628.
# Five of these make a chance failure one in two million; the seed makes it none.
def test_stochastic_rounding_moves_as_the_master_does_on_average() -> None:
    moved = stochastic_mean("bf16", 1, MILLIONTH, STEPS, seed=11, runs=4096)
    assert abs(float(moved) - 0.0041503906) < 5 * 0.0000628


def test_stochastic_rounding_is_the_same_for_the_same_seed() -> None:
    one, same, other = (experiment("fp16", 1, MILLIONTH, STEPS, seed).stochastic for seed in (3, 3, 4))
    assert one == same
    assert one != other


def test_stochastic_rounding_lands_on_one_of_the_two_neighbours() -> None:
    found = experiment("bf16", 1, Fraction(1, 1000), 50, 5)
    assert found.stochastic is not None
    grid = set(formats.grid("bf16").tolist())
    for before, after in zip(found.stochastic.values, found.stochastic.values[1:], strict=False):
        assert after in grid
        assert after in (before, formats.step_from("bf16", before, up=False))


def test_fp32_needs_no_copy() -> None:
    found = experiment("fp32", 1, MILLIONTH, STEPS, 0)
    assert found.stochastic is None
    assert found.alone == found.master == found.copy


# Half a gap decides, whichever way the update goes: at 1 the gap below is half the gap above.
@pytest.mark.parametrize(("update", "half"), [(MILLIONTH, Fraction(1, 2**12)), (-MILLIONTH, Fraction(1, 2**11))])
def test_the_half_gap_is_on_the_updates_side(update: Fraction, half: Fraction) -> None:
    assert experiment("fp16", 1, update, 1, 0).half_gap == half


@settings(max_examples=80)
@given(
    name=st.sampled_from(["fp16", "bf16", "fp8-e4m3", "fp8-e5m2"]),
    weight=st.fractions(Fraction(1, 16), 400, max_denominator=1000),
    update=st.fractions(Fraction(-1), 1, max_denominator=10**5),
)
def test_an_update_under_half_a_gap_vanishes_and_one_over_it_moves(
    name: str, weight: Fraction, update: Fraction
) -> None:
    found = experiment(name, weight, update, 3, 0)
    size = abs(Fraction(found.update))
    if size < found.half_gap:
        assert not found.survives
    if size > found.half_gap:
        assert found.survives
    # Each step is the library's own subtraction of the one before.
    for before, after in zip(found.alone.values, found.alone.values[1:], strict=False):
        assert after == formats.subtract(name, before, found.update)


def test_a_run_ends_at_the_largest_number() -> None:
    found = experiment("fp8-e4m3", 448, -448, 4, 0)
    assert found.alone.values == (448.0,) * 5


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({}, "bf16"),
        ({"precision": "fp32"}, "fp32"),
        ({"precision": "autocast"}, "fp32"),
        ({"precision": "fp8-deepseek-v3"}, "fp8-e4m3"),
        ({"precision": "pure-16"}, "bf16"),
        ({"bytes_weights": "4"}, "fp32"),
    ],
)
def test_the_format_is_that_of_the_scenarios_weights(texts: dict[str, str], expected: str) -> None:
    assert format_of(Setup(), account(from_texts(texts))) == expected
    assert format_of(Setup(number_format="fp16"), account(from_texts(texts))) == "fp16"


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e-6", MILLIONTH), ("2^-11", Fraction(1, 2048)), ("-2**3", -8), ("0.02", Fraction(1, 50)), ("−1", -1)],
)
def test_numbers_are_read_exactly(text: str, value: Fraction) -> None:
    assert read_setup({"update": text}).update == value


@pytest.mark.parametrize("text", ["", "abc", "1,5", "449", "2^-99", "1e99", "nan", "2^", "1 GB"])
def test_what_is_no_number_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InputError) as problem:
        read_setup({"weight": text})
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("text", ["0", "16385", "1.5", "-3"])
def test_steps_are_whole_and_bounded(text: str) -> None:
    with pytest.raises(InputError):
        read_setup({"steps": text})


@given(st.one_of(st.integers(-64, 8).map(lambda power: Fraction(2) ** power),
                 st.decimals(-448, 448, places=9).map(Fraction)))  # fmt: skip
def test_a_number_reads_back_from_its_text(value: Fraction) -> None:
    field = SETUP_FIELDS["weight"]
    assert field.read(field.kind.text(value)) == value


@given(st.integers(-40, 40))
def test_arrow_steps_double_and_halve(steps: int) -> None:
    kind = SETUP_FIELDS["update"].kind
    moved = kind.step(1, steps)
    assert moved in (Fraction(2) ** steps, 1)  # beyond what can be typed it stays
    assert kind.read(kind.text(moved)) == moved


def test_small_numbers_are_written_with_powers() -> None:
    assert power_text(Fraction(1, 2048)) == "2⁻¹¹"
    assert power_text(-8) == "−2³"
    assert real_text(MILLIONTH) == "10⁻⁶"
    assert real_text(Fraction(15, 10**7)) == "1.5 × 10⁻⁶"
    assert real_text(Fraction("0.0041503906"), 4) == "0.00415"
    assert real_text(0) == "0"
