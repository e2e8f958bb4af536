"""What a card really stores under each way of sharing out, and what the host holds of it.

Expected: bytes measured under a fake process group (resources/measured/shards.csv, PyTorch 2.13, a Llama of 5,790,336
parameters in 30 tensors), and arithmetic by hand from the shapes of its tensors.
"""

from __future__ import annotations

import csv
from math import prod
from pathlib import Path
from typing import Any

import pytest

from core.account import Account, account
from core.models.architecture import Architecture
from core.models.config import read_config
from core.notes import notes
from core.report import to_json
from core.scenario import Scenario, change, from_texts
from core.verdict import verdict

ROOT = Path(__file__).parents[2]
TRUTH = ROOT.parent / "shared" / "truth" / "sharding.csv"
COUNTER = 4  # bytes of a tensor's step counter, which lives on the host


def llama(hidden: int, mlp: int, vocabulary: int, layers: int, heads: int, kv_heads: int) -> Architecture:
    return read_config(
        {
            "model_type": "llama",
            "architectures": ["LlamaForCausalLM"],
            "hidden_size": hidden,
            "intermediate_size": mlp,
            "vocab_size": vocabulary,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "num_key_value_heads": kv_heads,
            "tie_word_embeddings": False,
        },
        "a small Llama",
    )


SMALL = llama(384, 1000, 1500, 3, 6, 2)
SMALL_TENSORS = 30


def _account(**values: Any) -> Account:
    return account(change(Scenario(), {"model": SMALL, "precision": "fp32", **values}))


def _measured() -> list[dict[str, str]]:
    with (ROOT / "resources" / "measured" / "shards.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", _measured(), ids=lambda row: f"{row['strategy']}-{row['ranks']}-{row['rank']}")
def test_a_card_stores_what_was_measured_of_the_fullest_rank(row: dict[str, str]) -> None:
    group = int(row["ranks_of_a_copy"]) or None
    found = _account(sharding=row["strategy"], cards=int(row["ranks"]), shard_group=group).stage
    assert found.bands["parameters"].count == int(row["parameters_stored"])
    assert found.bands["gradients"].count == int(row["gradients_stored"])
    states = int(row["adamw_states"])
    dealt_evenly = row["strategy"] != "zero-redundancy" or int(row["ranks"]) >= SMALL_TENSORS
    if row["rank"] == "0" and dealt_evenly:
        counters = states - found.bands["optimizer"].count
        assert counters % COUNTER == 0
        assert 0 < counters <= COUNTER * SMALL_TENSORS
    else:
        assert states <= found.bands["optimizer"].count + COUNTER * SMALL_TENSORS


# Rows of a 384-wide Llama on 512 ranks: no tensor has more than 1,500 rows, so one row of 384 and less, two of 1,000
# and three of 1,500. One row: norms 7 × 1 (3 × 2 + 1); q, o 384 each, k, v 384 each (128 rows), down 1,000 wide;
# two rows: gate and up, 2 × 384 each; three rows: embedding and head, 3 × 384 each.
def test_fsdp2_stores_whole_rows_of_every_tensor() -> None:
    layer = 2 * 1 + 4 * 384 + 1_000 + 2 * 2 * 384
    stored = 3 * layer + 1 + 2 * 3 * 384
    found = _account(sharding="fsdp2", cards=512)
    assert found.stage.stage == 3
    assert found.stage.bands["parameters"].count == 4 * stored
    assert found.stage.per_card.count == 16 * stored
    # By the paper a card has ⌈5,790,336 ÷ 512⌉ = 11,310 parameters: a sixth of that is padding.
    assert _account(zero=3, cards=512).stage.per_card.count == 16 * 11_310 < 16 * stored


def test_ddp_holds_everything_and_the_gradients_twice_unless_they_are_the_buckets() -> None:
    view, copied = _account(sharding="ddp-bucket-view", cards=8), _account(sharding="ddp", cards=8)
    whole = 5_790_336 * 4
    for found in (view, copied):
        assert [found.stage.bands[band].count for band in ("parameters", "gradients", "optimizer")] == [
            whole, whole, 2 * whole,
        ]  # fmt: skip
    assert view.stage.bill is not None
    assert copied.stage.bill is not None
    assert copied.stage.bill.buckets == whole
    assert copied.stage.peak.count == view.stage.peak.count + whole


# The embedding, 1,500 × 384, is the largest tensor: with many ranks it is all that the fullest one updates.
def test_whole_tensors_stop_shrinking() -> None:
    for cards in (64, 10_000):
        found = _account(sharding="zero-redundancy", cards=cards).stage
        assert found.stage == 1
        assert found.bands["optimizer"].count == 1_500 * 384 * 8
        assert found.bands["parameters"].count == 5_790_336 * 4


def test_hsdp_shares_out_within_a_group() -> None:
    eight = _account(sharding="fsdp2", cards=8).stage
    for cards, group in ((64, 8), (8, 64), (64, None)):  # left open: a node of eight
        found = _account(sharding="hsdp", cards=cards, shard_group=group).stage
        assert found.bands["parameters"].count == eight.bands["parameters"].count
        assert found.per_card.count == eight.per_card.count


