"""Scenario files: versioned JSON, read strictly, written whole or not at all."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.fields import InputError, shown
from core.files import write_whole
from core.scenario import Scenario, from_json, to_json

FORMAT = "memory-tax scenario"
VERSION = 1
SUFFIX = ".memtax"
LARGEST_FILE = 1_000_000


class DocumentError(ValueError):
    """A file that cannot be read or written: one sentence that names it and the reason."""


def dumps(scenario: Scenario) -> str:
    """The text of a scenario file: what was set, by field name."""
    return json.dumps({"format": FORMAT, "version": VERSION, "scenario": to_json(scenario)}, indent=2) + "\n"


def loads(text: str, name: str) -> Scenario:
    """The scenario in the text of a file; `name` is used in errors."""
    content = parse_json(text, name)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise DocumentError(f'{name}: is not a Memory Tax scenario (its "format" should be {FORMAT!r})')
    version = content.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DocumentError(f"{name}: its version is {shown(version)}, not a whole number from 1 on")
    if version > VERSION:
        raise DocumentError(
            f"{name}: was written by a newer Memory Tax (version {shown(version)}; this one reads {VERSION})"
        )
    unknown = sorted(set(content) - {"format", "version", "scenario"})
    if unknown:
        raise DocumentError(f"{name}: has the unknown key {shown(unknown[0])}")
    fields = content.get("scenario")
    if not isinstance(fields, dict):
        raise DocumentError(f'{name}: its "scenario" is not an object of fields')
    try:
        return from_json(fields)
    except InputError as problem:
        raise DocumentError(f"{name}: {problem.at(problem.field)}") from None


def parse_json(text: str, name: str) -> Any:
    """JSON, strictly: no duplicate keys, no NaN, no depth or digits without end. Raises DocumentError."""

    def once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise DocumentError(f"{name}: has the key {shown(key)} twice")
            found[key] = value
        return found

    def refuse(word: str) -> Any:
        raise DocumentError(f"{name}: holds {word}, which is no JSON number")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except json.JSONDecodeError as problem:
        raise DocumentError(
            f"{name}: is not JSON: {problem.msg.lower()} at line {problem.lineno}, column {problem.colno}"
        ) from None
    except RecursionError:
        raise DocumentError(f"{name}: is nested too deeply") from None
    except DocumentError:
        raise
    except ValueError:
        raise DocumentError(f"{name}: holds a number of too many digits") from None


def read_text(path: Path, largest: int = LARGEST_FILE) -> str:
    """The text of a regular file of at most `largest` bytes; never blocks on a pipe or a device.

    Raises DocumentError with the reason.
    """
    name = path.name or str(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            with path.open("rb") as file:
                raw = file.read(largest + 1)
    except OSError as problem:
        raise DocumentError(f"{name}: cannot be read: {_reason(problem)}") from None
    except ValueError:
        raise DocumentError(f"{shown(str(path))}: is no name of a file") from None
    if not stat.S_ISREG(mode):
        raise DocumentError(f"{name}: is {'a folder' if stat.S_ISDIR(mode) else 'not a regular file'}")
    if len(raw) > largest:
        raise DocumentError(f"{name}: is too large; at most {largest:,} B are read")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise DocumentError(f"{name}: is not UTF-8 text (byte {problem.start:,})") from None


def _reason(problem: OSError) -> str:
    return (problem.strerror or str(problem)).lower()


def load(path: Path) -> Scenario:
    """The scenario of a file. Raises DocumentError."""
    return loads(read_text(path), path.name)


def save(path: Path, scenario: Scenario) -> None:
    """Write a scenario file whole or not at all. Raises DocumentError."""
    try:
        write_whole(path, dumps(scenario).encode())
    except OSError as problem:
        raise DocumentError(str(problem)) from None
