"""The words of the command line that need no window.

Whatever a person got wrong is one line on standard error and exit status 2; nothing is written then.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TextIO

from core import document, report
from core.account import account
from core.catalogues import print_cards, print_counts, print_models
from core.choice_kinds import Choice
from core.fields import Field, InputError, shown
from core.request import WRONG, Parser, Refused, account_of, add_fields, scenario_of
from core.scenario import FIELDS, field, from_json

LARGEST_BATCH = 1_000_000_000
LONGEST_MESSAGE = 300
MOST_LISTED = 30  # names in a list of choices; longer ones are catalogues, with words of their own


def _report(options: argparse.Namespace, out: TextIO) -> int:
    if options.batch is not None:
        given = [name for name, value in vars(options).items() if name.startswith("field_") and value is not None]
        if given or options.file is not None or options.format not in {None, "json"}:
            raise Refused("--batch: takes no FILE, fields or other format beside it; each line holds its own fields")
        return _batch(options.batch, out)
    print(report.FORMATS[options.format or "text"](account_of(scenario_of(options))), file=out)
    return 0


def _batch(name: str, out: TextIO) -> int:
    """Answer each line in its place. A blank one has no answer, so an error says which line it is about."""
    status = 0
    for place, line in enumerate(_lines(name), 1):
        if not line.strip():
            continue
        try:
            print(report.as_json_line(account(from_json(_values(line)))), file=out)
        except (InputError, document.DocumentError, Refused) as problem:
            sentence = str(problem.at(problem.field)) if isinstance(problem, InputError) else str(problem)
            said = one_line(f"line {place}: {sentence}")
            print(json.dumps({"error": said}, ensure_ascii=False), file=out)
            status = WRONG
    return status


def _values(line: str) -> dict[str, object]:
    """The fields of one line of a batch. Raises Refused."""
    try:
        values = document.parse_json(line, "")
    except document.DocumentError as problem:
        # The line is named by its place in the batch; inside it there is only one.
        raise Refused(str(problem).removeprefix(": ").replace(" at line 1, column ", " at column ")) from None
    if not isinstance(values, dict):
        raise Refused(f"{shown(values)} is not an object of fields")
    for name, value in values.items():
        if isinstance(value, float) and math.isinf(value):
            written = json.loads(line, parse_float=str)[name]
            known = field(name)
            accepted = f"; write {known.kind.accepts}" if known.kind.accepts else ""
            raise Refused(f"{known.name}: {written[:48]} is beyond any number that is read{accepted}")
    return values


def _lines(name: str) -> Iterable[str]:
    if not name:
        raise Refused("--batch: '' is empty; write the name of a file, or - for standard input")
    # A byte that is no UTF-8 spoils its own line, not the whole run.
    if name == "-":
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape")
        return _standard_input()
    try:
        return document.read_text(Path(name), LARGEST_BATCH, "surrogateescape").split("\n")
    except document.DocumentError as problem:
        raise Refused(str(problem)) from None


def _standard_input() -> Iterable[str]:
    try:
        yield from sys.stdin or ()
    except OSError as problem:
        raise Refused(f"standard input: cannot be read: {problem.strerror}") from None


def _fields(options: argparse.Namespace, out: TextIO) -> int:
    rows = [
        {
            "name": known.name,
            "label": known.label,
            "unit": known.unit,
            "default": known.kind.give(known.default) if known.default is not None else known.automatic,
            "minimum": report.number(known.minimum),
            "maximum": report.number(known.maximum),
            "accepts": known.kind.accepts,
            "choices": _choices(known),
            "meaning": known.help,
        }
        for known in FIELDS.values()
    ]
    if options.format == "json":
        print(json.dumps(rows, indent=2, ensure_ascii=False), file=out)
        return 0
    for known in FIELDS.values():
        default = known.automatic if known.default is None else known.kind.text(known.default)
        span = ""
        if known.minimum is not None and known.maximum is not None:
            span = f", from {known.kind.text(known.minimum)} to {known.kind.text(known.maximum)}"
        names = _choices(known) or []
        spelt_out = not names or len(names) > MOST_LISTED or names[0] in known.kind.accepts
        listed = "" if spelt_out else f": {', '.join(names)}"
        print(f"{known.flag}\n    {known.help} Default: {default}{span}. Write {known.kind.accepts}{listed}.", file=out)
    return 0


def _evidence(options: argparse.Namespace, out: TextIO) -> int:
    from core.evidence.gather import FORMATS, evidence

    print(FORMATS[options.format](evidence()), file=out)
    return 0


def _choices(known: Field) -> list[str] | None:
    """The names that a field takes; None where it takes anything else."""
    return [option.name for option in known.kind.options()] if isinstance(known.kind, Choice) else None


def _parsers() -> dict[str, tuple[Parser, Callable[[argparse.Namespace, TextIO], int]]]:
    made: dict[str, tuple[Parser, Callable[[argparse.Namespace, TextIO], int]]] = {}

    def add(word: str, about: str, run: Callable[[argparse.Namespace, TextIO], int], formats: Iterable[str]) -> Parser:
        parser = Parser(word, about)
        parser.add_argument("--format", choices=list(formats), default="text", help="how it is printed")
        made[word] = (parser, run)
        return parser

    parser = add("report", "Print the account of one scenario.", _report, report.FORMATS)
    parser.set_defaults(format=None)  # so that --batch can tell whether one was given
    parser.add_argument("file", nargs="?", metavar="FILE", help="a scenario file")
    parser.add_argument("--batch", metavar="FILE", help="one JSON object of fields a line, - for standard input")
    add_fields(parser)
    add("fields", "List every field: default, range, meaning.", _fields, ("text", "json"))
    add("cards", "List the catalogue of cards, with sources.", print_cards, ("text", "json"))
    add("models", "List the catalogue of models, with sources.", print_models, ("text", "json"))
    parser = add("count", "Count the parameters of models' configuration files.", print_counts, ("text", "json"))
    parser.add_argument("configs", nargs="+", metavar="CONFIG", help="a config.json or params.json")
    about = "Show what is predicted against what was measured, by family and setting."
    add("evidence", about, _evidence, ("text", "json", "markdown"))
    return made


WORDS = ("report", "fields", "cards", "models", "count", "learn", "evidence")


def run(word: str, arguments: Sequence[str], out: TextIO) -> int:
    """Run one word of the command line and return its exit status. Raises Refused."""
    if word == "learn":
        from core.learn import command

        return command.run(arguments, out)
    parser, act = _parsers()[word]
    return act(parser.take(arguments), out)


def one_line(message: object) -> str:
    """A message as one line that a terminal shows as it is: line ends and control characters are spelt out.

    What was given may be of any length: of a long message the beginning and the end stay.
    """
    text = "".join(mark if mark.isprintable() else repr(mark)[1:-1] for mark in str(message))
    return text if len(text) <= LONGEST_MESSAGE else f"{text[: LONGEST_MESSAGE - 100]} … {text[-97:]}"
