"""Audio towers: Whisper's encoder inside other models, and Gemma 4's conformer.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.ends import layer_norm, project, table
from core.models.blocks.vision import pair
from core.models.families.row import UNREAD, Family, also, usual
from core.models.families.seq2seq import SIDES, whisper_layers
from core.models.layout import Block, Stack, View, Weight, hidden, linear, size, vector
from core.models.sizes import Size


def _gemma4_subsample(v: View) -> Iterator[Weight]:
    """Two strided convolutions over the spectrum of 128 bands, then a projection."""
    channels = pair(v, "subsampling_conv_channels")
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
    "gemma4_audio": Family(
        (
            Block("subsampling", "audio", _gemma4_subsample),
            Stack("layers", (Block("conformer", "mixer", _conformer),)),
            project("output_proj", size("output_proj_dims", "o"), hidden, term="projector"),
        ),
        usual(1024, 12, 8, UNREAD, UNREAD, UNREAD, UNREAD)
        | also(subsampling_conv_channels=[128, 32], conv_kernel_size=5, output_proj_dims=1536),
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
        usual(1024, 24, 16, UNREAD, UNREAD, 4096, UNREAD)
        | also(num_mel_bins=128, output_dim=3584, downsample_hidden_size=480),
        spelled=SIDES,
    ),
}
