"""What a person chooses in the laboratory: every choice once, as a field with its flag."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from core.account import Account
from core.choice_kinds import Choice, Option
from core.fields import Field
from core.kinds import Count, Kind
from core.learn.formats import FORMATS
from core.numbers import Number, Unreadable, narrow, places, plain, split_number

# Every format of the table reaches this far (fp8 e4m3 ends here).
LARGEST = 448
MOST_STEPS = 16_384
_MOST_PLACES = 24

_POWER = re.compile(r"\s*([+\-\u2212]?)\s*2\s*(?:\^|\*\*)\s*([+\-\u2212]?\d{1,3})\s*\Z", re.ASCII)


class Real(Kind, frozen=True):
    """A real number, exactly: a decimal, or a power of two."""

    def read(self, text: str) -> Number:
        power = _POWER.match(text)
        if power is not None:
            exponent = int(power[2].replace("\u2212", "-"))
            if abs(exponent) > 64:
                raise Unreadable("has too large an exponent")
            value = Fraction(2) ** exponent
            return narrow(-value if power[1] in {"-", "\u2212"} else value)
        number, rest = split_number(text)
        if rest:
            raise Unreadable("is not a number")
        return narrow(number)

    def settle(self, value: Number) -> Number:
        return narrow(Fraction(value))

    def text(self, value: Number) -> str:
        size = abs(Fraction(value))
        if size == 0 or size >= Fraction(1, 1000):
            return plain(value)
        if size.numerator == 1 and size.denominator & (size.denominator - 1) == 0:
            return f"{'−' if value < 0 else ''}2^{1 - size.denominator.bit_length()}"
        exponent = -1
        while size < Fraction(10) ** exponent:
            exponent -= 1
        return f"{plain(Fraction(value) / Fraction(10) ** exponent)}e{exponent}"

    def step(self, value: Number, steps: int) -> Number:
        """An arrow step doubles or halves: what counts here is the size beside the weight."""
        return self._kept(value, Fraction(value) * Fraction(2) ** steps)

    def fine_step(self, value: Number, steps: int) -> Number:
        """A tenth of an arrow step."""
        return self._kept(value, Fraction(value) * (1 + Fraction(steps, 10)))

    def _kept(self, value: Number, moved: Fraction) -> Number:
        """`moved`, unless it has more digits than can be typed."""
        count = places(moved)
        return narrow(moved) if count is not None and count <= _MOST_PLACES else value


class Setup(msgspec.Struct, frozen=True):
    """One experiment: `update` is subtracted `steps` times from `weight`, in `number_format`.

    `number_format` is None for the format that the scenario keeps its weights in; `seed` is of stochastic rounding.
    """

    weight: Number = 1
    update: Number = Fraction(1, 10**6)
    steps: int = 4096
    number_format: str | None = None
    seed: int = 1


def _formats() -> tuple[Option, ...]:
    return tuple(Option(row.name, row.label, f"{row.exponent} bits of exponent, {row.fraction} of fraction")
                 for row in FORMATS)  # fmt: skip


_REAL = Real("1.0, 1e-6 or 2^-11")
SETUP_FIELDS: dict[str, Field] = {
    field.name: field
    for field in (
        Field(name="weight", label="Weight", kind=_REAL, group="laboratory", minimum=-LARGEST, maximum=LARGEST,
              default=1, help="The weight that the updates are subtracted from."),
        Field(name="update", label="lr × g", kind=_REAL, group="laboratory", minimum=-LARGEST, maximum=LARGEST,
              default=Fraction(1, 10**6), help="What one step subtracts: learning rate times gradient."),
        Field(name="steps", label="Steps", kind=Count("4096 or 10,000", "steps"), group="laboratory", minimum=1,
              maximum=MOST_STEPS, default=4096, help="How many times the update is subtracted."),
        Field(name="number_format", label="Number format", kind=Choice("a number format by name", _formats),
              group="laboratory", automatic="the format of the scenario's weights",
              help="The format the weight is kept in."),
        Field(name="seed", label="Seed", kind=Count("0 or 7"), group="laboratory", minimum=0, maximum=2**32 - 1,
              default=1, help="Where the random numbers of stochastic rounding begin."),
    )
}  # fmt: skip


def read_setup(texts: Mapping[str, str], start: Setup | None = None) -> Setup:
    """A setup from what a person typed, by field name. Raises InputError at the first that is wrong."""
    values: dict[str, Any] = {name: SETUP_FIELDS[name].read(text) for name, text in texts.items()}
    return msgspec.structs.replace(start or Setup(), **values)


def format_of(setup: Setup, account: Account) -> str:
    """The number format of an experiment: the one that was chosen, or that of the scenario's weights."""
    if setup.number_format is not None:
        return setup.number_format
    weights = next(kept.item for kept in account.kept if kept.item.name == "weights")
    return {"fp32": "fp32", "fp8": "fp8-e4m3", "bf16": "bf16"}.get(weights.format, _by_width(weights.bytes))


def _by_width(each: Number) -> str:
    """The usual format of a weight of so many bytes, where a person set them by hand."""
    if each >= 4:
        return "fp32"
    return "bf16" if each > 1 else "fp8-e4m3"
