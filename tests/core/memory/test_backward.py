"""The order in which a layer's backward takes and gives back memory: what must hold of it whatever the sizes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.memory.activations import saved
from core.memory.adapters import ROLES
from core.memory.backward import head_tape, layer_tape, play
from core.memory.families import FAMILIES
from core.memory.passes import Lora, Pass
from core.memory.rows import SavedTensor
from core.models.dimensions import Dimensions
from tests.core.memory import models


def adapters() -> st.SearchStrategy[Lora]:
    """Adapters on any linears, or on all."""
    names = st.lists(st.sampled_from(sorted(ROLES)), max_size=4, unique=True).map(tuple)
    return st.builds(Lora, st.integers(1, 64), names, st.booleans())


@st.composite
def passes(draw: st.DrawFn) -> Pass:
    """A pass of any family, in any way, of small and crooked sizes."""
    family = draw(st.sampled_from(sorted(FAMILIES)))
    heads = draw(st.sampled_from([2, 4, 8]))
    alone = family in ("gpt2", "bert", "opt", "gpt_neox")
    head_dim = draw(st.sampled_from([16, 20, 64]))
    mixture = FAMILIES[family].mlp == "experts"
    dim = Dimensions(
        family, heads * head_dim, draw(st.integers(1, 13)), draw(st.integers(10, 5000)), heads,
        heads if alone else draw(st.sampled_from([k for k in (1, 2, 8) if heads % k == 0])), head_dim,
        draw(st.integers(1, 700)), 8 if mixture else 0, 2 if mixture else 0, draw(st.booleans()),
    )  # fmt: skip
    return Pass(
        dim, draw(st.integers(1, 3)), draw(st.integers(2, 200)), draw(st.sampled_from(["bf16", "autocast", "fp32"])),
        draw(st.sampled_from(["sdpa", "eager"])), draw(st.booleans()), draw(st.booleans()),
        draw(st.sampled_from(["none", "full"])), window=draw(st.sampled_from([0, 16, 1000])),
        lora=draw(st.none() | adapters()),
    )  # fmt: skip


def _bytes(tensors: tuple[SavedTensor, ...], *, casts: bool) -> int:
    return sum(t.bytes for t in tensors if (t.row.category == "weight cast") == casts)


@settings(max_examples=300)
@given(passes())
def test_a_layer_frees_all_that_it_saved_and_nothing_else(run: Pass) -> None:
    kept = saved(run)
    kind = "window" if kept.window_layers > kept.full_layers else "full"
    after = play(layer_tape(kept.setting, kind), kept.letters).after
    assert -after.saved == _bytes(kept.layer, casts=False)
    assert -after.weight_cast == _bytes(kept.layer, casts=True)
    assert after.transient == 0
    assert after.gradient > 0 or run.lora


@settings(max_examples=200)
@given(passes())
def test_the_head_frees_all_that_it_saved_and_leaves_one_gradient_of_the_stream(run: Pass) -> None:
    kept = saved(run)
    after = play(head_tape(kept.setting), kept.letters).after
    own = tuple(t for t in kept.tensors if t.row.where in ("head", "loss"))
    assert -after.weight_cast == _bytes(own, casts=True)
    assert -after.saved == _bytes(own, casts=False)
    width = 2 if run.precision == "bf16" else 4
    stream = run.micro_batch * run.seq_len * run.dimensions.hidden * width
    assert after.transient == stream + kept.loss_bytes


@settings(max_examples=100)
@given(passes())
def test_gradients_that_are_added_to_others_leave_none_of_their_own(run: Pass) -> None:
    kept = saved(run)
    kind = "window" if kept.window_layers > kept.full_layers else "full"
    apart = play(layer_tape(kept.setting, kind), kept.letters)
    added = play(layer_tape(kept.setting, kind), kept.letters, accumulate=True)
    assert added.after.gradient == 0
    assert added.after.saved == apart.after.saved
    assert added.largest.bytes <= apart.largest.bytes


def test_a_layers_gradients_are_its_parameters() -> None:
    # Parameters of one layer, by hand: linears, their biases, norms.
    def layer(dim: Dimensions) -> int:
        kept = saved(Pass(dim, 1, 64))
        return play(layer_tape(kept.setting), kept.letters).after.gradient // 2

    h = 768
    assert layer(models.GPT2) == 3 * h * h + 3 * h + h * h + h + 2 * (4 * h * h) + 4 * h + h + 4 * h == 7_087_872
    h, f = 4096, 11008
    assert layer(models.LLAMA_2_7B) == 4 * h * h + 3 * h * f + 2 * h == 202_383_360
    h, f, kv = 4096, 14336, 1024
    assert layer(models.LLAMA_3_8B) == 2 * h * h + 2 * h * kv + 3 * h * f + 2 * h == 218_112_000
    assert layer(models.MIXTRAL) == 2 * h * h + 2 * h * kv + 8 * 3 * h * f + 8 * h + 2 * h == 1_451_270_144
    h, f = 1024, 4096
    assert layer(models.BERT_LARGE) == 4 * (h * h + h) + 2 * h * f + f + h + 4 * h == 12_596_224
    h, f = 2048, 8192
    assert layer(models.PYTHIA) == 4 * (h * h + h) + 2 * h * f + f + h + 4 * h
    h, f, d = 4096, 12288, 128
    assert layer(models.QWEN3_8B) == 2 * h * h + 2 * h * 1024 + 3 * h * f + 2 * h + 2 * d
    h, f = 1152, 6912
    assert layer(models.GEMMA_3_1B) == 2 * h * 1024 + 2 * h * 256 + 3 * h * f + 4 * h + 2 * 256
