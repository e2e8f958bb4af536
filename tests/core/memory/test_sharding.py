"""What each rank stores: by hand from each implementation's rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory.evidence import llama_tensors
from core.memory.gather import gather_buffers, place
from core.memory.sharding import (
    fsdp2_over_tensor_parallel,
    shard,
    tensor_parallel,
    zero_elements,
)
from core.memory.states import optimizer_state
from core.memory.tensors import Tensor, elements

# hidden 512, MLP 1,536, vocabulary 4,096, 3 layers, 8 heads, 4 for keys and values; hidden 250, MLP 683, 1,003, 3, 5, 5
EVEN = llama_tensors(512, 1536, 4096, 3, 8, 4)
UNEVEN = llama_tensors(250, 683, 1003, 3, 5, 5)


def test_the_models() -> None:
    assert (elements(EVEN), elements(UNEVEN)) == (13_635_072, 2_790_000)


def test_fsdp2_stores_the_same_rows_on_every_rank() -> None:
    # ceil(250 ÷ 8) = 32 rows; the last rank has 250 − 7·32 = 26 of its own
    one = [Tensor("w", (250, 10))]
    first, last = shard("fsdp2", one, 8, 0), shard("fsdp2", one, 8, 7)
    assert (elements(first.stored), elements(first.own)) == (320, 320)
    assert (elements(last.stored), elements(last.own), last.padding) == (320, 260, 60)
    assert elements(shard("fsdp2", one, 512, 0).stored) == 10
    assert elements(shard("fsdp2", one, 512, 250).own) == 0


@pytest.mark.parametrize(
    ("model", "ranks", "rank", "stored", "own", "states"),
    # bytes in 32 bits under a fake process group, PyTorch 2.13
    [(EVEN, 8, 0, 6_817_536, 6_817_536, 13_635_192), (EVEN, 512, 511, 112_668, 100_380, 200_880),
     (UNEVEN, 8, 7, 1_415_168, 1_253_824, 2_507_768), (UNEVEN, 64, 63, 178_896, 0, 120),
     (UNEVEN, 512, 0, 36_224, 36_224, 72_568)],
)  # fmt: skip
def test_fsdp2_measured(model: tuple[Tensor, ...], ranks: int, rank: int, stored: int, own: int, states: int) -> None:
    found = shard("fsdp2", model, ranks, rank)
    assert 4 * elements(found.stored) == stored
    assert 4 * elements(found.own) == own
    assert optimizer_state("adamw", found.optimizer, 4).bytes == states


def test_hsdp_shards_within_a_copy() -> None:
    assert shard("hsdp", UNEVEN, 64, 63, shard_size=8) == shard("fsdp2", UNEVEN, 8, 7)


def test_ddp_keeps_everything_and_a_second_copy_of_the_gradients() -> None:
    assert shard("ddp", EVEN, 8).bucket_copies == elements(EVEN)
    assert shard("ddp-bucket-view", EVEN, 8).bucket_copies == 0
    assert elements(shard("ddp", EVEN, 8).optimizer) == elements(EVEN)


def test_zero_redundancy_deals_out_whole_tensors() -> None:
    # 30 tensors, the largest an embedding of 4,096 x 512: rank 0 has it, rank 63 has none
    assert elements(shard("zero-redundancy", EVEN, 64, 0).optimizer) == 4096 * 512
    assert shard("zero-redundancy", EVEN, 64, 63).optimizer == ()
    assert optimizer_state("adamw", shard("zero-redundancy", EVEN, 64, 0).optimizer, 4).bytes == 16_777_220


@given(st.sampled_from([EVEN, UNEVEN]), st.integers(1, 40), st.sampled_from(["fsdp2", "zero-redundancy"]))
def test_the_ranks_share_out_every_parameter_once(model: tuple[Tensor, ...], ranks: int, strategy: str) -> None:
    shares = [shard(strategy, model, ranks, rank) for rank in range(ranks)]  # type: ignore[arg-type]
    assert sum(elements(share.optimizer) for share in shares) == elements(model)


def test_tensor_parallelism_leaves_norms_whole() -> None:
    # 3,584 elements of norms; the rest divides by 8
    assert 4 * elements(tensor_parallel(EVEN, 8).stored) == 4 * (3584 + (13_635_072 - 3584) // 8) == 6_830_080
    # 1,003 rows of the vocabulary: 126 on seven ranks and 121 on the last, stored as 126
    last = tensor_parallel(UNEVEN, 8, 7)
    assert (4 * elements(last.stored), 4 * elements(last.own)) == (1_384_000, 1_290_000)


def test_fsdp2_over_tensor_parallelism() -> None:
    assert 4 * elements(fsdp2_over_tensor_parallel(EVEN, 4, 2).stored) == 6_819_328
    assert 4 * elements(fsdp2_over_tensor_parallel(UNEVEN, 64, 8).stored) == 30_776


def test_zero_by_the_paper() -> None:
    # Rajbhandari et al. 2019, figure 1: 7.5 B on 64; 2 + 2 + 12 B a parameter
    def gigabytes(stage: int) -> float:
        held = zero_elements(7_500_000_000, stage, 64)
        return (2 * held["parameters"] + 2 * held["gradients"] + 12 * held["optimizer"]) / 10**9

    assert [round(gigabytes(stage), 1) for stage in range(4)] == [120.0, 31.4, 16.6, 1.9]


# Live bytes beyond shards with one sequence of eight tokens: (model, ranks, format, forward, backward less shard of
# gradients); one unit a layer.
GATHERED = [
    (EVEN, 8, 4, 58_753_088, 77_552_488 - 6_817_536), (EVEN, 8, 2, 29_376_576, 45_923_144 - 6_817_536),
    (EVEN, 512, 4, 60_850_240, 79_151_472 - 112_668), (UNEVEN, 8, 4, 11_667_904, 15_989_912 - 1_415_168),
    (UNEVEN, 64, 2, 5_918_208, 9_513_396 - 178_896), (UNEVEN, 512, 4, 18_893_248, 22_838_316 - 36_224),
]  # fmt: skip


@pytest.mark.parametrize("row", GATHERED, ids=lambda row: f"{row[1]} ranks, {row[2]} B")
def test_unsharded_layers_lie_in_their_band(row: tuple[tuple[Tensor, ...], int, int, int, int]) -> None:
    model, ranks, size, forward, backward = row
    found = gather_buffers(model, ranks, format_bytes=size, wider_reduce=size == 2)
    # what the pass itself keeps at so few tokens is at most a twentieth
    assert found.forward.low <= forward <= found.forward.high * 21 // 20
    assert found.backward.low <= backward <= found.backward.high * 21 // 20


def test_units_without_padding() -> None:
    found = gather_buffers(EVEN, 8, format_bytes=4, wider_reduce=False)
    assert (found.root, found.block) == (16_779_264, 12_587_008)
    # all layers stay whole where they are not sharded again
    whole = gather_buffers(EVEN, 8, format_bytes=4, wider_reduce=False, reshard=False)
    assert whole.forward.low <= 80_423_616 <= whole.forward.high


def test_offload() -> None:
    bands = {"parameters": 14, "gradients": 14, "optimizer": 84}
    assert place(bands, "none").card == bands
    assert place(bands, "optimizer").card == {"parameters": 14, "gradients": 14, "optimizer": 0}
    assert place(bands, "optimizer").host == {"parameters": 0, "gradients": 0, "optimizer": 84}
    assert sum(place(bands, "parameters").card.values()) == 0
