"""Shapes at which PyTorch keeps something else, each by its rule; the measured ones are among the passes of
resources/measured."""

from __future__ import annotations

import msgspec

from core.memory.activations import saved
from core.memory.passes import Pass
from core.models.dimensions import Dimensions
from tests.core.memory import models


def small(family: str, **changes: int) -> Dimensions:
    """A small model of a family."""
    return msgspec.structs.replace(Dimensions(family, 128, 3, 256, 8, 8, 16, 256), **changes)


def test_one_sequence_keeps_a_padding_label() -> None:
    # The shifted labels are a view of tokens + 1 labels of 8 B; with two sequences they are a copy without it.
    def labels(batch: int) -> int:
        kept = saved(Pass(models.LLAMA_2_7B, batch, 1000))
        return sum(t.bytes for t in kept.tensors if t.row.tensor == "shifted labels")

    assert labels(2) == 2 * 1000 * 8
    assert labels(1) == 1001 * 8


def test_the_memory_efficient_kernels_rows_are_padded() -> None:
    # log-sum-exp: 32·⌈s/32⌉ rows of 4 B for each head; mask rows: a multiple of 16
    kept = saved(Pass(models.GPT2, 2, 1000, padding_mask=True))
    sizes = {t.row.tensor: t.bytes_each for t in kept.tensors}
    assert kept.kernel == "efficient"
    assert sizes["log-sum-exp of each query"] == 4 * 2 * 12 * 1024
    assert sizes["mask"] == 2 * 2 * 1000 * 1008


def test_flash_pads_heads_to_a_multiple_of_eight() -> None:
    dim = Dimensions("llama", 800, 1, 1000, 8, 8, 100, 2000)
    sizes = {t.row.tensor: t.bytes_each for t in saved(Pass(dim, 2, 64)).tensors}
    assert sizes["queries"] == sizes["attention output"] == 2 * 2 * 64 * 8 * 104
    assert sizes["attention output, laid out for its projection"] == 2 * 2 * 64 * 8 * 100


def test_the_kernel_that_sdpa_picks() -> None:
    # sdp_utils.cpp and transformers' sdpa integration
    def kernel(dim: Dimensions, precision: str, *, masked: bool = False) -> str:
        return saved(Pass(dim, 2, 64, precision, padding_mask=masked)).kernel  # type: ignore[arg-type]

    assert kernel(models.LLAMA_3_8B, "bf16") == kernel(models.LLAMA_3_8B, "autocast") == "flash"
    assert kernel(models.LLAMA_3_8B, "bf16", masked=True) == "efficient"
    assert kernel(models.LLAMA_3_8B, "fp32") == "math"
    assert kernel(models.LLAMA_2_7B, "fp32") == kernel(models.LLAMA_3_8B, "fp32", masked=True) == "efficient"
    assert kernel(small("llama", head_dim=512, kv_heads=2), "bf16") == "efficient"
    assert kernel(models.GEMMA_2_2B, "bf16") == "eager"


def test_a_window_that_cuts_is_a_mask_from_its_own_length_on() -> None:
    def kernel(window: int) -> str:
        return saved(Pass(models.LLAMA_3_8B, 1, 96, window=window)).kernel

    assert (kernel(97), kernel(96), kernel(0)) == ("flash", "efficient", "flash")
    # Gemma 3: every sixth layer sees all
    kept = saved(Pass(models.GEMMA_3_1B, 1, 1024, window=512))
    assert (kept.full_layers, kept.window_layers, kept.kernel) == (4, 22, "flash and efficient")


def test_what_is_not_tabled_says_so() -> None:
    stand_in = saved(Pass(small("falcon_of_tomorrow"), 1, 64))
    assert "llama, the nearest in structure, stand in" in stand_in.notes[0]
    assert stand_in.stand_in
    mixture = saved(Pass(small("mixture_of_tomorrow", experts=8, experts_per_token=2), 1, 64))
    assert "mixtral" in mixture.notes[0]
    composed = saved(Pass(small("qwen3_moe", experts=8, experts_per_token=2), 1, 64))
    assert "not measured as a whole" in composed.notes[0]
    assert not composed.stand_in
    assert saved(Pass(small("gemma3_text"), 1, 64)).notes == ()
    assert "no dropout" in saved(Pass(small("llama"), 1, 64, dropout=True)).notes[0]
    assert "eager" in saved(Pass(small("gemma2"), 1, 64)).notes[0]
