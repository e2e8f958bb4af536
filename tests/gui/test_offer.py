"""What is offered after a kill, in the window: taking it loses neither what was done since nor any file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core import document
from core.scenario import Scenario, change
from core.workbook import single
from gui.app import offer_lost
from gui.autosave import Autosave, LeftBehind
from gui.panels.offer import Offer
from tests.gui.hand import Hand

GB = 10**9
LOST = single(change(Scenario(), {"params": 671 * GB}))


@contextmanager
def offered(hand: Hand, folder: Path, sessions: Path | None = None) -> Iterator[Offer]:
    """The window with an offer of a document that was left behind in a folder; its own sessions go there too."""
    document.save(folder / "session-lost.memtax", LOST)
    left, autosave = LeftBehind(folder), Autosave(hand.window.store, sessions or folder)
    try:
        offer_lost(hand.window, left, autosave, "Lost.")
        (found,) = hand.window.findChildren(Offer)
        assert found.isVisible()
        yield found
    finally:
        left.close()
        autosave.close()
        autosave.setParent(None)
        autosave.deleteLater()


def test_work_since_the_start_is_asked_about_before_what_was_lost_takes_its_place(fresh: Hand, tmp_path: Path) -> None:
    store, kept = fresh.window.store, tmp_path / "kept.memtax"
    with offered(fresh, tmp_path) as offer:
        store.apply({"params": 70 * GB})
        fresh.dialogs.answers = ["cancel"]
        offer.accept.click()
        assert store.scenario.params == 70 * GB
        assert offer.isVisible(), "what was not taken is still offered"
        fresh.dialogs.answers, fresh.dialogs.paths = ["save"], [kept]
        offer.accept.click()
        assert store.scenario.params == 671 * GB
        assert not offer.isVisible()
        assert document.load(kept).params == 70 * GB
        assert store.dirty, "what was restored is not saved yet"
    assert not (tmp_path / "session-lost.memtax").exists()


def test_what_was_lost_takes_no_file_from_the_document_that_is_open(fresh: Hand, tmp_path: Path) -> None:
    other = tmp_path / "other.memtax"
    document.save(other, change(Scenario(), {"params": 70 * GB}))
    with offered(fresh, tmp_path) as offer:
        assert fresh.window.commands.files.open_path(other)
        offer.accept.click()
        assert fresh.window.store.book == LOST
        assert not fresh.window.store.path
        fresh.window.store.undo()
        assert fresh.window.store.path == other, "one step"
    assert document.load(other).params == 70 * GB


def test_restoring_what_cannot_be_written_again_leaves_it_where_it_was(fresh: Hand, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with offered(fresh, tmp_path, sessions=tmp_path / "file" / "below") as offer:
        offer.accept.click()
        assert fresh.window.store.book == LOST
    assert document.load_book(tmp_path / "session-lost.memtax") == LOST
