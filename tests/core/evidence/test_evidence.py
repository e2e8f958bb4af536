"""The evidence as a reader gets it: every measured row is in it, and its figures are those of the rows."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from core.evidence.gather import evidence, to_json, to_markdown, to_text
from core.evidence.parameters import built_cases, published_cases
from core.evidence.tables import Table, as_markdown, as_text, by_quantity, passes_by_family, percent
from core.memory.evidence import MEASURED, Case
from core.models.catalogue import models
from main import main


def _lines(name: str) -> int:
    with (MEASURED / name).open(encoding="utf-8", newline="") as file:
        return sum(1 for _ in csv.DictReader(file))


def _case(quantity: str, family: str, predicted: int, measured: int, setting: str = "bf16, sdpa") -> Case:
    return Case(quantity, family, setting, "a model", predicted, measured)


def test_every_parameter_is_counted() -> None:
    cases = [*built_cases(), *published_cases()]
    assert len(cases) == _lines("parameters.csv") + len(models())
    assert len(cases) > 200
    assert [case for case in cases if case.predicted != case.measured] == []


def test_every_row_of_every_table_is_a_case() -> None:
    held = {one.quantity: 0 for one in evidence().cases}
    for case in evidence().cases:
        held[case.quantity] += 1
    assert held["largest moment, LoRA"] == _lines("adapters.csv")
    assert held["optimizer states"] == _lines("states.csv")
    assert held["shards"] == 4 * _lines("shards.csv")
    assert held["largest moment"] == held["live after forward"] == _lines("passes.csv")


def test_the_table_by_quantity_counts_by_hand() -> None:
    cases = [
        _case("largest moment", "llama", 100, 100), _case("largest moment", "llama", 96, 100),
        _case("largest moment", "gpt2", 203, 200), _case("saved tensors", "gpt2", 7, 7),
    ]  # fmt: skip
    assert by_quantity(cases).rows == (
        ("Tensors kept for the backward pass", "1", "1", "1", "0"),
        ("Largest moment of a pass", "3", "1", "1", "−4 %"),
    )


def test_models_of_many_layers_have_a_row_of_their_own() -> None:
    deep = Case("largest moment", "llama", "bf16, sdpa", "a deep one", 100, 100)
    rows = by_quantity([deep, _case("largest moment", "gpt2", 203, 200)], {"a deep one"}).rows
    assert rows[-2:] == (
        ("Largest moment of a pass", "2", "1", "1", "+1.5 %"),
        ("Largest moment, 12 layers or more", "1", "1", "1", "0"),
    )


def test_the_table_by_family_leaves_open_what_was_not_measured() -> None:
    cases = [_case("largest moment", "llama", 101, 100), _case("live after forward", "llama", 5, 5)]
    assert passes_by_family(cases).rows == (("llama", "", "1 of 1", "0 of 1", "+1 %"),)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (Fraction(0), "0"), (Fraction(1, 10), "+10 %"), (Fraction(-26, 1000), "−2.6 %"),
        (Fraction(1, 3), "+33 %"), (Fraction(3, 10**9), "under 0.001 %"),
        (Fraction(-1, 10**5), "−0.001 %"),
    ],
)  # fmt: skip
def test_an_error_is_written_with_its_sign(error: Fraction, text: str) -> None:
    assert percent(error) == text


def test_a_table_in_text_and_markdown() -> None:
    table = Table("Title", "About.", ("Name", "Figure"), (("a|b", "1"), ("c", "20")), 1)
    assert as_text(table) == "Title\n  About.\n\n  Name  Figure\n  a|b        1\n  c         20"
    assert as_markdown(table) == "| Name | Figure |\n| --- | ---: |\n| a\\|b | 1 |\n| c | 20 |"


@pytest.mark.parametrize(("form", "write"), [("text", to_text), ("json", to_json), ("markdown", to_markdown)])
def test_the_command_prints_it(form: str, write: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", "--format", form]) == 0
    assert capsys.readouterr().out == write(evidence()) + "\n"
    assert "PyTorch 2.13 and transformers 5.24" in write(evidence())


def test_the_json_has_a_finding_for_each_quantity_family_and_setting() -> None:
    rows = json.loads(to_json(evidence()))["findings"]
    assert len({(row["quantity"], row["family"], row["setting"]) for row in rows}) == len(rows)
    assert sum(row["cases"] for row in rows) == len(evidence().cases)
    assert all(row["exact"] <= row["within_one_percent"] <= row["within_five_percent"] <= row["cases"] for row in rows)


def test_the_tables_lie_with_the_program() -> None:
    assert {path.name for path in Path(MEASURED).iterdir()} >= {"parameters.csv", "passes.csv", "states.csv"}
