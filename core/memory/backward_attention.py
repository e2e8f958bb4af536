"""Backward of attention, from the output projection to the input of the query, key and value projections."""

from __future__ import annotations

from core.memory.attention import PADDED_HEADS, PADDED_KV_HEADS, SCORES, eager_views, keys_are_view
from core.memory.blocks import HEADS, KV_HEADS, TOKENS
from core.memory.kernels import Kernel
from core.memory.rows import Dtype
from core.memory.tape import Shape, Tape

QKV: Shape = ("b", "s", "(a+2k)d")


def attention_backward(
    tape: Tape, kernel: Kernel, masked: bool, gradient: Shape | None, *, summed: bool = False
) -> None:
    """From the gradient of the attention's output (freed here unless None) to that of its input; summed: which is
    added to another one."""
    setting = tape.setting
    tape.at("output projection", "attention")
    tape.bias(("h",))
    flash_copy = kernel == "flash" and (setting.family.joined or setting.odd_head)
    tape.linear(("a", "d", "h"), HEADS, gradient, "output", saved=kernel in ("eager", "math") or flash_copy)
    if kernel == "flash":
        _flash(tape)
    elif kernel == "efficient":
        _efficient(tape, masked)
    elif kernel == "math":
        _math(tape)
    else:
        _eager(tape)
    if setting.family.rotary_share:
        _rotary(tape, "k")
        _rotary(tape, "a")
    _projections(tape, kernel, summed)


def _after_kernel(tape: Tape) -> None:
    """Autocast cast queries and keys for the kernel after the rotary turn in 32 bits; their gradients are cast back."""
    setting = tape.setting
    if setting.precision == "autocast" and setting.family.rotary_share:
        tape.swap(KV_HEADS, "bf16", "fp32")
        tape.swap(HEADS, "bf16", "fp32")


def _flash(tape: Tape) -> None:
    setting, inner = tape.setting, tape.setting.inner
    heads, keys = (PADDED_HEADS, PADDED_KV_HEADS) if setting.odd_head else (HEADS, KV_HEADS)
    tape.at("flash attention")
    if setting.odd_head:
        tape.take(heads, inner)
        tape.give(HEADS, inner)
    tape.take(heads, inner)
    tape.take(keys, inner, 2)
    tape.give(heads, inner)
    if setting.odd_head or setting.family.projection == "separate":
        tape.release(heads, inner)
        tape.release(keys, inner, 2)
    else:
        tape.release(QKV, inner)
        if setting.family.joined:
            tape.release(heads, inner)
            tape.release(keys, inner)
    tape.release(heads, inner)
    tape.release(("b", "a", "s"), "fp32")
    tape.release(("2",), "uint64")
    tape.release((), "uint64")
    if setting.odd_head:
        tape.take(HEADS, inner)
        tape.give(heads, inner)
        tape.take(KV_HEADS, inner, 2)
        tape.give(keys, inner, 2)
    _after_kernel(tape)


def _efficient(tape: Tape, masked: bool) -> None:
    setting, inner = tape.setting, tape.setting.inner
    repeated = setting.grouped
    tape.at("memory-efficient attention")
    tape.take(HEADS, inner, 3)
    tape.give(HEADS, inner)
    if setting.family.projection == "fused" and not repeated:
        tape.release(QKV, inner)
        if setting.family.joined:
            tape.release(HEADS, inner, 2)
    else:
        tape.release(HEADS, inner)
        _release_keys(tape, views=setting.one_kv_head)
    tape.release(HEADS, inner)
    tape.release(("b", "a", "⌈s⌉32"), "fp32")
    tape.release((), "int64", 2)
    if masked:
        tape.release(("b", "s", "⌈s⌉16"), inner)
    _sum_groups(tape)


def _release_keys(tape: Tape, *, views: bool) -> None:
    _release_key(tape, views=views)
    _release_value(tape, views=views)


def _release_key(tape: Tape, *, views: bool) -> None:
    tape.release(KV_HEADS if keys_are_view(tape.setting, views=views) else HEADS, tape.setting.inner)


def _release_value(tape: Tape, *, views: bool) -> None:
    if views and tape.setting.family.joined:
        tape.release(QKV, tape.setting.inner)
    else:
        tape.release(KV_HEADS if views else HEADS, tape.setting.inner)


def _sum_groups(tape: Tape) -> None:
    """Gradients of repeated keys and values are summed over the heads that share them."""
    setting, inner = tape.setting, tape.setting.inner
    wide: Dtype = "fp32" if setting.precision == "autocast" and setting.family.rotary_share else inner
    if wide != inner:
        tape.swap(HEADS, inner, wide)
        tape.swap(HEADS, inner, wide)
    if setting.grouped:
        tape.at("sum over the heads that share keys")
        tape.take(KV_HEADS, inner)
        tape.give(HEADS, inner)
        tape.take(KV_HEADS, wide)
        tape.give(HEADS, wide)


def _math(tape: Tape) -> None:
    tape.at("product with the values")
    tape.take(HEADS, "fp32")
    tape.take(SCORES, "fp32")
    tape.give(HEADS, "fp32")
    tape.release(HEADS, "fp32")
    tape.at("softmax")
    tape.take(SCORES, "fp32")
    tape.give(SCORES, "fp32")
    tape.release(SCORES, "fp32")
    tape.at("product with the keys")
    tape.take(HEADS, "fp32", 2)
    tape.give(SCORES, "fp32")
    tape.release(HEADS, "fp32", 2)
    _sum_groups(tape)


