"""Scenario files as text: what is written, what is read, and that nothing else is."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document import FORMAT, DocumentError, dumps, loads, parse_json
from core.scenario import FIELDS, Scenario, change
from tests.core.strategies import DRAWN, any_scenarios, scenarios


def _text(**content: Any) -> str:
    return json.dumps({"format": FORMAT, "version": 1, "scenario": {}} | content)


def _refusal(text: str) -> str:
    with pytest.raises(DocumentError) as refusal:
        loads(text, "run.memtax")
    sentence = str(refusal.value)
    assert sentence.startswith("run.memtax: ")
    assert "\n" not in sentence
    assert len(sentence) < 400
    return sentence


@given(any_scenarios())
def test_a_file_gives_back_the_same_scenario(scenario: Scenario) -> None:
    assert loads(dumps(scenario), "") == scenario


@given(scenarios())
def test_the_text_of_a_file_is_plain_and_stable(scenario: Scenario) -> None:
    text = dumps(scenario)
    assert text.endswith("}\n")
    assert dumps(loads(text, "")) == text
    content = json.loads(text)
    assert content["format"] == "memory-tax scenario"
    assert content["version"] == 1
    assert set(content["scenario"]) <= set(FIELDS)


def test_an_untouched_scenario_says_nothing_and_reads_back() -> None:
    assert json.loads(dumps(Scenario()))["scenario"] == {}
    assert loads(_text(), "") == Scenario()


def test_a_field_that_an_older_file_does_not_have_is_its_default() -> None:
    assert loads(_text(scenario={"params": "7B"}), "") == change(Scenario(), {"params": 7_000_000_000})


def test_values_stand_as_numbers_or_as_what_a_flag_takes() -> None:
    fields = {"params": "70B", "card_memory": "80 GiB", "mfu": "38 %", "deadline": "36 h", "zero": 3, "cards": None}
    assert loads(_text(scenario=fields), "") == change(
        Scenario(),
        {
            "params": 70_000_000_000,
            "card_memory": 80 * 2**30,
            "mfu": Fraction(19, 50),
            "deadline": Fraction(3, 2),
            "zero": 3,
        },
    )


# Exact to the last digit, though JSON has no fractions: a third of a day is written in hours.
@pytest.mark.parametrize(
    "values",
    [
        {"deadline": Fraction(1, 240)},
        {"bytes_weights": Fraction(1, 10**30)},
        {"card_price": Fraction(123456789012345678901, 10**18)},
        {"params": 999_999_999_999_999},
        {"tokens": 10**18 - 1},
    ],
)
def test_no_digit_is_lost(values: dict[str, Any]) -> None:
    scenario = change(Scenario(), values)
    assert loads(dumps(scenario), "") == scenario


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        (" \n", "not JSON"),
        ("{", "not JSON"),
        ("nonsense", "not JSON"),
        (_text() + "x", "not JSON"),
        (_text().replace('"', "'"), "not JSON"),
        (_text()[:-1] + ",}", "not JSON"),
        ("/* comment */ " + _text(), "not JSON"),
        ("\x00", "not JSON"),
        ("[]", 'not a Memory Tax scenario (its "format"'),
        ("null", "not a Memory Tax scenario"),
        ("7", "not a Memory Tax scenario"),
        ("{}", "not a Memory Tax scenario"),
        ('{"model_type": "llama"}', "not a Memory Tax scenario"),
        (_text(format="memory-tax"), "not a Memory Tax scenario"),
        (_text(version=None), "its version is null, not a whole number"),
        (_text(version=True), "its version is true"),
        (_text(version="1"), "its version is '1'"),
        (_text(version=1.0), "its version is 1.0"),
        (_text(version=0), "its version is 0"),
        (_text(version=-1), "its version is -1"),
        (_text(version="x" * 10**5), "its version is 'xxx"),
        (_text(version=10**6), "written by a newer Memory Tax (version 1000000"),
        (_text(version=10**999), "written by a newer Memory Tax"),
        (_text(version=[1]), "its version is a list"),
        (_text(author="me"), "the unknown key 'author'"),
        (_text(**{"k" * 10**5: 1}), "the unknown key 'kkk"),
        (_text(scenario=None), "is not an object of fields"),
        (_text(scenario=[]), "is not an object of fields"),
        (_text(scenario="params 7B"), "is not an object of fields"),
        (_text(scenario={"parms": 1}), "no field has this name; near it: params"),
        (_text(scenario={"two\nlines": 1}), "'two\\nlines': no field has this name"),
        (_text(scenario={"card-memory": 1}), "no field has this name; near it: card_memory"),
        (_text(scenario={"params": 0}), "params: 0 is below the least, 1"),
        (_text(scenario={"params": None}), "params: null is given"),
        (_text(scenario={"params": True}), "params: true is neither a number nor text"),
        (_text(scenario={"params": ["7B"]}), "params: a list is neither"),
        (_text(scenario={"params": {}}), "params: an object is neither"),
        (_text(scenario={"params": "70,5"}), "params: '70,5' has a comma"),
        (_text(scenario={"card_memory": "80G"}), "card_memory: '80G' leaves the unit open"),
        (_text(scenario={"zero": 1e400}).replace("Infinity", "1e400"), "zero: inf is not a number"),
        (_text(scenario={"mfu": 1e400}).replace("Infinity", "1e400"), "mfu: inf is not a number"),
        (_text(scenario={"mfu": float("nan")}), "NaN, which is no JSON number"),
        (_text(scenario={"mfu": float("inf")}), "Infinity, which is no JSON number"),
        (_text(scenario={"mfu": -float("inf")}), "-Infinity, which is no JSON number"),
        ('{"format": 1, "format": 2}', "the key 'format' twice"),
        (_text(scenario={"params": 1})[:-2] + ', "params": 2}}', "the key 'params' twice"),
        (f'{{"{"k" * 10**5}": 1, "{"k" * 10**5}": 1}}', "the key 'kkk"),
        (_text(scenario={"params": 1}).replace(" 1}", f" {'9' * 5000}}}"), "a number of too many digits"),
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_refused_in_one_sentence(text: str, said: str) -> None:
    assert said in _refusal(text)


@pytest.mark.parametrize("depth", [100, 900, 960, 980, 985, 988, 990, 992, 995, 1000, 5000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_a_file_nested_without_end_is_refused(depth: int, opening: str, closing: str) -> None:
    nested = opening * depth + "1" + closing * depth
    _refusal(nested)
    _refusal(_text(scenario={"params": 0}).replace(": 0", f": {nested}"))
    _refusal(opening * depth)


def test_a_place_in_the_file_is_named() -> None:
    assert "at line 3, column 1" in _refusal('{"format":\n1\nx')


@given(st.text(max_size=200))
def test_no_text_gives_anything_but_a_scenario_or_a_sentence(text: str) -> None:
    _refusal(text)  # no short text is a scenario by chance


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)


@given(
    st.dictionaries(st.sampled_from(["format", "version", "scenario", "scenarios", "current", "baseline", "x"]), JSON),
    st.dictionaries(st.sampled_from([*DRAWN, "model"]), JSON, max_size=4),
)
def test_no_json_gives_anything_but_a_scenario_or_a_sentence(top: dict[str, Any], fields: dict[str, Any]) -> None:
    for text in (json.dumps(top), _text(**top), _text(scenario=fields)):
        try:
            scenario = loads(text, "run.memtax")
        except DocumentError as problem:
            sentence = str(problem)
        else:
            sentence = "run.memtax: "
            assert loads(dumps(scenario), "") == scenario
        assert sentence.startswith("run.memtax: ")


def test_a_large_file_is_refused_quickly() -> None:
    started = time.process_time()
    _refusal(_text(scenario={"optimizer": "x" * 900_000}))
    _refusal(_text(scenario={"params": "9" * 900_000}))
    _refusal(_text(scenario={"x" * 900_000: 1}))
    _refusal("[" + "1," * 400_000 + "1]")
    assert time.process_time() - started < 3


def test_json_itself_is_read_strictly_for_the_batch_too() -> None:
    assert parse_json('{"params": "7B"}', "line") == {"params": "7B"}
    with pytest.raises(DocumentError, match="line: has the key 'a' twice"):
        parse_json('{"a": {"b": 1}, "a": 2}', "line")
