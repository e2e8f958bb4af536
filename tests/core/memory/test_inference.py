"""Key and value caches against figures that their publishers or users give."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.memory.inference import cache_layers, inference
from core.models.dimensions import Dimensions
from tests.core.memory import models

GIB = 2**30
QWEN3_4B = Dimensions("qwen3", 2560, 36, 151936, 32, 8, 128, 9728, tied=True)
GEMMA_3_27B = Dimensions("gemma3", 5376, 62, 262208, 32, 16, 128, 21504, tied=True)
DEEPSEEK_V3 = Dimensions("deepseek_v3", 7168, 61, 129280, 128, 128, 192, 2048, 256, 8)


def test_grouped_heads_and_an_explicit_head_size() -> None:
    # Qwen3-4B: 2·8·128·2 B in 36 layers; heads are not hidden ÷ heads wide
    assert inference(0, 0, cache_layers(QWEN3_4B), 1, 1, 2).per_token == 147_456
    # Llama-3-8B: 2·8·128 elements in 32 layers
    assert inference(0, 0, cache_layers(models.LLAMA_3_8B), 1, 1, 2).per_token == 131_072


def test_a_window_keeps_no_more_than_its_tokens() -> None:
    # Gemma 3 27B at 131,072 tokens: 10 of 62 layers see all, the others 1,024 tokens: 10.41 GiB
    layers = cache_layers(GEMMA_3_27B, window=1024, window_layers=52)
    assert [(one.layers, one.window) for one in layers] == [(10, 0), (52, 1024)]
    found = inference(0, 0, layers, 1, 131_072, 2)
    assert found.cache == 8192 * (10 * 131_072 + 52 * 1024)
    assert round(found.cache / GIB, 2) == 10.41
    short = inference(0, 0, layers, 1, 1000, 2)
    assert short.cache == 8192 * 62 * 1000


@pytest.mark.parametrize(("context", "gib"), [(163_840, 10.72), (262_144, 17.16)])
def test_a_latent_cache(context: int, gib: float) -> None:
    # DeepSeek-V3.1 and Kimi-K2.5: 512 + 64 elements in 61 layers, at the context each is published with
    found = inference(0, 0, cache_layers(DEEPSEEK_V3, latent=512 + 64), 1, context, 2)
    assert found.cache == 61 * 576 * 2 * context
    assert round(found.cache / GIB, 2) == gib


def test_weights_and_cache() -> None:
    found = inference(8_030_261_248, 2, cache_layers(models.LLAMA_3_8B), 4, 8192, 1)
    assert found.weights == 16_060_522_496
    assert found.cache == 4 * 8192 * 65_536
    assert found.bytes == found.weights + found.cache
    # 4-bit weights with a scale for each 64: rounded up to whole bytes
    assert inference(3, Fraction(9, 16), (), 1, 1, 2).weights == 2
