"""Vision towers of Llama 4, Llama 3.2, Gemma 4, MiniCPM-V and Step.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import gqa, qk_norm
from core.models.blocks.ends import layer_norm, pre_norms
from core.models.blocks.feedforward import glu, mlp
from core.models.blocks.vision import PLAIN, layers, pair, patch_embedding, patches, positions
from core.models.families.row import UNREAD, Family, Values, also, usual
from core.models.layout import Block, Stack, View, Weight, linear, size, vector


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


def _minicpm_merger(v: View) -> Iterator[Weight]:
    """Attention and an MLP that merge a window of patches in the middle of the tower."""
    window = pair(v, "window_kernel_size")
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


FAMILIES = {
    "llama4_vision_model": Family(
        (
            Block("patch embedding", "embedding", _llama4_front),
            layer_norm("layernorm_pre", term="embedding norm"),
            layers("model.layers", "self_attn", PLAIN, ("input_layernorm", "post_attention_layernorm")),
            layer_norm("layernorm_post", term="final norm"),
            Block("adapter", "projector", _llama4_adapter),
        ),
        usual(768, 34, 16, UNREAD, UNREAD, 5632, UNREAD)
        | also(num_channels=3, image_size=448, patch_size=14, vision_output_dim=7680, projector_input_dim=4096)
        | also(projector_output_dim=4096),
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
        usual(1280, 32, 16, UNREAD, UNREAD, 5120, UNREAD)
        | also(num_channels=3, image_size=448, patch_size=14, num_global_layers=8, max_num_tiles=4)
        | also(vision_output_dim=7680, supported_aspect_ratios=None),
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
        usual(768, 16, 12, 12, 64, 3072, UNREAD, patch_size=16, position_embedding_size=10240),
    ),
    "minicpmv4_6_vision": Family(
        (
            patch_embedding("embeddings.patch_embedding"),
            positions("embeddings.position_embedding.weight"),
            layers("encoder.layers"),
            layer_norm("post_layernorm", term="final norm"),
            Block("patch merger", "projector", _minicpm_merger),
        ),
        usual(768, 12, 12, UNREAD, UNREAD, 3072, UNREAD)
        | also(num_channels=3, image_size=224, patch_size=16, window_kernel_size=[2, 2]),
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
        usual(1536, 47, 16, UNREAD, UNREAD, UNREAD, UNREAD)
        | also(num_channels=3, image_size=728, patch_size=14, mlp_ratio=8960 / 1536),
        spelled={
            "hidden_size": ("width",),
            "num_hidden_layers": ("layers",),
            "num_attention_heads": ("heads",),
        },
        settle=_step_width,
    ),
}
