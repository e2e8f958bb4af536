"""What each parameter carries: storage recipe × optimizer → items with their bytes.

A recipe says in which format weights, gradients and the master copy are kept, and in which the optimizer keeps its
moments; an optimizer says which moments it keeps. Sources stand in each row.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import msgspec

from core.choice_kinds import Option
from core.numbers import Number, narrow


class Item(msgspec.Struct, frozen=True):
    """One thing kept for every parameter: `bytes` for each, in `format` ("fp32"); "" where nothing is kept."""

    name: str
    label: str
    band: str
    purpose: str
    format: str
    bytes: Number


class Recipe(msgspec.Struct, frozen=True):
    """Bytes a parameter of the copies a recipe keeps; `moment` is the format in which optimizer moments are kept."""

    name: str
    label: str
    weights: tuple[str, Number]
    gradients: tuple[str, Number]
    master: tuple[str, Number]
    moment: tuple[str, Number]
    source: str
    note: str = ""


FP32, BF16, FP8, NONE = ("fp32", 4), ("bf16", 2), ("fp8", 1), ("", 0)

RECIPES = (
    Recipe("mixed", "Mixed precision", BF16, BF16, FP32, FP32, "ZeRO, Rajbhandari et al. 2019, section 3.1: K = 12"),
    Recipe("mixed-fp32-grads", "Mixed, 32-bit gradients", BF16, FP32, FP32, FP32,
           "Megatron-LM's 32-bit main gradient; the 16-bit one is freed"),
    Recipe("mixed-both-grads", "Mixed, both gradients", BF16, ("bf16 + fp32", 6), FP32, FP32,
           "gradients kept in 16 bits and accumulated in 32, as in the Ultra-Scale Playbook"),
    Recipe("autocast", "Autocast", FP32, FP32, NONE, FP32, "torch.autocast over 32-bit weights",
           "Autocast also keeps 16-bit copies of the weights from forward to backward; they are not in the state."),
    Recipe("fp32", "Full 32-bit", FP32, FP32, NONE, FP32, "no mixed precision"),
    Recipe("fsdp-mixed", "FSDP mixed precision", FP32, FP32, NONE, FP32, "FSDP2 with a 16-bit parameter policy",
           "16-bit copies of one layer at a time come and go on top; they are not in the state."),
    Recipe("pure-16", "Pure 16-bit", BF16, BF16, NONE, BF16, "weights and moments in 16 bits, measured in PyTorch 2.13",
           "Without a 32-bit copy an update much smaller than its weight is rounded away."),
    Recipe("fp8-deepseek-v3", "FP8, DeepSeek-V3", FP8, FP32, FP32, BF16,
           "DeepSeek-V3 report, section 3.3: fp8 weights, 32-bit master and gradients, bf16 moments"),
    Recipe("inference", "Inference only", BF16, NONE, NONE, NONE, "weights alone"),
)  # fmt: skip


class Optimizer(msgspec.Struct, frozen=True):
    """What an optimizer keeps for each parameter beside weights and gradients.

    `momentum`, `variance` and `other` count tensors of the parameter's shape in the recipe's moment format; where
    `own` is set these are bytes in the optimizer's own format instead. `measured` marks a figure that depends on the
    model and was measured on a small one.
    """

    name: str
    label: str
    momentum: Number
    variance: Number
    other: Number = 0
    own: str = ""
    note: str = ""


_BLOCK_8 = Fraction(1) + Fraction(4, 256)  # one byte, and a 32-bit scale for each block of 256
_BLOCK_4 = Fraction(1, 2) + Fraction(4, 128)  # half a byte, and a 32-bit scale for each block of 128
_SMALL = "Tensors under 4,096 elements stay in 32 bits: this is the figure of the bulk."
_SMALL_AO = "Only tensors of at least 4,096 elements that the block divides are packed: this is the figure of the bulk."

OPTIMIZERS = (
    Optimizer("adamw", "AdamW", 1, 1),
    Optimizer("adam", "Adam", 1, 1),
    Optimizer("amsgrad", "AdamW with AMSGrad", 1, 1, 1),
    Optimizer("nadam", "NAdam", 1, 1),
    Optimizer("radam", "RAdam", 1, 1),
    Optimizer("adamax", "Adamax", 1, 1),
    Optimizer("adadelta", "Adadelta", 1, 1),
    Optimizer("sgd", "SGD", 0, 0),
    Optimizer("sgd-momentum", "SGD with momentum", 1, 0),
    Optimizer("adagrad", "Adagrad", 0, 1),
    Optimizer("rmsprop", "RMSprop", 0, 1),
    Optimizer("rmsprop-centred-momentum", "RMSprop, centred, with momentum", 1, 1, 1),
    Optimizer("asgd", "ASGD", 1, 0),
    Optimizer("lion", "Lion", 1, 0),
    # torch's keeps its rows and columns in the weights' format, transformers' in 32 bits.
    Optimizer("adafactor", "Adafactor", 0, 0, Fraction(265, 40000), note=
              "Adafactor keeps a row and a column per matrix; 0.0265 B a parameter was measured on a model of 2 M "
              "parameters, and larger models keep less."),
    Optimizer("adafactor-transformers", "Adafactor (transformers)", 0, 0, Fraction(265, 10000), "factored",
              "Adafactor keeps a row and a column per matrix, here in 32 bits; 0.0265 B a parameter was measured on a "
              "model of 2 M parameters, and larger models keep less."),
    Optimizer("adafactor-beta1", "Adafactor with momentum", 4, 0, Fraction(265, 10000), "factored",
              "Adafactor keeps a row and a column per matrix; 0.0265 B a parameter was measured on a model of 2 M "
              "parameters, and larger models keep less."),
    Optimizer("muon", "Muon, AdamW for the rest", 1, Fraction(133, 500), note=
              "Muon keeps one tensor for hidden matrices and AdamW's two for the rest; the split depends on the model: "
              "5.06 B a parameter in 32 bits was measured on a model of 2 M parameters."),
    Optimizer("adamw-32bit-bnb", "AdamW 32-bit (bitsandbytes)", 4, 4, own="fp32"),
    Optimizer("adamw-8bit", "AdamW 8-bit (bitsandbytes)", _BLOCK_8, _BLOCK_8, own="8-bit blocks", note=_SMALL),
    Optimizer("adam-8bit", "Adam 8-bit (bitsandbytes)", _BLOCK_8, _BLOCK_8, own="8-bit blocks", note=_SMALL),
    Optimizer("lion-8bit", "Lion 8-bit (bitsandbytes)", _BLOCK_8, 0, own="8-bit blocks", note=_SMALL),
    Optimizer("sgd-momentum-8bit", "SGD momentum 8-bit (bitsandbytes)", _BLOCK_8, 0, own="8-bit blocks", note=_SMALL),
    Optimizer("adamw-8bit-torchao", "AdamW 8-bit (torchao)", _BLOCK_8, _BLOCK_8, own="8-bit blocks", note=_SMALL_AO),
    Optimizer("adamw-4bit-torchao", "AdamW 4-bit (torchao)", _BLOCK_4, _BLOCK_4, own="4-bit blocks", note=_SMALL_AO),
    Optimizer("adamw-fp8-torchao", "AdamW fp8 (torchao)", _BLOCK_8, _BLOCK_8, own="fp8 blocks", note=_SMALL_AO),
)  # fmt: skip

_BY_RECIPE = {recipe.name: recipe for recipe in RECIPES}
_BY_OPTIMIZER = {optimizer.name: optimizer for optimizer in OPTIMIZERS}

# name, label, band, purpose: the five items of the lesson, and what some optimizers keep beyond two moments.
ITEMS = (
    ("weights", "Weights", "parameters", "the copy that forward and backward compute with"),
    ("gradients", "Gradients", "gradients", "how each weight should change"),
    ("master", "Master copy", "optimizer", "the value that updates are applied to, in full precision"),
    ("momentum", "Momentum", "optimizer", "running average of the gradient"),
    ("variance", "Variance", "optimizer", "running average of its square"),
    ("other", "Other state", "optimizer", "what the optimizer keeps beyond two moments"),
)
_FORMATS: dict[Number, str] = {4: "fp32", 2: "16-bit", 1: "8-bit", 8: "fp64", 0: ""}


def recipe(name: str) -> Recipe:
    """The recipe of that name; KeyError where there is none (fields are checked before)."""
    return _BY_RECIPE[name]


def optimizer(name: str) -> Optimizer:
    """The optimizer of that name; KeyError where there is none (fields are checked before)."""
    return _BY_OPTIMIZER[name]


def recipe_options() -> tuple[Option, ...]:
    """Recipes as choices, each with its sum under AdamW."""
    return tuple(Option(row.name, row.label, row.source) for row in RECIPES)


def optimizer_options() -> tuple[Option, ...]:
    """Optimizers as choices."""
    return tuple(Option(row.name, row.label, row.note) for row in OPTIMIZERS)


@cache
def standard_items(recipe_name: str, optimizer_name: str) -> tuple[Item, ...]:
    """The items of a recipe with an optimizer, in the order of the lesson; absent ones have 0 bytes."""
    kept, rule = _BY_RECIPE[recipe_name], _BY_OPTIMIZER[optimizer_name]
    trains = kept.moment[1] != 0
    formats: dict[str, tuple[str, Number]] = {
        "weights": kept.weights,
        "gradients": kept.gradients,
        "master": kept.master,
    }
    for name in ("momentum", "variance", "other"):
        tensors: Number = getattr(rule, name) if trains else 0
        if rule.own:
            formats[name] = (rule.own if tensors else "", narrow(tensors))
        else:
            formats[name] = (kept.moment[0] if tensors else "", narrow(tensors * Fraction(kept.moment[1])))
    return tuple(Item(name, label, band, purpose, *formats[name]) for name, label, band, purpose in ITEMS)


def items(recipe_name: str, optimizer_name: str, overrides: dict[str, Number]) -> tuple[Item, ...]:
    """The items of a recipe with an optimizer, with the bytes a person set in place of the recipe's."""
    return with_overrides(standard_items(recipe_name, optimizer_name), overrides)


def with_overrides(rows: tuple[Item, ...], overrides: dict[str, Number]) -> tuple[Item, ...]:
    """The items, with the bytes a person set (by item name) in place of their own."""
    if not overrides:
        return rows
    return tuple(
        msgspec.structs.replace(row, bytes=overrides[row.name], format=_FORMATS.get(overrides[row.name], "custom"))
        if row.name in overrides and overrides[row.name] != row.bytes
        else row
        for row in rows
    )
