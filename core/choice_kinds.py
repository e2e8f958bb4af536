"""Kinds of field that choose: on or off, and one name of a table."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import msgspec

from core.kinds import Kind
from core.numbers import Number, Unreadable

_TRUE, _FALSE = {"on", "true", "yes", "1"}, {"off", "false", "no", "0"}


class Flag(Kind, frozen=True):
    """On or off."""

    def read(self, text: str) -> bool:
        word = text.strip().lower()
        if word in _TRUE or word in _FALSE:
            return word in _TRUE
        raise Unreadable("is neither on nor off")

    def take(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.read(value)
        raise Unreadable("is neither true nor false")

    def text(self, value: bool) -> str:
        return "on" if value else "off"

    def step(self, value: bool, steps: int) -> bool:
        return steps > 0


class Option(msgspec.Struct, frozen=True):
    """One choice: the name others rely on, the label a person reads, and a line about it."""

    name: str
    label: str
    hint: str = ""


class Choice(Kind, frozen=True):
    """One name of a table. The table is asked when needed, so that a catalogue is read only then."""

    options: Callable[[], tuple[Option, ...]] = tuple
    whole: bool = False  # the names are whole numbers

    def read(self, text: str) -> Any:
        wanted = text.strip().casefold()
        options = self.options()
        for option in options:
            if wanted in {option.name.casefold(), option.label.casefold()}:
                return int(option.name) if self.whole else option.name
        names = [option.name for option in options]
        near = difflib.get_close_matches(wanted, [name.casefold() for name in names], 3, 0.5)
        close = [name for name in names if name.casefold() in near]
        raise Unreadable(f"is not known; {'near it: ' + ', '.join(close) if close else 'known: ' + _listed(names)}")

    def take(self, value: object) -> Any:
        if self.whole:
            return super().take(value)
        if not isinstance(value, str):
            raise Unreadable("is not text")
        return self.read(value)

    def settle(self, value: Number) -> Any:
        return self.read(str(value))

    def text(self, value: Any) -> str:
        return str(value)

    def label(self, value: Any) -> str:
        if self.whole:  # a number is its own label
            return self.text(value)
        return next((option.label for option in self.options() if option.name == str(value)), str(value))

    def echo(self, value: Any) -> str:
        return next((option.hint for option in self.options() if option.name == str(value)), "")

    def step(self, value: Any, steps: int) -> Any:
        names = [option.name for option in self.options()]
        place = max(0, min(len(names) - 1, names.index(str(value)) + steps))
        return int(names[place]) if self.whole else names[place]


class Named(Choice, frozen=True):
    """A name of a catalogue that knows aliases: `resolve` gives the catalogue's own name, or raises ValueError."""

    resolve: Callable[[str], str] = str

    def read(self, text: str) -> str:
        try:
            return self.resolve(text)
        except ValueError as problem:
            raise Unreadable(str(problem), complete=True) from None

    def label(self, value: Any) -> str:
        return self.text(value)

    def echo(self, value: str) -> str:
        return value


def _listed(names: list[str]) -> str:
    return ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
