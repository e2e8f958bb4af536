"""Several scenarios in one document, and the baseline that others are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.main_window import MainWindow


class ScenarioCommands:
    """What the Scenario menu does."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def duplicate(self) -> None:
        """A copy of the present scenario beside it: what is changed next is the copy."""
        store = self._window.store
        before = len(store.book.scenarios)
        store.change_book(store.book.duplicate())
        if len(store.book.scenarios) == before:
            self._window.say(f"A document holds at most {before} scenarios")
        else:
            self._window.say(f"{store.book.name} added")

    def rename(self) -> None:
        """Another name for the present scenario."""
        store = self._window.store
        name = self._window.dialogs.name(store.book.name)
        if name:
            store.change_book(store.book.rename(store.book.current, name))

    def remove(self) -> None:
        """Without the present scenario; the last one stays."""
        store = self._window.store
        if len(store.book.scenarios) == 1:
            self._window.say("A document has at least one scenario")
            return
        store.change_book(store.book.remove(store.book.current))

    def move(self, way: int) -> None:
        """The present scenario one place on (1) or back (−1); at either end it stays."""
        store = self._window.store
        to = store.book.current + way
        if 0 <= to < len(store.book.scenarios):
            store.change_book(store.book.move(store.book.current, to))

    def select(self, place: int) -> None:
        """Show the scenario at a place, counted from 0."""
        self._window.store.select(place)

    def pin(self) -> None:
        """Compare everything with the present scenario from now on; pinning it again ends that."""
        store = self._window.store
        pinned = store.book.baseline
        if pinned == store.book.scenarios[store.book.current]:
            store.change_book(store.book.unpin())
            self._window.say("Baseline dropped")
        else:
            store.change_book(store.book.pin())
            self._window.say(f"{store.book.name} pinned as baseline")

    def unpin(self) -> None:
        """Compare with nothing."""
        store = self._window.store
        store.settle()
        store.change_book(store.book.unpin())
