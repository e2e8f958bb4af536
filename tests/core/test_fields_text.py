"""What people type into each field: what is taken, and what is refused in which words."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from core.fields import InputError
from core.scenario import FIELDS

B, T = 10**9, 10**12


TAKEN = [
    ("params", "70B", 70 * B),
    ("params", "30e9", 30 * B),
    ("params", "1.3T", 1_300 * B),
    ("params", "7,000,000,000", 7 * B),
    ("params", "70,500", 70_500),
    ("params", "7.5 B", 7_500_000_000),
    ("params", "1.5e3k", 1_500_000),
    ("params", "0.5b", 500_000_000),
    ("params", "124M", 124_000_000),
    ("params", "70 billion", 70 * B),
    ("params", "70 bn parameters", 70 * B),
    ("params", "70B params", 70 * B),
    ("params", "1 parameter", 1),
    ("params", "\u00a07\u202f000\u202f000\n", 7_000_000),
    ("tokens", "1.4T", 1_400 * B),
    ("tokens", "15T tokens", 15 * T),
    ("tokens", "300e9", 300 * B),
    ("tokens", "auto", None),
    ("seq_len", "128k", 128_000),
    ("seq_len", "128Ki", 131_072),  # 128 × 2¹⁰
    ("context", "1 Mi tokens", 1_048_576),  # 2²⁰
    ("cards", "8", 8),
    ("cards", "8 cards", 8),
    ("cards", "8 GPUs", 8),
    ("cards", "1 gpu", 1),
    ("cards", "1,024", 1024),
    ("cards", "", None),
    ("cards", " AUTO ", None),
    ("card_memory", "80 GB", 80 * B),
    ("card_memory", "80GB", 80 * B),
    ("card_memory", "80 gb", 80 * B),
    ("card_memory", "80 GiB", 85_899_345_920),  # 80 × 2³⁰
    ("card_memory", "81559 MiB", 85_520_809_984),  # 81,559 × 2²⁰
    ("card_memory", "74.5 GiB", 79_993_765_888),  # 74.5 × 2³⁰, the specification's own example
    ("card_memory", "80000000000", 80 * B),
    ("card_memory", "8e10 bytes", 80 * B),
    ("card_memory", "0.08 TB", 80 * B),
    ("card_memory", "1.0000000001 MB", 1_000_000),  # the nearest whole byte
    ("reserve", "0", 0),
    ("reserve", "2 GiB", 2_147_483_648),
    ("mfu", "40 %", Fraction(2, 5)),
    ("mfu", "40%", Fraction(2, 5)),
    ("mfu", "0.4", Fraction(2, 5)),
    ("mfu", "38.5 percent", Fraction(77, 200)),
    ("mfu", "1", 1),
    ("mfu", "100 %", 1),
    ("peak_flops", "989 TFLOP/s", 989 * T),
    ("peak_flops", "312e12", 312 * T),
    ("peak_flops", "312 TFLOPS", 312 * T),
    ("peak_flops", "1 PFLOP/s", 1000 * T),
    ("deadline", "90", 90),
    ("deadline", "90 days", 90),
    ("deadline", "12 weeks", 84),
    ("deadline", "36 h", Fraction(3, 2)),
    ("deadline", "0.1 h", Fraction(1, 240)),
    ("card_price", "2.50", Fraction(5, 2)),
    ("card_price", "$2.50", Fraction(5, 2)),
    ("card_price", "€ 2", 2),
    ("card_price", "2 EUR", 2),
    ("card_price", "0", 0),
    ("bytes_weights", "2", 2),
    ("bytes_weights", "0.5", Fraction(1, 2)),
    ("bytes_weights", "4.5 bits", Fraction(9, 16)),
    ("bytes_variance", "2.03125 B", Fraction(65, 32)),
    ("bytes_master", "none", None),
    ("bytes_master", "0", 0),
    ("zero", "3", 3),
    ("zero", " 0 ", 0),
    ("precision", "pure-16", "pure-16"),
    ("precision", "FP8-DeepSeek-V3", "fp8-deepseek-v3"),
    ("optimizer", "AdamW", "adamw"),
    ("card_capacity", "Usable", "usable"),
    ("card", "h100 sxm", "H100 SXM"),
    ("card", "NVIDIA A100 80 GB SXM", "A100 80GB SXM"),
    ("card", "none", None),
]


@pytest.mark.parametrize(("name", "text", "value"), TAKEN)
def test_a_field_takes_what_people_say(name: str, text: str, value: object) -> None:
    taken = FIELDS[name].read(text)
    assert taken == value
    assert type(taken) is type(value)


# What an error must say beside the field and what was given; "7abc" and "-1" were taken for numbers by others.
REFUSED = [
    ("params", "7abc", "'abc'"),
    ("params", "-1", "below the least, 1"),
    ("params", "0", "below the least, 1"),
    ("params", "1.5", "not a whole number"),
    ("params", "1e-3", "not a whole number"),
    ("params", "70,5", "comma"),
    ("params", "70.5.1", "not a number"),
    ("params", "1,001T", "above the most, 1,000T"),
    ("params", "70GB", "'gb'"),
    ("params", "8 cards", "'cards'"),
    ("params", "", "empty"),
    ("params", "auto", "not a number"),
    ("params", "none", "not a number"),
    ("cards", "0", "below the least, 1"),
    ("cards", "2.5", "not a whole number"),
    ("cards", "10,000,001", "above the most, 10M"),
    ("cards", "8 parameters", "'parameters'"),
    ("card_memory", "80", "below the least, 1 MB"),
    ("card_memory", "80G", "leaves the unit open: GB is decimal, GiB is binary"),
    ("card_memory", "80 Gi", "leaves the unit open"),
    ("card_memory", "80,5 GB", "comma"),
    ("card_memory", "0,500 GB", "comma"),
    ("card_memory", "80 Gbit", "no unit of memory"),
    ("card_memory", "-80 GB", "below the least"),
    ("card_memory", "2 PB", "above the most, 1 PB"),
    ("reserve", "-1 GB", "below the least, 0 B"),
    ("reserve", "10 %", "no unit of memory"),
    ("mfu", "40", "above the most, 100 %"),
    ("mfu", "101 %", "above the most, 100 %"),
    ("mfu", "0", "below the least"),
    ("mfu", "0,4", "comma"),
    ("mfu", "40 %%", "'%%'"),
    ("peak_flops", "989 W", "no rate"),
    ("peak_flops", "0", "below the least"),
    ("deadline", "0", "below the least"),
    ("deadline", "3 months", "neither hours, days nor weeks"),
    ("deadline", "-2 days", "below the least"),
    ("card_price", "-1", "below the least, 0"),
    ("card_price", "2 per", "no currency"),
    ("card_price", "2 mil", "no currency"),
    ("card_price", "free", "not a number"),
    ("bytes_weights", "65", "above the most, 64"),
    ("bytes_weights", "-2", "below the least, 0"),
    ("bytes_weights", "2 GB", "neither bytes nor bits"),
    ("bytes_weights", "1/3", "not a number"),
    ("zero", "4", "known: 0, 1, 2, 3"),
    ("zero", "1.5", "not known"),
    ("precision", "mixd", "near it: mixed"),
    ("precision", "", "known: mixed"),
    ("optimizer", "adamww", "near it: adamw"),
    ("card_capacity", "full", "known: marketed, reported, usable"),
]


@pytest.mark.parametrize(("name", "text", "said"), REFUSED)
def test_what_is_wrong_is_said_in_one_sentence_with_what_is_accepted(name: str, text: str, said: str) -> None:
    field = FIELDS[name]
    with pytest.raises(InputError) as refusal:
        field.read(text)
    sentence = str(refusal.value)
    assert refusal.value.field == name
    assert sentence.startswith(f"{field.label}: {text!r}")
    assert said in sentence
    assert sentence.endswith(f"; write {field.kind.accepts}")
    assert "\n" not in sentence


def test_an_error_is_named_as_each_entrance_knows_the_field() -> None:
    with pytest.raises(InputError) as refusal:
        FIELDS["card_memory"].read("80G")
    assert str(refusal.value.at("--card-memory")).startswith("--card-memory: '80G' ")


@pytest.mark.parametrize(
    ("name", "given_value", "value"),
    [
        ("params", 30_000_000_000, 30_000_000_000),
        ("params", 3e10, 30_000_000_000),
        ("params", "70B", 70_000_000_000),
        ("card_memory", 8e10, 80_000_000_000),
        ("card_memory", 80_000_000_000.4, 80_000_000_000),
        ("mfu", 0.4, Fraction(2, 5)),
        ("mfu", 1, 1),
        ("zero", 2, 2),
        ("zero", 2.0, 2),
        ("zero", "2", 2),
        ("tokens", None, None),
        ("bytes_momentum", 0.1, Fraction(1, 10)),
        ("precision", "mixed", "mixed"),
    ],
)
def test_json_holds_a_number_in_the_base_unit_or_text(name: str, given_value: object, value: object) -> None:
    assert FIELDS[name].take(given_value) == value


@pytest.mark.parametrize(
    ("name", "given_value", "said"),
    [
        ("params", True, "true is neither a number nor text"),
        ("params", None, "null is given"),
        ("params", [30], "a list is neither a number nor text"),
        ("params", {"B": 30}, "an object is neither a number nor text"),
        ("params", 1.5, "1.5 is not a whole number"),
        ("params", float("inf"), "inf is not a number"),
        ("zero", float("inf"), "inf is not a number"),
        ("zero", False, "false is neither a number nor text"),
        ("zero", 1.5, "not known"),
        ("zero", 7, "not known"),
        ("mfu", 40, "above the most, 100 %"),
        ("mfu", 5e-324, "places after the point"),
        ("precision", 16, "16 is not text"),
        ("precision", None, "null is given"),
        ("cards", 10**30, "above the most"),
    ],
)
def test_json_of_the_wrong_type_is_refused_in_words(name: str, given_value: object, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        FIELDS[name].take(given_value)
