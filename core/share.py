"""A scenario as one line of text: the flags of the command line, so that it pastes into a chat, a shell and back."""

from __future__ import annotations

import re
import shlex

from core.fields import InputError, shown
from core.scenario import FIELDS, Scenario, field, from_texts

PREFIX = "memory-tax report"
LONGEST = 100_000
_CONTINUED = re.compile(r"\\\r?\n")  # a line that goes on, as shells write it


def to_line(scenario: Scenario) -> str:
    """The scenario in one line: what differs from the defaults, as flags."""
    words = PREFIX.split()
    for name, known in FIELDS.items():
        value = getattr(scenario, name)
        if value != known.default:
            words += [known.flag, known.kind.spell(value)]
    return shlex.join(words)


def from_line(text: str) -> Scenario:
    """The scenario of such a line, whatever program name stands before `report`. Raises InputError."""
    if len(text) > LONGEST:
        raise InputError("", "pasted text", f"it is longer than {LONGEST:,} characters")
    try:
        words = shlex.split(_CONTINUED.sub(" ", text))
    except ValueError as problem:
        raise InputError("", "pasted text", f"this is no line of flags: {str(problem).lower()}") from None
    start = next((place for place, word in enumerate(words) if word.startswith("--")), len(words))
    _refuse_others(words[:start])
    if start == len(words) and text.strip() != PREFIX:
        raise _no_scenario()
    texts: dict[str, str] = {}
    rest = iter(words[start:])
    for word in rest:
        if not word.startswith("--"):
            raise InputError("", "pasted text", f"{shown(word)} is one word too many; fields are written --field VALUE")
        flag, sign, value = word.partition("=")
        if flag == "--":
            raise InputError("", "pasted text", f"{shown(word)} names no field; fields are written --field VALUE")
        name = field(flag.removeprefix("--").replace("-", "_")).name
        if not sign:
            try:
                value = next(rest)
            except StopIteration:
                raise InputError(name, flag, "has no value") from None
        if name in texts:
            both = f"as {shown(texts[name])} and as {shown(value)}"
            raise InputError(name, flag, f"is given twice, {both}; write it once")
        texts[name] = value
    return from_texts(texts)


def _refuse_others(words: list[str]) -> None:
    """Refuse what stands before the flags, unless it is the name of the program and `report`, or nothing."""
    if not words:
        return
    if "report" not in words[: len(PREFIX.split()) + 1]:
        raise _no_scenario()
    beside = words[words.index("report") + 1 :]
    if beside:
        raise InputError("", "pasted text", f"{shown(beside[0])} is not read; flags alone are accepted, and no file")


def _no_scenario() -> InputError:
    example = f"a line such as `{PREFIX} --params 70B` is accepted"
    return InputError("", "pasted text", f"no scenario is in it; {example}")
