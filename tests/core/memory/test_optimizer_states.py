"""Optimizer states by rule, and frozen and adapted weights, by hand and against figures measured by others."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.choices import FROZEN_STORAGE
from core.memory.evidence import llama_tensors
from core.memory.optimizers import RULES
from core.memory.states import (
    adapter_parameters,
    adapters,
    frozen_weights,
    optimizer_state,
    step_temporaries,
)
from core.memory.storage import FROZEN
from core.memory.tensors import Tensor, count, elements
from core.recipes import OPTIMIZERS

# hidden 256, MLP 688, vocabulary 1,024, 2 layers, 4 heads, 2 of them for keys and values
LLAMA_2M = llama_tensors(256, 688, 1024, 2, 4, 2)


def test_the_model_that_the_figures_are_of() -> None:
    assert (elements(LLAMA_2M), count(LLAMA_2M)) == (1_975_552, 21)
    assert elements(llama_tensors(256, 688, 1024, 2, 4, 2, tied=True)) == 1_713_408


@pytest.mark.parametrize(
    ("optimizer", "moment", "per_parameter"),
    [
        # bytes a parameter after one real step, four decimals (PyTorch 2.13, bitsandbytes, torchao)
        ("adamw", 4, "8.0000"), ("adamw", 2, "4.0000"), ("amsgrad", 4, "12.0000"), ("nadam", 4, "8.0001"),
        ("sgd", 4, "0.0000"), ("sgd-momentum", 4, "4.0000"), ("asgd", 4, "4.0001"),
        ("rmsprop-centred-momentum", 4, "12.0000"), ("adafactor", 4, "0.0265"), ("adafactor", 2, "0.0133"),
        ("adafactor-transformers", 2, "0.0265"), ("adafactor-beta1", 4, "4.0265"), ("muon", 4, "5.0642"),
        ("muon", 2, "2.5321"), ("adamw-8bit", 4, "2.0362"), ("lion-8bit", 4, "1.0186"),
        ("adamw-8bit-torchao", 4, "2.0517"), ("adamw-8bit-torchao", 2, "2.0492"), ("adamw-4bit-torchao", 4, "1.0681"),
        ("adamw-4bit-torchao", 2, "1.0655"), ("adamw-fp8-torchao", 4, "2.0352"), ("adamw-fp8-torchao", 2, "2.0326"),
    ],
)  # fmt: skip
def test_bytes_of_a_parameter(optimizer: str, moment: int, per_parameter: str) -> None:
    assert f"{float(optimizer_state(optimizer, LLAMA_2M, moment).per_parameter):.4f}" == per_parameter


def test_block_scales_and_small_tensors() -> None:
    # 4,096 elements: one byte each and 16 scales of 4 B; one element fewer: 32 bits each. Two states, 2,048 B of maps.
    assert optimizer_state("adamw-8bit", [Tensor("w", (64, 64))], 4).bytes == 2 * (4096 + 64) + 2048
    assert optimizer_state("adamw-8bit", [Tensor("w", (4095,))], 4).bytes == 2 * 4 * 4095 + 2048
    # 4,097 elements need 17 scales in bitsandbytes; torchao leaves what its block does not divide as it is
    assert optimizer_state("adam-8bit", [Tensor("w", (4097,))], 2).bytes == 2 * (4097 + 4 * 17) + 2048
    assert optimizer_state("adamw-8bit-torchao", [Tensor("w", (4097,))], 2).bytes == 2 * 2 * 4097 + 4
    assert optimizer_state("adamw-4bit-torchao", [Tensor("w", (4096,))], 2).bytes == 2 * (2048 + 4 * 32 + 64) + 4


def test_muon_splits_matrices_from_the_rest() -> None:
    state = optimizer_state("muon", LLAMA_2M, 4)
    # 1,449,984 elements in hidden matrices, 525,568 elsewhere in 7 tensors
    assert state.items == {"momentum": 4 * (1_449_984 + 525_568), "variance": 4 * 525_568}
    assert state.counters == 4 * 7


def test_adafactor_keeps_a_row_and_a_column_of_each_matrix() -> None:
    # Shazeer and Stern 2018, section 3; a stack of experts keeps them for each
    stack = [Tensor("experts", (8, 100, 60), 1, "experts"), Tensor("norm", (60,), 1, "vector")]
    assert optimizer_state("adafactor", stack, 4).items == {"other": 4 * (8 * 100 + 8 * 60 + 60)}


def test_every_optimizer_of_the_recipes_has_a_rule() -> None:
    assert {row.name for row in OPTIMIZERS} <= set(RULES)


@pytest.mark.parametrize("row", OPTIMIZERS, ids=lambda row: row.name)
def test_the_bulk_of_a_large_model_is_what_the_recipes_say(row: object) -> None:
    # Llama-2-7B: small tensors, counters and maps vanish; Muon's split and Adafactor's factors follow the model
    name, kept = row.name, row  # type: ignore[attr-defined]
    if name == "muon" or name.startswith("adafactor"):
        return
    large = optimizer_state(name, llama_tensors(4096, 11008, 32000, 32, 32, 32), 4).per_parameter
    tensors = Fraction(kept.momentum + kept.variance + kept.other)  # type: ignore[attr-defined]
    bulk = tensors if kept.own else 4 * tensors  # type: ignore[attr-defined]
    assert abs(large - bulk) < Fraction(1, 1000)


def test_temporaries_of_the_step() -> None:
    # torch's foreach AdamW takes the square roots of all variances at once; Adagrad two such lists; the fused one none
    assert step_temporaries("adamw", 1000, 4) == 4000
    assert step_temporaries("adamw", 1000, 2) == 2000
    assert step_temporaries("adagrad", 1000, 4) == 8000
    assert step_temporaries("adamw", 1000, 4, fused=True) == 0
    assert step_temporaries("adamw-8bit", 1000, 4) is None


@pytest.mark.parametrize(
    ("storage", "measured"),
    # bitsandbytes.functional.quantize_4bit of a 4096 x 4096 matrix
    [("nf4", 9_437_248), ("nf4-double", 8_655_940), ("nf4-128", 8_912_960), ("nf4-128-double", 8_522_820),
     ("fp4", 9_437_248), ("fp4-double", 8_655_940), ("fp4-128", 8_912_960), ("fp4-128-double", 8_522_820)],
)  # fmt: skip
def test_frozen_weights_in_four_bits(storage: str, measured: int) -> None:
    assert frozen_weights(storage, [Tensor("w", (4096, 4096))]).bytes == measured
    assert abs(FROZEN[storage].bulk - Fraction(measured, 4096 * 4096)) < Fraction(1, 10_000)


def test_a_choice_of_storage_says_its_bytes() -> None:
    # By hand: 1/2 + 4/64; after Dettmers et al. 2023, section 3, 1/2 + 1/64 + 4/(64·256), and so with blocks of 128.
    said = {option.name: option.hint.rpartition(": ")[2] for option in FROZEN_STORAGE}
    assert said["nf4"] == said["fp4"] == "0.5625 B a weight"
    assert said["nf4-double"] == "0.5159 B a weight"
    assert said["nf4-128-double"] == "0.5079 B a weight"


def test_frozen_weights_in_eight_bits_have_a_scale_for_each_row() -> None:
    assert frozen_weights("int8", [Tensor("w", (300, 100))]).bytes == 300 * 100 + 4 * 300


def test_lora_trains_two_thin_matrices() -> None:
    # Hu et al. 2021: r·(in + out) for each target; q: 8·(256 + 256), v: 8·(256 + 128), two layers
    assert adapter_parameters(LLAMA_2M, 8, ("q_proj", "v_proj")) == 2 * (8 * 512 + 8 * 384) == 14_336
    everywhere = adapters(LLAMA_2M, 16)
    assert (elements(everywhere), count(everywhere)) == (147_968, 28)
    assert optimizer_state("adamw", everywhere, 4).bytes == 1_183_856
    # Llama-2-7B, r = 8 on q and v: 4,194,304
    assert adapter_parameters(llama_tensors(4096, 11008, 32000, 32, 32, 32), 8, ("q_proj", "v_proj")) == 4_194_304


def test_qlora_of_a_small_model() -> None:
    # Measured with bitsandbytes 0.50 and peft: hidden 512, MLP 688, r = 16 on every linear. Parameters 4,865,024 B with
    # adapters in 32 bits; the scales of 14 matrices are 73,800 B (each storage once).
    base = llama_tensors(512, 688, 1024, 2, 4, 2)
    frozen = frozen_weights("nf4-double", base)
    adapted = adapters(base, 16)
    assert elements(base) == 4_737_536
    assert elements(adapted) == 229_888
    scales = frozen.bytes - frozen.quantised["weights"] - frozen.others
    assert scales == 73_800
    assert frozen.bytes - scales + 4 * elements(adapted) == 4_865_024
    assert optimizer_state("adamw", adapted, 4).bytes == 1_839_216
