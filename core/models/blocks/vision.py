"""Vision transformers: patches, positions and the layers that towers share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.models.architecture import ModelFileError
from core.models.blocks.attention import full_heads, gqa
from core.models.blocks.ends import layer_norm, project
from core.models.blocks.feedforward import mlp
from core.models.layout import Block, Flag, Stack, View, Weight, Width, mlp_width, shown, vector
from core.models.sizes import Size

FAIRSEQ = ("q_proj", "k_proj", "v_proj", "out_proj")
PLAIN = ("q_proj", "k_proj", "v_proj", "o_proj")


def pair(v: View, key: str) -> tuple[int, int]:
    """Height and width that a field gives as one number or as a pair."""
    value: Any = v.get(key)
    pair = value if isinstance(value, list) else [value, value]
    if len(pair) != 2 or not all(isinstance(item, int) and item > 0 for item in pair):
        raise ModelFileError(f"{key} is {shown(value)}, and a whole number or a pair of them is needed there")
    return pair[0], pair[1]


def patches(v: View) -> Size:
    """How many patches an image is cut into."""
    (height, width), (p, w) = pair(v, "image_size"), pair(v, "patch_size")
    return v.named("n", (height // p) * (width // w))


def patch_area(v: View) -> tuple[Size, Size]:
    """Height and width of one patch."""
    height, width = pair(v, "patch_size")
    return (v.named("p", height),) * 2 if height == width else (v.named("p", height), v.named("pʷ", width))


def patch_embedding(name: str, bias: Flag = True, frames: str = "") -> Block:
    """A convolution that turns each patch into one token: C·p²·h, times the frames where it spans some."""

    def weights(v: View) -> Iterator[Weight]:
        depth = (v.size(frames, "t"),) if frames else ()
        yield Weight(f"{name}.weight", (v.h, v.size("num_channels", "C"), *depth, *patch_area(v)), "convolution")
        if v.flag(bias):
            yield vector(f"{name}.bias", v.h)

    return Block("patch embedding", "embedding", weights)


def positions(name: str, extra: int = 0, leading: bool = False) -> Block:
    """One row a patch, and one for each extra token."""

    def weights(v: View) -> list[Weight]:
        shape = (patches(v) + extra, v.h) if extra else (patches(v), v.h)
        return [Weight(name, (1, *shape) if leading else shape, "table")]

    return Block("position table", "embedding", weights)


def token(name: str, ones: int = 2, when: Flag = True) -> Block:
    """A learned token: of a class, or in place of a masked patch."""
    return Block("learned tokens", "embedding", lambda v: [vector(name, *[1] * ones, v.h)] if v.flag(when) else [])


def layers(
    path: str,
    attention: str = "self_attn",
    names: tuple[str, str, str, str] = FAIRSEQ,
    norms: tuple[str, str] = ("layer_norm1", "layer_norm2"),
    inner: tuple[str, str] = ("fc1", "fc2"),
    bias: Flag = True,
    out_bias: Flag | None = None,
    more: tuple[Block, ...] = (),
    width: Width = mlp_width,
) -> Stack:
    """4h² + 4h + 2·h·f + f + h + 4h a layer."""
    return Stack(
        path,
        (
            gqa(attention, names, bias, bias if out_bias is None else out_bias),
            mlp("mlp", inner, width=width),
            *(layer_norm(name) for name in norms),
            *more,
        ),
    )


def fused_layers(path: str, inner: tuple[str, str]) -> Stack:
    """The same with one matrix for query, key and value (Qwen-VL's names)."""
    return Stack(
        path,
        (full_heads("attn", "qkv", "proj"), mlp("mlp", inner), layer_norm("norm1"), layer_norm("norm2")),
    )


def fused_mlp(path: str, first: str, second: str, inner: Width, out: Width, term: str = "patch merger") -> Block:
    """Two linear layers with bias over tokens put side by side."""

    def weights(v: View) -> Iterator[Weight]:
        for name, rows in ((first, inner), (second, out)):
            yield from project(f"{path}.{name}", rows, inner, term="projector").weights(v)

    return Block(term, "projector", weights)
