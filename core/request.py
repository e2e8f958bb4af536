"""A request from the shell: its words, the scenario it asks about, and how it is refused."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

from core import document
from core.account import Account, account
from core.fields import InputError
from core.opening import open_any
from core.scenario import FIELDS, Scenario, field, from_texts
from core.workbook import Workbook

WRONG = 2
"""Exit status of a request that was wrong."""


class Refused(ValueError):
    """A request that is wrong: the sentence for standard error."""


class Parser(argparse.ArgumentParser):
    """A parser whose every error is one line, without usage and without a traceback."""

    def error(self, message: str) -> NoReturn:
        raise Refused(message)


def add_fields(parser: argparse.ArgumentParser) -> None:
    """One flag for each field of the scenario."""
    group = parser.add_argument_group("fields of the scenario")
    for known in FIELDS.values():
        group.add_argument(known.flag, dest=f"field_{known.name}", metavar="VALUE", help=known.help.replace("%", "%%"))


def scenario_of(options: argparse.Namespace) -> Scenario:
    """The scenario of the file, if one is named, with the flags applied. Raises Refused."""
    try:
        start = Scenario() if options.file is None else _scenario_in(Path(options.file))
        texts = {
            name.removeprefix("field_"): text
            for name, text in vars(options).items()
            if name.startswith("field_") and text is not None
        }
        return from_texts(texts, start)
    except InputError as problem:
        raise Refused(str(problem.at(field(problem.field).flag))) from None
    except document.DocumentError as problem:
        raise Refused(str(problem)) from None


def _scenario_in(path: Path) -> Scenario:
    found = open_any(path)
    return found.scenario if isinstance(found, Workbook) else Scenario(model=found)


def account_of(scenario: Scenario) -> Account:
    """The account of a scenario; Refused where the scenario cannot be accounted for."""
    try:
        return account(scenario)
    except InputError as problem:
        raise Refused(str(problem.at(field(problem.field).flag))) from None
