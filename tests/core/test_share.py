"""A scenario as one line of text: out, through a chat or a shell, and back."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fields import InputError
from core.scenario import Scenario, change
from core.share import from_line, to_line
from main import main
from tests.core.strategies import any_scenarios


@given(any_scenarios())
def test_a_line_gives_back_the_same_scenario(scenario: Scenario) -> None:
    line = to_line(scenario)
    assert line.isprintable()
    assert from_line(line) == scenario


def test_the_line_of_an_untouched_scenario_is_the_command_alone() -> None:
    assert to_line(Scenario()) == "memory-tax report"
    assert from_line("memory-tax report") == Scenario()


def test_a_line_holds_what_was_set_as_people_say_it() -> None:
    scenario = change(Scenario(), {"params": 70_000_000_000, "zero": 3, "card_memory": 80 * 2**30})
    assert to_line(scenario) == "memory-tax report --params 70B --card-memory '80 GiB' --zero 3"


@given(any_scenarios())
def test_a_line_is_a_command_that_the_program_takes(scenario: Scenario) -> None:
    words = shlex.split(to_line(scenario))
    assert words[:2] == ["memory-tax", "report"]
    assert main([*words[1:], "--format", "csv"]) == 0


@pytest.mark.parametrize(
    "line",
    [
        "python main.py report --params 7B",
        "./memory-tax report --params=7B",
        "--params 7B",
        "  memory-tax report --params '7,000,000,000'\n",
    ],
)
def test_the_name_of_the_program_does_not_matter(line: str) -> None:
    assert from_line(line) == change(Scenario(), {"params": 7_000_000_000})


@pytest.mark.parametrize(
    "line",
    [
        "", "hello", "rm -rf x", "memory-tax report --parms 7B", "memory-tax report --params", "memory-tax report 'x",
        "memory-tax report --params 70,5", "memory-tax report --params 7B stray", "x" * 200_000,
    ],
    ids=lambda line: repr(line[:30]),
)  # fmt: skip
def test_what_is_no_line_is_refused_in_words(line: str) -> None:
    with pytest.raises(InputError) as refusal:
        from_line(line)
    assert len(str(refusal.value)) < 300


@given(st.text(max_size=60).map(lambda text: f"memory-tax report --{text}"))
def test_no_pasted_text_gives_anything_but_a_scenario_or_a_sentence(line: str) -> None:
    try:
        found = from_line(line)
    except InputError:
        return
    assert isinstance(found, Scenario)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("report a.memtax --params 5B", "pasted text: 'a.memtax' is not read; flags alone are accepted, and no file"),
        ("memory-tax report a.memtax", "pasted text: 'a.memtax' is not read; flags alone are accepted, and no file"),
        ("--params 5B zero 2", "pasted text: 'zero' is one word too many; fields are written --field VALUE"),
        ("--", "pasted text: '--' names no field; fields are written --field VALUE"),
        ("memory-tax report -- --params 5B", "pasted text: '--' names no field; fields are written --field VALUE"),
        ("--params 1B --params=2B", "--params: is given twice, as '1B' and as '2B'; write it once"),
    ],
)  # fmt: skip
def test_no_word_of_a_line_is_passed_over(line: str, said: str) -> None:
    with pytest.raises(InputError) as refusal:
        from_line(line)
    assert str(refusal.value) == said


@pytest.mark.parametrize("before", ["x.memtax", "memory-tax chart board.png", "memory-tax learn growth"])
def test_flags_of_something_else_than_a_report_are_refused(before: str) -> None:
    with pytest.raises(InputError, match="no scenario is in it"):
        from_line(f"{before} --params 5B")


def test_a_line_may_go_on_in_the_next_as_in_a_shell() -> None:
    assert from_line("memory-tax report \\\n  --params 8B \\\r\n --zero 3") == from_line("--params 8B --zero 3")
