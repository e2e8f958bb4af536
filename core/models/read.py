"""Reads a model's file safely: any path that a person drops becomes a mapping, or one sentence that says why not."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from typing import Any

from core.models.architecture import Architecture, ModelFileError
from core.models.config import read_config

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes. The largest configurations known list 20,000 labels twice and have 2 MB."""

MOST_VALUES = 400_000
DEEPEST = 100
LONGEST_NUMBER = 40

CONFIGURATIONS = ("config.json", "params.json")

_RECURRENT_LIMITS = frozenset({"time_step_limit", "mamba_dt_limit"})


def read_file(path: str | os.PathLike[str]) -> Architecture:
    """The architecture of the model that a file describes; of a checkpoint's folder, its configuration.

    Raises ModelFileError, one sentence that names the file, the place in it and the reason.
    """
    name = in_folder(os.fspath(path))
    mapping = read_mapping(name)
    try:
        return read_config(mapping, model_name(name))
    except ModelFileError as error:
        raise _named(name, error) from None


def in_folder(path: str) -> str:
    """The configuration file that a folder holds; the path itself where it is no folder or holds none."""
    for name in CONFIGURATIONS:
        try:
            if (Path(path) / name).is_file():
                return str(Path(path) / name)
        except OSError:
            return path
    return path


def model_name(path: str) -> str:
    """What to call the model of a file: the file's own name, or its folder's where the name says nothing."""
    place = Path(path)
    name = place.absolute().parent.name or place.stem if place.stem in ("config", "params") else place.stem
    return _printable(name)


def read_mapping(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object that a file holds, read within limits of size, depth and length of numbers.

    Raises ModelFileError, one sentence that names the file, the place in it and the reason.
    """
    name = os.fspath(path)
    try:
        return parse(_read(name))
    except ModelFileError as error:
        raise _named(name, error) from None


def parse(data: bytes) -> dict[str, Any]:
    """The JSON object in these bytes. Raises ModelFileError without a file's name."""
    _refuse_other_kinds(data)
    text = _decode(data)
    _refuse_shape(text)
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_int=_integer, parse_float=_real, parse_constant=_constant
        )
    except json.JSONDecodeError as error:
        raise ModelFileError(_syntax(text, error)) from None
    except RecursionError:
        raise ModelFileError(f"it is nested more than {DEEPEST} deep") from None
    if not isinstance(value, dict):
        kind = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}.get(type(value), "a number")
        raise ModelFileError(f"it holds {kind}, and a model's configuration is an object in braces")
    _refuse_values(value)
    return value


def _named(name: str, error: ModelFileError) -> ModelFileError:
    """The error with the file before it, printable on any terminal."""
    path = name if len(name) <= 200 else f"…{name[-199:]}"
    return ModelFileError(_printable(f"{path}: {error}"))


def _printable(text: str) -> str:
    """Text that any terminal shows and any file holds: names of files are bytes, and may be no text."""
    return "".join(char if char.isprintable() else "�" for char in text)


def _read(name: str) -> bytes:
    try:
        _refuse_unreadable(Path(name).stat())
        # Without waiting: what was a file a moment ago may be a pipe that nobody writes to.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(name, flags), "rb") as file:
            return file.read(LARGEST_FILE + 1)
    except ModelFileError:
        raise
    except FileNotFoundError:
        raise ModelFileError("there is no such file") from None
    except PermissionError:
        raise ModelFileError("it may not be read: permission is missing") from None
    except OSError as error:
        raise ModelFileError(f"it cannot be read: {(error.strerror or 'the system refuses it').lower()}") from None
    except ValueError:
        raise ModelFileError("its name holds a character that no file's name can have") from None


def _refuse_unreadable(status: os.stat_result) -> None:
    mode = status.st_mode
    if stat.S_ISDIR(mode):
        raise ModelFileError("it is a folder without a config.json or params.json")
    if not stat.S_ISREG(mode):
        raise ModelFileError("it is no regular file but a device, a pipe or a socket")
    if status.st_size > LARGEST_FILE:
        raise ModelFileError(
            f"it has {status.st_size:,} bytes, and a model's configuration at most {LARGEST_FILE:,}; "
            "weights and tokenizers are not read"
        )


_MAGIC = (
    (b"PK\x03\x04", "it is a ZIP archive or a PyTorch checkpoint"),
    (b"GGUF", "it is a GGUF file of weights"),
    (b"\x80\x02", "it is a Python pickle"),
    (b"\x80\x04", "it is a Python pickle"),
    (b"\x1f\x8b", "it is compressed with gzip"),
    (b"%PDF", "it is a PDF document"),
    (b"\x89PNG", "it is a picture"),
    (b"\xff\xd8\xff", "it is a picture"),
    (b"\x89HDF", "it is an HDF5 file of weights"),
)
_THE_FILE = "; the file to choose is the model's config.json"


def _refuse_other_kinds(data: bytes) -> None:
    """Files of known other kinds, each with what to do about it."""
    if len(data) > LARGEST_FILE:
        raise ModelFileError(f"it has more than {LARGEST_FILE:,} bytes, the most that a model's configuration may have")
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            raise ModelFileError(kind + _THE_FILE)
    if data[8:9] == b"{" and data[:8].count(0) >= 2 and not data.startswith(b"\x00{"):
        raise ModelFileError("it is a safetensors file of weights" + _THE_FILE)
    start = data[:2000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"version https://git-lfs"):
        size = re.search(rb"size (\d{1,20})", data[:2000])
        stored = f" of {int(size[1]):,} bytes" if size else ""
        raise ModelFileError(
            f"it is a Git LFS pointer; the file{stored} that it stands for was not fetched (git lfs pull)"
        )
    if start.startswith(b"<"):
        low = start[:500].lower()
        if b"<!doctype html" in low or b"<html" in low:
            raise ModelFileError("it is a web page (HTML) and no JSON: the download was answered with a page")
        code = re.search(rb"<code>([\x20-\x7e]{1,60}?)</code>", low)
        said = f" ({code[1].decode('ascii')})" if code else ""
        raise ModelFileError(f"it is XML and no JSON{said}: the download was answered with a message")
    if not data.strip(b" \t\r\n\xef\xbb\xbf"):
        raise ModelFileError("it is empty" if not data else "it holds only white space")


