"""The catalogue of models: found by any usual writing of a name, with a suggestion where none fits."""

from __future__ import annotations

import json
import re

import pytest

from core.account import account
from core.fields import InputError
from core.models.catalogue import UnknownModel, as_json, as_text, model, models, search
from core.scenario import from_texts
from core.share import from_line, to_line


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Llama 2 7B", "Llama 2 7B"),
        ("llama-2-7b", "Llama 2 7B"),
        ("LLAMA2 70B", "Llama 2 70B"),
        ("Mixtral-8x7B", "Mixtral 8x7B"),
        ("deepseek r1", "DeepSeek V3"),
        ("gpt2", "GPT-2"),
        ("opt-175b", "OPT 175B"),
        ("Qwen2.5-7B", "Qwen2.5 7B"),
        ("llama 405b", "Llama 3.1 405B"),
    ],
)
def test_a_model_is_found_by_any_writing_of_its_name(written: str, meant: str) -> None:
    assert model(written).name == meant


def test_a_field_takes_every_name_that_the_catalogue_lists() -> None:
    for known in models():
        assert from_texts({"model": known.name}).model == known.architecture


# Names with a path's separator: of the catalogue, and of the repositories that its sources name.
@pytest.mark.parametrize(
    ("written", "parameters"),
    [("CLIP ViT-L/14", 427_616_513), ("vit-b/16", 86_389_248), ("meta-llama/Llama-2-7b-hf", 6_738_415_616)],
)
def test_a_separator_in_a_name_makes_no_path_of_it(written: str, parameters: int) -> None:
    assert account(from_texts({"model": written})).params.count == parameters


# 255 bytes are the most that a file's name has on Linux, macOS and Windows: asking for a longer one is an error.
def test_a_text_longer_than_a_file_name_is_no_model() -> None:
    with pytest.raises(InputError, match="no model of the catalogue"):
        from_texts({"model": "x" * 300})


def test_what_is_written_as_a_path_is_no_name() -> None:
    with pytest.raises(InputError, match="there is no such file"):
        from_texts({"model": "./llama-2-7b"})


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("kimi", "'kimi' could be Kimi K2 or Kimi K2.5: name one"),
        ("l", "'l' could be CLIP ViT-L/14: name one"),
        ("lama 2 7b", "near it: Llama 2 7B"),
        ("", "an empty name is no model of the catalogue"),
        ("x" * 1000, "x' is no model of the catalogue; the catalogue of models lists the names"),
    ],
)
def test_a_name_that_fits_none_or_several_is_answered_in_one_sentence(written: str, said: str) -> None:
    with pytest.raises(UnknownModel) as answer:
        model(written)
    assert said in str(answer.value)
    assert len(str(answer.value)) < 250


def test_typing_narrows_the_list() -> None:
    names = [one.name for one in search("llama 3")]
    assert names[:2] == ["Llama 3 8B", "Llama 3 70B"]
    assert "Llama 2 7B" not in names
    assert [one.name for one in search("qwen3 235")] == ["Qwen3 235B-A22B"]
    assert search("  ") == models()
    assert search("no such thing") == ()


def test_the_catalogue_is_in_order() -> None:
    """Names and aliases are unique, dates are months, sources are there; small and large, dense and mixture."""
    words = [re.sub(r"[^a-z0-9.]", "", label.casefold()) for one in models() for label in {one.name, *one.aliases}]
    repeated = {word for word in words if words.count(word) > 1}
    assert all(len({one.name for one in models() if word in _plain(one.name, one.aliases)}) == 1 for word in repeated)
    assert len(models()) >= 60
    for one in models():
        assert re.fullmatch(r"20[12]\d-(0[1-9]|1[0-2])", one.date), one.name
        assert one.source
        assert 0 < one.active <= one.total
        assert one.fields["model_type"]
    assert min(one.total for one in models()) < 10**8 < 10**12 < max(one.total for one in models())
    assert sum(one.active < one.total for one in models()) >= 15


def _plain(name: str, aliases: tuple[str, ...]) -> set[str]:
    return {re.sub(r"[^a-z0-9.]", "", label.casefold()) for label in (name, *aliases)}


def test_it_is_printed_whole() -> None:
    rows = json.loads(as_json())
    assert len(rows) == len(models())
    assert {"name", "total", "active", "date", "source", "fields"} <= set(rows[0])
    assert "12,879,925,248 of them active per token" in as_text()


@pytest.mark.parametrize("name", [row.name for row in models()])
def test_every_name_is_a_model_at_every_stage_and_comes_back_from_a_line(name: str) -> None:
    # A stroke in a name (ViT-B/16) makes no path of it; a lone number among the parameters (CLIP) is shared out, too.
    for stage in ("0", "3"):
        scenario = from_texts({"model": name, "zero": stage, "cards": "4"})
        assert account(scenario).params.count > 0
        assert from_line(to_line(scenario)) == scenario


@pytest.mark.parametrize("text", ["x" * 300, "a\0b", "/" + "x" * 300, "x" * 5000 + ".json", "./a\0b"])
def test_a_text_that_no_file_can_be_named_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InputError) as refused:
        from_texts({"model": text})
    assert "\n" not in refused.value.sentence
