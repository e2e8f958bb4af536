"""A field: one input, described once. Form, flags, files and the list of fields all come from this."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from core.kinds import Kind
from core.numbers import Number, Unreadable, places

_AUTOMATIC = {"auto", "automatic", "none", "default"}


class InputError(ValueError):
    """A value a field does not take: one sentence that says what was given and what is accepted.

    `field` is the field's name, `where` how the person knows it (a label, a flag, a key).
    """

    def __init__(self, field: str, where: str, sentence: str) -> None:
        super().__init__(f"{where}: {sentence}")
        self.field = field
        self.where = where
        self.sentence = sentence

    def at(self, where: str) -> InputError:
        """The same error, named as another entrance knows the field: `--params` for `Parameters`."""
        return InputError(self.field, where, self.sentence)


class Group(msgspec.Struct, frozen=True):
    """Fields that stand together. A folded group shows its state in one line until it is opened."""

    name: str
    label: str
    folded: bool = True


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One input. `minimum` and `maximum` are in the base unit and included.

    An automatic field may be left open: its value is then None and `automatic` says what stands in for it. A field
    `only_with` another acts only while that one is set, `only_without` only while it is not, `only_while` only while
    another has that value. `phrase` is how a value stands in a sentence ("{} parameters"). A value under `hold_below`
    is most often the beginning of a longer one ("7" of "70B"): while it is being typed it waits for a pause. Where a
    person may as well name something that has the value (a card for its memory), `or_named` is the field of that name,
    and one input, labelled `named_label`, takes both. `also` are other words that people look for it by.
    """

    name: str = ""
    label: str
    kind: Kind
    help: str
    group: str
    phrase: str = ""
    unit: str = ""
    minimum: Number | None = None
    maximum: Number | None = None
    automatic: str = ""
    hold_below: int = 0
    or_named: str = ""
    named_label: str = ""
    only_with: str = ""
    only_without: str = ""
    only_while: tuple[str, Any] | None = None
    default: Any = None
    also: str = ""

    @property
    def flag(self) -> str:
        """The field's name on the command line."""
        return "--" + self.name.replace("_", "-")

    def read(self, text: str) -> Any:
        """The value of a person's text; None leaves an automatic field open. Raises InputError."""
        if self.automatic and text.strip().casefold() in _AUTOMATIC | {""}:
            return None
        return self._checked(text, self.kind.read, text)

    def take(self, value: object) -> Any:
        """The value of a JSON value; null leaves an automatic field open. Raises InputError."""
        if value is None or isinstance(value, str):
            if value is None and not self.automatic:
                raise self.error("null is given, and this field has no automatic value")
            return None if value is None else self.read(value)
        return self._checked(value, self.kind.take, value)

    def _checked(self, given: object, convert: Any, value: object) -> Any:
        try:
            result = convert(value)
        except Unreadable as problem:
            sentence = problem.reason if problem.complete else f"{shown(given)} {problem.reason}{self._accepted()}"
            raise self.error(sentence) from None
        if self.minimum is not None and result < self.minimum:
            said = f"{shown(given)} {self.kind.taken_for(given)}is below the least, {self.kind.text(self.minimum)}"
            raise self.error(f"{said}{self._accepted()}")
        if self.maximum is not None and result > self.maximum:
            raise self.error(f"{shown(given)} is above the most, {self.kind.text(self.maximum)}{self._accepted()}")
        return result

    def _accepted(self) -> str:
        return f"; write {self.kind.accepts}" if self.kind.accepts else ""

    def said(self, value: Any, labels: bool = False) -> str:
        """`value` as it stands in the scenario's one line: by the names that flags take, or by `labels`."""
        text = self.kind.label(value) if labels else self.kind.text(value)
        if not self.phrase:
            return f"{self.label.lower()} {text}"
        return (self.phrase.removesuffix("s") if text == "1" else self.phrase).format(text)

    def error(self, sentence: str) -> InputError:
        """An InputError about this field."""
        return InputError(self.name, self.label, sentence)

    def step(self, value: Any, steps: int, fine: bool = False) -> Any:
        """`value` after arrow steps, or after tenths of them, kept within the range."""
        if isinstance(value, Fraction) and places(value) is None:
            # An average over a model's tensors may have no end of digits: it moves from what is written of it.
            value = self.kind.read(self.kind.text(value))
        stepped = self.kind.fine_step(value, steps) if fine else self.kind.step(value, steps)
        if self.minimum is not None:
            stepped = max(stepped, self.minimum)
        if self.maximum is not None:
            stepped = min(stepped, self.maximum)
        return stepped


def shown(given: object) -> str:
    """What was given, as its writer knows it, cut to a length that keeps the sentence readable."""
    if isinstance(given, list | dict):
        return "a list" if isinstance(given, list) else "an object"
    if isinstance(given, bool) or given is None:
        return {True: "true", False: "false", None: "null"}[given]
    text = repr(given) if isinstance(given, str) else str(given)
    return text if len(text) <= 48 else text[:44] + "…" + text[-1]
