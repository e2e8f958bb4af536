"""`learn`: the figures of a Learn page for the shell, and the list of pages."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from typing import TextIO

from core.fields import InputError, shown
from core.learn import printing
from core.learn.pages import PAGES, describe
from core.learn.questions import questions
from core.learn.setup import SETUP_FIELDS, read_setup
from core.learn.state import State
from core.quantities import System
from core.request import Parser, Refused, account_of, add_fields, scenario_of

_PREFIX = "lab_"


def _parser() -> Parser:
    parser = Parser("learn", "Print the figures of a Learn page.")
    parser.add_argument(
        "page", nargs="?", metavar="PAGE", help=f"one of {', '.join(PAGES)}; without it they are listed"
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="a scenario file")
    parser.add_argument("--format", choices=["text", "json"], default="text", help="how it is printed")
    parser.add_argument("--units", choices=["decimal", "binary"], default="decimal", help="GB or GiB")
    parser.add_argument("--step", metavar="N", help="a page's step, from 1; a page alone shows all of itself")
    group = parser.add_argument_group("the laboratory of the page `copy`")
    for field in SETUP_FIELDS.values():
        group.add_argument(_flag(field.name), dest=_PREFIX + field.name, metavar="VALUE", help=field.help)
    add_fields(parser)
    return parser


def _flag(name: str) -> str:
    return f"--lab-{name.replace('_', '-')}"


def run(arguments: Sequence[str], out: TextIO) -> int:
    """Print a page, or the list of pages, and return the exit status. Raises Refused."""
    options = _parser().take(arguments)
    if options.page is None:
        _list(options, out)
        return 0
    if options.page not in PAGES:
        near = difflib.get_close_matches(options.page, PAGES, 3, 0.4)
        raise Refused(
            f"{shown(options.page)}: no page has this name; {'near it' if near else 'there are'}: "
            f"{', '.join(near or PAGES)}"
        )
    account = account_of(scenario_of(options))
    system: System = options.units
    if options.page == "questions":
        every = questions(account, system)
        as_json = options.format == "json"
        print(
            printing.dumps(printing.questions_as_json(every)) if as_json else printing.questions_as_text(every),
            file=out,
        )
        return 0
    view = describe(options.page, account, system, _state(options))
    print(printing.dumps(printing.to_json(view)) if options.format == "json" else printing.as_text(view), file=out)
    return 0


def _list(options: argparse.Namespace, out: TextIO) -> None:
    if options.format == "json":
        print(printing.dumps([{"page": kind.name, "title": kind.title} for kind in PAGES.values()]), file=out)
        return
    width = max(map(len, PAGES))
    for kind in PAGES.values():
        print(f"{kind.name:<{width}}  {kind.title}", file=out)


def _state(options: argparse.Namespace) -> State:
    texts = {
        name.removeprefix(_PREFIX): value
        for name, value in vars(options).items()
        if name.startswith(_PREFIX) and value is not None
    }
    try:
        setup = read_setup(texts)
    except InputError as problem:
        raise Refused(str(problem.at(_flag(problem.field)))) from None
    if options.step is not None and not (options.step.isdecimal() and int(options.step[:9]) > 0):
        raise Refused(f"--step: {shown(options.step)} is not a step; write a whole number, 1 for the first step")
    return State(step=None if options.step is None else int(options.step[:9]) - 1, setup=setup)
