"""Past, present and future of a document, immutable: undo without Qt."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

State = TypeVar("State")
LONGEST = 500


class History(msgspec.Struct, Generic[State], frozen=True):
    """The states a document went through. `open_step` names the step still being made: one drag, one typed entry;
    `undone` is what could be redone before it began.
    """

    present: State
    past: tuple[State, ...] = ()
    future: tuple[State, ...] = ()
    open_step: str = ""
    undone: tuple[State, ...] = ()

    def apply(self, state: State, step: str = "") -> History[State]:
        """The history with `state` as present. Changes under one non-empty `step` name in a row are one step."""
        if step and step == self.open_step:
            return self if state == self.present else History(state, self.past, (), step, self.undone)
        # A step that came back to where it began would be one that undo does nothing on.
        sealed = self.seal()
        if state == sealed.present:
            return sealed
        return History(state, (*sealed.past, sealed.present)[-LONGEST:], (), step, sealed.future if step else ())

    def amend(self, state: State) -> History[State]:
        """The history with `state` as present and no step more: for what is looked at, not changed."""
        return History(state, self.past, self.future, self.open_step, self.undone)

    def seal(self) -> History[State]:
        """The history with its last step closed; a step that came back to where it began is dropped."""
        if self.open_step and self.past and self.past[-1] == self.present:
            return History(self.present, self.past[:-1], self.undone)
        return History(self.present, self.past, self.future) if self.open_step else self

    def revert(self) -> History[State]:
        """The history as before the open step."""
        if not self.open_step or not self.past:
            return self
        return History(self.past[-1], self.past[:-1], self.undone)

    def undo(self) -> History[State]:
        """One step back; unchanged at the first state."""
        sealed = self.seal()
        if not sealed.past:
            return sealed
        return History(sealed.past[-1], sealed.past[:-1], (sealed.present, *sealed.future))

    def redo(self) -> History[State]:
        """One step forward; unchanged at the last state."""
        sealed = self.seal()
        if not sealed.future:
            return sealed
        return History(sealed.future[0], (*sealed.past, sealed.present), sealed.future[1:])

    @property
    def can_undo(self) -> bool:
        """Whether `undo` would change anything."""
        return bool(self.seal().past)

    @property
    def can_redo(self) -> bool:
        """Whether `redo` would change anything."""
        return bool(self.future)
