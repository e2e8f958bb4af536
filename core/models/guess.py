"""Which type a file is of, where it says so in its own way, in an unknown one, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.models.architecture import ModelFileError
from core.models.families import families
from core.models.fields import ALIASES
from core.models.layout import shown
from core.models.params_json import is_params, translate

NESTED = ("text_config", "llm_config", "language_config", "llm_cfg")
BASIC = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size")
MIXTURE = ("num_experts", "num_experts_per_tok")
LATENT = ("kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")


def guess(mapping: Mapping[str, Any]) -> tuple[Mapping[str, Any], str, list[str]]:
    """The mapping in a known type's keys, that type, and notes on what was guessed.

    Raises ModelFileError where the file is not a model's, or lacks a key that the nearest layout needs.
    """
    stated = mapping.get("model_type")
    if stated is not None and not isinstance(stated, str):
        raise ModelFileError(f'model_type is {shown(stated)}, and a name such as "llama" is needed there')
    if stated in families():
        return mapping, str(stated), []
    if stated is None and is_params(mapping):
        return translate(mapping)
    named = _by_class(mapping)
    if named is not None and (stated is None or named == stated):
        return mapping, named, [f"The file names no model_type; its class {mapping['architectures'][0]} is {named}'s."]
    return _nearest(mapping, stated)


def _by_class(mapping: Mapping[str, Any]) -> str | None:
    stated = mapping.get("architectures")
    if not isinstance(stated, list) or not stated:
        return None
    return next((name for name, row in families().items() if row.class_name and row.class_name == stated[0]), None)


def _nearest(mapping: Mapping[str, Any], stated: str | None) -> tuple[Mapping[str, Any], str, list[str]]:
    inner = next((mapping[key] for key in NESTED if isinstance(mapping.get(key), Mapping)), mapping)
    usual = _usual_names(inner)
    latent = all(_is_count(usual.get(key)) for key in LATENT)
    mixture = "num_experts" in usual and usual["num_experts"] not in (0, None)
    needed = [*BASIC, *(MIXTURE if mixture else ()), *(("moe_intermediate_size",) if latent and mixture else ())]
    missing = [key for key in needed if not _is_count(usual.get(key))]
    what = f"model_type {shown(stated)} is not known" if stated else "the file names no model_type"
    if {"hidden_size", "num_hidden_layers"} & set(missing):
        if not stated and len(missing) == len(needed):
            raise ModelFileError(_no_model(mapping))
        raise ModelFileError(f"{what}, and the file does not say {_list(missing)}")
    if missing:
        raise ModelFileError(f"{what}, and to count it as the nearest known layout {_list(missing)} would be needed")
    if latent:
        kind = "deepseek_v3" if mixture else "minicpm3"
    elif mixture:
        kind = "mixtral"
        usual["intermediate_size"] = usual.get("moe_intermediate_size") or usual["intermediate_size"]
    else:
        kind = "llama"
    if inner is not mapping:
        usual.setdefault("tie_word_embeddings", mapping.get("tie_word_embeddings", False))
    usual["architectures"] = mapping.get("architectures")
    return usual, kind, _guessed(what, kind, inner is not mapping)


def _guessed(what: str, kind: str, nested: bool) -> list[str]:
    part = " Only its text model is counted." if nested else ""
    return [f"A guess: {what}, so it is counted as the nearest known layout, {kind}.{part}"]


def _usual_names(mapping: Mapping[str, Any]) -> dict[str, Any]:
    """The mapping with the usual names added, wherever it uses another spelling of one that it lacks."""
    usual = dict(mapping)
    for key, names in ALIASES.items():
        if usual.get(key) is None:
            found = next((mapping[name] for name in names if _is_count(mapping.get(name))), None)
            if found is not None:
                usual[key] = found
    return usual


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _list(keys: list[str]) -> str:
    return keys[0] if len(keys) == 1 else f"{', '.join(keys[:-1])} and {keys[-1]}"


_OTHER = (
    ("weight_map", "it is the index of a checkpoint's shards; the model's config.json lies beside it"),
    ("train_batch_size", "it is a configuration of DeepSpeed, and no model's"),
    ("zero_optimization", "it is a configuration of DeepSpeed, and no model's"),
    ("added_tokens", "it is a tokenizer, and no model's configuration"),
    ("tokenizer_class", "it is a tokenizer's configuration, and no model's"),
    ("base_model_name_or_path", "it is an adapter's configuration; the model's is that of the base model it names"),
)


def _no_model(mapping: Mapping[str, Any]) -> str:
    """Why an object is no model's configuration."""
    for key in ("error", "message", "detail"):
        if isinstance(mapping.get(key), str) and len(mapping) <= 4:
            return f"it is a server's answer, {shown(mapping[key])}, and no model's configuration"
    for key, reason in _OTHER:
        if key in mapping:
            return reason
    return "it names no model_type, no width (hidden_size) and no depth (num_hidden_layers), so it is no model's"
