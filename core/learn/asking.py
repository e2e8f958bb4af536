"""What the kinds of question share: naming a mistake, and whether a scenario trains at all."""

from __future__ import annotations

from core.account import Account
from core.learn.texts import text


def why(kind: str, *rows: tuple[str, str], **values: object) -> tuple[tuple[str, str], ...]:
    """(answer, mistake) pairs: the mistake's text is found by the kind and its name."""
    return tuple((answer, text(f"ask.{kind}.{mistake}", **values)) for answer, mistake in rows)


def trains(account: Account) -> bool:
    """Whether the scenario keeps more than the weights, gradients among it."""
    return account.training.count > account.inference.count > 0 and account.each_bands["gradients"] > 0
