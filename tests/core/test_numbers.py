"""Digits in, digits out: reading a number exactly, and the one place where numbers are rounded."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.numbers import (
    Number,
    Unreadable,
    ceil,
    ceil_div,
    narrow,
    nearest,
    places,
    plain,
    scientific,
    significant,
    split_number,
)

READ = [
    ("7", 7, ""),
    ("70B", 70, "B"),
    ("30e9", 30 * 10**9, ""),
    ("1.3T", Fraction(13, 10), "T"),
    ("7,000,000,000", 7 * 10**9, ""),
    ("70,500", 70_500, ""),
    ("1,234.5 MB", Fraction(12345, 10), "MB"),
    ("70 500", 70_500, ""),
    ("70_500", 70_500, ""),
    ("70\u00a0500", 70_500, ""),  # no-break space
    ("70\u202f500", 70_500, ""),  # narrow no-break space, as French writes it
    ("70\u2009500", 70_500, ""),  # thin space, as SI writes it
    ("70\u2007500", 70_500, ""),  # figure space
    ("\u00a0 80\u202fGB\u00a0", 80, "GB"),
    ("\t80 GB\n", 80, "GB"),
    ("+5", 5, ""),
    ("-5", -5, ""),
    ("\u22125", -5, ""),  # the minus sign that the program itself writes
    (".5", Fraction(1, 2), ""),
    ("5.", 5, ""),
    ("007", 7, ""),
    ("1e3", 1000, ""),
    ("1E+3", 1000, ""),
    ("1e-3", Fraction(1, 1000), ""),
    ("2.5e\u22123 GB", Fraction(25, 10_000), "GB"),
    ("1e9 B", 10**9, "B"),
    ("1EB", 1, "EB"),
    ("40 %", 40, "%"),
    ("0.1", Fraction(1, 10), ""),
    ("9" * 80, 10**80 - 1, ""),
    ("1e36", 10**36, ""),
]


@pytest.mark.parametrize(("text", "value", "rest"), READ)
def test_a_number_is_read_exactly_and_leaves_its_unit(text: str, value: Number, rest: str) -> None:
    assert split_number(text) == (value, rest)


REFUSED = [
    *("", " ", "\n", "abc", "B", "e5", ".", "-", "+", "+-5", "--5", "- 5"),
    *("70,5", "70,50", "7,0500", ",500", "1,000,00", "1,5B", "1.500,00", "1234,567", "1,,000", "12,", "1,000,"),
    *("0,500", "00,500", "012,345", "0 500"),  # a European 0.5, or no grouping that anyone writes
    *("1.2.3", "1.000.000", "1'000", "1 000 00", "1234 567", "1__000", "_1"),
    *("1/2", "0x10", "0b1", "10^9", "3*10^9", "3×10⁹", "7B7", "1e5e5", "1 e9", "1e 9", "1e5.5"),
    *("٣", "１２", "½", "Ⅷ", "²", "7²", "五"),  # digits, but not the ones we read
    *("nan", "inf", "Infinity", "∞", "-inf", "NaN", "1e37", "1e-37", "1e9999", "1e99999999999"),
    *("9" * 81, " " * 81, "1" + "0" * 10**6),
    "0." + "0" * 30 + "1",
    "1e-31",
]


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: repr(text[:14]))
def test_what_could_be_read_in_two_ways_or_not_at_all_is_refused_in_words(text: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        split_number(text)
    assert refusal.value.reason
    assert len(refusal.value.reason) < 80


@given(st.text())
def test_no_text_brings_down_the_reader(text: str) -> None:
    try:
        value, rest = split_number(text)
    except Unreadable:
        return
    assert isinstance(value, Fraction)
    assert rest == rest.strip()
    assert not any(character.isdigit() for character in rest)


@given(st.fractions(min_value=-(10**20), max_value=10**20, max_denominator=10**6))
def test_plain_writes_every_digit_of_a_decimal(value: Fraction) -> None:
    decimal = Fraction(value * 10**9 // 1, 10**9)
    assert split_number(plain(narrow(decimal))) == (decimal, "")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (30_000_000_000, "30,000,000,000"),
        (-400_000_000_000, "\u2212400,000,000,000"),
        (Fraction(65, 32), "2.03125"),
        (Fraction(-1, 2), "\u22120.5"),
        (Fraction(1, 10**25), "0." + "0" * 24 + "1"),
        (Fraction(1, 3), "0.333333333333"),
        (Fraction(10**6, 3), "333,333.333333"),
    ],
)
def test_plain(value: Number, text: str) -> None:
    assert plain(value) == text


# 480 × 10⁹ ÷ 2³⁰ = 447.0348; 80 × 10⁹ ÷ 2³⁰ = 74.5058.
@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0, 3, "0"),
        (480, 3, "480"),
        (Fraction(480 * 10**9, 2**30), 3, "447"),
        (Fraction(80 * 10**9, 2**30), 3, "74.5"),
        (Fraction(1875, 1000), 3, "1.88"),
        (Fraction(1875, 1000), 2, "1.9"),
        (Fraction(4687, 10_000), 2, "0.47"),
        (1234567, 3, "1,234,567"),
        (Fraction(9999, 10), 3, "1,000"),
        (Fraction(9996, 10_000), 3, "1"),
        (Fraction(-1, 2), 3, "\u22120.5"),
        (Fraction(1, 10**9), 3, "0.000000001"),
        (Fraction(2, 3), 3, "0.667"),
        (Fraction(123456, 1000), 3, "123"),
    ],
)
def test_significant(value: Number, digits: int, text: str) -> None:
    assert significant(value, digits) == text


@given(st.fractions(min_value=Fraction(1, 10**15), max_value=10**15), st.integers(1, 8))
def test_significant_is_off_by_at_most_half_of_its_last_digit(value: Fraction, digits: int) -> None:
    written, _ = split_number(significant(value, digits))
    exponent = 0
    while value >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while value < Fraction(10) ** exponent:
        exponent -= 1
    step = min(Fraction(10) ** (exponent - digits + 1), Fraction(1))
    assert abs(written - value) <= step / 2


# Brown et al. 2020, table D.1, prints GPT-3's compute as 3.14E+23.
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (6 * 174_600_000_000 * 300_000_000_000, "3.14 × 10²³"),
        (108 * 10**21, "1.08 × 10²³"),
        (999_999, "999,999"),
        (10**6, "1 × 10⁶"),
        (9_999_999, "1 × 10⁷"),
        (12_345_678, "1.23 × 10⁷"),
    ],
)
def test_scientific(value: int, text: str) -> None:
    assert scientific(value) == text


@given(st.integers(-(10**30), 10**30), st.integers(1, 10**15))
def test_whole_quotients_never_pass_through_a_float(top: int, bottom: int) -> None:
    up = ceil_div(top, bottom)
    assert (up - 1) * bottom < top <= up * bottom
    assert ceil(Fraction(top, bottom)) == up
    assert abs(nearest(Fraction(top, bottom)) * bottom - top) * 2 <= bottom


def test_ceil_of_a_product_that_floats_would_round() -> None:
    # In doubles 10**17 + 1 is 10**17, and the quotient a whole number.
    assert ceil_div(10**17 + 1, 10**17) == 2


@pytest.mark.parametrize(
    ("value", "count"),
    [(5, 0), (Fraction(1, 2), 1), (Fraction(9, 16), 4), (Fraction(1, 3), None), (Fraction(1, 24), None)],
)
def test_places(value: Number, count: int | None) -> None:
    assert places(value) == count
