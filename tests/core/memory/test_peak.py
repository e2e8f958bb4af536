"""The timeline of a step: its moments by hand, and with gradients that are there already."""

from __future__ import annotations

import msgspec
import pytest

from core.memory.activations import saved
from core.memory.passes import Pass
from core.memory.peak import Instant, Timeline, timeline
from core.models.dimensions import Dimensions
from tests.core.memory import models

LLAMA_2_7B_PARAMETERS = 6_738_415_616


def at(found: Timeline, name: str) -> Instant:
    return next(instant for instant in found.instants if instant.at == name)


def test_moments_come_in_the_order_of_a_step() -> None:
    found = timeline(saved(Pass(models.LLAMA_2_7B, 1, 4096)), LLAMA_2_7B_PARAMETERS)
    assert [instant.at for instant in found.instants] == [
        "forward", "loss", "head's backward", "last layer's backward", "first layer's backward", "end of backward",
        "optimizer step",
    ]  # fmt: skip
    for instant in found.instants:
        assert instant.low <= instant.bytes <= instant.high
        assert min(instant.saved, instant.weight_casts, instant.gradients, instant.transient) >= 0


@pytest.mark.parametrize(("batch", "label_bytes"), [(1, 8 * 4097), (2, 8 * 2 * 4096)])
def test_the_loss_takes_two_more_copies_of_the_logits_in_32_bits(batch: int, label_bytes: int) -> None:
    # nll_loss's and log_softmax's gradients beside all that is kept; the shifted labels are gone
    kept = saved(Pass(models.LLAMA_2_7B, batch, 4096))
    found = timeline(kept, LLAMA_2_7B_PARAMETERS)
    copies = 2 * 4 * batch * 4096 * 32000
    assert at(found, "loss").bytes == kept.end_of_forward_bytes + copies - label_bytes
    assert found.peak.at == "loss"
    assert found.peak.low == found.peak.high == found.peak.bytes


def test_the_loss_of_bert_is_in_the_format_of_its_logits() -> None:
    kept = saved(Pass(models.BERT_LARGE, 2, 512))
    assert at(timeline(kept, 335_174_458), "loss").bytes == kept.end_of_forward_bytes + 2 * 2 * 2 * 512 * 30522


def test_the_forward_pass_holds_logits_in_16_and_in_32_bits() -> None:
    # logits 2 B, their 32-bit copy 4 B, padded labels and their shift 8 B a token, two indices of 8 B
    kept = saved(Pass(models.LLAMA_2_7B, 1, 4096))
    found = timeline(kept, LLAMA_2_7B_PARAMETERS)
    assert at(found, "forward").bytes == kept.end_of_forward_bytes + 6 * 4096 * 32000 + 8 * 4096 + 16


def test_the_end_of_backward_has_all_gradients_and_the_embeddings_own() -> None:
    # untied: the gradient of the embedding's output; tied: head's and embedding's gradient and their sum; the loss, 8 B
    found = timeline(saved(Pass(models.LLAMA_2_7B, 1, 512)), LLAMA_2_7B_PARAMETERS)
    assert at(found, "end of backward").bytes == 2 * LLAMA_2_7B_PARAMETERS + 2 * 512 * 4096 + 8
    gpt2 = timeline(saved(Pass(models.GPT2, 1, 512)), 124_439_808)
    assert at(gpt2, "end of backward").bytes == 2 * 124_439_808 + 2 * 2 * 50257 * 768 + 8


def test_logits_that_are_held_stay_through_backward() -> None:
    run = Pass(models.LLAMA_3_8B, 2, 512)
    plain = timeline(saved(run), 8_030_261_248)
    held = timeline(saved(msgspec.structs.replace(run, keep_logits=True)), 8_030_261_248)
    logits = 2 * 2 * 512 * 128256
    for before, after in zip(plain.instants, held.instants, strict=True):
        # In the forward pass they are there anyway, and the update comes after.
        extra = 0 if before.at in ("forward", "optimizer step") else logits
        assert after.bytes == before.bytes + extra


def small(family: str, **changes: object) -> Dimensions:
    return msgspec.structs.replace(Dimensions(family, 128, 3, 64, 8, 8, 16, 256), **changes)


# Measured with gradients of an earlier pass in place (they are not in the figure), PyTorch 2.13 and transformers 5.24.
ACCUMULATED = [
    (small("llama"), 2, 96, {}, 508_800, 3_568_208),
    (small("llama", vocabulary=8192), 2, 96, {}, 2_589_568, 22_050_128),
    (small("llama", vocabulary=8192, tied=True), 2, 32, {}, 1_540_992, 7_350_096),
    (small("llama", vocabulary=8192), 1, 32, {}, 2_589_568, 3_676_112),
    (small("llama"), 2, 96, {"precision": "autocast", "attention": "eager"}, 508_800, 7_930_376),
    (small("llama"), 2, 96, {"precision": "fp32", "recompute": "full"}, 508_800, 2_478_360),
    (small("gpt2", tied=True), 2, 96, {}, 418_176, 2_944_848),
    (small("gpt2", vocabulary=8192, tied=True), 1, 32, {}, 1_577_344, 6_291_464),
    (small("llama", layers=2, mlp=1024), 1, 32, {}, 934_528, 1_061_432),
    (small("mixtral", layers=2, mlp=1024, experts=4, experts_per_token=2), 1, 32, {}, 3_294_848, 3_164_504),
]


@pytest.mark.parametrize("row", ACCUMULATED, ids=lambda row: f"{row[0].family}-{row[1]}x{row[2]}")
def test_gradients_of_an_earlier_pass(row: tuple[Dimensions, int, int, dict[str, str], int, int]) -> None:
    dim, batch, tokens, how, parameters, measured = row
    kept = saved(Pass(dim, batch, tokens, **how))  # type: ignore[arg-type]
    held = parameters * (2 if kept.run.precision == "bf16" else 4)
    found = timeline(kept, parameters, held_gradients=held, accumulate=True)
    assert found.pass_peak.bytes - held == measured
    assert found.gradient_bytes == held


def test_the_update_makes_copies_beside_the_gradients() -> None:
    found = timeline(saved(Pass(models.GPT2, 1, 64)), 124_439_808, step_copies=4 * 124_439_808)
    step = at(found, "optimizer step")
    assert (step.gradients, step.transient, step.bytes) == (248_879_616, 497_759_232, 746_638_848)
    assert found.peak.at == "optimizer step"
    assert found.pass_peak.at != "optimizer step"


def test_a_stand_in_has_a_wide_band() -> None:
    kept = saved(Pass(small("family_of_tomorrow"), 1, 64))
    for instant in timeline(kept, 1_000_000).instants:
        assert instant.low <= instant.bytes * 4 // 5
        assert instant.high * 5 >= instant.bytes * 6
