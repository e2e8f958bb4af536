"""What each attention kernel keeps, between the projections' input and the output projection."""

from __future__ import annotations

from core.memory.blocks import HEADS, KV_HEADS, PROJECTIONS
from core.memory.kernels import Kernel
from core.memory.rows import Dtype, Layers, Row
from core.memory.setting import Setting

SCORES = ("b", "a", "s", "s")
PADDED_HEADS = ("b", "s", "a", "⌈d⌉8")
PADDED_KV_HEADS = ("b", "s", "k", "⌈d⌉8")

_QUERY = "the gradient of the keys"
_KEY = "the gradient of the queries"
_VALUE = "the gradient of the attention weights"
_OUTPUT = "the softmax's gradient, and the output projection's weight gradient"


def attention(setting: Setting, kernel: Kernel, masked: bool, layers: Layers) -> list[Row]:
    """Rows of one layer for a kernel."""
    if kernel == "flash":
        return _flash(setting, layers)
    if kernel == "efficient":
        return _efficient(setting, masked, layers)
    if kernel == "math":
        return _math(setting, layers)
    return _eager(setting, layers)


def _row(
    name: str, shape: tuple[str, ...], dtype: Dtype, why: str, layers: Layers, count: int = 1,
    needs: tuple[str, ...] = PROJECTIONS,
) -> Row:  # fmt: skip
    return Row(name, "layer", "attention", shape, dtype, why, count=count, layers=layers, needs=needs)


def _output(setting: Setting, shape: tuple[str, ...], layers: Layers, *, stays: bool, name: str = "") -> Row:
    """What the output projection reads; it stays for the kernel's own gradient where that needs it."""
    why = _OUTPUT if stays else "the output projection's weight gradient"
    needs = PROJECTIONS if stays else ()
    return Row(name or "attention output", "layer", "attention", shape, setting.inner, why, layers=layers,
               feeds=("output",), needs=needs, stays=stays)  # fmt: skip


def _whole_projection(setting: Setting, layers: Layers) -> Row:
    # Values are a view into the fused projection's output, which therefore stays alive as a whole.
    return _row("queries, keys and values, one tensor", ("b", "s", "(a+2k)d"), setting.inner,
                "values are a view of it", layers)  # fmt: skip


def _flash(setting: Setting, layers: Layers) -> list[Row]:
    family, inner = setting.family, setting.inner
    heads, kv_heads = (PADDED_HEADS, PADDED_KV_HEADS) if setting.odd_head else (HEADS, KV_HEADS)
    found: list[Row] = []
    if setting.odd_head or family.projection == "separate":
        found += [
            _row("queries", heads, inner, _QUERY, layers),
            _row("keys", kv_heads, inner, _KEY, layers),
            _row("values", kv_heads, inner, _VALUE, layers),
        ]
    else:
        found.append(_whole_projection(setting, layers))
        if family.joined:
            found += [
                _row("turned queries", heads, inner, _QUERY, layers),
                _row("turned keys", kv_heads, inner, _KEY, layers),
            ]
    if family.joined or setting.odd_head:
        found.append(_row("attention output", heads, inner, "the softmax's gradient", layers))
        name = "attention output, laid out for its projection"
        found.append(_output(setting, HEADS, layers, stays=False, name=name))
    else:
        found.append(_output(setting, heads, layers, stays=True))
    return [
        *found,
        _row("log-sum-exp of each query", ("b", "a", "s"), "fp32", "to compute the softmax again", layers),
        _row("random state: seed", ("2",), "uint64", "to draw the same dropout again", layers),
        _row("random state: offset", (), "uint64", "to draw the same dropout again", layers),
    ]


