"""A request from the shell: its words, the scenario it asks about, and how it is refused."""

from __future__ import annotations

import argparse
import difflib
import errno
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

from core import document
from core.account import Account, account
from core.fields import InputError, shown
from core.opening import open_any
from core.scenario import FIELDS, Scenario, field, from_texts
from core.workbook import Workbook

WRONG = 2
"""Exit status of a request that was wrong."""


class Refused(ValueError):
    """A request that is wrong: the sentence for standard error."""


class Parser(argparse.ArgumentParser):
    """A parser whose every error is one line in this program's words, without usage and without a traceback."""

    def __init__(self, word: str, about: str) -> None:
        name = f"memory-tax {word}"
        super().__init__(prog=name, description=about, allow_abbrev=False, exit_on_error=False)
        self.word = word
        self.given: dict[str, str] = {}
        """The text after each flag that was read so far."""
        self.register("action", None, _Once)

    def error(self, message: str) -> NoReturn:
        """What is not said in words of its own is still one line."""
        raise Refused(message)

    def take(self, arguments: Iterable[str]) -> argparse.Namespace:
        """The options in the arguments. Raises Refused."""
        self.given = {}
        try:
            options, left = self.parse_known_args(list(arguments))
        except argparse.ArgumentError as problem:
            # All else is refused below, in words.
            raise Refused(f"{str(problem.argument_name).rpartition('/')[2]}: takes no value") from None
        self._place(options, left)
        for action in self._places():
            if action.nargs != "?" and not getattr(options, action.dest):
                raise Refused(f"{self.word}: {action.metavar} is missing; `{self.word} --help` says what it is")
        return options

    def _places(self) -> list[argparse.Action]:
        """What is told by its place among the words: OUT, FILE."""
        return [action for action in self._actions if not action.option_strings]

    def _place(self, options: argparse.Namespace, left: list[str]) -> None:
        """Give the words that argparse left over to the places it took for empty: it ends them at the first flag."""
        for word in left:
            if word.startswith("-") and word != "-":
                raise Refused(self._no_flag(word))
        for word in left:
            for action in self._places():
                if action.nargs == "?" and getattr(options, action.dest) is None:
                    action(self, options, word)
                    break
                if action.nargs == "+":
                    action(self, options, [*(getattr(options, action.dest) or []), word])
                    break
            else:
                hint = "; fields are written --field VALUE" if "--params" in self._option_string_actions else ""
                raise Refused(f"{shown(word)}: is one word too many for `{self.word}`{hint}")

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action:
        """As argparse has it. What must be there is asked for by `take`, in words."""
        action = super().add_argument(*names, **settings)
        if not action.option_strings:
            action.required = False
        return action

    def print_help(self, file: IO[str] | None = None) -> None:  # type: ignore[override]
        """Print the help; unlike argparse's own this raises OSError where it cannot be written."""
        target = file or sys.stdout
        if target is None:  # standard output was closed before the program began
            raise OSError(errno.EBADF, "it is closed")
        target.write(self.format_help())
        target.flush()

    def _match_argument(self, action: argparse.Action, pattern: str) -> int:
        try:
            return super()._match_argument(action, pattern)
        except argparse.ArgumentError:
            flag = action.option_strings[-1]
            if action.choices is not None:
                raise Refused(f"{flag}: has no value; write one of {', '.join(map(str, action.choices))}") from None
            value = f"{flag} {action.metavar or action.dest.upper()}"
            hint = f"{value}, or {value.replace(' ', '=')} where it begins with -"
            raise Refused(f"{flag}: has no value; write {hint}") from None

    def _get_values(self, action: argparse.Action, texts: list[str]) -> Any:
        if action.option_strings and texts == ["--"]:  # `--params=--`: argparse takes it for the end of the flags
            self._check_value(action, "--")
            return "--"
        return super()._get_values(action, texts)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        names = [str(choice) for choice in action.choices]
        near = difflib.get_close_matches(str(value)[:100], names, 3, 0.5)
        known = f"near it: {', '.join(near)}" if near else f"known: {', '.join(names)}"
        raise Refused(f"{'/'.join(action.option_strings)}: {shown(value)} is not known; {known}")

    def _no_flag(self, argument: str) -> str:
        """What is wrong with a flag that is none: `--parms`."""
        flag = argument.partition("=")[0]
        flags = [known for known in self._option_string_actions if known.startswith("--")]
        near = difflib.get_close_matches(flag[:100], flags, 3, 0.5)
        hint = f"near it: {', '.join(near)}" if near else f"`{self.word} --help` lists the flags"
        return f"{shown(flag)[1:-1]}: no flag has this name; {hint}"


class _Once(argparse.Action):
    """Keeps the value of a flag that may stand once, or the words of a place that are not empty."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if option_string is None and (values == "" or (isinstance(values, list) and "" in values)):
            raise Refused(f"{self.metavar}: {shown('')} is empty; write a name")
        if option_string is not None:
            assert isinstance(parser, Parser)
            before = parser.given.get(option_string)
            if before is not None:
                raise Refused(f"{option_string}: is given twice, as {before} and as {shown(values)}; write it once")
            parser.given[option_string] = shown(values)
        setattr(namespace, self.dest, values)


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
