"""LoRA and QLoRA: what is trained beside a frozen model, how the frozen weights are stored, and what a step then holds.

Expected: bytes measured with peft and bitsandbytes after one real step, of Llama models of two layers (hidden 256 and
512, MLP 688, vocabulary 1,024), and arithmetic by hand.
"""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import pytest

from core.account import Account, account
from core.beginnings import BEGINNINGS
from core.memory.evidence import MEASURED
from core.notes import notes
from core.report import to_json
from core.scenario import Scenario, applies, change, field, from_texts
from tests.core.test_shares import llama

SMALL, LARGE = llama(256, 688, 1024, 2, 4, 2), llama(512, 688, 1024, 2, 8, 4)


def _account(**values: Any) -> Account:
    return account(change(Scenario(), {"model": SMALL, "lora_rank": 16, **values}))


def _rounded(value: Any) -> str:
    return f"{float(value):.4f}"


# A linear (out, in) has r·(out + in): at rank 8 on queries (256, 256) and values (128, 256), 8·(512 + 384)·2 layers.
@pytest.mark.parametrize(
    ("values", "trained", "bands"),
    [
        ({"lora_rank": 8, "lora_targets": "qv"}, 14_336, ("2.0290", "0.0290", "0.0581")),
        ({"lora_rank": 16}, 147_968, ("2.2996", "0.2996", "0.5993")),
        ({"lora_rank": 8, "lora_targets": "qv", "precision": "fp32"}, 14_336, ("4.0290", "0.0290", "0.0581")),
        ({"lora_rank": 16, "precision": "fp32"}, 147_968, ("4.2996", "0.2996", "0.5993")),
    ],
)
def test_states_of_lora_as_measured(values: dict[str, Any], trained: int, bands: tuple[str, str, str]) -> None:
    found = _account(**values)
    assert found.params.count == 1_975_552
    assert found.adapters is not None
    assert found.adapters.parameters == trained
    assert tuple(_rounded(found.each_bands[band]) for band in ("parameters", "gradients", "optimizer")) == bands


# Measured: 4,865,024 B of weights and adapters, scales 73,800 B each storage once, gradients 919,552 B, states
# 1,839,216 B with 4 B for each of 28 tensors; 3,686,400 weights are packed, embedding, head and norms stay in 16 bits.
def test_states_of_qlora_as_measured() -> None:
    found = _account(model=LARGE, frozen="nf4-double")
    assert {band: line.count for band, line in found.bands.items()} == {
        "parameters": 4_865_024 + 73_800, "gradients": 919_552, "optimizer": 1_839_216,
    }  # fmt: skip
    assert to_json(found)["adapters"] == {
        "rank": 16, "targets": "all-linear", "parameters": 229_888, "bytes": 919_552, "frozen": "nf4-double",
        "frozen_bytes": 4_865_024 + 73_800 - 919_552,
    }  # fmt: skip


# 7 linears of 4096 × 4096 and 4096 × 11008 a layer; LoRA's r = 8 on queries and values is 4,194,304 parameters, which
# another calculator charges as 2 B for every parameter of the model.
def test_llama_2_7b_on_queries_and_values() -> None:
    found = account(from_texts({"model": "Llama 2 7B", "lora_rank": "8", "lora_targets": "qv"}))
    assert found.adapters is not None
    assert found.adapters.parameters == 32 * 2 * 8 * (4096 + 4096) == 4_194_304
    assert found.bands["parameters"].count == 6_738_415_616 * 2 + 4_194_304 * 4
    assert found.bands["gradients"].count == 4_194_304 * 4
    assert found.bands["optimizer"].count == 4_194_304 * 8 + 4 * 128


@pytest.mark.parametrize(
    ("model", "targets", "each"),
    [
        ("GPT-2", "qv", 768 + 3 * 768),  # one matrix for queries, keys and values
        ("GPT-2", "attention", (768 + 3 * 768) + 2 * 768),
        ("GPT-2", "all-linear", (768 + 3 * 768) + 2 * 768 + 2 * (768 + 3072)),
        ("Pythia 1.4B", "attention", (2048 + 3 * 2048) + 2 * 2048),
        # Routers and stacked experts hold no linear of their own.
        ("Mixtral 8x7B", "all-linear", 2 * (4096 + 4096) + 2 * (4096 + 1024)),
    ],
)
def test_which_linears_are_meant(model: str, targets: str, each: int) -> None:
    found = account(from_texts({"model": model, "lora_rank": "4", "lora_targets": targets}))
    assert found.adapters is not None
    assert found.adapters.parameters == 4 * each * found.model.arch.layers  # type: ignore[union-attr]


