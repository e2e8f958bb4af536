"""Towers that stand only inside another model: vision and audio encoders.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import full_heads
from core.models.blocks.ends import layer_norm, rms, table
from core.models.blocks.feedforward import glu
from core.models.blocks.vision import fused_layers, fused_mlp, layers, patch_embedding, positions
from core.models.families.row import UNREAD, Family, Values, also, usual
from core.models.layout import Block, Layout, Stack, View, Weight, linear, size, vector
from core.models.sizes import Size

QWEN = {"num_channels": 3, "patch_size": 14, "temporal_patch_size": 2, "spatial_merge_size": 2}
QWEN_KEYS = {
    "num_hidden_layers": ("depth",),
    "num_attention_heads": ("num_heads",),
    "num_channels": ("in_channels", "in_chans"),
}
QWEN_PATCHES = patch_embedding("patch_embed.proj", bias=False, frames="temporal_patch_size")
QWEN_PATCHES_BIASED = patch_embedding("patch_embed.proj", frames="temporal_patch_size")


def merged(v: View) -> Size:
    """Width of the tokens that are merged into one, side by side."""
    return v.h * v.number("spatial_merge_size") ** 2


OUT = size("out_hidden_size", "o")
GLU_LAYERS = Stack(
    "blocks",
    (full_heads("attn", "qkv", "proj"), glu(bias=True), rms("norm1"), rms("norm2")),
)


def _qwen2_width(values: Values) -> None:
    """Qwen2-VL names the tower's width embed_dim, and the width that it hands on hidden_size."""
    values["out_hidden_size"], values["hidden_size"] = values["hidden_size"], values["embed_dim"]
    values["intermediate_size"] = int(values["embed_dim"] * values["mlp_ratio"])


def _deepstack(v: View) -> Iterator[Weight]:
    """A merger of its own for each layer whose output also enters the text model."""
    wide = merged(v)
    for i in range(len(v.get("deepstack_visual_indexes") or ())):
        path = f"deepstack_merger_list.{i}"
        yield vector(f"{path}.norm.weight", wide)
        yield vector(f"{path}.norm.bias", wide)
        yield from linear(f"{path}.linear_fc1", wide, wide, True)
        yield from linear(f"{path}.linear_fc2", OUT(v), wide, True)


QWEN3_TOWER: Layout = (
    QWEN_PATCHES_BIASED,
    table("position table", "pos_embed.weight", size("num_position_embeddings", "n")),
    fused_layers("blocks", ("linear_fc1", "linear_fc2")),
    layer_norm("merger.norm", term="merger's norm"),
    fused_mlp("merger", "linear_fc1", "linear_fc2", merged, OUT),
    Block("deepstack mergers", "projector", _deepstack),
)
QWEN3 = {**QWEN, "patch_size": 16, "out_hidden_size": 3584, "num_position_embeddings": 2304}


def _kimi_positions(v: View) -> list[Weight]:
    grid = (v.size("pos_emb_height", "a"), v.size("pos_emb_width", "b"))
    return [Weight("patch_embed.pos_emb.position_embeddings", (*grid, v.h), "table")]


def _glm_merger(v: View) -> Iterator[Weight]:
    o, f, m = OUT(v), v.f, v.size("spatial_merge_size", "m")
    yield from linear("merger.proj", o, o)
    yield vector("merger.post_projection_norm.weight", o)
    yield vector("merger.post_projection_norm.bias", o)
    yield from glu("merger", width=lambda _: f, hidden=OUT).weights(v)
    yield vector("post_conv_layernorm.weight", v.h)
    yield Weight("downsample.weight", (o, v.h, m, m), "convolution")
    yield vector("downsample.bias", o)
    yield vector("post_layernorm.weight", v.h)


FAMILIES = {
    "qwen2_vl_vision": Family(
        (
            QWEN_PATCHES,
            fused_layers("blocks", ("fc1", "fc2")),
            layer_norm("merger.ln_q", term="merger's norm"),
            fused_mlp("merger", "mlp.0", "mlp.2", merged, OUT),
        ),
        usual(3584, 32, 16, UNREAD, UNREAD, UNREAD, UNREAD, **QWEN, embed_dim=1280, mlp_ratio=4.0),
        spelled=QWEN_KEYS,
        settle=_qwen2_width,
    ),
    "qwen2_5_vl_vision": Family(
        (
            QWEN_PATCHES,
            GLU_LAYERS,
            rms("merger.ln_q", term="merger's norm"),
            fused_mlp("merger", "mlp.0", "mlp.2", merged, OUT),
        ),
        usual(3584, 32, 16, UNREAD, UNREAD, 3420, UNREAD, **QWEN, out_hidden_size=3584),
        spelled=QWEN_KEYS,
    ),
    "qwen3_vl_vision": Family(
        QWEN3_TOWER,
        usual(1152, 27, 16, UNREAD, UNREAD, 4304, UNREAD, **QWEN3, deepstack_visual_indexes=[8, 16, 24]),
        spelled=QWEN_KEYS,
    ),
    "qwen3_5_vision": Family(
        QWEN3_TOWER,
        usual(1152, 27, 16, UNREAD, UNREAD, 4304, UNREAD, **QWEN3),
        spelled=QWEN_KEYS,
    ),
    "kimi_k25_vision": Family(
        (
            patch_embedding("patch_embed.proj"),
            Block("position table", "embedding", _kimi_positions),
            layers("layers", "attn", ("q_proj", "k_proj", "v_proj", "proj"), ("norm1", "norm2")),
            layer_norm("final_layernorm", term="final norm"),
        ),
        usual(1152, 27, 16, UNREAD, UNREAD, 4304, UNREAD)
        | also(num_channels=3, patch_size=14, pos_emb_height=64, pos_emb_width=64, merge_kernel_size=[2, 2]),
        spelled={
            "hidden_size": ("vt_hidden_size",),
            "num_hidden_layers": ("vt_num_hidden_layers",),
            "num_attention_heads": ("vt_num_attention_heads",),
            "intermediate_size": ("vt_intermediate_size",),
            "pos_emb_height": ("init_pos_emb_height",),
            "pos_emb_width": ("init_pos_emb_width",),
        },
    ),
    "glm4v_vision": Family(
        (
            positions("embeddings.position_embedding.weight"),
            QWEN_PATCHES_BIASED,
            Stack(
                "blocks",
                (
                    full_heads("attn", "qkv", "proj", bias="attention_bias", out_bias=False),
                    glu(width=OUT),
                    rms("norm1"),
                    rms("norm2"),
                ),
            ),
            Block("patch merger", "projector", _glm_merger),
        ),
        usual(1536, 24, 12, UNREAD, UNREAD, 13696, UNREAD)
        | QWEN
        | also(image_size=336, out_hidden_size=4096, attention_bias=False),
        spelled=QWEN_KEYS,
    ),
}
