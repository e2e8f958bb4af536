"""What other calculators were reported to have wrong, asked of this one.

cases.json holds a report a row: its source (a GitHub issue or pull request, or the name of a tool that was tried), what
was given and what the tool said; then what is asked here (`fields` of a scenario, a model's `config`, or `words` of the
command line), `where` in the report the answer stands, the `right` value and `how` it is arrived at; or the `test` that
asks below. A row with `out` is not tested, and that says why.
"""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from core.account import account
from core.notes import notes
from core.quantities import bytes_text
from core.report import to_json
from core.scenario import from_json
from main import main

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))

REPORTS = Path(__file__).parents[3] / "shared" / "cases" / "reports.csv"


def _named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=f"{case['source']}: {case['given']}") for case in cases]


def _report(**fields: object) -> Any:
    return to_json(account(from_json(fields)))


@pytest.mark.parametrize("case", _named([case for case in CASES if "where" in case]))
def test_a_reported_value_is_right_here(case: dict[str, Any], tmp_path: Path) -> None:
    fields = dict(case.get("fields", {}))
    if "config" in case:
        file = tmp_path / "config.json"
        file.write_text(json.dumps(case["config"]), "utf-8")
        fields["model"] = str(file)
    found = _report(**fields)
    for key in case["where"].split("."):
        found = found[int(key)] if isinstance(found, list) else found[key]
    assert found == case["right"]
    assert type(found) is type(case["right"])


@pytest.mark.parametrize("case", _named([case for case in CASES if "words" in case]))
def test_what_makes_no_sense_is_refused_in_one_sentence(
    case: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(case["words"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"{case['refused']}: ")
    assert printed.err.count("\n") == 1


def test_each_row_is_asked_or_says_why_not() -> None:
    for case in CASES:
        assert sum(key in case for key in ("where", "words", "test", "out")) == 1, case
        assert case["source"]
        assert case["given"]
        assert callable(globals()[case["test"]]) if "test" in case else True


@pytest.mark.skipif(not REPORTS.exists(), reason="no shared material beside the checkout")
def test_every_public_report_that_is_known_of_is_a_row() -> None:
    sources = {case["source"] for case in CASES}
    with REPORTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["kind"] == "public":
                numbered = re.match(r"(\S+?)(?: PR)?#(\d+)", row["source"])
                name = f"{numbered[1]}#{numbered[2]}" if numbered else row["source"].removesuffix(" README")
                assert name in sources, row["source"]


# What no single value shows.


def test_checkpoints_hold_a_layers_input_and_no_more() -> None:
    """Megatron theoretical_memory_usage answered 19.49e9 B with and without full recomputation.

    By hand: 32 layers × 4,096 tokens × 4,096 × 2 B = 1,073,741,824 B.
    """
    run = {"model": "Llama 2 7B", "seq_len": 4096}
    full, none = _report(**run, recompute="full"), _report(**run)
    held = {term["tensor"]: term["bytes"] for term in full["activations"]["terms"] if term["where"] == "layer"}
    assert held.pop("input of the layer") == 1_073_741_824
    assert sum(held.values()) < 10**6
    assert none["activations"]["saved_bytes"] > 10 * 1_073_741_824


def test_eager_attention_keeps_its_scores() -> None:
    """NVIDIA/Megatron-LM#525: 23.3 GB were estimated, and 28.82 GiB were allocated when 786 MiB more were asked for.

    Softmax's result of every head in 16 bits is 36 layers × 4 × 20 heads × 1,024² × 2 B, and dropout keeps a byte of
    mask for each of its elements.
    """
    run = {"model": "GPT-2 Large", "micro_batch": 4, "seq_len": 1024, "dropout": True}
    eager, sdpa = _report(**run, attention="eager"), _report(**run)
    scores = 36 * 4 * 20 * 1024**2
    assert eager["activations"]["saved_bytes"] - sdpa["activations"]["saved_bytes"] >= (2 + 1) * scores
    assert eager["per_card"]["peak"] > 23.3 * 2**30


def test_a_mixture_keeps_more_activations_than_a_dense_model_of_the_same_sizes() -> None:
    """gpu-mem-calculator answered 4.9 GiB for Mixtral and 8.0 GiB for the dense model.

    Mistral 7B has Mixtral's width, heads, layers and MLP; each token passes two experts instead of one MLP.
    """
    mixture, dense = _report(model="Mixtral 8x7B"), _report(model="Mistral 7B")
    assert mixture["activations"]["saved_bytes"] > dense["activations"]["saved_bytes"]


def test_a_window_bounds_what_its_layers_cache() -> None:
    """Andyyyy64/whichllm#124: 12.68 GB became 2.20 GB for Gemma-3 27B at 131,072 tokens, with one layer of six global.

    Ten of its 62 layers are, which is a little less than one of six.
    """
    found = _report(model="Gemma 3 27B", context=131072)["inference"]
    everything = found["cache_bytes_per_token"] * 131072
    assert found["cache_bytes"] * 62 * 131072 == everything * (10 * 131072 + 52 * 1024)
    assert found["cache_bytes"] / everything == pytest.approx(2.20 / 12.68, rel=0.04)


def test_states_alone_are_said_to_be_states_alone() -> None:
    """deepspeedai/DeepSpeed#4527: 0.49 GB were estimated, and 14,678 MiB were there before the first step."""
    said = notes(account(from_json({"params": "6805M", "zero": 3, "cards": 4})))
    assert any("the training state alone" in note and "activations" in note for note in said)


def test_a_cards_other_figures_are_said_where_they_change_the_answer() -> None:
    """meta-pytorch/torchtune#1348: 83 GB were reported in use on a card of 80."""
    asked = account(from_json({"params": "5,187,500,000", "card": "H100 SXM"}))
    assert bytes_text(asked.training.count) == "83 GB"
    assert bytes_text(asked.training.count, "binary") == "77.3 GiB"
    assert any(
        "reported memory of H100 SXM, 85.5 GB (79.6 GiB): 1 card would be needed" in note for note in notes(asked)
    )


def test_a_checkpoints_folder_is_read_without_a_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """accelerate estimate-memory ended in HFValidationError for a local folder."""
    config = {"model_type": "llama", "vocab_size": 32000, "hidden_size": 4096, "num_hidden_layers": 32}
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    for words in (["count", str(tmp_path)], ["report", str(tmp_path)], ["report", "--model", str(tmp_path)]):
        assert main([*words, "--format", "json"]) == 0
        assert "6738415616" in capsys.readouterr().out
    (tmp_path / "config.json").unlink()
    assert main(["count", str(tmp_path)]) == 2
    assert "a folder without a config.json" in capsys.readouterr().err


def test_the_command_line_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """gpu-mem-calculator's quick command ended in a NameError."""
    assert main(["report", "--params", "7B"]) == 0
    assert "112 GB" in capsys.readouterr().out
