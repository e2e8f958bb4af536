"""RWKV: time mixing and channel mixing in place of attention and MLP.

Source: the configuration and modelling class of transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.ends import embedding, head, layer_norm, pre_layer_norms
from core.models.families.row import LM_HEADS, UNREAD, Family, Values, four_times, usual
from core.models.layout import Block, Prefixed, Stack, View, Weight, linear, vector


def _rwkv_attention(v: View) -> Iterator[Weight]:
    a = v.size("attention_hidden_size", "a")
    for name in ("decay", "first"):
        yield vector(f"attention.time_{name}", a)
    for name in ("key", "value", "receptance"):
        yield vector(f"attention.time_mix_{name}", 1, 1, v.h)
    for name in ("key", "value", "receptance"):
        yield from linear(f"attention.{name}", a, v.h)
    yield from linear("attention.output", v.h, a)


def _rwkv_mlp(v: View) -> Iterator[Weight]:
    for name in ("key", "receptance"):
        yield vector(f"feed_forward.time_mix_{name}", 1, 1, v.h)
    yield from linear("feed_forward.key", v.f, v.h)
    yield from linear("feed_forward.receptance", v.h, v.h)
    yield from linear("feed_forward.value", v.h, v.f)


def _rwkv_settle(values: Values) -> None:
    four_times(values)
    if values["attention_hidden_size"] is None:
        values["attention_hidden_size"] = values["hidden_size"]


RWKV = (
    Prefixed(
        "rwkv.",
        (
            embedding("embeddings"),
            layer_norm("blocks.0.pre_ln", term="embedding norm"),
            Stack(
                "blocks",
                (
                    Block("time mixing", "mixer", _rwkv_attention),
                    Block("channel mixing", "mlp", _rwkv_mlp),
                    *pre_layer_norms("ln1", "ln2"),
                ),
            ),
            layer_norm("ln_out", term="final norm"),
        ),
    ),
)

FAMILIES = {
    "rwkv": Family(
        RWKV,
        usual(4096, 32, UNREAD, UNREAD, UNREAD, None, 50277, attention_hidden_size=None),
        heads={**LM_HEADS, "lm": (head("head"),)},
        settle=_rwkv_settle,
        class_name="RwkvForCausalLM",
    ),
}