def _eager(tape: Tape) -> None:
    setting, family, inner = tape.setting, tape.setting.family, tape.setting.inner
    softmax: Dtype = family.softmax if setting.precision == "bf16" else "fp32"
    drops = setting.drops("attention")
    late = family.loss == "masked"  # BERT's dropout follows the softmax before the cast to 16 bits
    tape.at("product with the values")
    tape.swap(HEADS, inner, inner)
    tape.take(HEADS, inner)
    tape.take(SCORES, inner)
    tape.give(HEADS, inner)
    views = eager_views(setting)
    _release_value(tape, views=views)
    if drops or softmax != inner:
        tape.release(SCORES, inner)
    at = inner
    if late and softmax != at:
        tape.swap(SCORES, at, softmax)
        at = softmax
    if drops:
        tape.at("attention dropout")
        tape.swap(SCORES, at, at)
        tape.release(SCORES, "bool")
    if softmax != at:
        tape.swap(SCORES, at, softmax)
    tape.at("softmax")
    tape.swap(SCORES, softmax, softmax)
    tape.release(SCORES, softmax)
    if softmax != inner:
        tape.swap(SCORES, softmax, inner)
    if family.softcap:
        tape.at("cap of the scores")
        tape.swap(SCORES, inner, inner)
        tape.swap(SCORES, inner, inner)
        tape.release(SCORES, inner)
        tape.swap(SCORES, inner, inner)
    tape.at("scale of the scores")
    tape.swap(SCORES, inner, inner)
    tape.at("product with the keys")
    tape.take(HEADS, inner, 2)
    tape.give(SCORES, inner)
    tape.release(HEADS, inner)
    _release_key(tape, views=views)
    _sum_groups(tape)


def _rotary(tape: Tape, head: str) -> None:
    """The rotary turn's backward, for queries or keys: two products, two slices and their sums."""
    setting = tape.setting
    wide = setting.residual
    # Under autocast what was turned is a linear's 16-bit output, but 32-bit after a norm of the heads.
    inner: Dtype = wide if setting.family.qk_norm and setting.family.norm == "rmsnorm" else setting.inner
    width = "r" if setting.family.joined else "d"
    turned: Shape = ("b", "s", head, width)
    whole: Shape = ("b", "s", head, "d")
    tape.at("rotary turn")
    tape.take(turned, wide)
    if wide != inner:
        tape.swap(turned, wide, inner)
    tape.take(turned, inner, 2)
    tape.give(turned, inner)
    tape.add(turned, inner)
    tape.take(turned, wide)
    if wide != inner:
        tape.swap(turned, wide, inner)
    if not setting.family.joined:
        tape.give(turned, wide)
        tape.add(turned, inner)
        return
    tape.add(turned, inner)
    tape.at("joined parts of the heads")
    tape.take(whole, inner)
    tape.give(whole, wide)
    tape.take(whole, inner)
    tape.give(turned, inner)
    tape.add(whole, inner)


def _projections(tape: Tape, kernel: Kernel, summed: bool) -> None:
    setting, inner = tape.setting, tape.setting.inner
    keys = KV_HEADS
    if setting.family.projection == "fused":
        tape.at("queries, keys and values side by side")
        if kernel == "eager":
            tape.take(HEADS, inner, 2)
            tape.give(HEADS, inner, 2)
        if setting.family.sliced:
            tape.take(QKV, inner)
            tape.give(keys, inner)
            tape.take(QKV, inner)
            tape.give(keys, inner)
            tape.add(QKV, inner)
            tape.take(QKV, inner)
            tape.give(HEADS, inner)
            tape.add(QKV, inner)
        else:
            tape.take(QKV, inner)
            tape.give(keys, inner, 2)
            tape.give(HEADS, inner)
            if setting.family.joined:
                tape.swap(QKV, inner, inner)
        tape.at("query, key and value projection")
        tape.bias(("(a+2k)d",), qkv=True)
        tape.linear(("(a+2k)d", "h"), TOKENS, QKV, "qkv", cast=True)
        return
    auto = setting.precision == "autocast"
    copied = kernel in ("eager", "math") or bool(setting.family.rotary_share)
    order = ("value", "key", "query")
    weights: tuple[Shape, ...] = (("k", "d", "h"), ("k", "d", "h"), ("a", "d", "h"))
    for role, weight, shape in zip(order, weights, (keys, keys, HEADS), strict=True):
        first, last = role == "value", role == "query"
        if setting.family.qk_norm and not first:
            head = weight[0]
            tape.at("norm of the queries" if last else "norm of the keys")
            tape.rms_norm(("b", "s", head, "d"), ("b", "s", head), "d", inner, residual=False)
        tape.at(f"{role} projection")
        tape.bias(weight[:2], qkv=True)
        if copied and (not first or kernel in ("eager", "math")):
            tape.swap(shape, inner, inner)
        tape.linear(weight, TOKENS, shape, role, order=order, saved=auto or last, cast=True, summed=summed or not first)
