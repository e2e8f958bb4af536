"""What holds of every field and any text: reading undoes writing, and nothing but a value or a sentence comes out."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.choice_kinds import Choice, Flag
from core.fields import Field, InputError
from core.kinds import BytesEach, Days, Share
from core.scenario import FIELDS
from tests.core.strategies import ANY_TEXT, DRAWN, values

FIELD_NAMES = st.sampled_from(DRAWN)


@pytest.mark.parametrize("name", DRAWN)
def test_a_long_text_is_refused_at_once_and_cut_in_the_error(name: str) -> None:
    field = FIELDS[name]
    started = time.process_time()
    size = 200_000
    for text in ("9" * size, "1," * size, " " * size + "x", "0." + "0" * size, "a" * size, "1" + ",000" * size):
        with pytest.raises(InputError) as refusal:
            field.read(text)
        assert len(str(refusal.value)) < 500
    assert time.process_time() - started < 2  # milliseconds, with room for a busy machine


@pytest.mark.parametrize("length", [20, 40, 80])
def test_reading_takes_no_longer_than_its_text_is_long(length: int) -> None:
    groups, spaces = ("1,111" * length)[:length], "\u00a0" * length
    awkward = ["1 " * (length // 2), "1" * length, groups, "1" + "e" * (length - 1), spaces]
    started = time.process_time()
    for text in awkward * 100:
        with pytest.raises(InputError):
            FIELDS["zero"].read(text)
        with pytest.raises(InputError):
            FIELDS["mfu"].read(text)
    assert time.process_time() - started < 2


@given(st.data(), FIELD_NAMES)
def test_reading_what_was_written_gives_the_same_value(data: st.DataObject, name: str) -> None:
    field = FIELDS[name]
    value = data.draw(values(field))
    if value is not None:
        assert field.read(field.kind.text(value)) == value
        assert "\n" not in field.kind.echo(value)


@given(st.data(), FIELD_NAMES)
def test_json_keeps_every_value_exactly(data: st.DataObject, name: str) -> None:
    field = FIELDS[name]
    value = data.draw(values(field))
    if value is not None:
        written = json.loads(json.dumps(field.kind.give(value)))
        assert field.take(written) == value


@given(st.data(), FIELD_NAMES)
def test_arrows_move_within_the_range_and_do_what_they_say(data: st.DataObject, name: str) -> None:
    field = FIELDS[name]
    value = data.draw(values(field))
    if value is None:
        return
    for steps in (1, -1, 10, -10):
        stepped = field.step(value, steps)
        assert field.read(field.kind.text(stepped)) == stepped
        if not isinstance(field.kind, Choice | Flag):
            assert stepped >= value if steps > 0 else stepped <= value
            end = field.maximum if steps > 0 else field.minimum
            assert stepped != value or value == end
            finely = field.step(value, steps, fine=True)
            assert field.read(field.kind.text(finely)) == finely
            assert value <= finely if steps > 0 else finely <= value


@pytest.mark.parametrize("name", [name for name in DRAWN if isinstance(FIELDS[name].kind, BytesEach | Share | Days)])
@pytest.mark.parametrize("fine", [False, True])
def test_an_endless_start_moves_to_what_can_be_written(name: str, fine: bool) -> None:
    # The bytes of one parameter on average where tensors differ in type have no end of digits, and the box shows them.
    field = FIELDS[name]
    for steps in (1, -1, 3):
        moved = field.step(Fraction(14_133_191, 19_605_130), steps, fine)
        assert field.read(field.kind.text(moved)) == moved


JSON_VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), ANY_TEXT, st.integers(-(10**400), 10**400),
        st.sampled_from([1e308, -1e308, 5e-324, 2.5, float("inf"), float("nan"), -0.0]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=4,
)  # fmt: skip


def _outcome(convert: Callable[[Any], object], given_value: object) -> tuple[object, str]:
    """The value, or the sentence of the only error that may come."""
    try:
        return convert(given_value), ""
    except InputError as problem:
        return None, str(problem)


def _is_in_range(field: Field, value: object) -> bool:
    if value is None:
        return bool(field.automatic)
    if isinstance(field.kind, Flag):
        return isinstance(value, bool)
    if isinstance(field.kind, Choice):
        return str(value) in {option.name for option in field.kind.options()}
    assert isinstance(value, int | Fraction)
    assert not isinstance(value, bool)
    return (field.minimum is None or value >= field.minimum) and (field.maximum is None or value <= field.maximum)


@given(FIELD_NAMES, ANY_TEXT)
def test_no_text_gives_anything_but_a_value_in_range_or_a_sentence(name: str, text: str) -> None:
    field = FIELDS[name]
    value, sentence = _outcome(field.read, text)
    if sentence:
        assert re.fullmatch(rf"{re.escape(field.label)}: .+", sentence)
    else:
        assert _is_in_range(field, value)


@given(FIELD_NAMES, JSON_VALUES)
def test_no_json_value_gives_anything_but_a_value_in_range_or_a_sentence(name: str, given_value: object) -> None:
    field = FIELDS[name]
    value, sentence = _outcome(field.take, given_value)
    if sentence:
        assert re.fullmatch(rf"{re.escape(field.label)}: .+", sentence)
        assert len(sentence) < 500
    else:
        assert _is_in_range(field, value)