@pytest.mark.parametrize("sharding", ["ddp", "ddp-bucket-view", "zero-redundancy", "fsdp2", "hsdp"])
@pytest.mark.parametrize("room", [40_000_000, 60_000_000, 100_000_000])
def test_the_fewest_cards_are_those_of_a_search_one_by_one(sharding: str, room: int) -> None:
    found = _account(sharding=sharding, card_memory=room, cards=4, shard_group=16)
    stage = found.stage.stage
    fits = [
        cards
        for cards in range(1, 65)
        if _account(sharding=sharding, card_memory=room, cards=cards, shard_group=16).stages[stage].states_fit
    ]
    assert found.stage.to_fit.value == (fits[0] if fits else None)


def test_the_way_of_sharing_decides_the_stage_and_says_so() -> None:
    found = _account(sharding="fsdp2", cards=8, zero=1)
    assert found.stage.stage == 3
    assert to_json(found)["scenario"]["zero"] == 3  # type: ignore[index]
    assert verdict(found).detail.startswith("With FSDP2, stage 3, each of 8 cards holds")
    assert "ZeRO stage 1 was asked for; FSDP2 carries out stage 3, which counts." in notes(found)


# 8 experts on 64 ranks are a whole expert on each; on 8 nothing is padded but a few small rows.
def test_padding_that_shows_is_told() -> None:
    many, few = (account(from_texts({"model": "Mixtral 8x7B", "sharding": "fsdp2", "cards": n})) for n in ("64", "8"))
    assert any("64 ranks together store" in note for note in notes(many))
    assert not any("ranks together store" in note for note in notes(few))


def test_without_a_model_the_papers_formula_stands_in() -> None:
    found = account(from_texts({"params": "7.5B", "sharding": "hsdp", "cards": "64", "shard_group": "16"}))
    assert found.stage.per_card.count == 7_500_000_000 // 16 * 16
    assert any("by the paper's formula" in note for note in notes(found))


# ZeRO-Offload leaves 2 + 2 bytes a parameter on the card and moves 12; CPU offload of everything leaves nothing.
def test_offload_moves_bytes_to_the_host() -> None:
    whole = account(from_texts({"params": "7.5B"}))
    states = account(from_texts({"params": "7.5B", "offload": "optimizer"}))
    assert states.stage.per_card.count == 30 * 10**9
    assert states.training.count == whole.training.count == 120 * 10**9
    assert to_json(states)["host"] == {
        "parameters": 0, "gradients": 0, "optimizer": 90 * 10**9, "bytes": 90 * 10**9,
    }  # fmt: skip
    assert to_json(whole)["host"] == {"parameters": 0, "gradients": 0, "optimizer": 0, "bytes": 0}
    shared = account(from_texts({"params": "7.5B", "offload": "parameters", "zero": "3", "cards": "64"}))
    assert shared.stage.per_card.count == 0
    assert to_json(shared)["host"]["bytes"] == 1_875_000_000  # type: ignore[index]
    assert shared.stage.to_fit.value == 1


def test_the_cards_peak_is_without_what_the_host_holds() -> None:
    here, there = _account(), _account(offload="optimizer")
    assert here.stage.bill is not None
    assert there.stage.bill is not None
    moved = 5_790_336 * 8
    for before, after in zip(here.stage.bill.moments, there.stage.bill.moments, strict=True):
        if before.name != "optimizer step":  # whose temporaries are on the host as well
            assert before.bytes - after.bytes == moved


@pytest.mark.skipif(not TRUTH.exists(), reason="the measurements are not beside the checkout")
def test_every_shard_that_was_measured_elsewhere() -> None:
    models = {"even": llama(512, 1536, 4096, 3, 8, 4), "uneven": llama(250, 683, 1003, 3, 5, 5)}
    names = {"FSDP2 fully": "fsdp2", "HSDP (repli": "hsdp", "ZeroRedunda": "zero-redundancy", "DDP gradien": "ddp"}
    seen = 0
    with TRUTH.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            how = names.get(row["strategy"][:11])
            if how is None:
                continue
            seen += 1
            group = 8 if how == "hsdp" else None
            found = _account(model=models[row["model"]], sharding=how, cards=int(row["world"]), shard_group=group).stage
            assert found.bands["parameters"].count == int(row["param_bytes_storage"])
            assert found.bands["gradients"].count == int(row["grad_bytes_storage"])
            counters = int(row["opt_bytes"]) - found.bands["optimizer"].count
            assert counters <= COUNTER * SMALL_TENSORS
            assert counters >= 0 or row["rank"] != "0"
    assert seen > 50


# A logit scale of CLIP is a lone number: one row, which every rank stores padded.
def test_a_lone_number_is_one_row() -> None:
    found = account(from_texts({"model": "CLIP ViT-L", "sharding": "fsdp2", "cards": "100000"}))
    assert found.model is not None
    rows = sum(tensor.copies * prod(tensor.shape[1:]) for tensor in found.model.tensors)
    assert any(not tensor.shape for tensor in found.model.tensors)
    assert found.stage.bands["parameters"].count == 2 * rows
