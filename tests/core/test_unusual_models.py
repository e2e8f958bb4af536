"""Models that are more, or less, than one stack of attention over text: nothing is claimed that is not known."""

from __future__ import annotations

import pytest

from core.account import Account, account
from core.charts.catalogue import CHARTS
from core.models.catalogue import models
from core.notes import notes
from core.scenario import from_texts
from core.shares import CARRIERS
from core.verdict import verdict


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


# CLIP's temperature is a tensor without a dimension, which is shared out as one row.
@pytest.mark.parametrize("way", ["paper", *CARRIERS])
def test_a_scalar_parameter_is_shared_out_like_one_row(way: str) -> None:
    found = _account(model="CLIP ViT-L/14", zero="3", cards="8", sharding=way)
    assert found.stage.per_card.count >= 427_616_513 * 16 // 8


@pytest.mark.parametrize("name", [model.name for model in models()])
def test_every_model_of_the_catalogue_has_all_charts(name: str) -> None:
    found = _account(model=name, zero="3", cards="8")
    for kind in CHARTS.values():
        assert kind.describe(found, "decimal").spoken


# An encoder beside a decoder, two towers, recurrent mixers, streams that are mixed: no table of another family holds
# what their passes keep, so no figure stands for it, and a sentence says so where a figure would.
@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("T5 3B", "t5"),
        ("Whisper Large v3", "whisper"),
        ("CLIP ViT-L/14", "clip_text_model"),
        ("Nemotron 3 Nano 30B-A3B", "nemotron_h"),
        ("Qwen3.5 35B-A3B", "qwen3_5_moe"),
        ("DeepSeek V4 Flash", "deepseek_v4"),
    ],
)
def test_a_pass_that_is_no_single_stack_is_not_guessed(name: str, family: str) -> None:
    found = _account(model=name)
    assert found.stage.bill is None
    assert found.stage.peak.count == found.training.count
    assert f"the activations of {family}" in notes(found)[0]
    assert f"{family}" in CHARTS["step"].describe(found, "decimal").spoken


def test_gradients_of_no_bytes_are_no_reason_to_say_that_a_model_is_not_tabled() -> None:
    found = _account(model="Llama 2 7B", bytes_gradients="0")
    assert not any("tabled" in note for note in notes(found))
    assert "gradients" in CHARTS["step"].describe(found, "decimal").spoken


def test_a_model_with_a_tower_says_that_text_alone_is_counted() -> None:
    assert any("vision tower" in note for note in notes(_account(model="Qwen3-VL 8B")))
    assert not any("tower" in note for note in notes(_account(model="Qwen3 8B")))


# 12·L·a·d·s for each token: six of Nemotron's 52 layers attend, and ten of the 40 of Qwen3.5 35B-A3B, by
# hybrid_override_pattern and full_attention_interval of their configurations.
@pytest.mark.parametrize(
    ("name", "layers", "heads", "size"), [("Nemotron 3 Nano 30B-A3B", 6, 32, 128), ("Qwen3.5 35B-A3B", 10, 16, 256)]
)
def test_layers_without_attention_do_no_operations_of_it(name: str, layers: int, heads: int, size: int) -> None:
    found = _account(model=name, seq_len="4096", tokens="1B")
    attention = found.time.flops.count - 6 * found.active.count * 10**9
    assert attention == 12 * layers * heads * size * 4096 * 10**9


def test_a_single_group_of_hsdp_is_not_said_to_be_several() -> None:
    said = notes(_account(model="GPT-2", sharding="hsdp", cards="7"))
    assert "7 cards share one copy under HSDP." in said


# 112 TB at the peak of a step: one card is enough for nothing but the state, and the first line may not say more.
def test_one_card_is_not_said_to_be_enough_for_a_step_that_does_not_fit() -> None:
    said = verdict(_account(model="GPT-2", seq_len="100M"))
    assert said.headline.startswith("Over by ")
    assert (said.condition, said.state) == ("1 card would hold the state alone", "over")
