"""`learn` in the shell."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.commandline import run
from core.learn.pages import PAGES
from core.request import Refused

ROOT = Path(__file__).parents[3]


def _printed(*arguments: str) -> str:
    out = io.StringIO()
    assert run("learn", arguments, out) == 0
    return out.getvalue()


def test_without_a_page_they_are_listed() -> None:
    lines = _printed().splitlines()
    assert [line.split()[0] for line in lines] == list(PAGES)
    assert [row["page"] for row in json.loads(_printed("--format", "json"))] == list(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_prints_as_text_and_json(page: str) -> None:
    assert PAGES[page].title in _printed(page)
    assert json.loads(_printed(page, "--format", "json"))["page"] == page


def test_figures_are_exact_in_json() -> None:
    found = json.loads(_printed("loop", "--format", "json"))
    figures = {figure["key"]: figure for figure in found["figures"]}
    assert figures["traffic"]["value"] == 1_140_000_000_000
    assert figures["traffic"]["unit"] == "B"
    assert figures["each"]["value"] == 38


def test_fields_and_the_laboratorys_flags_are_taken() -> None:
    assert "1.12 TB" in _printed("growth", "--params", "70B")
    found = json.loads(_printed("copy", "--format", "json", "--lab-number-format", "fp16", "--lab-update", "2^-12"))
    figures = {figure["key"]: figure["value"] for figure in found["figures"]}
    assert figures["half"] == 2.0**-12
    assert figures["alone"] == 0  # exactly half a gap: a tie, and 1 is even


def test_a_step_is_taken() -> None:
    assert "Stage 2: a card needs" in _printed("sharding", "--step", "3")


def test_units_are_taken() -> None:
    assert "447 GiB" in _printed("growth", "--units", "binary")


def test_questions_come_with_their_answers() -> None:
    text = _printed("questions")
    assert "→ 6 cards" in text
    assert "7 cards (that divides GB by GiB.)" in text
    found = json.loads(_printed("questions", "--format", "json"))["questions"]
    assert all(sum(answer["right"] for answer in question["answers"]) == 1 for question in found)


@pytest.mark.parametrize(
    "arguments",
    [
        ("copi",),
        ("copy", "--lab-weight", "1,5"),
        ("copy", "--lab-number-format", "fp17"),
        ("copy", "--params", "abc"),
        ("copy", "--nonsense", "1"),
        ("copy", "--step", "0"),
        ("copy", "--step", "x"),
        ("copy", "no-such-file.memtax"),
        ("copy", "a", "b"),
    ],
)
def test_what_is_wrong_is_one_sentence(arguments: tuple[str, ...]) -> None:
    with pytest.raises(Refused) as problem:
        run("learn", arguments, io.StringIO())
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("copy", "--step", "99999999999"), "--step: the page `copy` has no steps, and '99999999999' is given"),
        (("questions", "--step", "2"), "--step: the page `questions` has no steps, and '2' is given; leave it out"),
        (("loop", "--step", "6"), "--step: '6' is no step of `loop`; write a whole number from 1 to 5"),
        (("averages", "--step", "9" * 5000), "is no step of `averages`; write a whole number from 1 to 3"),
        (("copy", "--step", "x"), "--step: 'x' is not a step; write a whole number, 1 for the first step"),
        (("loop", "--step", "0"), "--step: '0' is not a step; write a whole number"),
        (("loop", "--step", "x" * 5000), "--step: 'xxx"),
        (("--params", "zz"), "--params: needs a page before it; there are: growth, loop, copy, averages"),
        (("--step", "3"), "--step: needs a page before it"),
        (("--units", "binary"), "--units: needs a page before it"),
        (("questions", "--lab-steps", "zz"), "--lab-steps: is read by the page `copy` alone, not by `questions`"),
        (("loop", "--step", "1", "--step", "2"), "--step: is given twice, as '1' and as '2'; write it once"),
        (("copy", "--lab-seed"), "--lab-seed: has no value; write --lab-seed VALUE"),
        (("growth", "--params", "1B", "none.memtax"), "none.memtax: cannot be read"),
    ],
)
def test_nothing_that_is_given_is_passed_over(arguments: tuple[str, ...], said: str) -> None:
    with pytest.raises(Refused) as problem:
        run("learn", arguments, io.StringIO())
    assert said in str(problem.value)
    assert len(str(problem.value)) < 200


def test_a_page_that_is_none_names_those_near_it() -> None:
    with pytest.raises(Refused, match="near it: loop"):
        run("learn", ("loops",), io.StringIO())


def test_it_is_a_word_of_the_program() -> None:
    done = subprocess.run(
        [sys.executable, "main.py", "learn", "loop"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert "1.14 TB" in done.stdout
    assert done.stderr == ""


def test_report_knows_nothing_of_number_formats() -> None:
    script = (
        "import io, sys; from core import commandline; commandline.run('report', [], io.StringIO());"
        "print([name for name in ('ml_dtypes', 'numpy', 'core.learn') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_page_but_those_that_compute_in_them_loads_the_number_formats() -> None:
    script = (
        "import sys; from core.account import account; from core.scenario import Scenario;"
        "from core.learn.pages import PAGES, describe;"
        "[describe(name, account(Scenario())) for name in PAGES if name not in ('copy', 'questions')];"
        "print([name for name in ('ml_dtypes', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