def _decode(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or data[:1] == b"\x00" or data[1:2] == b"\x00":
        if not data.strip(b"\x00"):
            raise ModelFileError(f"it consists of {len(data):,} zero bytes: a download or a copy that was not finished")
        if data[:4].strip(b"\x00\xff\xfe") in (b"{", b"[", b"") or b"\x00" in data[:4]:
            raise ModelFileError("it is in UTF-16 or UTF-32, and JSON is UTF-8: save it again as UTF-8")
    if b"\x00" in data:
        raise ModelFileError(f"byte {data.index(0) + 1:,} is zero, so it is no text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ModelFileError(f"line {line:,}, byte {error.start + 1:,}: not UTF-8, so it is no JSON text") from None


_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")


def _refuse_shape(text: str) -> None:
    """Depth and number of values, before anything is built."""
    values = text.count(",") + text.count("[") + text.count("{")
    if values > MOST_VALUES:
        raise ModelFileError(
            f"it holds more than {MOST_VALUES:,} values, and a model's configuration has a few hundred"
        )
    if _depth(text) > DEEPEST and _depth(_STRINGS.sub('""', text)) > DEEPEST:
        raise ModelFileError(f"it is nested more than {DEEPEST} deep, and a model's configuration is a few deep")


def _depth(text: str) -> int:
    """The deepest nesting of brackets, those inside texts included."""
    depth = deepest = 0
    for match in _BRACKETS.finditer(text):
        if match[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        seen: dict[str, Any] = {}
        for key, value in pairs:
            if key in seen and seen[key] != value:
                raise ModelFileError(f"the key {key[:60]} stands twice, with different values")
            seen[key] = value
    return values


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ModelFileError(f"a number has {len(digits.lstrip('-')):,} digits, and at most {LONGEST_NUMBER} are read")
    return int(digits)


def _real(digits: str) -> float:
    if len(digits) > 400:
        raise ModelFileError(f"a number is written with {len(digits):,} characters, and at most 400 are read")
    return float(digits)


class _NotANumber(float):
    """NaN or a negative infinity, which no configuration means; kept until its key is known."""


def _constant(word: str) -> float:
    return float("inf") if word == "Infinity" else _NotANumber(word.replace("Infinity", "inf"))


def _refuse_values(value: Any, place: str = "it", encoded: bool = False) -> None:
    """NaN and half characters anywhere, and encoded numbers where only a recurrent model's limit may be one."""
    if isinstance(value, _NotANumber):
        word = "NaN, not a number" if value != value else "-Infinity"
        raise ModelFileError(f"{place} is {word}, so the file is damaged")
    if isinstance(value, str) and not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
        raise ModelFileError(f"{place} holds half a character (a lone surrogate), which no file can be written with")
    if isinstance(value, list):
        for item in value:
            _refuse_values(item, place, encoded)
    elif isinstance(value, dict):
        if "__float__" in value and not encoded:
            raise ModelFileError(f'{place} holds an encoded number ({{"__float__": …}}) where a plain one belongs')
        recurrent = any("mamba" in key or "state_size" in key for key in value)
        for key, item in value.items():
            _refuse_values(item, key[:60], encoded or (recurrent and key in _RECURRENT_LIMITS))


_PLAIN = (
    ("Expecting value", "a value is missing"),
    ("Expecting ',' delimiter", "a comma or a closing bracket is missing"),
    ("Expecting ':' delimiter", "a colon is missing"),
    ("Expecting property name", "a key in double quotes is missing"),
    ("Invalid \\escape", "a backslash before a letter that it does not go with"),
    ("Invalid \\uXXXX", "\\u without four hexadecimal digits"),
)
"""What the parser says, in plain words."""


def _syntax(text: str, error: json.JSONDecodeError) -> str:
    """What is wrong with the text at the place where reading stopped."""
    where = f"line {error.lineno:,}, column {error.colno:,}"
    rest = text[error.pos : error.pos + 40].lstrip()
    if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
        last = text.count("\n") + 1
        return f"it ends at line {last:,}, in the middle of its text: the download or copy was cut short"
    if error.msg.startswith("Invalid control character"):
        return f"{where}: a line break or control character inside a text"
    if rest.startswith(("//", "/*", "#")):
        return f"{where}: a comment, and JSON has none"
    if rest.startswith("'"):
        return f"{where}: text in single quotes, and JSON has double ones"
    if error.msg.startswith("Extra data"):
        return f"{where}: more text after the end of the object"
    if rest.startswith("_"):
        return f"{where}: digits parted by an underscore, and JSON parts none"
    word = re.match(r"[A-Za-z_]\w*", rest)
    if word:
        return f"{where}: {word[0]} without quotes, and JSON knows no such word"
    if error.msg.startswith("Illegal trailing comma") or rest[:1] in ("}", "]"):
        return f"{where}: a comma before the closing bracket"
    plain = next((words for start, words in _PLAIN if error.msg.startswith(start)), error.msg.lower())
    return f"{where}: no valid JSON, {plain}"
