"""Kinds of number a field can hold: how each is read, written, echoed and stepped.

Every kind is one way through between a person's text and an exact value. `read` takes what is typed, `take` what
stands in JSON, `text` writes the shortest text that reads back as the same value, and `echo` spells the value out.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from core.numbers import (
    MOST_PLACES,
    TOO_FINE,
    Number,
    Unreadable,
    narrow,
    nearest,
    places,
    plain,
    significant,
    split_number,
)
from core.quantities import both_text, in_unit, shortest_bytes, unit_of

_COUNT_SUFFIXES = {
    "": 1, "k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "million": 10**6, "g": 10**9, "b": 10**9,
    "bn": 10**9, "billion": 10**9, "t": 10**12, "tn": 10**12, "trillion": 10**12, "p": 10**15, "quadrillion": 10**15,
    "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40,
}  # fmt: skip
_COUNT_WRITTEN = (("T", 10**12), ("B", 10**9), ("M", 10**6), ("k", 10**3))
_RATE_SUFFIXES = {"": 1, "m": 10**6, "g": 10**9, "t": 10**12, "p": 10**15, "e": 10**18}
_DAY_UNITS = {
    "": Fraction(1), "d": Fraction(1), "day": Fraction(1), "days": Fraction(1), "h": Fraction(1, 24),
    "hour": Fraction(1, 24), "hours": Fraction(1, 24), "w": Fraction(7), "week": Fraction(7), "weeks": Fraction(7),
}  # fmt: skip
_CURRENCIES = "$€£¥₹"
_CURRENCY_CODES = {
    "aud", "brl", "cad", "chf", "cny", "czk", "dkk", "eur", "gbp", "hkd", "huf", "ils", "inr", "jpy", "krw", "mxn",
    "nok", "nzd", "pln", "sek", "sgd", "twd", "usd",
}  # fmt: skip
# What may follow a count, beside the noun itself and its singular.
ALSO_SAID = {"parameters": ("params", "param"), "cards": ("gpus", "gpu")}


class Kind(msgspec.Struct, frozen=True):
    """What all kinds share. `accepts` completes the sentence "write …" of an error."""

    accepts: str = ""

    def read(self, text: str) -> Any:
        """The exact value of a person's text; raises Unreadable with the reason."""
        raise NotImplementedError

    def take(self, value: object) -> Any:
        """The exact value of a JSON value: a number in the base unit, a boolean, or the text that `read` takes."""
        if isinstance(value, str):
            return self.read(value)
        if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
            raise Unreadable("is neither a number nor text")
        if isinstance(value, float):
            if value != value or value in (float("inf"), float("-inf")):
                raise Unreadable("is not a number")
            value = Fraction(repr(value))
        return self.settle(value)

    def taken_for(self, given: object) -> str:
        """What a text that is out of range was taken for, where its writer most likely meant another; else ""."""
        return ""

    def settle(self, value: Number) -> Any:
        """Turn a number in the base unit into a value of this kind."""
        count = places(value)
        if count is None or count > MOST_PLACES:
            raise Unreadable(TOO_FINE)
        return narrow(value)

    def text(self, value: Any) -> str:
        """The shortest text that reads back as `value`."""
        return plain(value)

    def label(self, value: Any) -> str:
        """`value` as a person reads it; it need not read back."""
        return self.text(value)

    def spell(self, value: Any) -> str:
        """Text that reads back as `value` anywhere, however long; a person is shown `text`."""
        return self.text(value)

    def echo(self, value: Any) -> str:
        """`value` spelt out, as it stands beneath a field."""
        return self.text(value)

    def give(self, value: Any) -> object:
        """`value` as JSON: a number where JSON can hold it exactly, else text."""
        if isinstance(value, Fraction):
            return float(value) if Fraction(repr(float(value))) == value else self.text(value)
        return value

    def step(self, value: Any, steps: int) -> Any:
        """`value` after `steps` arrow steps (a page is ten), each about a tenth of its leading digit."""
        size = _step_size(value, steps)
        return narrow((Fraction(value) / size).__floor__() * size + steps * size if size else value)

    def fine_step(self, value: Any, steps: int) -> Any:
        """`value` after tenths of arrow steps, where the kind has any as fine as that."""
        size = Fraction(self.step(value, 2)) - Fraction(self.step(value, 1))
        return self.settle(Fraction(value) + steps * size / 10)


def _step_size(value: Number, steps: int) -> Number:
    """One arrow step: a power of ten, at most a tenth of the value; going down from 10 it is that of 9."""
    size: Number = 1
    while size * 10 * 10 <= value:
        size *= 10
    if steps < 0 and value == size * 10 and size > 1:
        size //= 10
    return size


