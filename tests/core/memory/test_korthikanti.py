"""The formula of Korthikanti et al. 2022 and how it differs from what PyTorch keeps."""

from __future__ import annotations

import pytest

from core.memory.activations import saved
from core.memory.korthikanti import TERMS, compare, paper_bytes
from core.memory.passes import Pass
from core.models.dimensions import Dimensions
from tests.core.memory import models


def test_the_terms_are_the_papers() -> None:
    # Section 4.1: attention 11·s·b·h + 5·a·s²·b, MLP 19·s·b·h, two norms 4·s·b·h; dropout masks are in the first two
    linear = sum(term.each for term in TERMS if term.shape == ("s", "b", "h"))
    assert (linear, sum(term.each for term in TERMS if "a" in term.shape)) == (34, 5)


@pytest.mark.parametrize("recompute", ["none", "selective", "full"])
def test_equations(recompute: str) -> None:
    # Equations 1, 6 and 2; GPT-3 22B of table 3: h 6,144, 48 layers, 64 heads, 2,048 tokens
    s, b, h, a, layers = 2048, 4, 6144, 64, 48
    run = Pass(Dimensions("gpt2", h, layers, 51200, a, a, 96, 4 * h), b, s)
    expected = {
        "none": s * b * h * 34 + 5 * a * s * s * b,
        "selective": s * b * h * 34,
        "full": s * b * h * 2,
    }[recompute]
    assert paper_bytes(run, recompute) == layers * expected  # type: ignore[arg-type]


def test_bert_differs_by_its_statistics_alone() -> None:
    kept = saved(Pass(models.BERT_LARGE, 2, 512, attention="eager", dropout=True))
    differences = {one.group: one for one in compare(kept)}
    for group in ("attention inputs", "attention scores", "MLP", "dropout masks"):
        assert differences[group].bytes == 0
        assert differences[group].reasons == ()
    assert differences["norms"].bytes == 16 * 2 * 512 * 24


@pytest.mark.parametrize(
    ("model", "how", "group", "words"),
    [
        (models.GPT2, {"attention": "eager"}, "MLP", "five tensors"),
        (models.OPT, {"attention": "eager"}, "MLP", "ReLU"),
        (models.OPT, {"attention": "eager"}, "attention scores", "32 bits"),
        (models.LLAMA_3_8B, {}, "attention scores", "computes the scores again"),
        (models.LLAMA_3_8B, {}, "attention inputs", "fewer heads"),
        (models.LLAMA_3_8B, {}, "MLP", "gated"),
        (models.LLAMA_3_8B, {}, "dropout masks", "off"),
        (models.LLAMA_3_8B, {"precision": "autocast"}, "norms", "32 bits"),
        (models.LLAMA_3_8B, {"precision": "autocast"}, "other", "weights"),
        (models.GEMMA_2B, {}, "attention inputs", "fewer heads"),
        (models.MIXTRAL, {}, "MLP", "experts"),
        (models.PYTHIA, {}, "attention inputs", "view"),
    ],
)  # fmt: skip
def test_reasons(model: object, how: dict[str, str], group: str, words: str) -> None:
    differences = {one.group: one for one in compare(saved(Pass(model, 1, 512, **how)))}  # type: ignore[arg-type]
    assert any(words in reason for reason in differences[group].reasons)  # type: ignore[index]


@pytest.mark.parametrize("recompute", ["none", "selective", "full"])
def test_the_differences_sum_to_the_whole(recompute: str) -> None:
    for model in (models.GPT2, models.QWEN3_8B, models.GEMMA_3_1B, models.MIXTRAL):
        for precision in ("bf16", "autocast"):
            run = Pass(model, 2, 300, precision, dropout=True)
            kept = saved(run)
            rows = compare(kept, recompute)  # type: ignore[arg-type]
            assert sum(row.paper for row in rows) == paper_bytes(run, recompute)  # type: ignore[arg-type]
            assert sum(row.saved for row in rows) == kept.saved_bytes + kept.weight_cast_bytes
            assert all(row.reasons for row in rows if row.bytes)
