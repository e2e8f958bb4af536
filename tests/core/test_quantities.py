"""Units of memory: read, written, and never mixed inside one division."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.numbers import Number, Unreadable, split_number
from core.quantities import (
    GB,
    GIB,
    KB,
    LADDERS,
    MIB,
    TB,
    Amount,
    System,
    UnitMismatch,
    both_text,
    bytes_text,
    in_unit,
    ladder_unit,
    shortest_bytes,
    unit_of,
)

FOOTPRINT = 480_000_000_000  # the lesson's 30 × 10⁹ weights × 16 B
CARD = 80_000_000_000
ALL_UNITS = [unit for ladder in LADDERS.values() for unit in ladder]
BYTE_COUNTS = st.integers(0, 10**18)


# IEC 80000-13 for the binary names, SI for the decimal ones.
@pytest.mark.parametrize(
    ("symbol", "size"),
    [
        ("B", 1), ("kB", 10**3), ("MB", 10**6), ("GB", 10**9), ("TB", 10**12), ("PB", 10**15), ("EB", 10**18),
        ("KiB", 2**10), ("MiB", 2**20), ("GiB", 2**30), ("TiB", 2**40), ("PiB", 2**50), ("EiB", 2**60),
    ],
)  # fmt: skip
def test_units_have_their_standard_sizes_in_any_case_of_letters(symbol: str, size: int) -> None:
    for written in (symbol, symbol.lower(), symbol.upper()):
        assert unit_of(written).size == size


@pytest.mark.parametrize("symbol", ["G", "g", "Gi", "gi", "T", "M", "mi", "K"])
def test_a_unit_that_leaves_the_system_open_is_refused(symbol: str) -> None:
    with pytest.raises(Unreadable, match=r"leaves the unit open: .B is decimal, .iB is binary"):
        unit_of(symbol)


@pytest.mark.parametrize("symbol", ["Gbit", "GBB", "B B", "G B", "giga", "%", "flop", "bits", "iB"])
def test_what_is_no_unit_of_memory_is_refused(symbol: str) -> None:
    with pytest.raises(Unreadable, match="no unit of memory"):
        unit_of(symbol)


# The lesson: each column divides within its own system and gives six; 480 ÷ 74.5 = 6.4 is no quantity of anything.
def test_the_lessons_division_within_each_system() -> None:
    for unit in (GB, GIB, MIB, TB, KB):
        assert in_unit(FOOTPRINT, unit) / in_unit(CARD, unit) == 6


@pytest.mark.parametrize("operation", [operator.truediv, operator.add, operator.sub, operator.lt, operator.gt])
def test_gigabytes_and_gibibytes_cannot_meet_in_one_operation(operation: Callable[[Any, Any], object]) -> None:
    footprint, card = in_unit(FOOTPRINT, GB), in_unit(CARD, GIB)
    for left, right in ((footprint, card), (card, footprint)):
        with pytest.raises(UnitMismatch, match="convert both to one unit first"):
            operation(left, right)


@pytest.mark.parametrize("operation", [operator.truediv, operator.add, operator.sub, operator.lt])
def test_an_amount_and_a_bare_number_cannot_meet(operation: Callable[[Any, Any], object]) -> None:
    with pytest.raises(UnitMismatch, match="a bare number"):
        operation(in_unit(FOOTPRINT, GB), 80)
    with pytest.raises(TypeError):
        operation(80, in_unit(FOOTPRINT, GB))


@pytest.mark.parametrize("operation", [operator.mul, operator.floordiv, operator.mod, operator.le])
def test_no_other_operation_lets_units_slip_past(operation: Callable[[Any, Any], object]) -> None:
    with pytest.raises(TypeError):
        operation(in_unit(FOOTPRINT, GB), in_unit(CARD, GIB))


def test_amounts_in_different_units_are_not_equal_and_do_not_turn_into_numbers() -> None:
    assert Amount(1, GB) != Amount(1, GIB)
    converters: list[Callable[[Any], object]] = [int, float, round]
    for convert in converters:
        with pytest.raises(TypeError):
            convert(Amount(1, GB))
    with pytest.raises(TypeError):
        sum([Amount(1, GB), Amount(1, GIB)])  # type: ignore[list-item]


@given(BYTE_COUNTS, st.sampled_from(ALL_UNITS), st.sampled_from(ALL_UNITS))
def test_bytes_never_change_with_the_unit(count: int, first: Any, second: Any) -> None:
    assert in_unit(count, first).bytes == count
    assert in_unit(count, first).to(second).to(first).bytes == count


@given(BYTE_COUNTS, st.integers(1, 10**18))
def test_a_ratio_is_the_same_in_every_unit(count: int, card: int) -> None:
    assert {in_unit(count, unit) / in_unit(card, unit) for unit in ALL_UNITS} == {Fraction(count, card)}


@given(st.integers(0, 10**24))
def test_the_shortest_text_reads_back_as_the_same_bytes(count: int) -> None:
    number, symbol = split_number(shortest_bytes(count))
    assert number * unit_of(symbol).size == count


# The figures of the lessons, and the spelling a data sheet has.
@pytest.mark.parametrize(
    ("count", "text"),
    [
        (80 * 10**9, "80 GB"),
        (80 * 2**30, "80 GiB"),
        (81_559 * 2**20, "81,559 MiB"),  # an H100 as its own tool reports it
        (79_993_765_888, "74.5 GiB"),
        (10**12, "1 TB"),
        (0, "0 B"),
        (999, "999 B"),
    ],
)
def test_shortest_bytes(count: int, text: str) -> None:
    assert shortest_bytes(count) == text


# 480 × 10⁹ ÷ 2³⁰ = 447.03; 80 × 10⁹ ÷ 2³⁰ = 74.51; 60 × 10⁹ ÷ 2³⁰ = 55.88; 1.12 × 10¹² ÷ 2⁴⁰ = 1.0186.
@pytest.mark.parametrize(
    ("count", "text"),
    [
        (FOOTPRINT, "480 GB (447 GiB)"),
        (CARD, "80 GB (74.5 GiB)"),
        (60_000_000_000, "60 GB (55.9 GiB)"),
        (14_000_000_000, "14 GB (13 GiB)"),
        (1_120_000_000_000, "1.12 TB (1.02 TiB)"),
        (1_875_000_000, "1.88 GB (1.75 GiB)"),
        (-FOOTPRINT, "\u2212480 GB (\u2212447 GiB)"),
        (999, "999 B"),
        (0, "0 B"),
    ],
)
def test_both_systems_stand_side_by_side(count: int, text: str) -> None:
    assert both_text(count) == text


@given(st.integers(1, 10**21), st.sampled_from(["decimal", "binary"]))
def test_written_bytes_keep_to_one_system_and_to_three_digits(count: int, system: System) -> None:
    text = bytes_text(count, system)
    number, symbol = split_number(text)
    unit = unit_of(symbol)
    assert unit == ladder_unit(count, system)
    assert symbol in {unit.symbol for unit in LADDERS[system]}
    assert abs(number * unit.size - count) <= Fraction(count, 200)  # half of the third digit of 1.00
    if unit.symbol not in {"EB", "EiB"}:
        assert 1 <= number <= (1000 if system == "decimal" else 1023)
        assert system == "binary" or number < 1000


@given(BYTE_COUNTS, BYTE_COUNTS, st.sampled_from(["decimal", "binary"]))
def test_more_bytes_never_read_as_fewer(first: int, second: int, system: System) -> None:
    assume(first <= second)

    def read(count: int) -> Number:
        number, symbol = split_number(bytes_text(count, system))
        return number * unit_of(symbol).size

    assert read(first) <= read(second)
