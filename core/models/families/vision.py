"""Vision and text encoders that also stand alone: ViT, DINOv2, CLIP, SigLIP, and Pixtral's tower.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.models.blocks.attention import gqa
from core.models.blocks.ends import embedding, labels, layer_norm, project, rms, table
from core.models.blocks.feedforward import glu
from core.models.blocks.vision import PLAIN, layers, patch_embedding, positions, token
from core.models.families.row import UNREAD, Family, Values, also, usual
from core.models.layout import Block, Layout, Prefixed, Stack, View, Weight, hidden, linear, size, vector

SMALL = (768, 12, 12, UNREAD, UNREAD)
PICTURE = {"image_size": 224, "patch_size": 16, "num_channels": 3}
PROJECTION = size("projection_dim", "m")


def _scales(v: View) -> list[Weight]:
    return [vector("layer_scale1.lambda1", v.h), vector("layer_scale2.lambda1", v.h)]


def _dino_width(values: Values) -> None:
    """The MLP's width is a multiple of the model's; SwiGLU keeps two thirds, rounded up to a multiple of 8."""
    width = int(values["hidden_size"] * values["mlp_ratio"])
    values["intermediate_size"] = -(-int(width * 2 / 3) // 8) * 8 if values["use_swiglu_ffn"] else width


def _dino_mlp(v: View) -> Iterator[Weight]:
    if v.flag("use_swiglu_ffn"):
        yield from glu(bias=True).weights(v)
    else:
        yield from linear("mlp.fc1", v.f, v.h, True)
        yield from linear("mlp.fc2", v.h, v.f, True)


def _pooling(v: View) -> Iterator[Weight]:
    """SigLIP pools with one learned query, an attention and an MLP."""
    if not v.flag("vision_use_head"):
        return
    yield vector("head.probe", 1, 1, v.h)
    yield Weight("head.attention.in_proj_weight", (v.h * 3, v.h))
    yield vector("head.attention.in_proj_bias", v.h * 3)
    yield from linear("head.attention.out_proj", v.h, v.h, True)
    yield vector("head.layernorm.weight", v.h)
    yield vector("head.layernorm.bias", v.h)
    yield from linear("head.mlp.fc1", v.f, v.h, True)
    yield from linear("head.mlp.fc2", v.h, v.f, True)


def _vit_pooler(values: Values) -> None:
    if values["pooler_output_size"] is None:
        values["pooler_output_size"] = values["hidden_size"]


def _vit(prefix: str) -> Layout:
    return (
        Prefixed(
            prefix,
            (
                token("embeddings.cls_token"),
                positions("embeddings.position_embeddings", 1, leading=True),
                patch_embedding("embeddings.patch_embeddings.projection"),
                layers(
                    "layers",
                    "attention",
                    PLAIN,
                    ("layernorm_before", "layernorm_after"),
                    bias="qkv_bias",
                    out_bias=True,
                ),
                layer_norm("layernorm", term="final norm"),
            ),
        ),
    )


def _dino(prefix: str) -> Layout:
    return (
        Prefixed(
            prefix,
            (
                token("embeddings.cls_token"),
                token("embeddings.mask_token", 1, when="use_mask_token"),
                positions("embeddings.position_embeddings", 1, leading=True),
                patch_embedding("embeddings.patch_embeddings.projection"),
                Stack(
                    "encoder.layer",
                    (
                        layer_norm("norm1"),
                        gqa("attention", PLAIN, bias="qkv_bias", out_bias=True),
                        layer_norm("norm2"),
                        Block("MLP", "mlp", _dino_mlp),
                        Block("layer scales", "norm", _scales),
                    ),
                ),
                layer_norm("layernorm", term="final norm"),
            ),
        ),
    )


CLIP_VISION: Layout = (
    Block("learned tokens", "embedding", lambda v: [vector("embeddings.class_embedding", v.h)]),
    patch_embedding("embeddings.patch_embedding", bias=False),
    positions("embeddings.position_embedding.weight", 1),
    layer_norm("pre_layrnorm", term="embedding norm"),
    layers("encoder.layers"),
    layer_norm("post_layernorm", term="final norm"),
)
CLIP_TEXT: Layout = (
    Prefixed(
        "",
        (
            embedding("embeddings.token_embedding"),
            table("position table", "embeddings.position_embedding.weight", size("max_position_embeddings", "P")),
            layers("encoder.layers"),
            layer_norm("final_layer_norm", term="final norm"),
        ),
    ),
)
SIGLIP_VISION: Layout = (
    patch_embedding("embeddings.patch_embedding"),
    positions("embeddings.position_embedding.weight"),
    layers("encoder.layers"),
    layer_norm("post_layernorm", term="final norm"),
    Block("pooling head", "head", _pooling),
)
PIXTRAL: Layout = (
    patch_embedding("patch_conv", bias=False),
    rms("ln_pre", term="embedding norm"),
    Stack("transformer.layers", (rms("attention_norm"), glu("feed_forward"), gqa("attention"), rms("ffn_norm"))),
)

FAMILIES = {
    "vit": Family(
        _vit(""),
        usual(*SMALL, 3072, UNREAD, **PICTURE, qkv_bias=True, pooler_output_size=None),
        heads={
            "none": (project("pooler.dense", size("pooler_output_size", "o"), hidden, term="pooler"),),
            "image": (project("classifier", labels),),
        },
        head="none",
        settle=_vit_pooler,
        class_name="ViTModel",
    ),
    "dinov2": Family(
        _dino(""),
        usual(*SMALL, UNREAD, UNREAD)
        | {**PICTURE, "patch_size": 14}
        | also(qkv_bias=True, mlp_ratio=4.0, use_swiglu_ffn=False, use_mask_token=True),
        heads={"none": (), "image": (project("classifier", labels, lambda v: v.h * 2),)},
        head="none",
        settle=_dino_width,
        class_name="Dinov2Model",
    ),
    "clip_vision_model": Family(
        CLIP_VISION,
        usual(*SMALL, 3072, UNREAD, **{**PICTURE, "patch_size": 32}, projection_dim=512),
        heads={
            "none": (),
            "projection": (project("visual_projection", PROJECTION, bias=False),),
            "image": (project("classifier", labels),),
        },
        head="none",
        class_name="CLIPVisionModel",
    ),
    "clip_text_model": Family(
        CLIP_TEXT,
        usual(512, 12, 8, UNREAD, UNREAD, 2048, 49408, max_position_embeddings=77, projection_dim=512),
        heads={"none": (), "text projection": (project("text_projection", PROJECTION, bias=False),)},
        head="none",
        classes={"CLIPTextModelWithProjection": "text projection"},
        class_name="CLIPTextModel",
    ),
    "siglip_vision_model": Family(
        SIGLIP_VISION,
        usual(*SMALL, 3072, UNREAD, **PICTURE, vision_use_head=True),
        heads={"none": (), "image": (project("classifier", labels),)},
        head="none",
        class_name="SiglipVisionModel",
    ),
    "pixtral": Family(
        PIXTRAL,
        usual(1024, 24, 16, UNREAD, UNREAD, 4096, UNREAD, **{**PICTURE, "image_size": 1024}),
        heads={"none": ()},
        head="none",
        class_name="PixtralVisionModel",
    ),
}
