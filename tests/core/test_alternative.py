"""A paper's activations beside PyTorch's: Korthikanti et al. 2022, equations 1, 2 and 6, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from core.account import account
from core.ledger import ledger
from core.notes import notes
from core.report import to_json
from core.scenario import from_texts

L, H, A, S, B = 32, 4096, 32, 1024, 2  # Llama 2 7B, two sequences of 1,024 tokens
TEXTS = {"model": "Llama 2 7B", "seq_len": "1024", "micro_batch": "2", "attention": "eager"}


def _json(**texts: str) -> dict[str, Any]:
    return to_json(account(from_texts({**TEXTS, **texts})))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"activation_model": "korthikanti"}, L * (34 * S * B * H + 5 * A * S * S * B)),
        ({"activation_model": "korthikanti-selective"}, L * 34 * S * B * H),
        ({"activation_model": "korthikanti", "recompute": "full"}, L * 2 * S * B * H),
    ],
)
def test_the_papers_figure(texts: dict[str, str], expected: int) -> None:
    found = _json(**texts)
    assert found["alternative"]["bytes"] == expected
    assert found["alternative"]["model"] == texts["activation_model"]
    groups = found["alternative"]["groups"]
    assert sum(group["paper_bytes"] for group in groups) == expected
    kept = found["activations"]
    assert sum(group["saved_bytes"] for group in groups) == kept["saved_bytes"] + kept["weight_cast_bytes"]
    assert all(group["difference_bytes"] == group["saved_bytes"] - group["paper_bytes"] for group in groups)


# A softmax in 32 bits and its 16-bit copy are 6 B a score, where the paper has 2 + 1 + 2 with dropout.
def test_a_difference_says_why() -> None:
    groups = {row["group"]: row for row in _json(activation_model="korthikanti")["alternative"]["groups"]}
    scores = groups["attention scores"]
    assert scores["difference_bytes"] == L * A * S * S * B
    assert "The softmax is taken in 32 bits." in scores["reasons"]
    assert groups["dropout masks"]["saved_bytes"] == 0
    assert groups["attention inputs"]["difference_bytes"] == 0
    assert groups["attention inputs"]["reasons"] == []


# BERT in 16 bits with dropout and eager attention is what the paper describes, but for the means and 1/σ of its norms:
# 16 B a token and layer; the rest is head and embedding.
def test_bert_is_the_paper_but_for_statistics() -> None:
    texts = {"model": "BERT Base", "precision": "pure-16", "dropout": "on", "attention": "eager", "seq_len": "512"}
    found = to_json(account(from_texts({**texts, "activation_model": "korthikanti"})))
    groups: Any = found["alternative"]
    by_name = {row["group"]: row["difference_bytes"] for row in groups["groups"]}
    statistics = 12 * 16 * 512
    assert by_name.pop("norms") == statistics
    by_name.pop("head and loss")
    by_name.pop("other")
    assert set(by_name.values()) == {0}


def test_the_peak_stays_pytorchs() -> None:
    plain, compared = _json(), _json(activation_model="korthikanti")
    assert plain["alternative"] is None
    assert plain["per_card"] == compared["per_card"]
    assert plain["activations"] == compared["activations"]


def test_ledger_and_notes_tell_it() -> None:
    found = account(from_texts({**TEXTS, "activation_model": "korthikanti-selective"}))
    rows = {row.key: row.line.value for row in ledger(found)}
    assert rows["alternative.bytes"] == L * 34 * S * B * H
    assert any("Korthikanti" in note and "which is what the peak counts" in note for note in notes(found))
    alone = account(from_texts({"activation_model": "korthikanti"}))
    assert to_json(alone)["alternative"] is None