def _efficient(setting: Setting, masked: bool, layers: Layers) -> list[Row]:
    family, inner = setting.family, setting.inner
    repeated = setting.grouped or setting.one_kv_head
    found: list[Row] = []
    if family.projection == "fused" and not repeated:
        found.append(_whole_projection(setting, layers))
        if family.joined:
            found += [
                _row("turned queries", HEADS, inner, _QUERY, layers),
                _row("turned keys", HEADS, inner, _KEY, layers),
            ]
    else:
        found.append(_row("queries", HEADS, inner, _QUERY, layers))
        found += _repeated_keys(setting, layers, PROJECTIONS, PROJECTIONS, views=setting.one_kv_head)
    found += [
        _output(setting, HEADS, layers, stays=True),
        _row("log-sum-exp of each query", ("b", "a", "⌈s⌉32"), "fp32", "to compute the softmax again", layers),
        _row("random state", (), "int64", "to draw the same dropout again", layers, count=2),
    ]
    if masked:
        found.append(_row("mask", ("b", "s", "⌈s⌉16"), inner, "added to the scores again", layers))
    return found


def keys_are_view(setting: Setting, *, views: bool) -> bool:
    """Whether the keys stay a view of one head; autocast's cast after the rotary turn makes the view a full copy."""
    return views and setting.precision != "autocast"


def eager_views(setting: Setting) -> bool:
    """With one sequence, eager's batched product takes keys and values as they are unless heads share them."""
    return setting.one_sequence and (setting.one_kv_head or not setting.grouped)


def _repeated_keys(
    setting: Setting, layers: Layers, for_keys: tuple[str, ...], for_values: tuple[str, ...], *, views: bool
) -> list[Row]:
    """Keys and values repeated to all heads; where they stay views of one head, only that head is kept, and with a
    fused projection whose heads are joined anew, all that the values are a view of."""
    key_view = keys_are_view(setting, views=views)
    name, shape = ("keys", KV_HEADS) if key_view else ("keys of all heads", HEADS)
    keys = _row(name, shape, setting.inner, _KEY, layers, needs=for_keys)
    if views and setting.family.joined:
        return [keys, _whole_projection(setting, layers)]
    name, shape = ("values", KV_HEADS) if views else ("values of all heads", HEADS)
    return [keys, _row(name, shape, setting.inner, _VALUE, layers, needs=for_values)]


def _math(setting: Setting, layers: Layers) -> list[Row]:
    # Shared keys in 32 bits: no fused kernel of PyTorch 2.13 takes them.
    return [
        _row("scaled queries", HEADS, "fp32", _QUERY, layers),
        _row("keys of all heads", HEADS, "fp32", _KEY, layers),
        _row("values of all heads", HEADS, "fp32", _VALUE, layers),
        _row("softmax", SCORES, "fp32", "softmax's own gradient, and that of the values", layers),
        _output(setting, HEADS, layers, stays=False),
    ]


def _eager(setting: Setting, layers: Layers) -> list[Row]:
    family, inner = setting.family, setting.inner
    softmax: Dtype = family.softmax if setting.precision == "bf16" else "fp32"
    # A product keeps each factor for the other's gradient.
    scores, weights = ("query", "key", "qkv"), ("value", "qkv")
    found = [_row("queries", HEADS, inner, _QUERY, layers, needs=("key", "qkv"))]
    found += _repeated_keys(setting, layers, ("query", "qkv"), scores, views=eager_views(setting))
    if family.softcap:
        found.append(_row("tanh of the scores", SCORES, inner, "tanh's gradient", layers, needs=scores))
    found.append(_row("softmax", SCORES, softmax, "softmax's own gradient", layers, needs=scores))
    if setting.drops("attention"):
        found += [
            Row("dropout mask of the attention weights", "layer", "dropout", SCORES, "bool",
                "which weights were dropped", layers=layers, needs=scores),
            _row("attention weights after dropout", SCORES, inner, "the gradient of the values", layers, needs=weights),
        ]  # fmt: skip
    elif softmax != inner:
        found.append(_row("softmax in 16 bits", SCORES, inner, "the gradient of the values", layers, needs=weights))
    found.append(_output(setting, HEADS, layers, stays=False))
    return found
