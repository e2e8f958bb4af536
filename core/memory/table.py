"""A family's whole table for one setting: every kind of tensor that is kept, composed from the blocks."""

from __future__ import annotations

from functools import lru_cache

from core.memory.adapters import adapt
from core.memory.attention import attention
from core.memory.blocks import (
    ATTENTION,
    NOTHING,
    dropout_mask,
    head_norm,
    linear_input,
    mlp,
    norm,
    rotary,
    weight_casts,
)
from core.memory.kernels import Kernel
from core.memory.rows import Dtype, Layers, Row
from core.memory.setting import Setting


@lru_cache(maxsize=512)
def rows(setting: Setting) -> tuple[Row, ...]:
    """All rows: embedding, layers, head, loss. With checkpoints, what each layer keeps is its input alone."""
    layer = _checkpoints(setting) if setting.recompute else layer_rows(setting)
    return (*_embedding(setting), *layer, *_head(setting), *_loss(setting))


@lru_cache(maxsize=512)
def layer_rows(setting: Setting) -> tuple[Row, ...]:
    """Rows of the layers, as they are without checkpoints."""
    family = setting.family
    readers = ("qkv",) if family.projection == "fused" else ("query", "key", "value")
    found: list[Row] = []
    if family.residual != "post":
        name = "norm of both branches" if family.residual == "parallel" else "norm before attention"
        found += norm(setting, name, needs=NOTHING)
    found += linear_input(setting, "attention projections", readers)
    if family.qk_norm:
        found += head_norm(setting, "norm of the queries", "a") + head_norm(setting, "norm of the keys", "k")
    for kernel, masked, layers in _kinds(setting):
        found += attention(setting, kernel, masked, layers)
    if setting.drops("attention_output"):
        found += dropout_mask("attention output")
    if family.residual in ("post", "sandwich"):
        found += norm(setting, "norm after attention", needs=ATTENTION)
    if family.residual == "parallel":
        # Both norms read the same residual, so only the second one's statistics are new.
        found.append(norm(setting, "norm before the MLP", needs=NOTHING)[1])
    elif family.residual != "post":
        found += norm(setting, "norm before the MLP", needs=ATTENTION)
    found += mlp(setting)
    if setting.drops("mlp_output"):
        found += dropout_mask("MLP output")
    if family.residual in ("post", "sandwich"):
        found += norm(setting, "norm after the MLP")
    if setting.precision == "autocast":
        found += weight_casts(setting)
    return tuple(adapt(found, setting))


def _kinds(setting: Setting) -> list[tuple[Kernel, bool, Layers]]:
    """Kernel, mask and layers of each kind of layer; one kind where both run alike."""
    full, window = setting.full_kernel, setting.window_kernel
    if full and window and (full, setting.full_masked) == (window, setting.window_masked):
        return [(full, setting.full_masked, "all")]
    kinds: list[tuple[Kernel, bool, Layers]] = []
    if full:
        kinds.append((full, setting.full_masked, "full"))
    if window:
        kinds.append((window, setting.window_masked, "window"))
    return kinds


def _embedding(setting: Setting) -> list[Row]:
    family = setting.family
    found: list[Row] = []
    if setting.frozen:
        # Nothing before the first adapter needs a gradient.
        return _rotary(setting)
    if family.positions:
        found.append(Row("positions", "embedding", "position", family.positions, "int64",
                         "which rows of the position table get gradients", layers="once"))  # fmt: skip
    if family.residual == "post":
        found += norm(setting, "embedding norm", "embedding", "once")
    if setting.drops("embedding"):
        found += dropout_mask("embedding", "embedding", "once")
    return found + _rotary(setting)


def _rotary(setting: Setting) -> list[Row]:
    family = setting.family
    if not family.rotary_share:
        return []
    both = bool(setting.full_kernel and setting.window_kernel)
    return rotary(setting, 2 if family.two_rotary_bases and both else 1)


