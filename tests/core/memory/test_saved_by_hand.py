"""Saved bytes of a layer against sums made by hand from what each operator must keep, in PyTorch's formats."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from core.memory.activations import SavedTensors, saved
from core.memory.passes import Pass
from core.memory.rows import DTYPE_BYTES
from core.models.dimensions import Dimensions
from tests.core.memory import models

B, S = 3, 640  # a whole number of the kernels' tiles


def layer_and_once(run: Pass) -> tuple[int, int]:
    """Saved bytes of one layer and of what is not in layers: from passes of two and of three layers."""

    def kept(layers: int) -> int:
        dim = msgspec.structs.replace(run.dimensions, layers=layers)
        return saved(msgspec.structs.replace(run, dimensions=dim)).saved_bytes

    two, three = kept(2), kept(3)
    return three - two, 3 * two - 2 * three


# In 16 bits with flash: linears share their input (2 B), flash keeps q, k, v, its output, a log-sum-exp in 32 bits for
# each query and 24 B of random state, a Python RMSNorm its input in 32 bits, 1/rms and the normalised values.
def llama(m: Dimensions) -> tuple[int, int]:
    bs, bsh = B * S, B * S * m.hidden
    layer = 16 * bsh + 4 * bs * (m.heads + m.kv_heads) * m.head_dim + 8 * bs * m.mlp + 4 * bs * m.heads + 8 * bs + 24
    return layer, 4 * bs * m.vocabulary + 8 * bsh + 12 * bs + 4 * S * m.head_dim + 4


def qwen3(m: Dimensions) -> tuple[int, int]:
    # Each head of queries and keys is normalised too: 4 + 2 B an element and 4 B a head.
    layer, once = llama(m)
    norms = 6 * B * S * (m.heads + m.kv_heads) * m.head_dim + 4 * B * S * (m.heads + m.kv_heads)
    return layer + norms, once


def gemma(m: Dimensions) -> tuple[int, int]:
    # The normalised values stay in 32 bits, and 1 + weight is kept.
    layer, once = llama(m)
    return layer + 4 * B * S * m.hidden + 8 * m.hidden, once + 2 * B * S * m.hidden + 4 * m.hidden


def gpt2(m: Dimensions) -> tuple[int, int]:
    # LayerNorm: input and output, two statistics in 32 bits. GELU in Python: five tensors. q, k, v in one tensor.
    bs, bsh = B * S, B * S * m.hidden
    layer = 8 * bsh + 6 * bsh + 2 * bsh + 4 * bs * m.heads + 24 + 10 * bs * m.mlp + 16 * bs
    return layer, 4 * bs * m.vocabulary + 4 * bsh + 16 * bs + 8 * S + 4


def opt(m: Dimensions) -> tuple[int, int]:
    # ReLU keeps its output alone; the position indices differ by sequence.
    bs, bsh = B * S, B * S * m.hidden
    layer = 16 * bsh + 4 * bs * m.heads + 24 + 2 * bs * m.mlp + 16 * bs
    return layer, 4 * bs * m.vocabulary + 4 * bsh + 24 * bs + 4


def bert(m: Dimensions) -> tuple[int, int]:
    # The loss is in the logits' format; the head has a linear, a GELU and a norm of its own.
    bs, bsh = B * S, B * S * m.hidden
    layer = 16 * bsh + 4 * bs * m.heads + 24 + 4 * bs * m.mlp + 16 * bs
    return layer, 2 * bs * m.vocabulary + 10 * bsh + 16 * bs + 8 * S + 2


def neox(m: Dimensions) -> tuple[int, int]:
    # Values are a view of the fused projection; queries and keys are joined anew, flash's output is copied; both norms
    # read one input. A quarter of each head is turned.
    bs, bsh = B * S, B * S * m.hidden
    layer = 6 * bsh + 4 * bsh + 2 * bsh + 2 * bsh + 6 * bsh + 4 * bs * m.heads + 24 + 4 * bs * m.mlp + 16 * bs
    return layer, 4 * bs * m.vocabulary + 4 * bsh + 16 * bs + S * m.head_dim + 4


def mixtral(m: Dimensions) -> tuple[int, int]:
    # Router: probabilities (4·E a token), choice and order (40 B a routed one); experts: input, output, four of f.
    bs, bsh, t = B * S, B * S * m.hidden, m.experts_per_token
    dense = llama(msgspec.structs.replace(m, mlp=0))
    experts = t * (8 * bs * m.mlp + 4 * bsh + 40 * bs) + 4 * m.experts * bs + 4 * bs + 4 * m.experts
    return dense[0] + experts, dense[1]


@pytest.mark.parametrize(
    ("model", "by_hand"),
    [
        (models.LLAMA_2_7B, llama),
        (models.LLAMA_3_8B, llama),
        (msgspec.structs.replace(models.LLAMA_3_8B, family="mistral"), llama),
        (msgspec.structs.replace(models.LLAMA_3_8B, family="qwen2"), llama),
        (models.QWEN3_8B, qwen3),
        (models.GEMMA_2B, gemma),
        (models.GPT2, gpt2),
        (models.OPT, opt),
        (models.BERT_LARGE, bert),
        (models.PYTHIA, neox),
        (models.MIXTRAL, mixtral),
    ],
    ids=lambda value: value.family if isinstance(value, Dimensions) else "",
)
def test_sixteen_bits_with_flash(model: Dimensions, by_hand: Callable[[Dimensions], tuple[int, int]]) -> None:
    run = Pass(model, B, S)
    assert saved(run).kernel == "flash"
    assert layer_and_once(run) == by_hand(model)


def test_the_papers_formula_is_what_bert_keeps_but_for_the_norms_statistics() -> None:
    # Korthikanti et al. 2022, equation 1: s·b·h·(34 + 5·a·s/h); mean and 1/σ of two norms are 16 B a token.
    m = models.BERT_LARGE
    layer, _ = layer_and_once(Pass(m, B, S, attention="eager", dropout=True))
    assert layer == 34 * S * B * m.hidden + 5 * m.heads * S * S * B + 16 * B * S


@pytest.mark.parametrize(
    ("model", "precision", "dropout", "each"),
    [
        # softmax + dropout mask + weights after dropout, or softmax + its copy in 16 bits
        (models.GPT2, "bf16", True, 2 + 1 + 2),
        (models.GPT2, "bf16", False, 2),
        (models.GPT2, "fp32", True, 4 + 1 + 4),
        (models.GPT2, "autocast", False, 4 + 2),
        (models.OPT, "bf16", True, 4 + 1 + 2),
        (models.LLAMA_2_7B, "bf16", False, 4 + 2),
        (models.LLAMA_2_7B, "fp32", False, 4),
        (models.GEMMA_2_2B, "bf16", False, 2 + 4 + 2),  # the capped scores' tanh before
    ],
)
def test_eager_attention_keeps_scores(model: Dimensions, precision: str, dropout: bool, each: int) -> None:
    kept = saved(Pass(model, B, S, precision, "eager", dropout=dropout))  # type: ignore[arg-type]
    quadratic = sum(t.bytes for t in kept.tensors if t.row.shape.count("s") == 2)
    assert quadratic == each * model.heads * B * S * S * model.layers


def test_llama_2_7b_at_4096_tokens_without_a_fused_kernel_keeps_127_gb_in_its_layers() -> None:
    # 32 layers of 45.5·b·s·h (16 + 8 + 8·11008/4096) + 6·a·b·s² + 8·b·s bytes
    layer, _ = layer_and_once(Pass(models.LLAMA_2_7B, 1, 4096, attention="eager"))
    assert layer * 32 == 32 * (4096 * 4096 * 24 + 8 * 4096 * 11008 + 6 * 32 * 4096**2 + 8 * 4096)
    assert round(layer * 32 / 10**9, 1) == 127.5


def test_autocast_copies_inputs_and_weights() -> None:
    m = models.LLAMA_3_8B
    kept = saved(Pass(m, B, S, "autocast"))
    heads = (2 * m.heads + 2 * m.kv_heads) * m.head_dim * m.hidden
    assert kept.weight_cast_bytes == 2 * (m.layers * (heads + 3 * m.mlp * m.hidden) + m.vocabulary * m.hidden)
    # 10·b·s·h more a layer than the 16-bit pass: five copies of inputs, and a 32-bit stream instead of 16-bit values
    assert layer_and_once(Pass(m, B, S, "autocast"))[0] - layer_and_once(Pass(m, B, S))[0] == 10 * B * S * m.hidden


@pytest.mark.parametrize("precision", ["bf16", "autocast", "fp32"])
def test_checkpoints_leave_each_layers_input(precision: str) -> None:
    m = models.LLAMA_2_7B
    layer, _ = layer_and_once(Pass(m, B, S, precision, recompute="full"))  # type: ignore[arg-type]
    assert layer == (2 if precision == "bf16" else 4) * B * S * m.hidden


def every_kind() -> list[SavedTensors]:
    found = []
    for model in (models.GPT2, models.BERT_LARGE, models.PYTHIA, models.PHI_3_MINI, models.MIXTRAL, models.GEMMA_3_1B):
        for precision in ("bf16", "autocast", "fp32"):
            for attention in ("sdpa", "eager"):
                run = Pass(model, 2, 100, precision, attention, dropout=True)
                found.append(saved(run))
    return found


@pytest.mark.parametrize("kept", every_kind(), ids=lambda kept: f"{kept.run.dimensions.family}-{kept.run.precision}")
def test_each_term_explains_itself_and_they_sum_to_the_whole(kept: SavedTensors) -> None:
    assert sum(t.bytes for t in kept.tensors) == kept.saved_bytes + kept.weight_cast_bytes
    assert sum(kept.by_category().values()) == kept.saved_bytes + kept.weight_cast_bytes
    for t in kept.tensors:
        assert t.row.tensor
        assert t.row.why
        size = t.row.count * t.places * DTYPE_BYTES[t.row.dtype]
        for letter in t.row.shape:
            assert letter in t.formula
            size *= kept.letters[letter]
        assert t.bytes == size == t.bytes_each * t.row.count * t.places
