"""Qwen2.5-Omni: a thinker of text, vision and audio, a talker, and the two networks that turn its codes to sound.

Source: the configuration and modelling classes of transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.models.architecture import ModelFileError
from core.models.blocks.attention import gqa
from core.models.blocks.ends import embedding, head, pre_norms, project, rms
from core.models.blocks.feedforward import glu, mlp
from core.models.blocks.vision import fused_mlp
from core.models.families.dense import FAMILIES as DENSE_FAMILIES
from core.models.families.row import UNREAD, Family, Nested, also, untied, usual
from core.models.families.towers import OUT, QWEN, QWEN_KEYS, QWEN_PATCHES, merged
from core.models.families.wrapper import audio, vision
from core.models.layout import Block, Layout, Stack, Text, Tower, View, Weight, hidden, linear, shown, size, vector

TALKER: Layout = (
    project("thinker_to_talker_proj", hidden, size("embedding_size", "e"), term="projector"),
    embedding("model.embed_tokens", width=size("embedding_size", "e")),
    Stack("model.layers", (gqa(bias=True), glu(), *pre_norms("input_layernorm", "post_attention_layernorm"))),
    rms("model.norm", term="final norm"),
    Block("codec head", "head", lambda v: [Weight("codec_head.weight", (v.V, v.h), "head")]),
)


def _numbers(v: View, key: str) -> list[int]:
    value = v.get(key)
    if not isinstance(value, list) or not value or not all(isinstance(item, int) and item > 0 for item in value):
        raise ModelFileError(f"{key} is {shown(value)}, and a list of whole numbers from 1 is needed there")
    return value


def _convolution(name: str, out: Any, inner: Any, width: int, bias: bool = True) -> Iterator[Weight]:
    yield Weight(f"{name}.weight", (out, inner, width), "convolution")
    if bias:
        yield vector(f"{name}.bias", out)


def _speaker(v: View) -> Iterator[Weight]:
    """ECAPA-TDNN: convolutions with residual branches and squeeze-excitation, then attentive pooling."""
    path = "input_embed.spk_encoder"
    channels, widths = _numbers(v, "enc_channels"), _numbers(v, "enc_kernel_sizes")
    scale, squeezed, attention = (
        v.number(f"enc_{key}") for key in ("res2net_scale", "se_channels", "attention_channels")
    )
    yield from _convolution(f"{path}.blocks.0.conv", channels[0], v.size("mel_dim", "M"), widths[0])
    for i in range(1, len(channels) - 1):
        inner, out, block = channels[i - 1], channels[i], f"{path}.blocks.{i}"
        branch = out // scale
        yield from _convolution(f"{block}.tdnn1.conv", out, inner, 1)
        for j in range(scale - 1):
            yield from _convolution(f"{block}.res2net_block.blocks.{j}.conv", branch, branch, widths[i])
        yield from _convolution(f"{block}.tdnn2.conv", out, out, 1)
        yield from _convolution(f"{block}.se_block.conv1", squeezed, out, 1)
        yield from _convolution(f"{block}.se_block.conv2", out, squeezed, 1)
    last = channels[-1]
    yield from _convolution(f"{path}.mfa.conv", last, sum(channels[1:-1]), widths[-1])
    yield from _convolution(f"{path}.asp.tdnn.conv", attention, last * 3, 1)
    yield from _convolution(f"{path}.asp.conv", last, attention, 1)
    yield from _convolution(f"{path}.fc", v.size("enc_dim", "c"), last * 2, 1)


def _dit_front(v: View) -> Iterator[Weight]:
    yield from linear("time_embed.time_mlp.0", v.h, 256, True)
    yield from linear("time_embed.time_mlp.2", v.h, v.h, True)
    yield Weight("text_embed.codec_embed.weight", (v.size("num_embeds", "n") + 1, v.size("emb_dim", "e")), "table")
    joined = v.size("mel_dim", "M") + v.size("enc_dim", "c") + v.size("enc_emb_dim", "s") + v.size("emb_dim", "e")
    yield from linear("input_embed.proj", v.h, joined, True)


def _dit_end(v: View) -> Iterator[Weight]:
    yield from linear("norm_out.linear", v.h * 2, v.h, True)
    yield from linear("proj_out", v.size("mel_dim", "M"), v.h, True)


def _bigvgan(v: View) -> Iterator[Weight]:
    """Transposed convolutions that halve the channels, each followed by residual blocks of three dilations."""
    width, kernels = v.number("upsample_initial_channel"), _numbers(v, "resblock_kernel_sizes")
    yield from _convolution("conv_pre", width, v.size("mel_dim", "M"), 7)
    block = 0
    for i, kernel in enumerate(_numbers(v, "upsample_kernel_sizes")):
        yield from ((Weight(f"ups.{i}.0.weight", (width, width // 2, kernel), "convolution")),)
        width //= 2
        yield vector(f"ups.{i}.0.bias", width)
        for size_ in kernels:
            for j in range(3):
                yield from _convolution(f"resblocks.{block}.convs1.{j}", width, width, size_)
                yield from _convolution(f"resblocks.{block}.convs2.{j}", width, width, size_)
            for j in range(6):
                yield vector(f"resblocks.{block}.activations.{j}.act.alpha", width)
                yield vector(f"resblocks.{block}.activations.{j}.act.beta", width)
            block += 1
    yield vector("activation_post.act.alpha", width)
    yield vector("activation_post.act.beta", width)
    yield from _convolution("conv_post", 1, width, 7, bias=False)


DIT: Layout = (
    Block("embeddings", "audio", _dit_front),
    Block("speaker encoder", "audio", _speaker),
    Stack(
        "transformer_blocks",
        (
            project("attn_norm.linear", lambda v: v.h * 6, hidden, term="audio modulation"),
            gqa("attn", ("to_q", "to_k", "to_v", "to_out.0"), True, True),
            mlp("ff", ("ff.0", "ff.3"), width=lambda v: v.h * v.size("ff_mult", "r")),
        ),
    ),
    Block("output", "audio", _dit_end),
)

FAMILIES = {
    "qwen2_5_omni_vision_encoder": Family(
        (
            QWEN_PATCHES,
            Stack(
                "blocks",
                (gqa("attn", ("q", "k", "v", "proj"), True, True), glu(bias=True), rms("norm1"), rms("norm2")),
            ),
            rms("merger.ln_q", term="merger's norm"),
            fused_mlp("merger", "mlp.0", "mlp.2", merged, OUT),
        ),
        usual(3584, 32, 16, UNREAD, UNREAD, 3420, UNREAD, **QWEN, out_hidden_size=3584),
        spelled=QWEN_KEYS,
    ),
    "qwen2_5_omni_text": Family(
        DENSE_FAMILIES["qwen2"].body,
        usual(3584, 28, 28, 4, None, 18944, 152064),
        like="qwen2",
    ),
    "qwen2_5_omni_talker": Family(TALKER, usual(3584, 28, 28, 4, 128, 18944, 8448, embedding_size=3584)),
    "qwen2_5_omni_dit": Family(
        DIT,
        usual(1024, 22, 16, UNREAD, 64, UNREAD, UNREAD)
        | also(ff_mult=2, emb_dim=512, num_embeds=8193, mel_dim=80, enc_emb_dim=192, enc_dim=128)
        | also(enc_channels=[256, 256, 256, 256, 768], enc_kernel_sizes=[5, 3, 3, 3, 1])
        | also(enc_attention_channels=64, enc_res2net_scale=2, enc_se_channels=64),
    ),
    "qwen2_5_omni_bigvgan": Family(
        (Block("vocoder", "audio", _bigvgan),),
        {
            "hidden_size": 1536,
            "num_hidden_layers": 6,
            "mel_dim": 80,
            "upsample_initial_channel": 1536,
            "resblock_kernel_sizes": [3, 7, 11],
            "upsample_kernel_sizes": [11, 7, 4, 4, 4, 4],
        },
    ),
    "qwen2_5_omni": Family(
        (
            audio("thinker.model.audio_tower."),
            vision("thinker.model.visual."),
            Text("thinker.model.language_model."),
            Tower("talker", "talker.", "audio", "ₜ"),
            Tower("codes to spectrum", "token2wav.code2wav_dit_model.", "audio", "ₛ"),
            Tower("spectrum to sound", "token2wav.code2wav_bigvgan_model.", "audio", "ₒ"),
        ),
        {},
        heads={"lm": (head("thinker.lm_head"),), "none": ()},
        settle=untied,
        text=Nested(("thinker_config.text_config",), "qwen2_5_omni_text"),
        towers={
            "audio": Nested(("thinker_config.audio_config",), "qwen2_5_omni_audio_encoder"),
            "vision": Nested(("thinker_config.vision_config",), "qwen2_5_omni_vision_encoder"),
            "talker": Nested(("talker_config",), "qwen2_5_omni_talker"),
            "codes to spectrum": Nested(("token2wav_config.dit_config",), "qwen2_5_omni_dit"),
            "spectrum to sound": Nested(("token2wav_config.bigvgan_config",), "qwen2_5_omni_bigvgan"),
        },
        class_name="Qwen2_5OmniForConditionalGeneration",
    ),
}
