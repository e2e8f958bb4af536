"""Number formats against numpy and ml_dtypes, for every pattern of 16 and of 8 bits.

Layouts and largest numbers: IEEE 754-2019, table 3.5 (fp16, fp32); Micikevicius et al. 2022, "FP8 formats for deep
learning", table 1 (e4m3: bias 7, largest 448; e5m2: bias 15, largest 57,344); bf16 is the upper half of fp32.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.learn import formats

SHORT = ("fp16", "bf16", "fp8-e4m3", "fp8-e5m2")
KINDS: dict[str, Any] = {
    "fp16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "fp8-e4m3": ml_dtypes.float8_e4m3fn,
    "fp8-e5m2": ml_dtypes.float8_e5m2,
    "fp32": np.float32,
}


def every(name: str) -> Any:
    """All numbers of a format, in the order of their patterns."""
    bits = formats.number_format(name).bits
    unsigned = {8: np.uint8, 16: np.uint16}[bits]
    return np.arange(2**bits, dtype=np.uint32).astype(unsigned).view(KINDS[name])


def finite(name: str) -> Any:
    """All finite numbers from 0 up, rising: their patterns rise with them."""
    values = every(name)[: 2 ** (formats.number_format(name).bits - 1)]
    with np.errstate(all="ignore"):
        return values[np.isfinite(values.astype(np.float64))]


@pytest.mark.parametrize("name", KINDS)
def test_a_format_is_the_librarys_type(name: str) -> None:
    row = formats.number_format(name)
    assert formats.scalar(name) is KINDS[name]
    assert row.bits == 8 * np.dtype(KINDS[name]).itemsize
    # Significand of 1 + fraction bits, all ones, at the largest exponent.
    found = np.finfo(KINDS[name]) if name in ("fp16", "fp32") else ml_dtypes.finfo(KINDS[name])  # type: ignore[no-untyped-call]
    assert float(found.max) == row.largest
    assert found.nmant == row.fraction


@pytest.mark.parametrize(
    ("name", "value", "bits"),
    [
        ("fp16", 1.0, ("0", "01111", "0000000000")),
        ("fp16", -65504.0, ("1", "11110", "1111111111")),
        ("bf16", 1.0, ("0", "01111111", "0000000")),
        ("fp32", 1.0, ("0", "01111111", "0" * 23)),
        ("fp8-e4m3", 448.0, ("0", "1111", "110")),
        ("fp8-e4m3", 2.0**-9, ("0", "0000", "001")),
        ("fp8-e5m2", 57344.0, ("0", "11110", "11")),
        ("fp8-e5m2", 2.0**-16, ("0", "00000", "01")),
    ],
)
def test_bit_patterns_that_the_standards_print(name: str, value: float, bits: tuple[str, str, str]) -> None:
    assert formats.bit_groups(name, value) == bits
    assert formats.value_of(name, int("".join(bits), 2)) == value


@pytest.mark.parametrize("name", SHORT)
def test_pattern_and_value_are_each_others_inverse(name: str) -> None:
    values = every(name)
    with np.errstate(all="ignore"):
        wide = values.astype(np.float64)
    step = 1 if len(wide) <= 256 else 7  # 7 divides no power of two, so every exponent is met
    for bits in range(0, len(wide), step):
        if not math.isnan(wide[bits]):
            assert formats.value_of(name, bits) == wide[bits]
            assert formats.pattern(name, float(wide[bits])) == bits


@pytest.mark.parametrize("name", SHORT)
def test_the_grid_is_every_finite_number_once(name: str) -> None:
    with np.errstate(all="ignore"):
        wide = every(name).astype(np.float64)
    assert formats.grid(name).tolist() == sorted(set(wide[np.isfinite(wide)].tolist()))


@pytest.mark.parametrize("name", SHORT)
def test_the_neighbour_is_the_next_pattern(name: str) -> None:
    values = finite(name).astype(np.float64).tolist()
    picked = range(len(values) - 1) if len(values) < 200 else range(0, len(values) - 1, 11)
    for at in picked:
        assert formats.step_from(name, values[at], up=True) == values[at + 1]
        assert formats.step_from(name, values[at + 1], up=False) == values[at]
        assert formats.step_from(name, -values[at], up=False) == -values[at + 1]


@pytest.mark.parametrize("name", KINDS)
def test_past_the_largest_lies_infinity(name: str) -> None:
    largest = formats.number_format(name).largest
    assert formats.neighbours(name, largest)[1] == math.inf
    assert formats.neighbours(name, -largest)[0] == -math.inf


# Half a unit in the last place on top of a number is a tie: it stays where its last bit is 0, and else goes up to the
# even neighbour. The next representable update above half a unit always moves it. Checked in the library's own
# arithmetic for every number whose half unit the format can write.
@pytest.mark.parametrize("name", SHORT)
def test_half_a_unit_in_the_last_place_decides_for_every_pattern(name: str) -> None:
    kind = KINDS[name]
    values = finite(name)
    low, high = values[:-1], values[1:]
    wide = low.astype(np.float64)
    half = (high.astype(np.float64) - wide) / 2
    written = half.astype(kind)
    exact = written.astype(np.float64) == half
    low, high, written, wide = low[exact], high[exact], written[exact], wide[exact]
    assert len(low) > len(values) * 0.85
    even = (np.arange(len(values) - 1)[exact] & 1) == 0
    with np.errstate(all="ignore"):
        tied = low + written
        above = low + np.nextafter(written, kind(formats.number_format(name).largest))
        under = low + np.nextafter(written, kind(0))
    assert (tied[even] == low[even]).all()
    assert (tied[~even] == high[~even]).all()
    assert (above > low).all()
    assert (under == low).all()


@pytest.mark.parametrize("name", SHORT)
def test_nearest_is_exact_half_way_between_all_neighbours(name: str) -> None:
    values = finite(name).astype(np.float64).tolist()
    picked = range(len(values) - 1) if len(values) < 200 else range(0, len(values) - 1, 37)
    for at in picked:
        low, high = Fraction(values[at]), Fraction(values[at + 1])
        middle = (low + high) / 2
        assert formats.nearest(name, middle) == values[at + (at & 1)]
        # A hair above or below: conversions by way of fp32 round this twice and get it wrong.
        hair = (high - low) / 2**40
        assert formats.nearest(name, middle + hair) == values[at + 1]
        assert formats.nearest(name, middle - hair) == values[at]


@given(name=st.sampled_from(SHORT), value=st.fractions(-400, 400, max_denominator=10**9))
def test_nearest_is_the_nearest(name: str, value: Fraction) -> None:
    found = formats.nearest(name, value)
    around = formats.grid(name)
    place = int(np.searchsorted(around, float(value)))
    for other in around[max(0, place - 2) : place + 3].tolist():
        assert abs(Fraction(found) - value) <= abs(Fraction(other) - value)


# The values of the lesson's laboratory: 1 + half a unit stays, the next representable update above it moves.
@pytest.mark.parametrize(("name", "exponent"), [("fp16", -11), ("bf16", -8), ("fp8-e4m3", -4), ("fp8-e5m2", -3)])
def test_one_and_half_a_unit(name: str, exponent: int) -> None:
    half = 2.0**exponent
    assert formats.add(name, 1.0, half) == 1.0
    assert formats.add(name, 1.0, formats.step_from(name, half, up=True)) == 1.0 + 2 * half


@pytest.mark.parametrize("name", ["fp16", "bf16"])
def test_a_millionth_vanishes_in_16_bits(name: str) -> None:
    update = formats.nearest(name, Fraction(1, 10**6))
    assert update > 0
    assert formats.subtract(name, 1.0, update) == 1.0


def test_a_millionth_survives_in_fp32() -> None:
    update = formats.nearest("fp32", Fraction(1, 10**6))
    assert formats.subtract("fp32", 1.0, update) == 1.0 - 17 * 2.0**-24
