"""`learn`: the figures of a Learn page for the shell, and the list of pages."""

from __future__ import annotations

import argparse
import difflib
import re
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
_LABORATORY = "copy"  # the page that the laboratory is on
_DIGITS = 9  # of a step; no page has one beyond them


def _parser() -> Parser:
    parser = Parser("learn", "Print the figures of a Learn page.")
    parser.add_argument(
        "page", nargs="?", metavar="PAGE", help=f"one of {', '.join(PAGES)}; without it they are listed"
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="a scenario file")
    parser.add_argument("--format", choices=["text", "json"], default="text", help="how it is printed")
    parser.add_argument("--units", choices=["decimal", "binary"], help="GB or GiB, decimal by default")
    parser.add_argument("--step", metavar="N", help="a page's step, from 1; a page alone shows all of itself")
    group = parser.add_argument_group(f"the laboratory of the page `{_LABORATORY}`")
    for field in SETUP_FIELDS.values():
        group.add_argument(_flag(field.name), dest=_PREFIX + field.name, metavar="VALUE", help=field.help)
    add_fields(parser)
    return parser


def _flag(name: str) -> str:
    return f"--lab-{name.replace('_', '-')}"


def run(arguments: Sequence[str], out: TextIO) -> int:
    """Print a page, or the list of pages, and return the exit status. Raises Refused."""
    parser = _parser()
    options = parser.take(arguments)
    if options.page is None:
        unread = next((flag for flag in parser.given if flag != "--format"), None)
        if unread is not None:
            raise Refused(f"{unread}: needs a page before it; there are: {', '.join(PAGES)}")
        _list(options, out)
        return 0
    if options.page not in PAGES:
        near = difflib.get_close_matches(options.page, PAGES, 3, 0.4)
        raise Refused(
            f"{shown(options.page)}: no page has this name; {'near it' if near else 'there are'}: "
            f"{', '.join(near or PAGES)}"
        )
    laboratory = next((flag for flag in parser.given if flag.startswith(_flag(""))), None)
    if laboratory is not None and options.page != _LABORATORY:
        raise Refused(f"{laboratory}: is read by the page `{_LABORATORY}` alone, not by `{options.page}`")
    account = account_of(scenario_of(options))
    system: System = options.units or "decimal"
    if options.page == "questions":
        if options.step is not None:
            raise Refused(_no_step(options, 1))
        every = questions(account, system)
        as_json = options.format == "json"
        print(
            printing.dumps(printing.questions_as_json(every)) if as_json else printing.questions_as_text(every),
            file=out,
        )
        return 0
    state = _state(options)
    view = describe(options.page, account, system, state)
    if state.step is not None and (view.steps == 1 or state.step >= view.steps):
        raise Refused(_no_step(options, view.steps))
    print(printing.dumps(printing.to_json(view)) if options.format == "json" else printing.as_text(view), file=out)
    return 0


def _no_step(options: argparse.Namespace, steps: int) -> str:
    """What is wrong with a step that a page of so many steps does not have."""
    if steps == 1:
        return f"--step: the page `{options.page}` has no steps, and {shown(options.step)} is given; leave it out"
    return f"--step: {shown(options.step)} is no step of `{options.page}`; write a whole number from 1 to {steps}"


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
    return State(step=_step(options.step), setup=setup)


def _step(text: str | None) -> int | None:
    """The step of a person's text, from 0. Raises Refused."""
    if text is None:
        return None
    if re.fullmatch("0*[1-9][0-9]*", text) is None:
        raise Refused(f"--step: {shown(text)} is not a step; write a whole number, 1 for the first step")
    return int(text) - 1 if len(text) <= _DIGITS else 10**_DIGITS
