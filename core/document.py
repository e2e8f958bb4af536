"""Scenario files: versioned JSON, read strictly, written whole or not at all."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.account import account
from core.fields import InputError, shown
from core.files import write_whole
from core.scenario import Scenario, from_json, to_json
from core.workbook import MOST_SCENARIOS, Named, Workbook, numbered, single, tidy

FORMAT = "memory-tax scenario"
VERSION = 2
SUFFIX = ".memtax"
# Fifty scenarios, each with the whole architecture of a file: those of 90 kB are known, and larger ones may come.
LARGEST_FILE = 32_000_000


class DocumentError(ValueError):
    """A file that cannot be read or written: one sentence that names it and the reason."""


def dumps(scenario: Scenario) -> str:
    """The text of a file of one scenario: what was set, by field name."""
    return dumps_book(single(scenario))


def dumps_book(book: Workbook) -> str:
    """The text of a document. One scenario without a name or baseline of its own is written as version 1."""
    if book == single(book.scenario):
        content: dict[str, object] = {"format": FORMAT, "version": 1, "scenario": to_json(book.scenario)}
    else:
        content = {
            "format": FORMAT,
            "version": VERSION,
            "scenarios": [_named_to_json(named) for named in book.scenarios],
            "current": book.current,
            "baseline": None if book.baseline is None else _named_to_json(book.baseline),
        }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _named_to_json(named: Named) -> dict[str, object]:
    return {"name": named.name, "scenario": to_json(named.scenario)}


def loads(text: str, name: str) -> Scenario:
    """The current scenario in the text of a file; `name` is used in errors."""
    return loads_book(text, name).scenario


def loads_book(text: str, name: str) -> Workbook:
    """The document in the text of a file; `name` is used in errors. Raises DocumentError."""
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
    if version == 1:
        _only(content, {"format", "version", "scenario"}, name)
        return single(_scenario(content.get("scenario"), name, '"scenario"'))
    _only(content, {"format", "version", "scenarios", "current", "baseline"}, name)
    rows = content.get("scenarios")
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_SCENARIOS:
        raise DocumentError(f'{name}: its "scenarios" is not a list of 1 to {MOST_SCENARIOS} scenarios')
    scenarios: list[Named] = []
    for place, row in enumerate(rows, 1):
        read = _named(row, name, f"scenario {place}")
        scenarios.append(Named(numbered(read.name, {other.name for other in scenarios}), read.scenario))
    current = content.get("current", 0)
    if not isinstance(current, int) or isinstance(current, bool) or not 0 <= current < len(scenarios):
        raise DocumentError(f'{name}: its "current" is {shown(current)}, not a place from 0 to {len(scenarios) - 1}')
    pinned = content.get("baseline")
    return Workbook(tuple(scenarios), current, None if pinned is None else _named(pinned, name, '"baseline"'))


def _only(content: dict[str, Any], known: set[str], name: str) -> None:
    unknown = sorted(set(content) - known)
    if unknown:
        raise DocumentError(f"{name}: has the unknown key {shown(unknown[0])}")


def _named(row: Any, name: str, place: str) -> Named:
    if not isinstance(row, dict) or set(row) != {"name", "scenario"} or not isinstance(row["name"], str):
        raise DocumentError(f'{name}: {place} is not an object of a "name" and a "scenario"')
    return Named(tidy(row["name"]), _scenario(row["scenario"], name, f"the scenario of {place}"))


def _scenario(fields: Any, name: str, place: str) -> Scenario:
    if not isinstance(fields, dict):
        raise DocumentError(f"{name}: its {place} is not an object of fields")
    try:
        scenario = from_json(fields)
        account(scenario)  # what cannot be accounted for is refused here, not when someone turns to it
        return scenario
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


def read_text(path: Path, largest: int = LARGEST_FILE, errors: str = "strict") -> str:
    """The text of a regular file of at most `largest` bytes; never blocks on a pipe or a device.

    `errors` is how bytes that are no UTF-8 are met, as `bytes.decode` has it. Raises DocumentError with the reason.
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
        return raw.decode("utf-8-sig", errors)
    except UnicodeDecodeError as problem:
        raise DocumentError(f"{name}: is not UTF-8 text (byte {problem.start:,})") from None


def _reason(problem: OSError) -> str:
    return (problem.strerror or str(problem)).lower()


def load(path: Path) -> Scenario:
    """The current scenario of a file. Raises DocumentError."""
    return load_book(path).scenario


def load_book(path: Path) -> Workbook:
    """The document of a file. Raises DocumentError."""
    return loads_book(read_text(path), path.name)


def save(path: Path, book: Workbook | Scenario) -> None:
    """Write a document, or one scenario, whole or not at all. Raises DocumentError."""
    content = dumps_book(single(book) if isinstance(book, Scenario) else book).encode()
    if len(content) > LARGEST_FILE:
        raise DocumentError(
            f"{path.name}: would be of {len(content):,} B, and at most {LARGEST_FILE:,} B are read; remove scenarios"
        )
    try:
        write_whole(path, content)
    except OSError as problem:
        raise DocumentError(str(problem)) from None
