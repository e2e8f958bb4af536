"""What a person has chosen on the Learn pages; it belongs to no scenario and is not saved with one."""

from __future__ import annotations

import msgspec

from core.learn.setup import Setup


class State(msgspec.Struct, frozen=True):
    """`step` is the page's step, from 0; None shows the page as it is meant to stand alone.

    `setup` is the laboratory's; `question` counts the questions, `chosen` is the answer that was taken.
    """

    step: int | None = None
    setup: Setup = Setup()
    question: int = 0
    chosen: int | None = None

    def at(self, usual: int, steps: int) -> int:
        """The step to show of `steps`: the chosen one as far as the page goes, else `usual`."""
        return max(0, min(steps - 1, usual if self.step is None else self.step))
