"""Any file that a person drops becomes a mapping, or one sentence that names the file, the place and the reason."""

from __future__ import annotations

import contextlib
import json
import os
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.architecture import ModelFileError
from core.models.read import parse, read_file, read_mapping

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "intermediate_size": 11008,
    "vocab_size": 32000,
    "tie_word_embeddings": False,
}
TEXT = json.dumps(LLAMA, indent=2)


def changed(**fields: object) -> bytes:
    return json.dumps(LLAMA | fields).encode()


REFUSED: list[tuple[str, bytes, str]] = [
    ("empty", b"", "it is empty"),
    ("white space", b"  \n\t\n", "only white space"),
    ("zeros", bytes(600), "600 zero bytes"),
    ("UTF-16 without a mark", TEXT.encode("utf-16-be"), "UTF-16"),
    ("UTF-16 with a mark", TEXT.encode("utf-16"), "UTF-16"),
    ("Latin 1", b'{\n"name": "caf\xe9"}', "line 2, byte 15"),
    ("a zero byte", b'{"a": "\x00"}', "byte 8 is zero"),
    ("comment", b"// llama\n{}", "line 1, column 1: a comment"),
    ("single quotes", b"{\n 'a': 1}", "line 2, column 2: text in single quotes"),
    ("Python words", b'{"a": None}', "None without quotes"),
    ("template", b'{\n  "train_batch_size" : GB_SIZE,\n}', "line 2, column 24: GB_SIZE without quotes"),
    ("digits grouped", b'{"total": 3658_000_000}', "underscore"),
    ("trailing comma", b'{"a": 1,}', "comma before the closing bracket"),
    ("missing value", b'{"a": , "b": 1}', "column 7: no valid JSON, a value is missing"),
    ("missing comma", b'{"a": 1 "b": 2}', "a comma or a closing bracket is missing"),
    ("line break in a text", b'{"a": "x\ny"}', "control character"),
    ("cut short", TEXT[:90].encode(), "in the middle of its text"),
    ("two objects", b"{} {}", "more text after the end"),
    ("list", b"[1, 2]", "it holds a list"),
    ("text", b'"config"', "it holds a text"),
    ("number", b"7", "it holds a number"),
    ("null", b"null", "it holds null"),
    ("twice", b'{"hidden_size": 1, "hidden_size": 2}', "hidden_size stands twice"),
    ("not a number", changed()[:-1] + b', "attention_dropout": NaN}', "attention_dropout is NaN"),
    ("less than all", changed()[:-1] + b', "x": [[-Infinity]]}', "x is -Infinity"),
    ("encoded number", changed(time_step_limit=[0.0, {"__float__": "Infinity"}]), "time_step_limit holds an encoded"),
    ("deep", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested more than 100 deep"),
    ("deep lists", b"[" * 300_000, "nested more than 100 deep"),
    ("many values", b"[" + b"[]," * 300_000 + b"[]]", "more than 400,000 values"),
    ("a million digits", b'{"hidden_size": ' + b"9" * 1_000_000 + b"}", "1,000,000 digits"),
    ("a million decimals", b'{"x": 0.' + b"9" * 1_000_000 + b"}", "1,000,002 characters"),
    ("too large", b'{"a": "' + b"x" * 4_200_000 + b'"}', "4,194,304"),
    (
        "Git LFS",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 614\n",
        "pointer; the file of 614 bytes",
    ),
    ("web page", b"<!DOCTYPE html>\n<html></html>", "a web page (HTML)"),
    ("XML", b'<?xml version="1.0"?><Error><Code>BlobNotFound</Code></Error>', "XML and no JSON (blobnotfound)"),
    ("archive", b"PK\x03\x04rest", "ZIP archive"),
    ("GGUF", b"GGUF\x03\x00\x00\x00", "GGUF"),
    ("safetensors", (64).to_bytes(8, "little") + b'{"a": 1}', "safetensors"),
    ("pickle", b"\x80\x02}q\x00.", "pickle"),
    ("server's answer", b'{"error": "Access to model x is restricted."}', 'answer, "Access to model x is restricted."'),
    ("index of shards", b'{"metadata": {"total_size": 3}, "weight_map": {}}', "index of a checkpoint's shards"),
    ("DeepSpeed", b'{"train_batch_size": 8}', "DeepSpeed"),
    ("prompts", b'{"prompts": {"query": ""}, "similarity_fn_name": "cosine"}', "names no model_type"),
    ("whole number as a float", changed(hidden_size=4096.0), "hidden_size is 4096.0"),
    ("exponent", b'{"model_type": "llama", "vocab_size": 3.2e4}', "vocab_size is 32000.0"),
    ("beyond floats", b'{"model_type": "llama", "hidden_size": 1e999}', "hidden_size is inf"),
    ("huge", changed(vocab_size=99_999_999_999_999_999_999), "vocab_size is 99,999,999,999,999,999,999"),
    ("zero", changed(num_hidden_layers=0), "num_hidden_layers is 0; accepted are whole numbers from 1 to 10,000"),
    ("negative", changed(hidden_size=-4096), "hidden_size is -4,096"),
    ("true for a number", changed(hidden_size=True), "hidden_size is true"),
    ("number in quotes", changed(hidden_size="4096"), 'hidden_size is "4096"'),
    ("null for a width", changed(num_attention_heads=None), "num_attention_heads is null"),
    ("number for a flag", changed(attention_bias=1), "attention_bias is 1; accepted are true and false"),
    ("heads do not divide", changed(num_attention_heads=30), "30, which does not divide hidden_size 4,096"),
    ("type is a list", changed(model_type=["llama"]), "model_type is a list of 1"),
    ("text model is a list", b'{"model_type": "gemma3", "text_config": [1]}', "text_config is a list of 1"),
]


@pytest.mark.parametrize(("data", "reason"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_bad_file_is_refused_in_one_sentence(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(data)
    start = time.perf_counter()
    with pytest.raises(ModelFileError) as refused:
        read_file(path)
    assert time.perf_counter() - start < 1
    said = str(refused.value)
    assert said.startswith(f"{path}: ")
    assert reason in said
    assert "\n" not in said
    assert len(said) < 600
    assert path.read_bytes() == data


def test_reading_the_worst_files_stays_within_a_hundred_megabytes(tmp_path: Path) -> None:
    """The most values that are let through, as empty objects, which are the dearest: 64 bytes each and their pairs."""
    path = tmp_path / "many.json"
    path.write_bytes(b'{"a": [' + b"{}," * 190_000 + b"{}]}")
    tracemalloc.start()
    with pytest.raises(ModelFileError, match="names no model_type"):
        read_file(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100 * 10**6


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    sparse = tmp_path / "weights.bin"
    with sparse.open("wb") as file:
        file.truncate(4 << 30)
    for path, reason in (
        (tmp_path, "it is a folder"),
        (tmp_path / "none", "there is no such file"),
        (tmp_path / "none" / "deeper", "there is no such file"),
        (pipe, "no regular file"),
        (Path("/dev/zero"), "no regular file"),
        (loop, "cannot be read"),
        (sparse, "4,294,967,296 bytes"),
        (Path("a\0b"), "its name holds a character"),
        (Path("x" * 300), "cannot be read"),
    ):
        with pytest.raises(ModelFileError, match=reason):
            read_file(path)


def test_a_file_without_permission_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's refusal is feigned, as the tests may run as a user whom it refuses nothing."""
    path = tmp_path / "config.json"
    path.write_text(TEXT, "utf-8")

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ModelFileError, match="permission is missing"):
        read_file(path)


def test_what_differs_only_in_form_is_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    expected = 6_738_415_616  # Llama-2-7B, as its publisher's checkpoint has
    from core.models.count import count

    twice = TEXT[:-1] + ', "hidden_size": 4096}'
    for data in (TEXT.encode(), b"\xef\xbb\xbf" + TEXT.encode(), TEXT.replace("\n", "\r\n").encode(), twice.encode()):
        path.write_bytes(data)
        assert count(read_file(path)).total == expected


def test_an_open_limit_is_read_where_recurrent_models_write_one() -> None:
    """Python writes Infinity, transformers 5 an object, for time_step_limit of Mamba layers."""
    for limit in (b"Infinity", b'{"__float__": "Infinity"}'):
        data = b'{"model_type": "nemotron_h", "mamba_num_heads": 8, "time_step_limit": [0.0, ' + limit + b"]}"
        assert parse(data)["mamba_num_heads"] == 8


def test_a_file_is_called_by_its_folder_where_its_own_name_says_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "Llama-2-7b-hf"
    folder.mkdir()
    for name, called in (("config.json", "Llama-2-7b-hf"), ("my-model.json", "my-model")):
        (folder / name).write_text(TEXT, "utf-8")
        assert read_file(folder / name).name == called


@given(st.binary(max_size=400))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    with contextlib.suppress(ModelFileError):
        parse(data)


@given(st.integers(0, len(TEXT)), st.binary(max_size=3))
def test_no_damage_to_a_good_file_raises_anything_else(
    tmp_path_factory: pytest.TempPathFactory, at: int, put: bytes
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "config.json"
    path.write_bytes(TEXT[:at].encode() + put + TEXT[at + len(put) :].encode())
    with contextlib.suppress(ModelFileError):
        read_file(path)


def test_a_mapping_is_read_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(TEXT, "utf-8")
    assert read_mapping(path) == LLAMA
