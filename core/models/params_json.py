"""Meta's and Mistral's own params.json, in the keys of a llama or mixtral configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.models.architecture import ModelFileError
from core.models.layout import shown


def is_params(mapping: Mapping[str, Any]) -> bool:
    """Whether the file is of this kind: a width `dim`, and a depth `n_layers`."""
    return "dim" in mapping and "n_layers" in mapping


def translate(mapping: Mapping[str, Any]) -> tuple[Mapping[str, Any], str, list[str]]:
    """The keys of a configuration file, its type, and notes.

    Mistral states the MLP's width as `hidden_dim`. Meta's code computes it (llama/model.py): 8·dim ÷ 3 rounded
    down, times `ffn_dim_multiplier` rounded down, rounded up to a multiple of `multiple_of`. Its files leave the
    vocabulary at -1, for the tokenizer to say; such a file is refused. Raises ModelFileError.
    """
    dim, heads = _count(mapping, "dim"), _count(mapping, "n_heads")
    notes: list[str] = ["The file is a params.json: norms, biases and the head are those of the llama layout."]
    usual: dict[str, Any] = {
        "hidden_size": dim,
        "num_hidden_layers": _count(mapping, "n_layers"),
        "num_attention_heads": heads,
        "num_key_value_heads": mapping.get("n_kv_heads"),
        "head_dim": mapping.get("head_dim"),
        "vocab_size": _vocabulary(mapping),
        "tie_word_embeddings": mapping.get("tied_embeddings", mapping.get("tie_word_embeddings", False)),
        "intermediate_size": mapping["hidden_dim"] if "hidden_dim" in mapping else _meta_width(mapping, dim),
    }
    experts = mapping.get("moe")
    if isinstance(experts, Mapping):
        usual["num_local_experts"] = experts.get("num_experts")
        usual["num_experts_per_tok"] = experts.get("num_experts_per_tok")
        return usual, "mixtral", notes
    if "vision_encoder" in mapping:
        notes.append("The vision encoder that the file names is not counted.")
    return usual, "llama", notes


def _count(mapping: Mapping[str, Any], key: str) -> int:
    value = mapping.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= 10**9:
        raise ModelFileError(f"{key} is {shown(value)}; accepted are whole numbers from 1 to 1,000,000,000")
    return value


def _vocabulary(mapping: Mapping[str, Any]) -> int:
    if mapping.get("vocab_size") == -1:
        raise ModelFileError(
            "vocab_size is -1, as the tokenizer decides it in this kind of file; write the number of rows of the token "
            "table (32,000 in Llama 2)"
        )
    return _count(mapping, "vocab_size")


def _meta_width(mapping: Mapping[str, Any], dim: int) -> int:
    width, multiple = 8 * dim // 3, mapping.get("multiple_of", 256)
    factor = mapping.get("ffn_dim_multiplier")
    if factor is not None:
        if isinstance(factor, bool) or not isinstance(factor, (int, float)) or not 0 < factor < 10**6:
            raise ModelFileError(f"ffn_dim_multiplier is {shown(factor)}, and a positive number is needed there")
        width = int(factor * width)
    if isinstance(multiple, bool) or not isinstance(multiple, int) or multiple < 1:
        raise ModelFileError(f"multiple_of is {shown(multiple)}, and a whole number from 1 is needed there")
    return multiple * -(-width // multiple)
