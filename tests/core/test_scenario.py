"""The frozen question: defaults, ways in, and that nothing else gets in."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given

from core.choice_kinds import Choice, Flag
from core.fields import InputError
from core.scenario import (
    FIELDS,
    GROUPS,
    Scenario,
    applies,
    change,
    describe,
    from_json,
    from_texts,
    overrides,
    to_json,
)
from tests.core.strategies import scenarios

# The table of fields that others rely on: name and default, as it is published.
PUBLISHED = {
    "params": 30_000_000_000,
    "precision": "mixed",
    "optimizer": "adamw",
    "bytes_weights": None,
    "bytes_gradients": None,
    "bytes_master": None,
    "bytes_momentum": None,
    "bytes_variance": None,
    "bytes_other": None,
    "card": None,
    "card_memory": 80_000_000_000,
    "card_capacity": "marketed",
    "cards": None,
    "zero": 0,
    "tokens": None,
    "mfu": Fraction(2, 5),
    "peak_flops": None,
    "deadline": None,
    "card_price": None,
    "reserve": 0,
}


@pytest.mark.parametrize(("name", "default"), PUBLISHED.items())
def test_published_fields_have_their_names_and_defaults(name: str, default: object) -> None:
    assert FIELDS[name].default == default
    assert getattr(Scenario(), name) == default


@pytest.mark.parametrize("field", FIELDS.values(), ids=lambda field: field.name)
def test_every_field_says_what_it_is(field: object) -> None:
    from core.fields import Field

    assert isinstance(field, Field)
    assert field.label
    assert field.help.endswith(".")
    assert field.kind.accepts
    assert field.group in {group.name for group in GROUPS}
    assert field.flag == "--" + field.name.replace("_", "-")
    if not isinstance(field.kind, Choice | Flag):
        assert field.minimum is not None
        assert field.maximum is not None
    if field.default is None:
        assert field.automatic, "what may be left open says what stands in for it"
    for other in (field.only_with, field.only_without):
        assert not other or other in FIELDS


def test_no_two_fields_share_a_label_or_a_flag() -> None:
    for of in ("label", "flag"):
        assert len({getattr(field, of) for field in FIELDS.values()}) == len(FIELDS)


def test_the_scenario_is_frozen() -> None:
    with pytest.raises(AttributeError):
        Scenario().params = 1  # type: ignore[misc]
    assert hash(Scenario()) == hash(Scenario())


@given(scenarios())
def test_json_gives_back_the_same_scenario(scenario: Scenario) -> None:
    assert from_json(to_json(scenario)) == scenario


@given(scenarios())
def test_what_was_not_set_is_not_written(scenario: Scenario) -> None:
    written = to_json(scenario)
    assert set(written) == {name for name in FIELDS if getattr(scenario, name) != getattr(Scenario(), name)}


@given(scenarios())
def test_texts_give_back_the_same_scenario(scenario: Scenario) -> None:
    texts = {
        name: "auto" if getattr(scenario, name) is None else field.kind.text(getattr(scenario, name))
        for name, field in FIELDS.items()
    }
    assert from_texts(texts) == scenario


def test_a_scenario_is_changed_field_by_field_and_the_rest_stays() -> None:
    start = from_texts({"params": "7B", "zero": "3"})
    later = from_json({"params": "70B"}, start)
    assert (later.params, later.zero, start.params) == (70_000_000_000, 3, 7_000_000_000)


@pytest.mark.parametrize("name", ["parms", "card-memory", "Params", "", "model_", "__class__", "x" * 100_000, "\n"])
def test_an_unknown_field_is_refused_and_near_names_are_given(name: str) -> None:
    with pytest.raises(InputError, match="no field has this name") as from_file:
        from_json({name: 1})
    with pytest.raises(InputError, match="no field has this name") as typed:
        from_texts({name: "1"})
    assert str(from_file.value) == str(typed.value)
    assert "\n" not in str(typed.value)
    assert len(str(typed.value)) < 200
    if name == "parms":
        assert "near it: params" in str(typed.value)


def test_the_first_wrong_field_stops_everything() -> None:
    with pytest.raises(InputError, match="Cards"):
        from_json({"params": "7B", "cards": 0, "zero": 9})


def test_overrides_are_what_a_person_set() -> None:
    scenario = change(Scenario(), {"bytes_master": 0, "bytes_momentum": Fraction(1, 2)})
    assert overrides(scenario) == {"master": 0, "momentum": Fraction(1, 2)}
    assert overrides(Scenario()) == {}


@given(scenarios())
def test_the_one_line_says_all_that_was_set(scenario: Scenario) -> None:
    line = describe(scenario)
    assert "\n" not in line
    for name in ("params", "precision", "optimizer"):
        assert FIELDS[name].kind.text(getattr(scenario, name)) in line
    for name, field in FIELDS.items():
        value = getattr(scenario, name)
        if value is not None and value != field.default and applies(scenario, field):
            assert field.kind.text(value) in line


def test_the_struct_holds_exactly_the_fields() -> None:
    assert tuple(FIELDS) == Scenario.__struct_fields__
    assert msgspec.structs.asdict(Scenario()) == {name: field.default for name, field in FIELDS.items()}
