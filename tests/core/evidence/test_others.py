"""Other people's figures: the tables are whole, units are those that were meant, and runs land where they should."""

from __future__ import annotations

import json
import shlex
from fractions import Fraction

import pytest

from core.evidence.gather import evidence, to_json
from core.evidence.others import memory, memory_in_short, time
from core.evidence.published import Published, published, scenario_of
from core.evidence.runs import Run, runs
from core.fields import InputError
from main import main

MEMORY = list(published())
TIME = list(runs())


def _one(run: str, figure: str) -> Published:
    return next(one for one in MEMORY if one.run.startswith(run) and one.figure == figure)


def test_units_are_those_that_were_meant() -> None:
    """LOMO's table prints GB and has 12.55 for 2 B × 6,738,415,616, which are 12.55 GiB; LitGPT divides by 10⁹."""
    assert _one("LLaMA 7B, SGD, checkpoints", "peak").published == Fraction(5199, 100) * 2**30
    assert _one("Llama 2 7B, 16-bit weights", "weights loaded").published == 13_520_000_000
    assert _one("BERT Large, 32-bit weights", "weights loaded").published == 1288 * 2**20


def test_the_difference_of_two_runs_is_that_of_their_states() -> None:
    """What AdamW keeps and SGD does not: 8 B for each of 6,738,415,616 parameters."""
    found = _one("LLaMA 7B, mixed: AdamW less SGD", "difference of two runs")
    assert found.predicted == 8 * 6_738_415_616
    assert abs(found.ratio - 1) < Fraction(1, 1000)


def test_where_activations_cancel_the_states_of_others_are_ours() -> None:
    """All but the two of torchtitan, which are reserved and not allocated, within 6 %."""
    ratios = [one.ratio for one in MEMORY if one.figure == "difference of two runs" and "FSDP2" not in one.run]
    assert len(ratios) == 8
    assert all(abs(ratio - 1) < Fraction(6, 100) for ratio in ratios)


def test_weights_and_states_are_never_more_than_what_was_seen_in_all() -> None:
    """A figure that leaves something out is below one that does not, but for what its source rounded."""
    for one in MEMORY:
        if one.figure in {"weights loaded", "peak, of which states are predicted"}:
            assert one.ratio < (Fraction(101, 100) if "rounded" in one.left_open else 1), one.run


def test_every_row_states_its_source_and_a_run_that_can_be_asked(capsys: pytest.CaptureFixture[str]) -> None:
    for one in MEMORY:
        assert one.source
        assert one.published > 0
        assert one.left_open or one.figure == "difference of two runs", one.run
    assert main(["report", *shlex.split(MEMORY[-1].report), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["per_card"]["peak"] == MEMORY[-1].predicted


def test_the_printed_utilisation_gives_the_printed_time() -> None:
    """torchtitan and Korthikanti et al. print three digits of both: the time follows to 5 in a thousand."""
    sharp = [one for one in TIME if "torchtitan" in one.source or "Korthikanti" in one.source]
    assert len(sharp) == 11
    for one in sharp:
        assert one.ratio is not None
        assert abs(one.ratio - 1) < Fraction(5, 1000), one.run


def test_gpt_3s_operations() -> None:
    """Brown et al. 2020, table D.1, prints 3.14e23; 6 × 174,604,259,328 × 300e9 by hand is 3.14288e23."""
    found = next(one for one in TIME if one.quantity == "operations")
    assert found.predicted == 6 * 174_604_259_328 * 300 * 10**9
    assert (found.stated, found.implied) == (None, None)


def test_implied_utilisation_by_hand() -> None:
    """Llama 2 7B: (6 × 6,738,415,616 + 12 × 32 × 32 × 128 × 4,096) × 2e12 ÷ (184,320 h × 3,600 s × 312e12)."""
    found = next(one for one in TIME if one.run == "Llama 2 7B")
    work = (6 * 6_738_415_616 + 12 * 32 * 32 * 128 * 4096) * 2 * 10**12
    assert found.implied == Fraction(work, 184_320 * 3600 * 312 * 10**12)
    assert found.predicted is found.ratio is found.stated is None


def test_a_pace_and_a_time_say_the_same_of_utilisation() -> None:
    """Twice the tokens a second are twice the utilisation; twice the seconds are half of it."""
    for one in TIME:
        if one.stated is not None and one.implied is not None and one.ratio is not None:
            faster = one.ratio if one.quantity != "tokens a second and card" else 1 / one.ratio
            assert one.implied == one.stated * faster, one.run


def test_words_are_read_as_the_command_line_reads_them() -> None:
    scenario = scenario_of("--model 'Llama 2 7B' --zero 3 --card-memory '24 GiB'")
    assert (scenario.zero, scenario.card_memory) == (3, 24 * 2**30)
    assert scenario.model is not None
    with pytest.raises(InputError):
        scenario_of("--nonsense 1")


def test_the_tables_of_text() -> None:
    one = Published(
        "A run", "peak", "per_card.peak", "", "", "10.0 GiB", 10 * 2**30, 9 * 2**30, "A paper", "its version"
    )
    assert memory([one]).rows == (("A run", "peak", "its version", "9 GiB", "10.0 GiB", "0.900"),)
    twice = [one, Published("B", "peak", "per_card.peak", "", "", "1 GB", 10**9, 11 * 10**8, "A paper", "")]
    assert memory_in_short(twice).rows == (("peak", "2", "0.900", "1.100"),)
    quick = Run("A run", "card hours", "", 1000, 500, Fraction(2, 5), Fraction(1, 5), "A paper", "")
    assert time([quick]).rows == (("A run", "card hours", "", "500", "1,000", "0.500", "40 %", "20 %"),)


def test_the_json_has_them_all() -> None:
    whole = json.loads(to_json(evidence()))
    assert len(whole["published_memory"]) == len(MEMORY) > 25
    assert len(whole["published_time"]) == len(TIME) > 20
    for row in whole["published_memory"]:
        assert row["ratio"] == pytest.approx(row["predicted_bytes"] / row["published_bytes"])
