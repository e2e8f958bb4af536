"""What inference keeps of the tokens it has read: keys and values, windows, and the compressed cache of MLA.

Expected: arithmetic by hand from published configurations, and figures that people corrected in public reports.
"""

from __future__ import annotations

from typing import Any

import pytest

from core.account import account
from core.ledger import ledger
from core.models.config import read_config
from core.report import to_json
from core.scenario import Scenario, change, from_texts

K = 1024


def _inference(**texts: str) -> dict[str, Any]:
    found = to_json(account(from_texts(texts)))["inference"]
    assert isinstance(found, dict)
    return found


# 2 (keys and values) × key heads × head size × 2 B × layers.
@pytest.mark.parametrize(
    ("model", "each"),
    [
        ("Qwen3 4B", 2 * 8 * 128 * 2 * 36),  # 147,456 B: LMCache issue 688, whose tool took the head as h ÷ heads
        ("Llama 2 7B", 2 * 32 * 128 * 2 * 32),
        ("Llama 3 8B", 2 * 8 * 128 * 2 * 32),  # a quarter of what ignoring grouped heads gives: vLLM PR 29736
        ("GPT-2", 2 * 12 * 64 * 2 * 12),
        ("Falcon 7B", 2 * 1 * 64 * 2 * 32),  # one key head
        ("GLM-4 9B", 2 * 2 * 128 * 2 * 40),
        ("MPT 7B", 2 * 32 * 128 * 2 * 32),
        ("DeepSeek V3", (512 + 64) * 2 * 61),
        ("Qwen3.5 35B-A3B", 2 * 2 * 256 * 2 * 10),  # ten of forty layers attend
    ],
)
def test_one_more_token_adds_its_keys_and_values(model: str, each: int) -> None:
    found = _inference(model=model, context="1000", sequences="3")
    assert found["cache_bytes_per_token"] == each
    assert found["cache_bytes"] == 3 * 1000 * each
    assert found["total_bytes"] == found["bytes"] + 3 * 1000 * each


# unsloth PR 4757 gives these in GiB: 163,840 tokens of DeepSeek V3.1, 262,144 of Kimi K2.5, 131,072 of Gemma 3 27B,
# of whose 62 layers every sixth sees all and the other 52 the last 1,024 tokens.
@pytest.mark.parametrize(
    ("model", "context", "right"),
    [("DeepSeek V3", "163840", 10.72), ("Kimi K2.5", "262144", 17.16), ("Gemma 3 27B", "131072", 10.41)],
)
def test_public_reports_of_wrong_caches(model: str, context: str, right: float) -> None:
    assert round(_inference(model=model, context=context)["cache_bytes"] / K**3, 2) == right


def test_windows_are_kept_and_the_rest_is_whole() -> None:
    found = _inference(model="Gemma 3 27B", context="131072")
    each = 2 * 16 * 128 * 2
    assert found["cache_bytes"] == each * (10 * 131_072 + 52 * 1_024)
    assert [(row["layers"], row["window"], row["bytes"]) for row in found["cache"]] == [
        (10, None, each * 10 * 131_072), (52, 1024, each * 52 * 1_024),
    ]  # fmt: skip
    assert _inference(model="Gemma 3 27B", context="1000")["cache_bytes"] == each * 62 * 1_000
    # A window set by hand stands in place of the model's.
    by_hand = _inference(model="Gemma 3 27B", context="131072", sliding_window="2048")
    assert by_hand["cache_bytes"] == each * (10 * 131_072 + 52 * 2_048)


# Gemma 4 31B: 50 layers of 16 key heads of 256 in a window of 1,024, and 10 of 4 key heads of 512 that see all.
def test_layers_of_two_kinds_keep_what_each_of_them_has() -> None:
    found = _inference(model="Gemma 4 31B", context="100000")
    assert found["cache_bytes"] == 2 * 2 * (50 * 16 * 256 * 1_024 + 10 * 4 * 512 * 100_000)


def test_the_context_is_the_sequence_unless_it_is_set() -> None:
    assert _inference(model="Llama 2 7B", seq_len="4096")["context"] == 4096
    assert _inference(model="Llama 2 7B", seq_len="4096", context="100")["context"] == 100


def test_the_format_of_the_cache() -> None:
    sixteen, eight = (_inference(model="Llama 2 7B", cache_bytes=each)["cache_bytes"] for each in ("2", "8 bits"))
    assert sixteen == 2 * eight == 2048 * 524_288


def test_weights_alone_keep_their_name() -> None:
    assert _inference(model="Llama 2 7B")["bytes"] == 13_476_831_232
    assert _inference(params="7B") == {
        "bytes": 14_000_000_000, "cache_bytes": None, "cache": [], "cache_bytes_per_token": None, "context": 2048,
        "sequences": 1, "total_bytes": None,
    }  # fmt: skip


@pytest.mark.parametrize("model", ["T5 3B", "BERT Base", "CLIP ViT-L", "Whisper Large v3", "DeepSeek V4 Flash"])
def test_what_is_not_known_is_not_guessed(model: str) -> None:
    found = to_json(account(from_texts({"model": model})))
    assert found["inference"]["cache_bytes"] is None  # type: ignore[index]
    assert any("cache" in note for note in found["notes"])  # type: ignore[attr-defined]


def test_the_ledger_has_the_cache() -> None:
    rows = {row.key: row.line.value for row in ledger(account(from_texts({"model": "Qwen3 4B", "context": "10"})))}
    assert rows["inference.cache_bytes"] == 1_474_560
    assert rows["inference.total_bytes"] == 2 * 4_022_468_096 + 1_474_560


# A file's own list of layers, its switch, and what its class does where it is silent.
@pytest.mark.parametrize(
    ("fields", "windowed"),
    [
        ({"model_type": "qwen2", "sliding_window": 100, "use_sliding_window": False}, 0),
        ({"model_type": "qwen2", "sliding_window": 100, "use_sliding_window": True, "max_window_layers": 3}, 5),
        ({"model_type": "mistral", "sliding_window": None}, 0),
        ({"model_type": "mistral"}, 8),
        ({"model_type": "gemma2", "sliding_window": 100}, 4),
        ({"model_type": "gemma3_text", "sliding_window": 100}, 7),
        ({"model_type": "gpt_oss", "layer_types": ["sliding_attention"] * 3 + ["full_attention"] * 5}, 3),
        ({"model_type": "llama", "sliding_window": 100}, 0),
    ],
)
def test_which_layers_have_a_window(fields: dict[str, Any], windowed: int) -> None:
    sizes = {"hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 100}
    arch = read_config({**sizes, "intermediate_size": 32, "num_hidden_layers": 8, **fields}, "a model")
    assert (arch.window.layers(8) if arch.window is not None else 0) == windowed
    tokens = arch.window.tokens if arch.window is not None else 0
    found = account(change(Scenario(), {"model": arch, "context": 10_000}))
    assert found.cached is not None
    assert found.cached.count == 2 * 2 * 16 * 2 * ((8 - windowed) * 10_000 + windowed * tokens)
