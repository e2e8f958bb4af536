"""Derivations: what a person reads when they ask "why?" gives the figure when it is worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given as drawn

from core.account import Account, account
from core.ledger import Row, ledger
from core.lines import Line, amount, difference, given, product, quotient, quotient_up, search, total
from core.numbers import Number
from core.scenario import Scenario, from_texts
from tests.core.derivations import is_sound, worked_out
from tests.core.strategies import any_scenarios


def _rows(found: Account) -> dict[str, Row]:
    return {row.key: row for row in ledger(found)}


# The derivation that the specification prints, and others written out by hand.
@pytest.mark.parametrize(
    ("texts", "key", "derivation"),
    [
        ({}, "training.bytes", "30,000,000,000 × 16 B = 480,000,000,000 B"),
        ({}, "cards_needed", "⌈480,000,000,000 B ÷ 80,000,000,000 B⌉ = 6 cards"),
        ({}, "per_parameter.bytes", "2 B + 2 B + 4 B + 4 B + 4 B = 16 B"),
        ({}, "per_card.headroom_bytes", "80,000,000,000 B − 480,000,000,000 B = −400,000,000,000 B"),
        ({"cards": "64", "zero": "3"}, "per_card.parameters", "⌈30,000,000,000 ÷ 64⌉ × 2 B = 937,500,000 B"),
        ({"cards": "7", "zero": "3"}, "per_card.optimizer", "⌈30,000,000,000 ÷ 7⌉ × 12 B = 51,428,571,432 B"),
        ({"bytes_weights": "4.5 bits"}, "items.weights", "30,000,000,000 × 0.5625 B = 16,875,000,000 B"),
        ({"params": "3", "bytes_weights": "4.5 bits"}, "items.weights", "⌈3 × 0.5625 B⌉ = 2 B"),
        ({"bytes_weights": "0.123456789"}, "items.weights", "30,000,000,000 × 0.123456789 B = 3,703,703,670 B"),
        ({"reserve": "2 GB"}, "card.room_bytes", "80,000,000,000 B − 2,000,000,000 B = 78,000,000,000 B"),
        ({"tokens": "1T"}, "time.flops", "6 × 30,000,000,000 × 1,000,000,000,000 = " + "180" + ",000" * 7 + " FLOP"),
    ],
)
def test_a_derivation_is_written_in_the_scenarios_own_figures(texts: dict[str, str], key: str, derivation: str) -> None:
    assert _rows(account(from_texts(texts)))[key].line.text() == derivation
    assert is_sound(derivation)


@drawn(any_scenarios())
def test_every_derivation_works_out_to_its_figure(scenario: Scenario) -> None:
    for row in ledger(account(scenario)):
        text, value = row.line.text(), row.line.value
        if row.line.operation in {"given", "search"} or not row.line.parts:
            continue
        assert is_sound(text), text
        assert value is not None
        said = worked_out(text.replace("≈", "=").partition(" = ")[2])
        assert said == value if "≈" not in text else abs(said - value) <= abs(Fraction(value)) / 10**5


@drawn(any_scenarios())
def test_every_step_on_the_way_works_out(scenario: Scenario) -> None:
    for row in ledger(account(scenario)):
        steps = row.line.steps()
        assert len(set(steps)) == len(steps)
        for step in steps:
            name, _, derivation = step.partition(": ")
            if " = " in derivation or " ≈ " in derivation:
                assert name
                assert is_sound(derivation), step


@drawn(any_scenarios())
def test_equals_stands_only_where_every_digit_is_written(scenario: Scenario) -> None:
    for row in ledger(account(scenario)):
        text = row.line.text()
        if " = " in text and row.line.value is not None:
            left, _, right = text.partition(" = ")
            assert worked_out(left) == worked_out(right) == row.line.value, text


def test_a_quotient_of_rounded_figures_does_not_claim_to_be_exact() -> None:
    third = quotient("third", "s", given("one", 1, "s"), given("three", 3))
    whole = product("whole", "s", third, given("three", 3))
    assert whole.value == 1
    assert whole.text() == "0.333333 s × 3 ≈ 1 s"


def test_a_sum_of_nothing_is_nothing() -> None:
    assert total("Peak", "B", ()).text() == "0 B"


P = given("parameters", 10)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (product("", "B", P, given("each", Fraction(9, 16), "B")), Fraction(90, 16)),
        (product("", "B", P, given("each", Fraction(9, 16), "B"), whole=True), 6),
        (product("", "B", P, given("each", 16, "B"), whole=True), 160),
        (total("", "B", (given("a", 1, "B"), given("b", Fraction(1, 2), "B"))), Fraction(3, 2)),
        (total("", "B", ()), 0),
        (difference("", "B", given("a", 5, "B"), given("b", 7, "B")), -2),
        (quotient("", "", P, given("n", 4)), Fraction(5, 2)),
        (quotient_up("", "", P, given("n", 4)), 3),
        (quotient_up("", "", P, given("n", 5)), 2),
        (quotient_up("", "", P, given("a", Fraction(5, 2)), given("b", 2)), 2),
        (search("", None, "cards", "none does"), None),
    ],
)
def test_a_line_is_computed_from_its_parts(line: Line, value: Number | None) -> None:
    assert line.value == value
    assert type(line.value) is type(value)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "cards", "none"),
        (1, "cards", "1 card"),
        (6, "cards", "6 cards"),
        (480_000_000_000, "B", "480,000,000,000 B"),
        (-5, "B", "−5 B"),
        (Fraction(5, 2), "", "2.5"),
        (Fraction(1, 3), "s", "0.333333 s"),
        (Fraction(2, 3) + 10**6, "s", "1,000,001 s"),
    ],
)
def test_amount(value: Number | None, unit: str, text: str) -> None:
    assert amount(value, unit) == text
