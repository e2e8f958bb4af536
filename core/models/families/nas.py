"""Llama-3.3-Nemotron-Super: layers that an architecture search cut to different sizes.

Source: the authors' own configuration and modelling files, published beside the weights.
"""

from __future__ import annotations

from typing import Any

from core.models.architecture import ModelFileError
from core.models.blocks.attention import gqa
from core.models.blocks.ends import rms
from core.models.blocks.feedforward import glu
from core.models.families.row import Family, decoder, usual
from core.models.layout import Block, Choice, View, linear, shown


def _block(v: View, layer: int) -> dict[str, Any]:
    blocks = v.get("block_configs")
    if not isinstance(blocks, list) or len(blocks) < v.arch.layers:
        raise ModelFileError(
            f"block_configs is {shown(blocks)}, and one object for each of {v.arch.layers} layers is needed"
        )
    block: Any = blocks[layer]
    if not isinstance(block, dict):
        raise ModelFileError(f"block_configs[{layer}] is {shown(block)}, and an object is needed there")
    return block


def _part(v: View, layer: int, name: str) -> dict[str, Any]:
    part = _block(v, layer).get(name) or {}
    if not isinstance(part, dict):
        raise ModelFileError(f"block_configs[{layer}].{name} is {shown(part)}, and an object is needed there")
    return part


def _nas_attention(v: View) -> list[Any]:
    """Heads that share a key, or that a layer has no attention, or a linear layer in its place."""
    kinds: list[Any] = []
    for i in range(v.arch.layers):
        part = _part(v, i, "attention")
        group = part.get("n_heads_in_group")
        if part.get("no_op"):
            kinds.append("none")
        elif part.get("replace_with_linear"):
            kinds.append("linear")
        elif isinstance(group, int) and 0 < group <= v.arch.heads:
            kinds.append((f"k = {v.arch.heads // group}", v.arch.heads // group))
        else:
            raise ModelFileError(f"block_configs[{i}].attention.n_heads_in_group is {shown(group)}; a count is needed")
    return kinds


def _nas_width(mult: float, hidden: int) -> int:
    """Two thirds of the multiple of h, rounded up to a multiple of 256."""
    return -(-int(2 * mult * hidden / 3) // 256) * 256


def _nas_mlp(v: View) -> list[Any]:
    kinds: list[Any] = []
    for i in range(v.arch.layers):
        part = _part(v, i, "ffn")
        mult = part.get("ffn_mult")
        if part.get("no_op"):
            kinds.append("none")
        elif part.get("replace_with_linear"):
            kinds.append("linear")
        elif isinstance(mult, (int, float)) and not isinstance(mult, bool) and 0 < mult < 1000:
            width = _nas_width(mult, v.arch.hidden)
            kinds.append((f"f = {width:,}", width))
        else:
            raise ModelFileError(f"block_configs[{i}].ffn.ffn_mult is {shown(mult)}, and a positive number is needed")
    return kinds


def _square(name: str, term: str, group: str) -> Block:
    return Block(term, group, lambda v: linear(name, v.h, v.h))


def _nas_attention_blocks(kind: Any) -> tuple[Block, ...]:
    if kind == "none":
        return ()
    if kind == "linear":
        return (_square("self_attn.linear_attn", "attention", "attention"), rms("input_layernorm"))
    return (gqa(keys=lambda v: v.named("k", kind[1])), rms("input_layernorm"))


def _nas_mlp_blocks(kind: Any) -> tuple[Block, ...]:
    if kind == "none":
        return ()
    if kind == "linear":
        return (_square("mlp.linear_mlp", "MLP", "mlp"), rms("post_attention_layernorm"))
    return (glu(width=lambda v: v.named("f", kind[1])), rms("post_attention_layernorm"))


FAMILIES = {
    "nemotron-nas": Family(
        decoder(Choice(_nas_attention, _nas_attention_blocks), Choice(_nas_mlp, _nas_mlp_blocks), norms=()),
        usual(8192, 80, 64, None, None, None, 128256, block_configs=None),
        class_name="DeciLMForCausalLM",
    ),
}