class Count(Kind, frozen=True):
    """A whole number: parameters, tokens, cards. `noun` may follow it in text."""

    noun: str = ""

    def read(self, text: str) -> int:
        number, rest = split_number(text)
        rest = rest.lower().rstrip(".")
        nouns = (self.noun, self.noun.rstrip("s"), *ALSO_SAID.get(self.noun, ()))
        rest = next((rest.removesuffix(noun).rstrip() for noun in nouns if noun and rest.endswith(noun)), rest)
        if rest not in _COUNT_SUFFIXES:
            raise Unreadable(f"ends in {rest[:12]!r}, which is no multiple")
        return self.settle(number * _COUNT_SUFFIXES[rest])

    def settle(self, value: Number) -> int:
        whole = narrow(value)
        if not isinstance(whole, int):
            raise Unreadable("is not a whole number")
        return whole

    def text(self, value: int) -> str:
        for suffix, size in _COUNT_WRITTEN:
            if abs(value) >= size and size >= 10**6 and value * 1000 % size == 0:
                return f"{plain(Fraction(value, size))}{suffix}"
        return plain(value)

    def fine_step(self, value: int, steps: int) -> int:
        """A tenth of an arrow step, and at least one."""
        return value + steps * max(1, int(self.step(value, 1) - value) // 10)

    def echo(self, value: int) -> str:
        return f"{value:,} {self.noun if value != 1 else self.noun.rstrip('s')}".strip()


class Memory(Kind, frozen=True):
    """Bytes, whole. A number without a unit is bytes, as in JSON."""

    def read(self, text: str) -> int:
        number, rest = split_number(text)
        return nearest(number * unit_of(rest).size)

    def taken_for(self, given: object) -> str:
        return "without a unit is bytes, and " if isinstance(given, str) and given.strip()[-1:].isdigit() else ""

    def settle(self, value: Number) -> int:
        return nearest(value)

    def text(self, value: int) -> str:
        return shortest_bytes(value)

    def echo(self, value: int) -> str:
        return f"{value:,} B = {both_text(value)}" if value >= 1000 else f"{value:,} B"

    def step(self, value: int, steps: int) -> int:
        written = shortest_bytes(value)
        number, rest = split_number(written)
        unit = unit_of(rest)
        if unit.size == 1 and value:
            unit = unit_of("GB") if value >= 10**9 else unit_of("MB")
            number = Fraction(in_unit(value, unit).value)
        if unit.size == 1:
            unit, number = unit_of("GB"), Fraction(0)
        size = _step_size(number, steps) if unit.symbol[0] not in "GT" else 1
        return nearest((number + steps * size) * unit.size)


class BytesEach(Kind, frozen=True):
    """Bytes of one item for each parameter: a fraction is possible (4.5 bits, 2.03125 B)."""

    def read(self, text: str) -> Number:
        number, rest = split_number(text)
        unit = rest.lower()
        if unit in {"", "b", "byte", "bytes"}:
            return narrow(number)
        if unit in {"bit", "bits"}:
            exact: Number = self.settle(number / 8)
            return exact
        raise Unreadable(f"has the unit {rest[:12]!r}, which is neither bytes nor bits")

    def echo(self, value: Number) -> str:
        return f"{plain(value)} B = {plain(value * 8)} bits"

    def step(self, value: Number, steps: int) -> Number:
        return narrow(Fraction(value) + steps)


class Share(Kind, frozen=True):
    """A part of a whole, as a fraction of one."""

    def read(self, text: str) -> Number:
        number, rest = split_number(text)
        if rest in {"%", "percent", "per cent"}:
            return narrow(number / 100)
        if rest:
            raise Unreadable(f"ends in {rest[:12]!r}")
        return narrow(number)

    def text(self, value: Number) -> str:
        return f"{plain(Fraction(value) * 100)} %"

    def echo(self, value: Number) -> str:
        return f"{plain(value)} of the whole"

    def step(self, value: Number, steps: int) -> Number:
        return narrow(Fraction(value) + Fraction(steps, 100))


class Rate(Kind, frozen=True):
    """Floating-point operations in one second."""

    def read(self, text: str) -> Number:
        number, rest = split_number(text)
        unit = rest.lower().replace(" ", "")
        for ending in ("flop/s", "flops/s", "flops"):
            unit = unit.removesuffix(ending)
        if unit not in _RATE_SUFFIXES:
            raise Unreadable(f"has the unit {rest[:12]!r}, which is no rate")
        return self.settle(number * _RATE_SUFFIXES[unit])

    def settle(self, value: Number) -> int:
        return nearest(value)

    def text(self, value: int) -> str:
        if value * 1000 % 10**12 == 0 and value >= 10**9:
            return f"{plain(Fraction(value, 10**12))} TFLOP/s"
        return f"{plain(value)} FLOP/s"

    def echo(self, value: int) -> str:
        return f"{significant(Fraction(value, 10**12), 6)} × 10¹² FLOP/s, dense 16-bit"

    def step(self, value: int, steps: int) -> int:
        return value + steps * 10**12


class Days(Kind, frozen=True):
    """A length of time in days."""

    def read(self, text: str) -> Number:
        number, rest = split_number(text)
        if rest.lower() not in _DAY_UNITS:
            raise Unreadable(f"has the unit {rest[:12]!r}, which is neither hours, days nor weeks")
        return narrow(number * _DAY_UNITS[rest.lower()])

    def settle(self, value: Number) -> Number:
        hours: Number = super().settle(Fraction(value) * 24)  # days have no end where hours do
        return narrow(Fraction(hours) / 24)

    def text(self, value: Number) -> str:
        hours = narrow(Fraction(value) * 24)
        in_days, in_hours = places(value), places(hours)
        # Days have no end where hours do: 0.1 h is 1/240 of a day.
        if in_hours is not None and (in_days is None or in_hours < in_days):
            return f"{plain(hours)} h"
        return f"{plain(value)} d"

    def echo(self, value: Number) -> str:
        return f"{significant(value, 6)} days = {significant(Fraction(value) * 24, 6)} hours"


class Money(Kind, frozen=True):
    """An amount of any one currency; its sign may stand before it and is not kept."""

    def read(self, text: str) -> Number:
        number, rest = split_number(text.strip().lstrip(_CURRENCIES).rstrip(_CURRENCIES))
        if rest and rest.lower() not in _CURRENCY_CODES:
            raise Unreadable(f"ends in {rest[:12]!r}, which is no currency")
        return narrow(number)

    def echo(self, value: Number) -> str:
        return f"{plain(value)} for one card and hour"