def _passes() -> list[dict[str, str]]:
    with (MEASURED / "adapters.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    every = {"": "all-linear", "q_proj v_proj": "qv"}
    return [{**row, "targets": every[row["targets"]]} for row in rows if row["targets"] in every]


# The measured models: hidden 128, three layers, vocabulary 256, 8 heads of 16, MLP 256; two sequences of 96 tokens.
@pytest.mark.parametrize(
    "row", [row for row in _passes() if row["family"] == "llama"], ids=lambda row: str(row["trained"])
)
def test_a_step_holds_what_was_measured(row: dict[str, str]) -> None:
    model = llama(128, 256, 256, 3, 8, int(row["kv_heads"]))
    recipe = {"bf16": "mixed" if row["wide"] == "yes" else "pure-16"}.get(row["precision"], row["precision"])
    found = _account(
        model=model, lora_rank=int(row["rank"]), lora_targets=row["targets"], precision=recipe, micro_batch=2,
        seq_len=96, attention=row["attention"], recompute="full" if row["checkpoints"] == "yes" else "none",
    )  # fmt: skip
    shown = cast(dict[str, Any], to_json(found)["activations"])
    assert found.adapters is not None
    assert found.adapters.parameters == int(row["trained"])
    assert shown["end_of_forward_bytes"] == int(row["live_after_forward"])
    assert abs(Fraction(shown["peak_bytes"], int(row["largest"])) - 1) < Fraction(3, 100)


# Gradients are those of the adapters alone, in 32 bits; a linear in few bits is unpacked whole while it runs.
def test_the_moments_hold_adapters_gradients_and_one_unpacked_linear() -> None:
    plain, packed = _account(model=LARGE), _account(model=LARGE, frozen="nf4")
    assert plain.stage.bill is not None
    assert packed.stage.bill is not None
    for before, after in zip(plain.stage.bill.moments, packed.stage.bill.moments, strict=True):
        assert before.bands["gradients"] <= 919_552
        unpacked = 2 * 512 * 688 if "layer" in before.name else 0
        assert after.bands["transient"] - before.bands["transient"] == unpacked
    assert plain.stage.bill.moments[-1].bands["gradients"] == 919_552


# What is unpacked to 16 bits has nothing for autocast to cast: its 16-bit copies of weights are 2 B for each linear's.
def test_few_bits_have_no_weight_casts() -> None:
    casts = [
        cast(dict[str, Any], to_json(_account(precision="autocast", frozen=frozen))["activations"])["weight_cast_bytes"]
        for frozen in (None, "nf4")
    ]
    assert casts[0] > 2 * 2 * 256 * 688
    assert casts[1] == 0


def test_shards_of_adapters_are_by_their_own_tensors() -> None:
    whole, shared = _account(), _account(sharding="fsdp2", cards=4)
    # Every dimension but the ranks of 16 divides by four, and so do these.
    for band in ("parameters", "gradients"):
        assert shared.stage.bands[band].count * 4 == whole.bands[band].count
    assert shared.stage.bands["optimizer"].count == 147_968 * 8 // 4 + 4 * 28
    copied = _account(sharding="ddp", cards=4).stage.bill
    assert copied is not None
    assert copied.buckets == 147_968 * 4


def test_work_is_four_operations_for_each_frozen_parameter_and_token() -> None:
    frozen, trained = _account(tokens=1000), _account(tokens=1000, lora_rank=None)
    assert trained.time.flops.count - frozen.time.flops.count == 2 * 1_975_552 * 1000
    # A second forward pass is as long as ever.
    again = [_account(tokens=1000, recompute="full", lora_rank=rank).time for rank in (16, None)]
    assert len({run.hardware_flops.count - run.flops.count for run in again}) == 1


def test_without_a_model_nothing_is_frozen() -> None:
    found = account(from_texts({"lora_rank": "16"}))
    assert found.adapters is None
    assert found.training.count == 480 * 10**9
    assert any("linears of a model" in note for note in notes(found))
    assert not applies(found.scenario, field("frozen"))


def test_inference_trains_no_adapter() -> None:
    found = _account(precision="inference")
    assert {band: line.count for band, line in found.bands.items()} == {
        "parameters": 2 * 1_975_552 + 4 * 147_968, "gradients": 0, "optimizer": 0,
    }  # fmt: skip


def test_a_beginning_fits_on_one_card_of_24_gb() -> None:
    (lora,) = [row for row in BEGINNINGS if row.name == "lora"]
    found = account(lora.scenario)
    assert (found.card.marketed, found.cards.count, found.stage.fits) == (24 * 10**9, 1, True)
    assert found.adapters is not None


TRUTH = Path(__file__).parents[2] / ".." / "shared" / "truth" / "states.csv"


@pytest.mark.skipif(not TRUTH.exists(), reason="the measurements are not beside the checkout")
def test_every_row_of_lora_that_was_measured_elsewhere() -> None:
    with TRUTH.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["recipe"].startswith("LoRA")]
    assert len(rows) == 4
    for row in rows:
        few = "r=8" in row["recipe"]
        found = _account(
            lora_rank=8 if few else 16, lora_targets="qv" if few else "all-linear",
            precision="fp32" if "float32" in row["recipe"] else "mixed",
        )  # fmt: skip
        assert found.bands["parameters"].count == int(row["param_bytes"])
        assert found.bands["gradients"].count == int(row["grad_bytes"])
        assert found.bands["optimizer"].count == int(row["opt_bytes"])
