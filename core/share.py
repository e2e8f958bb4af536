"""A scenario as one line of text: the flags of the command line, so that it pastes into a chat, a shell and back."""

from __future__ import annotations

import shlex

from core.fields import InputError
from core.scenario import FIELDS, Scenario, field, from_texts

PREFIX = "memory-tax report"
LONGEST = 100_000


def to_line(scenario: Scenario) -> str:
    """The scenario in one line: what differs from the defaults, as flags."""
    words = PREFIX.split()
    for name, known in FIELDS.items():
        value = getattr(scenario, name)
        if value != known.default:
            words += [known.flag, known.kind.spell(value)]
    return shlex.join(words)


def from_line(text: str) -> Scenario:
    """The scenario of such a line, whatever program name stands before its flags. Raises InputError."""
    if len(text) > LONGEST:
        raise InputError("", "pasted text", f"it is longer than {LONGEST:,} characters")
    try:
        words = shlex.split(text)
    except ValueError as problem:
        raise InputError("", "pasted text", f"this is no line of flags: {str(problem).lower()}") from None
    start = next((place for place, word in enumerate(words) if word.startswith("--")), len(words))
    if start > len(PREFIX.split()) + 1 or not words[start:]:
        if text.strip() == PREFIX:
            return Scenario()
        raise InputError("", "pasted text", f"no scenario is in it; a line such as `{PREFIX} --params 70B` is accepted")
    texts: dict[str, str] = {}
    rest = iter(words[start:])
    for word in rest:
        flag, sign, value = word.partition("=")
        name = field(flag.removeprefix("--").replace("-", "_")).name
        if not sign:
            try:
                value = next(rest)
            except StopIteration:
                raise InputError(name, flag, "has no value") from None
        texts[name] = value
    return from_texts(texts)
