"""States measured after one real optimizer step, row by row, where the shared material lies beside the checkout.

`test_recipes.py` holds the same figures by hand, so nothing rests on this file alone.
"""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from core.recipes import standard_items

TRUTH = Path(__file__).parents[2] / ".." / "shared" / "truth" / "states.csv"

# Row of the measurement → recipe and optimizer.
ROWS = {
    "fp32 Adam": ("fp32", "adam"),
    "fp32 AdamW": ("fp32", "adamw"),
    "fp32 AdamW amsgrad": ("fp32", "amsgrad"),
    "autocast bf16, fp32 params, AdamW": ("autocast", "adamw"),
    "pure bf16 AdamW (no master)": ("pure-16", "adamw"),
    "pure fp16 AdamW (no master)": ("pure-16", "adamw"),
    "fp32 SGD": ("fp32", "sgd"),
    "fp32 SGD momentum": ("fp32", "sgd-momentum"),
    "bf16 SGD momentum": ("pure-16", "sgd-momentum"),
    "fp32 Adagrad": ("fp32", "adagrad"),
    "fp32 RMSprop": ("fp32", "rmsprop"),
    "fp32 RMSprop centered momentum": ("fp32", "rmsprop-centred-momentum"),
    "fp32 Adadelta": ("fp32", "adadelta"),
    "fp32 Adamax": ("fp32", "adamax"),
    "fp32 NAdam": ("fp32", "nadam"),
    "fp32 RAdam": ("fp32", "radam"),
    "fp32 ASGD": ("fp32", "asgd"),
    "fp32 Adafactor (torch.optim)": ("fp32", "adafactor"),
    "bf16 Adafactor (torch.optim)": ("pure-16", "adafactor"),
    "fp32 Adafactor (transformers, default)": ("fp32", "adafactor-transformers"),
    "bf16 Adafactor (transformers)": ("pure-16", "adafactor-transformers"),
    "fp32 Adafactor (transformers, beta1=0.9)": ("fp32", "adafactor-beta1"),
    "bnb AdamW 32bit": ("fp32", "adamw-32bit-bnb"),
    "fp32 Lion (lion-pytorch)": ("fp32", "lion"),
    "bf16 Lion (lion-pytorch)": ("pure-16", "lion"),
    "fp32 Muon (hidden 2-D) + AdamW (rest)": ("fp32", "muon"),
    "bf16 Muon (hidden 2-D) + AdamW (rest)": ("pure-16", "muon"),
    "mixed bf16: bf16 params + bf16 grads + fp32 master + fp32 Adam (16 B)": ("mixed", "adamw"),
    "mixed bf16: Megatron, fp32 main_grad, bf16 grad freed (18 B)": ("mixed-fp32-grads", "adamw"),
    "mixed bf16: bf16 grads kept AND fp32 accumulation buffer (20 B)": ("mixed-both-grads", "adamw"),
}
# Packed in blocks: small tensors stay in 32 bits, so a small model measures more than the figure of the bulk.
PACKED = {
    "bnb Adam8bit (blockwise, fp32 params)": ("fp32", "adam-8bit"),
    "bnb AdamW8bit (blockwise, bf16 params)": ("pure-16", "adamw-8bit"),
    "bnb Lion8bit": ("fp32", "lion-8bit"),
    "bnb SGD8bit momentum": ("fp32", "sgd-momentum-8bit"),
    "torchao AdamW8bit (float32 params)": ("fp32", "adamw-8bit-torchao"),
    "torchao AdamW4bit (float32 params)": ("fp32", "adamw-4bit-torchao"),
    "torchao AdamWFp8 (float32 params)": ("fp32", "adamw-fp8-torchao"),
}


@pytest.fixture(scope="module")
def measured() -> dict[str, dict[str, str]]:
    if not TRUTH.is_file():
        pytest.skip("the shared material is not beside this checkout")
    with TRUTH.open(encoding="utf-8", newline="") as file:
        return {row["recipe"]: row for row in csv.DictReader(file)}


def _each(row: dict[str, str], *columns: str) -> Fraction:
    """Bytes for each parameter, from the measured bytes."""
    return Fraction(sum(int(row[column]) for column in columns), int(row["n_params"]))


def _kept(recipe: str, optimizer: str) -> tuple[Fraction, Fraction]:
    """Bytes of weights, and of all items, for each parameter."""
    items = standard_items(recipe, optimizer)
    return Fraction(items[0].bytes), sum((Fraction(item.bytes) for item in items), Fraction(0))


# Step counters add 4 B for each tensor: 0.0001 B a parameter on this model, and nothing worth saying on a large one.
@pytest.mark.parametrize(("row", "ours"), ROWS.items())
def test_a_recipe_with_an_optimizer_keeps_what_was_measured(
    measured: dict[str, dict[str, str]], row: str, ours: tuple[str, str]
) -> None:
    found = measured[row]
    weights, everything = _kept(*ours)
    assert _each(found, "param_bytes") == weights
    total = _each(found, "param_bytes", "grad_bytes", "extra_bytes", "opt_bytes")
    assert abs(total - everything) < Fraction(5, 10_000)


@pytest.mark.parametrize(("row", "ours"), PACKED.items())
def test_packed_states_are_measured_at_or_just_over_the_figure_of_the_bulk(
    measured: dict[str, dict[str, str]], row: str, ours: tuple[str, str]
) -> None:
    found = measured[row]
    _, everything = _kept(*ours)
    total = _each(found, "param_bytes", "grad_bytes", "extra_bytes", "opt_bytes")
    assert everything <= total < everything + Fraction(25, 1000)
