"""Every pass, state and shard that was measured (resources/measured) against what is predicted for it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from core.memory.evidence import (
    LLAMA_6M,
    Case,
    adapter_cases,
    evidence,
    findings,
    measured_models,
    pass_cases,
    shard_cases,
    state_cases,
)
from core.memory.optimizers import RULES
from core.memory.tensors import count, elements


@pytest.fixture(scope="module")
def passes() -> list[Case]:
    return list(pass_cases())


@pytest.mark.parametrize("quantity", ["saved tensors", "live after forward"])
def test_what_is_kept_is_exact_to_the_byte(passes: list[Case], quantity: str) -> None:
    chosen = [case for case in passes if case.quantity == quantity]
    assert len(chosen) > 200
    assert [case for case in chosen if case.predicted != case.measured] == []


def test_the_largest_moment(passes: list[Case]) -> None:
    chosen = [case for case in passes if case.quantity == "largest moment"]
    assert len(chosen) > 300
    exact = sum(case.error == 0 for case in chosen)
    assert Fraction(exact, len(chosen)) >= Fraction(9, 10)
    assert max(abs(case.error) for case in chosen) <= Fraction(3, 100)


def test_the_largest_moment_of_deep_models_is_never_short_of_what_was_measured(passes: list[Case]) -> None:
    deep = {name for name, (dim, _) in measured_models().items() if dim.layers >= 12}
    errors = [case.error for case in passes if case.quantity == "largest moment" and case.model in deep]
    assert len(errors) > 100
    assert min(errors) > Fraction(-1, 10_000)
    assert max(errors) < Fraction(1, 10_000)


def test_every_family_and_way_to_run_is_among_the_passes(passes: list[Case]) -> None:
    families = Counter(case.family for case in passes)
    assert set(families) >= {
        "gpt2", "bert", "opt", "gpt_neox", "llama", "mistral", "qwen2", "qwen3", "phi3", "mixtral", "gemma", "gemma2",
        "gemma3",
    }  # fmt: skip
    settings = {case.setting for case in passes}
    assert settings == {
        f"{precision}, {attention}{checkpoints}"
        for precision in ("bf16", "autocast", "fp32")
        for attention in ("sdpa", "eager")
        for checkpoints in ("", ", checkpoints")
    }


def test_optimizer_states_are_exact_to_the_byte() -> None:
    assert (elements(LLAMA_6M), count(LLAMA_6M)) == (5_790_336, 30)
    cases = list(state_cases())
    assert {case.family for case in cases} == set(RULES)
    assert [case for case in cases if case.predicted != case.measured] == []


def test_shards_are_exact_to_the_byte() -> None:
    cases = list(shard_cases())
    assert {case.family for case in cases} == {"fsdp2", "hsdp", "zero-redundancy"}
    assert [case for case in cases if case.predicted != case.measured] == []


def test_adapters() -> None:
    cases = list(adapter_cases())
    kept = [case for case in cases if not case.quantity.startswith("largest")]
    assert len(kept) > 30
    assert [case for case in kept if case.predicted != case.measured] == []
    assert all(abs(case.error) <= Fraction(1, 100) for case in cases)


def test_findings_count_and_keep_the_worst() -> None:
    def case(model: str, predicted: int, measured: int) -> Case:
        return Case("largest moment", "llama", "bf16, sdpa", model, predicted, measured)

    (found,) = findings([case("a", 100, 100), case("b", 96, 100), case("c", 103, 100), case("d", 0, 0)])
    assert (found.cases, found.exact, found.within_one_percent, found.within_five_percent) == (4, 2, 2, 4)
    assert (found.worst, found.worst_model) == (Fraction(-4, 100), "b")


def test_the_evidence_is_everything_measured() -> None:
    found = evidence()
    assert sum(one.cases for one in found) == sum(
        sum(1 for _ in cases) for cases in (pass_cases(), adapter_cases(), state_cases(), shard_cases())
    )
