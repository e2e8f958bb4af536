"""Every page, for any scenario: complete, spoken, printable, and in words that are there."""

from __future__ import annotations

import ast
import json
import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.account import account
from core.learn import printing, texts
from core.learn.pages import PAGES, describe
from core.learn.setup import Setup
from core.learn.state import State
from core.quantities import System
from core.scenario import Scenario
from tests.core.strategies import any_scenarios

ROOT = Path(__file__).parents[3]
SYSTEMS: tuple[System, ...] = ("decimal", "binary")
LESSON = account(Scenario())


def test_the_eight_pages_in_order() -> None:
    assert list(PAGES) == ["growth", "loop", "copy", "averages", "units", "walls", "sharding", "questions"]
    assert len({kind.label for kind in PAGES.values()}) == len({kind.title for kind in PAGES.values()}) == 8


@given(scenario=any_scenarios(), system=st.sampled_from(SYSTEMS), step=st.integers(0, 6))
def test_every_scenario_has_every_page(scenario: Scenario, system: System, step: int) -> None:
    found = account(scenario)
    for name in PAGES:
        if name == "copy":
            continue  # its experiment is the same for most scenarios; see the laboratory's tests
        view = describe(name, found, system, State(step=step))
        assert view.name == name
        assert view.title
        assert view.lead
        assert 0 <= view.step < view.steps
        assert view.drawings
        assert all(drawing.spoken for drawing in view.drawings)
        assert len({figure.key for figure in view.figures}) == len(view.figures)
        assert all(figure.label and figure.text for figure in view.figures)
        json.loads(printing.dumps(printing.to_json(view)))
        assert printing.as_text(view).startswith(view.title)


@pytest.mark.parametrize("precision", ["mixed", "fp32", "pure-16", "fp8-deepseek-v3", "inference"])
@pytest.mark.parametrize("update", [1, -1, 448])
def test_the_laboratory_describes_any_experiment(precision: str, update: int) -> None:
    found = account(Scenario(precision=precision))
    for number_format in ("fp16", "bf16", "fp8-e4m3", "fp8-e5m2", "fp32", None):
        view = describe("copy", found, "decimal", State(setup=Setup(448, update, 20, number_format)))
        json.loads(printing.dumps(printing.to_json(view)))
        assert all(drawing.spoken for drawing in view.drawings)


@given(any_scenarios())
def test_figures_are_in_the_unit_that_was_asked_for(scenario: Scenario) -> None:
    found = account(scenario)
    for name in ("growth", "loop", "sharding"):
        for figure in describe(name, found, "binary").figures:
            assert not re.search(r"\d [kMGTPE]B\b", figure.text), figure


# Micikevicius' and the lesson's growth: 2, 4, 8, 12, 16 B, 60 to 480 GB.
def test_the_bar_grows_item_by_item() -> None:
    for step, text in enumerate(("60 GB · 2 B", "120 GB · 4 B", "240 GB · 8 B", "360 GB · 12 B", "480 GB · 16 B")):
        chart = describe("growth", LESSON, "decimal", State(step=step)).drawings[0]
        assert [bar.text for bar in chart.bars][step] == text  # type: ignore[union-attr]
        assert [bar.text != "" for bar in chart.bars] == [at <= step for at in range(5)]  # type: ignore[union-attr]
        assert [bar.chosen for bar in chart.bars].index(True) == step  # type: ignore[union-attr]


def test_the_weights_are_one_eighth() -> None:
    texts_ = {figure.key: figure.text for figure in describe("growth", LESSON).figures}
    assert texts_["share"] == "one eighth"
    assert texts_["optimizer"] == "three quarters"
    assert (texts_["inference"], texts_["training"]) == ("60 GB", "480 GB")


# Words


def _asked() -> tuple[set[str], list[re.Pattern[str]]]:
    """Keys in the sources, whole or with places that code fills in."""
    whole, patterns = set(), []
    for path in (*(ROOT / "core" / "learn").glob("*.py"), *(ROOT / "gui" / "learn").glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
                whole.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w.-]+" for part in node.values
                ]
                patterns.append(re.compile("".join(map(str, parts))))
    return whole, [pattern for pattern in patterns if "\\." in pattern.pattern]


def test_every_text_is_used() -> None:
    whole, patterns = _asked()
    unused = [
        key for key in texts.load() if key not in whole and not any(pattern.fullmatch(key) for pattern in patterns)
    ]
    assert unused == []


def test_every_key_that_is_written_out_has_a_text() -> None:
    known, prefixes = texts.load(), tuple(f"{name}." for name in (*PAGES, "ask"))
    whole, _ = _asked()
    asked = [key for key in whole if key.startswith(prefixes) and re.fullmatch(r"[\w.-]+", key)]
    assert len(asked) > 100
    assert [key for key in asked if key not in known] == []


def test_a_language_may_lack_keys_but_not_invent_any_or_change_their_places() -> None:
    english = texts.load()
    for path in texts.FOLDER.glob("learn.*.json"):
        own = json.loads(path.read_text(encoding="utf-8"))
        assert set(own) <= set(english)
        for key, value in own.items():
            places = [
                {name for _, name, _, _ in string.Formatter().parse(one) if name} for one in (value, english[key])
            ]
            assert places[0] == places[1], key


def test_texts_are_plain_and_short() -> None:
    for key, value in texts.load().items():
        assert len(value) <= 180, key
        assert value == value.strip(), key
        assert not re.search(r"\d{3,}(?![\d.]*\})", value) or key in ("copy.mean", "units.lead", "ask.gib.once",
                                                                    "ask.vanishes"), key  # fmt: skip
