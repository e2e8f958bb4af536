"""Towers that stand only inside another model: vision and audio encoders.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import full_heads, gqa, qk_norm
from core.models.blocks.ends import layer_norm, pre_norms, project, rms, table
from core.models.blocks.feedforward import glu, mlp
from core.models.blocks.vision import PLAIN, fused_layers, fused_mlp, layers, patch_embedding, patches, positions
from core.models.families.row import UNREAD, Family, Values, usual
from core.models.families.seq2seq import SIDES, whisper_layers
from core.models.layout import Block, Layout, Stack, View, Weight, hidden, linear, size, vector
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


def _llama4_front(v: View) -> Iterator[Weight]:
    p = v.size("patch_size", "p")
    yield vector("class_embedding", v.h)
    yield Weight("positional_embedding_vlm", (patches(v) + 1, v.h), "table")
    yield Weight("patch_embedding.linear.weight", (v.h, v.size("num_channels", "C") * p * p))


def _llama4_adapter(v: View) -> Iterator[Weight]:
    wide = v.named("f", v.arch.mlp)
    out = v.size("projector_output_dim", "o")
    yield from linear("vision_adapter.mlp.fc1", v.size("projector_input_dim", "i"), wide)
    yield from linear("vision_adapter.mlp.fc2", out, out)


def _mllama_tables(v: View) -> Iterator[Weight]:
    """Tables for tiles and for positions within them, one row for each shape that an image may be cut to."""
    shapes = v.get("supported_aspect_ratios")
    kinds = v.named("a", (len(shapes) if isinstance(shapes, list) else 8) + 1)
    tiles, n = v.size("max_num_tiles", "t"), patches(v) + 1
    yield vector("class_embedding", v.h)
    yield vector("gated_positional_embedding.gate", 1)
    yield Weight("gated_positional_embedding.embedding", (n, v.h), "table")
    yield Weight("gated_positional_embedding.tile_embedding.weight", (kinds, tiles * n * v.h), "table")
    for place in ("pre", "post"):
        yield vector(f"{place}_tile_positional_embedding.gate", 1)
        yield Weight(f"{place}_tile_positional_embedding.embedding.weight", (kinds, tiles * v.h), "table")


def _mllama_layers(*more: Block) -> tuple[Block, ...]:
    return (
        gqa(names=PLAIN),
        mlp(),
        layer_norm("input_layernorm"),
        layer_norm("post_attention_layernorm"),
        *more,
    )


def _gates(v: View) -> list[Weight]:
    return [vector("gate_attn", 1), vector("gate_ffn", 1)]


def _gemma4_front(v: View) -> Iterator[Weight]:
    p = v.size("patch_size", "p")
    yield Weight("patch_embedder.position_embedding_table", (2, v.size("position_embedding_size", "n"), v.h), "table")
    yield Weight("patch_embedder.input_proj.weight", (v.h, p * p * 3))


GEMMA4_NAMES = ("q_proj.linear", "k_proj.linear", "v_proj.linear", "o_proj.linear")


def _gemma4_subsample(v: View) -> Iterator[Weight]:
    """Two strided convolutions over the spectrum of 128 bands, then a projection."""
    channels = v.get("subsampling_conv_channels") or [128, 32]
    before = 1
    for i, width in enumerate(channels):
        yield Weight(f"subsample_conv_projection.layer{i}.conv.weight", (width, before, 3, 3), "convolution")
        yield vector(f"subsample_conv_projection.layer{i}.norm.weight", width)
        before = width
    yield from linear("subsample_conv_projection.input_proj_linear", v.h, v.named("c", channels[0] // 4 * channels[1]))


def _conformer(v: View) -> Iterator[Weight]:
    for half in ("feed_forward1", "feed_forward2"):
        yield Weight(f"{half}.ffw_layer_1.linear.weight", (v.h * 4, v.h))
        yield Weight(f"{half}.ffw_layer_2.linear.weight", (v.h, v.h * 4))
        yield vector(f"{half}.pre_layer_norm.weight", v.h)
        yield vector(f"{half}.post_layer_norm.weight", v.h)
    yield vector("self_attn.per_dim_scale", v.d)
    for name in ("q_proj.linear", "k_proj.linear", "v_proj.linear", "post.linear", "relative_k_proj"):
        yield Weight(f"self_attn.{name}.weight", (v.h, v.h))
    yield Weight("lconv1d.linear_start.linear.weight", (v.h * 2, v.h))
    yield Weight("lconv1d.linear_end.linear.weight", (v.h, v.h))
    yield Weight("lconv1d.depthwise_conv1d.weight", (v.h, 1, v.size("conv_kernel_size", "w")), "convolution")
    for name in ("lconv1d.pre_layer_norm", "lconv1d.conv_norm", "norm_pre_attn", "norm_post_attn", "norm_out"):
        yield vector(f"{name}.weight", v.h)


def _minicpm_merger(v: View) -> Iterator[Weight]:
    """Attention and an MLP that merge a window of patches in the middle of the tower."""
    window = v.get("window_kernel_size") or [2, 2]
    wide, inner = v.h * (window[0] * window[1]), v.f * (window[0] * window[1])
    yield from gqa("vit_merger.self_attn", ("q_proj", "k_proj", "v_proj", "out_proj"), True, True).weights(v)
    for name, width in (("layer_norm1", v.h), ("pre_norm", wide)):
        yield vector(f"vit_merger.{name}.weight", width)
        yield vector(f"vit_merger.{name}.bias", width)
    yield from linear("vit_merger.linear_1", inner, wide, True)
    yield from linear("vit_merger.linear_2", v.h, inner, True)


def _step_scales(v: View) -> list[Weight]:
    return [vector("lambda_1", v.h), vector("lambda_2", v.h)]


def _step_width(values: Values) -> None:
    values["intermediate_size"] = int(values["hidden_size"] * values["mlp_ratio"])


def _step_downsample(v: View) -> Iterator[Weight]:
    yield Weight("downsampler1.weight", (v.h * 2, v.h, 3, 3), "convolution")
    yield vector("downsampler1.bias", v.h * 2)
    yield Weight("downsampler2.weight", (v.h * 4, v.h * 2, 3, 3), "convolution")
    yield vector("downsampler2.bias", v.h * 4)


def _spectrum(v: View) -> Iterator[Weight]:
    m = v.size("num_mel_bins", "M")
    yield Weight("conv1.weight", (v.h, m, 3), "convolution")
    yield vector("conv1.bias", v.h)
    yield Weight("conv2.weight", (v.h, v.h, 3), "convolution")
    yield vector("conv2.bias", v.h)


def _asr_front(v: View) -> Iterator[Weight]:
    """Three strided convolutions over time and band, then a projection of what is left of the bands."""
    c, bands = v.size("downsample_hidden_size", "c"), v.number("num_mel_bins")
    before: Size | int = 1
    for i in (1, 2, 3):
        yield Weight(f"conv2d{i}.weight", (c, before, 3, 3), "convolution")
        yield vector(f"conv2d{i}.bias", c)
        before, bands = c, (bands + 1) // 2
    yield Weight("conv_out.weight", (v.h, c * v.named("m", bands)))


CNN = Block("spectrum convolutions", "audio", _spectrum)
AUDIO = {"num_mel_bins": 128, "max_source_positions": 1500}

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
            layers(
                "layers", "attn", ("q_proj", "k_proj", "v_proj", "proj"), ("norm1", "norm2")
            ),
            layer_norm("final_layernorm", term="final norm"),
        ),
        usual(
            1152, 27, 16, UNREAD, UNREAD, 4304, UNREAD, num_channels=3, patch_size=14, pos_emb_height=64,
            pos_emb_width=64, merge_kernel_size=[2, 2],
        ),
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
        usual(
            1536, 24, 12, UNREAD, UNREAD, 13696, UNREAD, **QWEN, image_size=336, out_hidden_size=4096,
            attention_bias=False,
        ),
        spelled=QWEN_KEYS,
    ),
    "llama4_vision_model": Family(
        (
            Block("patch embedding", "embedding", _llama4_front),
            layer_norm("layernorm_pre", term="embedding norm"),
            layers(
                "model.layers", "self_attn", PLAIN, ("input_layernorm", "post_attention_layernorm")
            ),
            layer_norm("layernorm_post", term="final norm"),
            Block("adapter", "projector", _llama4_adapter),
        ),
        usual(
            768, 34, 16, UNREAD, UNREAD, 5632, UNREAD, num_channels=3, image_size=448, patch_size=14,
            vision_output_dim=7680, projector_input_dim=4096, projector_output_dim=4096,
        ),
    ),
    "mllama_vision_model": Family(
        (
            patch_embedding("patch_embedding", bias=False),
            Block("tile and position tables", "embedding", _mllama_tables),
            layer_norm("layernorm_pre", term="embedding norm"),
            layer_norm("layernorm_post", term="final norm"),
            Stack("transformer.layers", _mllama_layers()),
            Stack(
                "global_transformer.layers",
                _mllama_layers(Block("gates", "norm", _gates)),
                size("num_global_layers", "Lᵍ"),
            ),
        ),
        usual(
            1280, 32, 16, UNREAD, UNREAD, 5120, UNREAD, num_channels=3, image_size=448, patch_size=14,
            num_global_layers=8, max_num_tiles=4, vision_output_dim=7680, supported_aspect_ratios=None,
        ),
        spelled={"num_attention_heads": ("attention_heads",)},
    ),
    "gemma4_vision": Family(
        (
            Block("patch embedding", "embedding", _gemma4_front),
            Stack(
                "encoder.layers",
                (
                    gqa(names=GEMMA4_NAMES),
                    qk_norm(),
                    glu(names=("gate_proj.linear", "up_proj.linear", "down_proj.linear")),
                    *pre_norms(
                        "input_layernorm",
                        "post_attention_layernorm",
                        "pre_feedforward_layernorm",
                        "post_feedforward_layernorm",
                    ),
                ),
            ),
        ),
        usual(
            768, 16, 12, 12, 64, 3072, UNREAD, patch_size=16, position_embedding_size=10240
        ),
    ),
    "gemma4_audio": Family(
        (
            Block("subsampling", "audio", _gemma4_subsample),
            Stack("layers", (Block("conformer", "mixer", _conformer),)),
            project("output_proj", size("output_proj_dims", "o"), hidden, term="projector"),
        ),
        usual(
            1024, 12, 8, UNREAD, UNREAD, UNREAD, UNREAD, subsampling_conv_channels=[128, 32], conv_kernel_size=5,
            output_proj_dims=1536,
        ),
    ),
    "minicpmv4_6_vision": Family(
        (
            patch_embedding("embeddings.patch_embedding"),
            positions("embeddings.position_embedding.weight"),
            layers("encoder.layers"),
            layer_norm("post_layernorm", term="final norm"),
            Block("patch merger", "projector", _minicpm_merger),
        ),
        usual(
            768, 12, 12, UNREAD, UNREAD, 3072, UNREAD, num_channels=3, image_size=224, patch_size=16,
            window_kernel_size=[2, 2],
        ),
    ),
    "step3p5_vision": Family(
        (
            patch_embedding("embeddings.patch_embedding", bias=False),
            positions("embeddings.position_embedding.weight"),
            layer_norm("pre_layernorm", term="embedding norm"),
            layers(
                "layers",
                norms=("layernorm_before", "layernorm_after"),
                more=(Block("layer scales", "norm", _step_scales),),
            ),
            Block("downsampling", "projector", _step_downsample),
        ),
        usual(
            1536, 47, 16, UNREAD, UNREAD, UNREAD, UNREAD, num_channels=3, image_size=728, patch_size=14,
            mlp_ratio=8960 / 1536,
        ),
        spelled={
            "hidden_size": ("width",),
            "num_hidden_layers": ("layers",),
            "num_attention_heads": ("heads",),
        },
        settle=_step_width,
    ),
    "qwen2_audio_encoder": Family(
        (
            CNN,
            table("position table", "embed_positions.weight", size("max_source_positions", "S")),
            Stack("layers", whisper_layers("encoder")),
            layer_norm("layer_norm", term="final norm"),
        ),
        usual(1280, 32, 20, UNREAD, UNREAD, 5120, UNREAD, **AUDIO),
        spelled=SIDES,
    ),
    "qwen2_5_omni_audio_encoder": Family(
        (
            CNN,
            Block(
                "learned tokens",
                "embedding",
                lambda v: [Weight("audio_bos_eos_token.weight", (2, v.size("output_dim", "o")), "table")],
            ),
            Stack("layers", whisper_layers("encoder")),
            layer_norm("ln_post", term="final norm"),
            project("proj", size("output_dim", "o"), hidden, term="projector"),
        ),
        usual(1280, 32, 20, UNREAD, UNREAD, 5120, UNREAD, **AUDIO, output_dim=3584),
        spelled=SIDES,
    ),
    "qwen3_asr_audio_encoder": Family(
        (
            Stack("layers", whisper_layers("encoder", key_bias=True)),
            layer_norm("ln_post", term="final norm"),
            Block("spectrum convolutions", "audio", _asr_front),
        ),
        usual(
            1024, 24, 16, UNREAD, UNREAD, 4096, UNREAD, num_mel_bins=128, output_dim=3584, downsample_hidden_size=480
        ),
        spelled=SIDES,
    ),
}
