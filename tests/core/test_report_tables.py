"""The report as text, Markdown and CSV: well-formed, and the same rows in each."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest
from hypothesis import given

from core.account import account
from core.ledger import Row, ledger
from core.lines import Line
from core.report import (
    FORMATS,
    as_csv,
    as_markdown,
    as_text,
    cells,
    rows_as_csv,
    rows_as_markdown,
)
from core.scenario import Scenario, from_texts
from tests.core.strategies import any_scenarios


@given(any_scenarios())
def test_rows_have_unique_keys_and_labels_and_both_systems(scenario: Scenario) -> None:
    rows = ledger(account(scenario))
    assert len({row.key for row in rows}) == len(rows)
    assert len({(row.section, row.label) for row in rows}) == len(rows)
    for row in rows:
        assert all(cell == cell.strip() and "\n" not in cell for cell in cells(row))
        assert row.exact
        if row.line.unit == "B" and row.line.value is not None and abs(Fraction(row.line.value)) >= 10**9:
            assert row.decimal.endswith((" GB", " TB", " PB", " EB")), row
            assert row.binary.endswith((" MiB", " GiB", " TiB", " PiB", " EiB")), row
        elif row.line.unit != "B":
            assert row.binary == ""


@given(any_scenarios())
def test_markdown_is_one_table_with_as_many_cells_in_each_row(scenario: Scenario) -> None:
    found = account(scenario)
    lines = as_markdown(found).split("\n")
    table = [line for line in lines if line.startswith("|")]
    rows = ledger(found)
    assert len(table) == len(rows) + 2
    start = lines.index(table[0])
    assert lines[start : start + len(table)] == table
    assert lines[start - 1] == lines[start + len(table)] == ""
    for line, row in zip(table[2:], rows, strict=True):
        assert [cell.strip() for cell in line.strip("|").split("|")] == list(cells(row))
    assert set(table[1]) == set("| -")


def test_a_cell_cannot_break_out_of_its_column() -> None:
    line = Line("", 1, "B", source="a | b")
    written = rows_as_markdown([Row("x|y", "", "z", line)]).split("\n")[-1]
    assert written.count("|") - written.count("\\|") == 8
    assert "x\\|y" in written
    (row,) = csv.DictReader(io.StringIO(rows_as_csv([Row('x,"y"', "", "z", line)])))
    assert (row["section"], row["derivation"]) == ('x,"y"', "1 B (a | b)")


@given(any_scenarios())
def test_csv_reads_back_with_exact_figures(scenario: Scenario) -> None:
    found = account(scenario)
    rows = ledger(found)
    table = list(csv.DictReader(io.StringIO(as_csv(found))))
    assert len(table) == len(rows)
    for line, row in zip(table, rows, strict=True):
        assert None not in line
        assert (line["key"], line["section"], line["figure"], line["unit"]) == (
            row.key,
            row.section,
            row.label,
            row.line.unit,
        )
        if row.line.value is None:
            assert line["value"] == ""
        elif isinstance(row.line.value, int):
            assert int(line["value"]) == row.line.value
        else:
            assert float(line["value"]) == float(row.line.value)


@given(any_scenarios())
def test_text_has_every_row_and_no_trailing_spaces(scenario: Scenario) -> None:
    found = account(scenario)
    text = as_text(found)
    assert all(line == line.rstrip() for line in text.split("\n"))
    for row in ledger(found):
        assert row.line.text() in text


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_ends_in_a_line_end(name: str) -> None:
    assert not FORMATS[name](account(Scenario())).endswith("\n")


def test_the_recipe_stands_beside_the_number() -> None:
    # 16, 18 and 20 B all answer "how much?"; which one was counted is said in every format.
    for texts in ({}, {"precision": "mixed-fp32-grads"}, {"precision": "pure-16", "optimizer": "lion"}):
        found = account(from_texts(texts))
        for form in ("text", "markdown", "json"):
            written = FORMATS[form](found)
            assert found.scenario.precision in written
            assert found.scenario.optimizer in written
