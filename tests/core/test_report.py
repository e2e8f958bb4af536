"""The report as JSON: names, types and null rules that others rely on, and every other format of the same rows."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from core.account import account
from core.ledger import Row, ledger
from core.lines import Line
from core.report import (
    FORMATS,
    as_csv,
    as_json,
    as_json_line,
    as_markdown,
    as_text,
    cells,
    rows_as_csv,
    rows_as_markdown,
    to_json,
)
from core.scenario import FIELDS, Scenario, from_json, from_texts
from tests.core.strategies import any_scenarios, scenarios

NUMBER = (int, float)


def _is(value: object, *kinds: type) -> bool:
    """Of one of these types, and no boolean where a number is meant."""
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))


def _check_whole(values: dict[str, Any], *names: str) -> None:
    for name in names:
        assert _is(values[name], int), name


@given(any_scenarios())
def test_json_has_the_published_names_and_types(scenario: Scenario) -> None:
    found: dict[str, Any] = json.loads(as_json(account(scenario)))
    assert found["schema"] == 1
    assert set(found["scenario"]) == set(FIELDS)
    _check_whole(found["parameters"], "total", "active")
    assert [row["item"] for row in found["per_parameter"]][:5] == [
        "weights", "gradients", "master", "momentum", "variance",
    ]  # fmt: skip
    for row in found["per_parameter"]:
        assert set(row) == {"item", "band", "format", "bytes"}
        assert row["band"] in {"parameters", "gradients", "optimizer"}
        assert _is(row["format"], str)
        assert _is(row["bytes"], *NUMBER)
    _check_whole(found["training"], "bytes")
    assert set(found["training"]["bands"]) == {"parameters", "gradients", "optimizer"}
    _check_whole(found["training"]["bands"], "parameters", "gradients", "optimizer")
    _check_whole(found["inference"], "bytes")
    _check_whole(found["card"], "bytes", "marketed_bytes")
    assert _is(found["cards_needed"], int, type(None))
    assert [row["stage"] for row in found["stages"]] == [0, 1, 2, 3]
    for row in found["stages"]:
        _check_whole(row, "per_card_bytes", "peak_bytes")
        assert _is(row["fits"], bool)
        assert _is(row["cards_to_fit"], int, type(None))
    _check_whole(found["per_card"], "parameters", "gradients", "optimizer", "peak", "headroom_bytes")
    assert _is(found["per_card"]["fits"], bool)
    _check_whole(found["time"], "flops", "hardware_flops")
    assert _is(found["time"]["seconds"], *NUMBER)
    assert _is(found["time"]["card_hours"], *NUMBER)
    assert all(_is(text, str) and text for text in found["derivations"].values())
    assert found["notes"]
    assert all(_is(note, str) and note.endswith(".") and "\n" not in note for note in found["notes"])
    assert _is(found["model"], dict, type(None))


@given(any_scenarios())
def test_what_a_scenario_has_no_value_for_is_null(scenario: Scenario) -> None:
    found: dict[str, Any] = to_json(account(scenario))
    # What a step keeps is known of a model that trains.
    trains = scenario.model is not None and scenario.precision != "inference" and scenario.bytes_gradients != 0
    step = (found["activations"], found["moments"], found["per_card"]["activations"], found["per_card"]["transient"])
    assert {value is not None for value in step} == {trains}
    assert (found["model"] is None) == (scenario.model is None)
    if scenario.card is None:
        assert found["card"]["name"] is None
        assert found["card"]["reported_bytes"] is None
        assert found["card"]["usable_bytes"] is None
    assert (found["time"]["cost"] is None) == (scenario.card_price is None)
    assert (found["time"]["cards_for_deadline"] is None) == (scenario.deadline is None)
    assert (found["cards_needed"] is None) == (scenario.reserve >= found["card"]["bytes"])
    assert found["scenario"]["deadline"] is None or scenario.deadline is not None


@given(any_scenarios())
def test_figures_of_the_json_agree_with_one_another(scenario: Scenario) -> None:
    found: dict[str, Any] = to_json(account(scenario))
    assert sum(found["training"]["bands"].values()) == found["training"]["bytes"] == sum(found["items"].values())
    per_card = found["per_card"]
    states = per_card["parameters"] + per_card["gradients"] + per_card["optimizer"]
    chosen = found["stages"][found["scenario"]["zero"]]
    assert chosen["per_card_bytes"] == states
    assert chosen["peak_bytes"] == per_card["peak"]
    assert per_card["fits"] == (per_card["headroom_bytes"] >= 0)
    if found["activations"] is None:
        assert per_card["peak"] == states
    else:
        moments = found["moments"]
        assert per_card["peak"] == max(moment["bytes"] for moment in moments) >= states
        assert all(moment["bytes"] == sum(moment["bands"].values()) for moment in moments)
        assert all(moment["low_bytes"] <= moment["bytes"] <= moment["high_bytes"] for moment in moments)
        assert 0 <= per_card["activations"] <= found["activations"]["peak_bytes"]
        if scenario.zero == 0:
            stay = per_card["parameters"] + per_card["optimizer"]
            assert per_card["peak"] >= stay + found["activations"]["peak_bytes"]
    for stage in found["stages"]:
        assert stage["fits"] == (stage["per_card_bytes"] <= found["card"]["room_bytes"])
    room = found["card"]["bytes"] - scenario.reserve
    assert found["card"]["room_bytes"] == room
    assert per_card["headroom_bytes"] == room - per_card["peak"]
    if found["cards_needed"] is not None:
        assert found["cards_needed"] == max(1, -(-found["training"]["bytes"] // room))
    time = found["time"]
    assert time["card_hours"] == pytest.approx(time["seconds"] * found["scenario"]["cards"] / 3600)
    assert time["days"] == pytest.approx(time["seconds"] / 86_400)


@given(scenarios())
def test_the_resolved_scenario_asks_the_same_question(scenario: Scenario) -> None:
    first: dict[str, Any] = to_json(account(scenario))
    again: dict[str, Any] = to_json(account(from_json(json.loads(json.dumps(first["scenario"])))))
    for key in (
        "scenario",
        "custom",
        "per_parameter",
        "training",
        "card",
        "cards_needed",
        "stages",
        "per_card",
        "time",
    ):
        assert again[key] == first[key], key


def test_automatic_fields_are_resolved() -> None:
    found: dict[str, Any] = to_json(account(Scenario()))["scenario"]  # type: ignore[assignment]
    assert found["cards"] == 6
    assert found["tokens"] == 600_000_000_000
    assert found["peak_flops"] == 312_000_000_000_000
    assert [found[f"bytes_{name}"] for name in ("weights", "gradients", "master", "momentum", "variance")] == [
        2,
        2,
        4,
        4,
        4,
    ]
    assert found["mfu"] == 0.4


def test_the_json_of_the_lesson() -> None:
    found: dict[str, Any] = to_json(account(Scenario()))
    assert found["training"] == {
        "bytes": 480 * 10**9,
        "bands": {"parameters": 60 * 10**9, "gradients": 60 * 10**9, "optimizer": 360 * 10**9},
    }
    assert found["inference"] == {"bytes": 60 * 10**9}
    assert found["cards_needed"] == 6
    # Stage 2 keeps 60 GB whole; 14 B × 30 × 10⁹ on the 20 GB that are left take 21 cards if bytes could be split, but
    # ⌈30 × 10⁹ ÷ 21⌉ = 1,428,571,429 parameters × 14 B are 20,000,000,006 B: six too many.
    assert [row["cards_to_fit"] for row in found["stages"]] == [None, None, 22, 6]
    assert [row["fits"] for row in found["stages"]] == [False, False, False, True]


@given(any_scenarios())
def test_json_in_one_line_says_the_same(scenario: Scenario) -> None:
    found = account(scenario)
    line = as_json_line(found)
    assert "\n" not in line
    assert json.loads(line) == json.loads(as_json(found))


def _at(values: Any, path: str) -> Any:
    for step in path.split("."):
        values = values[int(step)] if isinstance(values, list) else values[step]
    return values


@given(any_scenarios())
def test_every_row_of_the_ledger_is_a_figure_of_the_json_with_its_derivation(scenario: Scenario) -> None:
    found = account(scenario)
    values: dict[str, Any] = to_json(found)
    rows = ledger(found)
    assert list(values["derivations"]) == [row.key for row in rows]
    for row in rows:
        assert values["derivations"][row.key] == row.line.text()
        if row.key == "per_parameter.bytes":  # the list has no place for its own sum
            assert row.line.value == sum(Fraction(kept.item.bytes) for kept in found.kept)
            continue
        value = _at(values, row.key)
        assert value == (row.line.value if value is None or isinstance(value, int) else float(row.line.value or 0))


@given(any_scenarios())
def test_the_ledger_leaves_no_computed_figure_out(scenario: Scenario) -> None:
    found: dict[str, Any] = to_json(account(scenario))
    expected = {"training.bytes", "inference.bytes", "card.bytes", "per_parameter.bytes", "time.flops", "time.seconds"}
    expected |= {"time.days", "time.days_on_one", "time.card_hours", "per_card.peak", "per_card.headroom_bytes"}
    expected |= {f"training.bands.{band}" for band in found["training"]["bands"]}
    expected |= {f"per_card.{band}" for band in found["training"]["bands"]}
    expected |= {f"stages.{stage}.{key}" for stage in range(4) for key in ("per_card_bytes", "cards_to_fit")}
    expected |= {f"per_parameter.{place}.bytes" for place in range(5)}
    expected |= {f"items.{name}" for name, size in found["items"].items() if size}
    for key, path in (
        ("cards_needed", "cards_needed"),
        ("cost", "time.cost"),
        ("cards_for_deadline", "time.cards_for_deadline"),
    ):
        if _at(found, path) is not None:
            expected.add(path if key == "cards_needed" else f"time.{key}")
    assert expected <= set(found["derivations"])


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