def _checkpoints(setting: Setting) -> list[Row]:
    """Each layer's input, and what the checkpoints' closures hold for all layers."""
    family = setting.family
    why = "the layer's forward pass is run again from it"
    found = [Row("input of the layer", "layer", "checkpoint", ("b", "s", "h"), setting.residual, why)]
    held = "held by the checkpoints to run the layers again"
    if family.rotary_share:
        found.append(Row("position indices", "layer", "checkpoint", ("s",), "int64", held, layers="once"))
    elif family.name == "opt":
        found.append(Row("position indices", "layer", "checkpoint", ("b", "s"), "int64", held, layers="once"))
    for kernel, masked in ((setting.full_kernel, setting.full_masked), (setting.window_kernel, setting.window_masked)):
        if kernel == "eager" and (family.causal_mask or masked):
            found.append(_held_mask(("b", "s", "s"), setting.residual, held))
        elif kernel and masked:
            # One mask serves all sequences of a batch where none is padded.
            found.append(_held_mask(("b", "s", "s") if setting.padding_mask else ("s", "s"), "bool", held))
    return found


def _held_mask(shape: tuple[str, ...], dtype: Dtype, why: str) -> Row:
    return Row("attention mask", "layer", "checkpoint", shape, dtype, why, layers="once")


def _head(setting: Setting) -> list[Row]:
    """From the last layer's output to the logits."""
    family = setting.family
    found: list[Row] = []
    if family.loss == "masked":
        found += linear_input(setting, "head's transform", ("transform",), "head", "once")
        found.append(Row("GELU input of the head", "head", "head", ("b", "s", "h"), setting.inner, "GELU's gradient",
                         layers="once"))  # fmt: skip
    name = "norm of the head" if family.loss == "masked" else "final norm"
    found += norm(setting, name, "head", "once")
    found += linear_input(setting, "head", ("head",), "head", "once")
    if setting.precision == "autocast":
        if family.loss == "masked":
            found.append(_cast("transform", ("h", "h")))
        found.append(_cast("head", ("V", "h")))
    if family.softcap:
        found.append(Row("tanh of the logits", "head", "head", ("b", "s", "V"), setting.inner, "tanh's gradient",
                         layers="once"))  # fmt: skip
    return adapt(found, setting)


def _cast(name: str, shape: tuple[str, ...]) -> Row:
    why = "autocast's copy, read again for the gradient of the head's input"
    return Row(f"{name} weight in 16 bits", "head", "weight cast", shape, "bf16", why, layers="once")


def _loss(setting: Setting) -> list[Row]:
    """Log-probabilities, in 32 bits for a causal model, in the logits' format for BERT."""
    causal = setting.family.loss == "causal"
    logits = ("b", "s", "V")

    def row(name: str, shape: tuple[str, ...], dtype: Dtype, why: str) -> Row:
        return Row(name, "loss", "loss", shape, dtype, why, layers="once")

    found = [row("log-probabilities", logits, "fp32" if causal else setting.inner, "the softmax's gradient")]
    if causal:
        # With one sequence the shifted labels are a view of the labels with one padding label behind them.
        shape = ("b", "s+1") if setting.one_sequence else ("b", "s")
        found.append(row("shifted labels", shape, "int64", "which token's probability each loss is of"))
    elif setting.precision == "autocast":
        found.append(row("log-probabilities in 32 bits", logits, "fp32", "the loss's gradient"))
    found.append(row("sum of the labels' weights", (), loss_dtype(setting), "the mean's gradient"))
    return found


def loss_dtype(setting: Setting) -> Dtype:
    """Format of the loss: 32 bits, but the logits' own in BERT's 16-bit pass."""
    return "bf16" if setting.family.loss == "masked" and setting.precision == "bf16" else "fp32"


def layers_of(layers: Layers, full: int, window: int) -> int:
    """How many places a row occurs in, with so many layers that see all and so many that see a window."""
    both = full + window
    return {
        "all": both, "full": full, "window": window, "once": 1,
        "later": both - 1, "full later": full - 1, "window later": window - 1,
    }[layers]  # fmt: skip
