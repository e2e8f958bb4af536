"""The report as JSON: names, types and null rules that others rely on, and every other format of the same rows."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given

from core.account import account
from core.ledger import ledger
from core.report import (
    as_json,
    as_json_line,
    to_json,
)
from core.scenario import FIELDS, Scenario, from_json
from tests.core.strategies import any_scenarios, scenarios

NUMBER = (int, float)


def _is(value: object, *kinds: type) -> bool:
    """Of one of these types, and no boolean where a number is meant."""
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))


def _check_whole(values: dict[str, Any], *names: str) -> None:
    for name in names:
        assert _is(values[name], int), name


ASIDE = ("reserve", "context", "comm_buffers", "slack")


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
    # What a step keeps is known of a model whose tensors are tabled, where it trains.
    trains = account(scenario).stage.bill is not None
    assert not trains or (scenario.model is not None and scenario.precision != "inference")
    step = (found["activations"], found["moments"], found["per_card"]["activations"], found["per_card"]["transient"])
    assert {value is not None for value in step} == {trains}
    assert (found["model"] is None) == (scenario.model is None)
    if scenario.card is None:
        assert found["card"]["name"] is None
        assert found["card"]["reported_bytes"] is None
        assert found["card"]["usable_bytes"] is None
    assert (found["time"]["cost"] is None) == (scenario.card_price is None)
    assert (found["time"]["cards_for_deadline"] is None) == (scenario.deadline is None)
    assert (found["cards_needed"] is None) == (found["card"]["room_bytes"] <= 0)
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
        as_the_pass_has_them = scenario.bytes_gradients is None and scenario.offload == "none"
        if scenario.zero == 0 and scenario.sharding == "paper" and as_the_pass_has_them:
            stay = per_card["parameters"] + per_card["optimizer"]
            assert per_card["peak"] >= stay + found["activations"]["peak_bytes"]
    for stage in found["stages"]:
        assert stage["fits"] == (stage["per_card_bytes"] <= found["card"]["room_bytes"])
    room = found["card"]["bytes"] - sum(found["card"][f"{name}_bytes"] for name in ASIDE)
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
    assume(first["scenario"]["cards"] <= FIELDS["cards"].maximum)  # more can be needed than can be asked for
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
    assert found["inference"]["bytes"] == 60 * 10**9
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
