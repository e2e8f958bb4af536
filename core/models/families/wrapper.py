"""Models of several parts: a text model, its towers and what joins them.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type. The tie flag of
the outer object decides, and its default where it is absent; a few classes also take a nested flag that is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from core.models.blocks.ends import head, project
from core.models.blocks.vision import pair
from core.models.families.row import Family, Nested, untied
from core.models.layout import (
    Block,
    Flag,
    Text,
    Tower,
    View,
    Weight,
    Width,
    hidden,
    linear,
    vector,
)
from core.models.sizes import Size

VISION, AUDIO = "ᵥ", "ₐ"


def vision(prefix: str = "model.visual.") -> Tower:
    """The place of the vision tower."""
    return Tower("vision", prefix, "vision", VISION)


def audio(prefix: str = "model.audio_tower.") -> Tower:
    """The place of the audio tower."""
    return Tower("audio", prefix, "audio", AUDIO)


def _tower_width(name: str, mark: str) -> Width:
    return lambda v: v.tower(name, mark).h


def _if_tower(name: str, *blocks: Block) -> tuple[Block, ...]:
    """Blocks that are there only where the file has the tower."""

    def only(weights: Callable[[View], Iterable[Weight]]) -> Callable[[View], Iterable[Weight]]:
        return lambda v: weights(v) if name in v.arch.towers else ()

    return tuple(block._replace(weights=only(block.weights)) for block in blocks)


HV, HA = _tower_width("vision", VISION), _tower_width("audio", AUDIO)
JOINT = "multi_modal_projector"


def _linear(name: str, rows: Width, columns: Width, bias: Flag = True) -> Block:
    return project(name, rows, columns, bias, term="projector")


def _gemma3(v: View) -> Iterator[Weight]:
    yield Weight(f"model.{JOINT}.mm_input_projection_weight", (HV(v), v.h))
    yield vector(f"model.{JOINT}.mm_soft_emb_norm.weight", HV(v))


def _mistral3(v: View) -> Iterator[Weight]:
    wide, bias = HV(v), v.flag("multimodal_projector_bias")
    merged = wide * v.number("spatial_merge_size") ** 2
    layers = v.get("vision_feature_layer")
    taken = wide * len(layers) if isinstance(layers, list) else wide
    yield vector(f"model.{JOINT}.norm.weight", wide)
    yield from linear(f"model.{JOINT}.patch_merger.merging_layer", wide, merged)
    yield from linear(f"model.{JOINT}.linear_1", v.h, taken, bias)
    yield from linear(f"model.{JOINT}.linear_2", v.h, v.h, bias)


def _llava_width(v: View) -> Size:
    layers = v.get("vision_feature_layer")
    return HV(v) * len(layers) if isinstance(layers, list) else HV(v)


def _kimi(v: View) -> Iterator[Weight]:
    tower = v.tower("vision", VISION)
    kernel = pair(tower, "merge_kernel_size")
    wide = tower.h * (kernel[0] * kernel[1])
    for part in ("weight", "bias"):
        yield vector(f"model.mm_projector.pre_norm.{part}", v.size("projection_hidden_size", "hᵥ"))
    yield from linear("model.mm_projector.in_proj", wide, wide, True)
    yield from linear("model.mm_projector.out_proj", v.h, wide, True)


def _minicpm(v: View) -> Iterator[Weight]:
    kernel = pair(v, "merge_kernel_size")
    wide = HV(v) * (kernel[0] * kernel[1])
    for i in range(v.number("merger_times")):
        last = i == v.number("merger_times") - 1
        path = f"model.merger.mlp.{i}"
        yield vector(f"{path}.pre_norm.weight", wide)
        yield vector(f"{path}.pre_norm.bias", wide)
        yield from linear(f"{path}.linear_1", wide, wide, True)
        yield from linear(f"{path}.linear_2", v.h if last else HV(v), wide, True)


def _projector(weights: Callable[[View], Iterable[Weight]]) -> Block:
    return Block("projector", "projector", weights)


def _clip(v: View) -> Iterator[Weight]:
    m = v.size("projection_dim", "m")
    yield vector("logit_scale")
    yield from linear("visual_projection", m, HV(v))
    yield from linear("text_projection", m, v.h)


def _llava_absent() -> dict[str, Any]:
    return {
        "intermediate_size": 4096,
        "hidden_size": 1024,
        "patch_size": 14,
        "image_size": 336,
        "num_hidden_layers": 24,
        "num_attention_heads": 16,
    }


def _text(kind: str, flat: bool = False, follow: bool = False, **absent: Any) -> Nested:
    return Nested(("text_config", "llm_config", "language_config"), kind, flat=flat, follow=follow, absent=absent)


def _tower(
    kind: str, key: str = "vision_config", optional: bool = False, follow: bool = False, **absent: Any
) -> Nested:
    return Nested((key,), kind, optional=optional, follow=follow, absent=absent)


UNTIED, TIED = {"tie_word_embeddings": False}, {"tie_word_embeddings": True}


def _qwen_vl(text: str, tower: str, class_name: str, flat: bool = False, either: bool = False) -> Family:
    return Family(
        (vision(), Text()),
        UNTIED,
        text=_text(text, flat=flat),
        towers={"vision": _tower(tower)},
        either_tie=either,
        class_name=class_name,
    )


FAMILIES = {
    "gemma3": Family(
        (vision("model.vision_tower."), _projector(_gemma3), Text()),
        TIED,
        text=_text("gemma3_text"),
        towers={"vision": _tower("siglip_vision_model", follow=True)},
        class_name="Gemma3ForConditionalGeneration",
    ),
    "gemma4": Family(
        (
            vision("model.vision_tower."),
            Text(),
            audio(),
            *_if_tower("vision", _linear("model.embed_vision.embedding_projection", hidden, HV, False)),
            *_if_tower(
                "audio",
                _linear(
                    "model.embed_audio.embedding_projection",
                    hidden,
                    lambda v: v.tower("audio", AUDIO).size("output_proj_dims", "o"),
                    False,
                ),
            ),
        ),
        TIED,
        text=_text("gemma4_text"),
        towers={
            "vision": _tower("gemma4_vision", optional=True),
            "audio": _tower("gemma4_audio", "audio_config", optional=True),
        },
        class_name="Gemma4ForConditionalGeneration",
    ),
    "llava": Family(
        (
            vision("model.vision_tower."),
            _linear(f"model.{JOINT}.linear_1", hidden, _llava_width, "multimodal_projector_bias"),
            _linear(f"model.{JOINT}.linear_2", hidden, hidden, "multimodal_projector_bias"),
            Text(),
        ),
        {**UNTIED, "multimodal_projector_bias": True, "vision_feature_layer": None},
        text=_text("llama", follow=True),
        towers={"vision": _tower("clip_vision_model", follow=True, **_llava_absent())},
        either_tie=True,
        class_name="LlavaForConditionalGeneration",
    ),
    "mistral3": Family(
        (vision("model.vision_tower."), _projector(_mistral3), Text()),
        {**TIED, "multimodal_projector_bias": False, "vision_feature_layer": None, "spatial_merge_size": 2},
        text=_text(
            "mistral",
            follow=True,
            vocab_size=131072,
            hidden_size=5120,
            intermediate_size=32768,
            num_hidden_layers=40,
            head_dim=128,
        ),
        towers={"vision": _tower("pixtral", follow=True, image_size=1540, patch_size=14)},
        class_name="Mistral3ForConditionalGeneration",
    ),
    "qwen2_vl": _qwen_vl("qwen2_vl_text", "qwen2_vl_vision", "Qwen2VLForConditionalGeneration", True, True),
    "qwen2_5_vl": _qwen_vl("qwen2_5_vl_text", "qwen2_5_vl_vision", "Qwen2_5_VLForConditionalGeneration", True, True),
    "qwen3_vl": _qwen_vl("qwen3_vl_text", "qwen3_vl_vision", "Qwen3VLForConditionalGeneration"),
    "qwen3_vl_moe": _qwen_vl("qwen3_vl_moe_text", "qwen3_vl_vision", "Qwen3VLMoeForConditionalGeneration"),
    "qwen3_5": _qwen_vl("qwen3_5_text", "qwen3_5_vision", "Qwen3_5ForConditionalGeneration"),
    "qwen3_5_moe": _qwen_vl("qwen3_5_moe_text", "qwen3_5_vision", "Qwen3_5MoeForConditionalGeneration"),
    "glm4v": _qwen_vl("glm4v_text", "glm4v_vision", "Glm4vForConditionalGeneration", either=True),
    "mllama": Family(
        (
            vision("model.vision_model."),
            Text(),
            _linear(f"model.{JOINT}", hidden, lambda v: v.tower("vision", VISION).size("vision_output_dim", "oᵥ")),
        ),
        {},
        text=_text("mllama_text_model"),
        settle=untied,
        towers={"vision": _tower("mllama_vision_model")},
        class_name="MllamaForConditionalGeneration",
    ),
    "qwen2_audio": Family(
        (audio(), _linear(f"model.{JOINT}.linear", hidden, HA), Text()),
        {},
        text=_text("qwen2", follow=True),
        settle=untied,
        towers={"audio": _tower("qwen2_audio_encoder", "audio_config")},
        class_name="Qwen2AudioForConditionalGeneration",
    ),
    "kimi_k25": Family(
        (vision("model.vision_tower."), Text(), _projector(_kimi)),
        {**TIED, "projection_hidden_size": 1152},
        text=_text("deepseek_v3", follow=True),
        towers={"vision": _tower("kimi_k25_vision")},
        class_name="Kimi_K25ForConditionalGeneration",
    ),
    "llama4": Family(
        (
            vision("vision_model."),
            _linear(
                f"{JOINT}.linear_1", hidden, lambda v: v.tower("vision", VISION).size("vision_output_dim", "oᵥ"), False
            ),
            Text("language_model.model."),
        ),
        {},
        heads={"lm": (head("language_model.lm_head"),), "none": ()},
        text=_text("llama4_text"),
        towers={"vision": _tower("llama4_vision_model")},
        class_name="Llama4ForConditionalGeneration",
    ),
    "minicpmv4_6": Family(
        (vision("model.vision_tower."), Text(), _projector(_minicpm)),
        {**UNTIED, "merge_kernel_size": [2, 2], "merger_times": 1},
        text=_text("qwen3_5_text", follow=True),
        towers={"vision": _tower("minicpmv4_6_vision")},
        class_name="MiniCPMV4_6ForConditionalGeneration",
    ),
    "qwen3_asr": Family(
        (
            audio(),
            Text(),
            _linear(f"model.{JOINT}.linear_1", HA, HA),
            _linear(f"model.{JOINT}.linear_2", lambda v: v.tower("audio", AUDIO).size("output_dim", "oₐ"), HA),
        ),
        TIED,
        text=_text("qwen3_asr_text"),
        towers={"audio": _tower("qwen3_asr_audio_encoder", "audio_config")},
        class_name="Qwen3ASRForConditionalGeneration",
    ),
    "step3p7": Family(
        (
            vision("model.vision_model."),
            Text(),
            _linear(f"model.{JOINT}", hidden, lambda v: HV(v) * 4, "projector_bias"),
        ),
        {**UNTIED, "projector_bias": False},
        text=_text("step3p5"),
        towers={"vision": _tower("step3p5_vision")},
        class_name="Step3p7ForConditionalGeneration",
    ),
    "clip": Family(
        (Text("text_model."), vision("vision_model."), _projector(_clip)),
        {"projection_dim": 512},
        heads={"none": ()},
        head="none",
        text=Nested(("text_config",), "clip_text_model", over="text_config_dict"),
        towers={"vision": Nested(("vision_config",), "clip_vision_model", over="vision_config_dict")},
        class_name="CLIPModel",
    ),
}
