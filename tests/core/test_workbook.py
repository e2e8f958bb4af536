"""A document of several scenarios: its file, and that no change leaves it without a current one."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document import FORMAT, DocumentError, dumps_book, load_book, loads_book, save
from core.fields import InputError
from core.scenario import FIELDS, Scenario, change
from core.workbook import LONGEST_NAME, MOST_SCENARIOS, Named, Workbook, single, tidy
from tests.core.strategies import scenarios

NAMES = st.text(max_size=100)
NAMED = st.builds(lambda name, scenario: Named(tidy(name), scenario), NAMES, scenarios())


@st.composite
def books(draw: st.DrawFn) -> Workbook:
    """Documents with one to four scenarios and perhaps a baseline."""
    rows = tuple(draw(st.lists(NAMED, min_size=1, max_size=4, unique_by=lambda row: row.name)))
    return Workbook(rows, draw(st.integers(0, len(rows) - 1)), draw(st.one_of(st.none(), NAMED)))


@given(books())
def test_a_file_gives_back_the_same_document(book: Workbook) -> None:
    text = dumps_book(book)
    assert loads_book(text, "") == book
    assert text.encode().decode() == text


def test_a_document_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "run.memtax"
    book = single(Scenario()).duplicate().rename(0, "Größer").edit({"zero": 3}).pin()
    save(path, book)
    assert load_book(path) == book


def test_one_plain_scenario_is_written_as_every_version_reads_it() -> None:
    content = json.loads(dumps_book(single(change(Scenario(), {"params": 7}))))
    assert content == {"format": FORMAT, "version": 1, "scenario": {"params": 7}}


# A name is pasted from anywhere: whatever it holds, the document can still be saved.
@given(NAMES)
def test_a_name_is_one_line_of_bounded_length_and_can_be_written(name: str) -> None:
    tidied = tidy(name)
    assert 0 < len(tidied) <= LONGEST_NAME
    assert "\n" not in tidied
    assert tidied == tidied.strip()
    dumps_book(single(Scenario()).rename(0, name)).encode()


@pytest.mark.parametrize("name", ["\ud800", "a\udcffb", "a\x00b", "a\u2028b", "\x1b[31mred"])
def test_a_name_of_half_characters_can_be_saved(tmp_path: Path, name: str) -> None:
    book = single(Scenario()).rename(0, name)
    save(tmp_path / "run.memtax", book)
    assert load_book(tmp_path / "run.memtax") == book
    assert book.name.isprintable()


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["edit", "select", "duplicate", "rename", "remove", "move", "pin", "unpin"]),
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    max_size=25,
)


@given(CHANGES)
def test_no_change_leaves_a_document_without_a_current_scenario(changes: list[tuple[str, int, int]]) -> None:
    book = single(Scenario())
    for word, first, second in changes:
        count = len(book.scenarios)
        at, to = first % count, second % count
        acts: dict[str, Callable[[Workbook, int, int], Workbook]] = {
            "edit": lambda b, x, y: b.edit({"zero": y % 4}),
            "select": lambda b, x, y: b.select(x),
            "duplicate": lambda b, x, y: b.duplicate(),
            "rename": lambda b, x, y: b.rename(x, f"name {y}"),
            "remove": lambda b, x, y: b.remove(x),
            "move": lambda b, x, y: b.move(x, y),
            "pin": lambda b, x, y: b.pin(),
            "unpin": lambda b, x, y: b.unpin(),
        }
        before = book
        book = acts[word](book, at, to)
        assert 1 <= len(book.scenarios) <= MOST_SCENARIOS
        assert 0 <= book.current < len(book.scenarios)
        assert len({row.name for row in book.scenarios}) == len(book.scenarios), "a name tells scenarios apart"
        if word in {"move", "pin", "unpin", "rename"}:
            assert book.scenario == before.scenario, "the current one stays current"
        if word in {"edit", "move", "pin", "unpin"} or (word == "remove" and at != before.current):
            assert book.name == before.name, "and so it does when another goes"
    assert loads_book(dumps_book(book), "") == book


def test_a_full_document_takes_no_more() -> None:
    book = single(Scenario())
    for _ in range(MOST_SCENARIOS + 5):
        book = book.duplicate()
    assert len(book.scenarios) == MOST_SCENARIOS
    assert loads_book(dumps_book(book), "") == book


def test_names_stay_apart_and_within_their_length(tmp_path: Path) -> None:
    book = Workbook().rename(0, "n" * 80).duplicate().duplicate()
    names = [row.name for row in book.scenarios]
    assert names == ["n" * 80, "n" * 78 + " 2", "n" * 78 + " 3"]
    assert loads_book(dumps_book(book), "") == book
    twins = loads_book(_text(scenarios=[ROW, ROW]), "")
    assert [row.name for row in twins.scenarios] == ["A", "A 2"]


def test_a_sign_of_several_marks_stays_one() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"  # a man, a woman and a girl, joined into one sign
    assert Workbook().rename(0, family).name == family
    for unseen in ("\u200d", "\u3164", "\u2800"):
        assert Workbook().rename(0, unseen).name == "Scenario", "it could not be seen"


def _text(**content: Any) -> str:
    whole = {
        "format": FORMAT,
        "version": 2,
        "scenarios": [{"name": "A", "scenario": {}}],
        "current": 0,
        "baseline": None,
    }
    return json.dumps(whole | content)


ROW = {"name": "A", "scenario": {}}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"scenarios": []}, '"scenarios" is not a list of 1 to 50'),
        ({"scenarios": {}}, '"scenarios" is not a list of 1 to 50'),
        ({"scenarios": [ROW] * 51}, '"scenarios" is not a list of 1 to 50'),
        ({"scenarios": [1]}, "scenario 1 is not an object"),
        ({"scenarios": [ROW, {"name": "B"}]}, "scenario 2 is not an object"),
        ({"scenarios": [{"name": 5, "scenario": {}}]}, "scenario 1 is not an object"),
        ({"scenarios": [{"name": "A", "scenario": {}, "x": 1}]}, "scenario 1 is not an object"),
        ({"scenarios": [{"name": "A", "scenario": []}]}, "the scenario of scenario 1 is not an object of fields"),
        ({"scenarios": [{"name": "A", "scenario": {"params": 0}}]}, "params: 0 is below the least, 1"),
        ({"current": 1}, '"current" is 1, not a place from 0 to 0'),
        ({"current": -1}, '"current" is -1'),
        ({"current": True}, '"current" is true'),
        ({"current": "0"}, "\"current\" is '0'"),
        ({"baseline": 1}, '"baseline" is not an object'),
        ({"baseline": {"name": "A", "scenario": {"zero": 9}}}, "zero: 9"),
        ({"scenario": {}}, "the unknown key 'scenario'"),
        # Llama 3 8B has 8 heads of keys and values, which 7 query heads cannot share alike.
        ({"scenarios": [ROW, {"name": "B", "scenario": {"model": "Llama 3 8B", "heads": 7}}]}, "heads: "),
        ({"baseline": {"name": "B", "scenario": {"model": "Llama 3 8B", "heads": 7}}}, "heads: "),
    ],
)
def test_a_document_that_is_not_as_it_should_be_is_refused(content: dict[str, Any], said: str) -> None:
    with pytest.raises(DocumentError) as refusal:
        loads_book(_text(**content), "run.memtax")
    assert said in str(refusal.value)
    assert str(refusal.value).startswith("run.memtax: ")


# A model is called what its file is called, and on Linux that is bytes that need be no text.
@pytest.mark.parametrize("folder", [b"mod\xffel", b"mod\nel", b"mod\x1b[1mel"])
def test_a_model_whose_folder_is_no_text_can_be_saved(tmp_path: Path, folder: bytes) -> None:
    where = os.path.join(os.fsencode(tmp_path), folder)  # noqa: PTH118 - pathlib takes no bytes
    os.mkdir(where)  # noqa: PTH102
    with open(os.path.join(where, b"config.json"), "w") as file:  # noqa: PTH118, PTH123
        json.dump({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}, file)
    model = FIELDS["model"].read(os.fsdecode(os.path.join(where, b"config.json")))  # noqa: PTH118
    assert model.name.isprintable()
    book = single(change(Scenario(), {"model": model}))
    save(tmp_path / "run.memtax", book)
    assert load_book(tmp_path / "run.memtax") == book


def test_half_a_character_inside_a_models_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"model_type": "gpt2", "torch_dtype": "bf\\ud800"}')
    with pytest.raises(InputError, match="torch_dtype holds half a character"):
        FIELDS["model"].read(str(path))
