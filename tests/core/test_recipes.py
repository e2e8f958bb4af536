"""What each parameter carries, recipe by recipe and optimizer by optimizer, against published and measured figures."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.bands import BANDS
from core.numbers import Number
from core.recipes import ITEMS, OPTIMIZERS, RECIPES, items, standard_items

F = Fraction

# weights, gradients, master, momentum, variance under AdamW; then the sum.
# mixed: ZeRO, section 3.1, 2 + 2 + K with K = 12. mixed-fp32-grads: Megatron-LM keeps a 32-bit main gradient in place
# of the 16-bit one; mixed-both-grads keeps both. autocast, fp32, fsdp-mixed: 32-bit tensors, measured as 4 + 4 + 8.
# pure-16: measured as 2 + 2 + 4. fp8-deepseek-v3: DeepSeek-V3 report, section 3.3.
RECIPE_TABLE = {
    "mixed": (2, 2, 4, 4, 4, 16),
    "mixed-fp32-grads": (2, 4, 4, 4, 4, 18),
    "mixed-both-grads": (2, 6, 4, 4, 4, 20),
    "autocast": (4, 4, 0, 4, 4, 16),
    "fp32": (4, 4, 0, 4, 4, 16),
    "fsdp-mixed": (4, 4, 0, 4, 4, 16),
    "pure-16": (2, 2, 0, 2, 2, 8),
    "fp8-deepseek-v3": (1, 4, 4, 2, 2, 13),
    "inference": (2, 0, 0, 0, 0, 2),
}


def _bytes(recipe: str, optimizer: str = "adamw") -> dict[str, Number]:
    return {item.name: item.bytes for item in standard_items(recipe, optimizer)}


def test_the_table_of_recipes_is_complete() -> None:
    assert {recipe.name for recipe in RECIPES} == set(RECIPE_TABLE)


@pytest.mark.parametrize(("recipe", "row"), RECIPE_TABLE.items())
def test_a_recipe_carries_what_its_source_says(recipe: str, row: tuple[int, ...]) -> None:
    *each, total = row
    found = _bytes(recipe)
    assert tuple(found[name] for name in ("weights", "gradients", "master", "momentum", "variance")) == tuple(each)
    assert found["other"] == 0
    assert sum(found.values()) == total == sum(each)


# Bytes of optimizer state a parameter, beside 32-bit weights and gradients (4 + 4), measured after one real step in
# PyTorch 2.13; where tensors are packed in blocks it is the figure of the bulk: one byte and a 32-bit scale for each
# block of 256 is 1 + 4/256, half a byte and a scale for each block of 128 is 1/2 + 4/128.
OPTIMIZER_STATE = {
    "adamw": 8,
    "adam": 8,
    "amsgrad": 12,
    "nadam": 8,
    "radam": 8,
    "adamax": 8,
    "adadelta": 8,
    "sgd": 0,
    "sgd-momentum": 4,
    "adagrad": 4,
    "rmsprop": 4,
    "rmsprop-centred-momentum": 12,
    "asgd": 4,
    "lion": 4,
    "adafactor": F(265, 10_000),
    "adafactor-transformers": F(265, 10_000),
    "adafactor-beta1": 4 + F(265, 10_000),
    "muon": F(5064, 1000),
    "adamw-32bit-bnb": 8,
    "adamw-8bit": F(203125, 100_000),
    "adam-8bit": F(203125, 100_000),
    "lion-8bit": F(1015625, 10**6),
    "sgd-momentum-8bit": F(1015625, 10**6),
    "adamw-8bit-torchao": F(203125, 100_000),
    "adamw-4bit-torchao": F(10625, 10_000),
    "adamw-fp8-torchao": F(203125, 100_000),
}


def test_the_table_of_optimizers_is_complete() -> None:
    assert {optimizer.name for optimizer in OPTIMIZERS} == set(OPTIMIZER_STATE)


@pytest.mark.parametrize(("optimizer", "state"), OPTIMIZER_STATE.items())
def test_an_optimizer_keeps_what_was_measured_beside_32_bit_weights(optimizer: str, state: Number) -> None:
    found = _bytes("fp32", optimizer)
    assert (found["weights"], found["gradients"], found["master"]) == (4, 4, 0)
    assert found["momentum"] + found["variance"] + found["other"] == state


# Moments take the weights' format where there is no master copy (bf16: 2 B each); optimizers that pack their own
# formats do not care. Measured in PyTorch 2.13: 2, 4, 0.0133 and 2.03125 B; transformers' Adafactor keeps 32 bits.
@pytest.mark.parametrize(
    ("optimizer", "state"),
    [
        ("sgd-momentum", 2),
        ("lion", 2),
        ("adamw", 4),
        ("amsgrad", 6),
        ("sgd", 0),
        ("adamw-8bit", F(203125, 100_000)),
        ("adafactor", F(1325, 100_000)),
        ("adafactor-transformers", F(265, 10_000)),
        ("adamw-32bit-bnb", 8),
    ],
)
def test_moments_take_the_weights_format_without_a_master_copy(optimizer: str, state: Number) -> None:
    found = _bytes("pure-16", optimizer)
    assert found["momentum"] + found["variance"] + found["other"] == state


@pytest.mark.parametrize("optimizer", ["adamw", "sgd", "adamw-8bit", "adafactor-beta1", "muon"])
def test_inference_keeps_weights_alone_whatever_the_optimizer(optimizer: str) -> None:
    assert _bytes("inference", optimizer) == {
        "weights": 2, "gradients": 0, "master": 0, "momentum": 0, "variance": 0, "other": 0,
    }  # fmt: skip


@pytest.mark.parametrize("recipe", RECIPE_TABLE)
def test_weights_are_parameters_gradients_gradients_and_all_else_optimizer(recipe: str) -> None:
    bands = {item.name: item.band for optimizer in OPTIMIZER_STATE for item in standard_items(recipe, optimizer)}
    assert bands == {
        "weights": "parameters", "gradients": "gradients", "master": "optimizer", "momentum": "optimizer",
        "variance": "optimizer", "other": "optimizer",
    }  # fmt: skip


@pytest.mark.parametrize("recipe", RECIPE_TABLE)
def test_an_item_has_a_format_exactly_where_it_has_bytes(recipe: str) -> None:
    for optimizer in OPTIMIZER_STATE:
        for item in standard_items(recipe, optimizer):
            assert bool(item.format) == bool(item.bytes), item
            assert isinstance(item.bytes, int) or item.bytes.denominator > 1


def test_names_and_labels_are_unique_and_sourced() -> None:
    for table in (RECIPES, OPTIMIZERS):
        for of in ("name", "label"):
            assert len({getattr(row, of).casefold() for row in table}) == len(table)
    assert all(recipe.source for recipe in RECIPES)
    assert [band.name for band in BANDS] == ["parameters", "gradients", "optimizer"]
    assert [name for name, *_ in ITEMS][:5] == ["weights", "gradients", "master", "momentum", "variance"]


def test_bytes_set_by_hand_stand_in_place_of_the_recipes() -> None:
    rows = {item.name: item for item in items("mixed", "adamw", {"gradients": 4, "variance": F(1, 2)})}
    assert (rows["gradients"].bytes, rows["gradients"].format) == (4, "fp32")
    assert (rows["variance"].bytes, rows["variance"].format) == (F(1, 2), "custom")
    assert rows["weights"] == standard_items("mixed", "adamw")[0]


def test_setting_what_the_recipe_has_changes_nothing() -> None:
    for recipe, row in RECIPE_TABLE.items():
        same = dict(zip(("weights", "gradients", "master", "momentum", "variance"), row[:5], strict=True))
        assert items(recipe, "adamw", dict(same)) == standard_items(recipe, "adamw")


# 4 + 4 + 4 + 4 B without a master copy and 2 + 2 + 12: two recipes with the same sum and other bands.
def test_equal_sums_do_not_make_equal_recipes() -> None:
    assert sum(_bytes("mixed").values()) == sum(_bytes("fp32").values()) == 16
    assert _bytes("mixed") != _bytes("fp32")
