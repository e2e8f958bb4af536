"""Which of a card's three memory figures counts, and what the other two would change."""

from __future__ import annotations

import pytest

from core.account import Account, account
from core.fields import InputError
from core.notes import notes
from core.scenario import from_texts

MIB, GIB = 2**20, 2**30


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


def _about(found: Account, which: str) -> list[str]:
    return [note for note in notes(found) if note.startswith(f"With the {which} memory of ")]


# An H100 is sold as 80 GB, reports 81,559 MiB (nvidia-smi), and PyTorch sees 79.19 GiB of it, to a hundredth.
@pytest.mark.parametrize(
    ("capacity", "size", "within"),
    [("marketed", 80 * 10**9, 0), ("reported", 81_559 * MIB, 0), ("usable", 79.19 * GIB, 0.005 * GIB)],
)
def test_three_figures_of_one_card(capacity: str, size: float, within: float) -> None:
    card = _account(card="H100 SXM", card_capacity=capacity).card
    assert abs(card.capacity.count - size) <= within
    assert card.marketed == 80 * 10**9
    assert card.reported == 81_559 * MIB


def test_a_named_card_stands_in_for_the_memory_and_the_peak() -> None:
    found = _account(card="H100 SXM", card_memory="40 GB")
    assert found.card.capacity.count == 80 * 10**9
    assert found.peak_flops.count == found.card.peak_16bit
    assert 985 * 10**12 <= found.peak_flops.count <= 990 * 10**12  # NVIDIA's data sheet: 989 TFLOP/s dense
    assert _account(card="H100 SXM", peak_flops="500 TFLOP/s").peak_flops.count == 500 * 10**12


# 31.5 × 10⁹ × 16 B = 504 GB: ⌈6.3⌉ cards of 80 GB, ⌈5.89⌉ of 85,520,809,984 B.
def test_another_figure_that_changes_the_answer_is_noted() -> None:
    found = _account(params="31.5B", card="H100 SXM")
    assert found.cards.count == 7
    (note,) = _about(found, "reported")
    assert note.startswith("With the reported memory of H100 SXM, 85.5 GB (79.6 GiB): 6 cards would be needed, not 7")
    assert not _about(found, "marketed"), "the figure that counts is no other figure"
    other = _account(params="31.5B", card="H100 SXM", card_capacity="reported")
    assert other.cards.count == 6
    assert _about(other, "marketed")[0].endswith("7 cards would be needed, not 6.")


# 30 × 10⁹ × 16 B are six cards by each of the three figures, and at stage 0 each holds 480 GB.
def test_figures_that_change_nothing_are_not_noted() -> None:
    found = _account(card="H100 SXM")
    assert found.cards.count == 6
    for which in ("marketed", "reported", "usable"):
        assert not _about(found, which)


# 5.2 × 10⁹ × 16 B = 83.2 GB on one card: over 80 GB, under what the card reports.
def test_another_figure_by_which_it_would_fit_is_noted() -> None:
    found = _account(params="5.2B", card="H100 SXM", cards="1")
    assert not found.stage.fits
    assert "stage 0 would fit on 1" in _about(found, "reported")[0]


def test_a_figure_that_is_not_known_is_refused_with_those_that_are() -> None:
    with pytest.raises(InputError, match="the usable memory of A30 is not known; known: marketed, reported"):
        _account(card="A30", card_capacity="usable")


def test_without_a_named_card_there_is_one_figure() -> None:
    found = _account(card_capacity="usable", card_memory="24 GiB")
    assert found.card.capacity.count == 24 * GIB
    assert found.card.name is None
    assert not _about(found, "marketed")
