"""The second wall: operations, time, cards for a deadline and cost, by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from core.account import Account, account
from core.compute import A100_PEAK
from core.ledger import ledger
from core.scenario import Scenario, from_texts
from core.verdict import duration_text
from tests.core.strategies import scenarios


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


# 6 × 30 × 10⁹ × 600 × 10⁹ = 1.08 × 10²³; on six cards at 40 % of 312 × 10¹² FLOP/s that is 144,230,769.23 s.
def test_the_default_run() -> None:
    run = _account().time
    assert run.flops.count == run.hardware_flops.count == 108 * 10**21
    assert run.seconds.value == Fraction(108 * 10**21, 6 * 312 * 10**12) / Fraction(2, 5)
    assert float(run.seconds.value or 0) == pytest.approx(144_230_769.2308, rel=1e-12)
    assert run.days.value == (run.seconds.value or 0) / 86_400
    assert run.days_on_one.value == 6 * (run.days.value or 0)
    assert float(run.card_hours.value or 0) == pytest.approx(240_384.615385, rel=1e-11)
    assert run.cost is None
    assert run.cards_for_deadline is None


# Checkpointing every layer costs a second forward pass, 2·N·D: 8·N·D in hardware for the same useful 6·N·D. The
# utilisation is of model FLOPs, so that the time stays: 8 × 30 × 10⁹ × 600 × 10⁹ = 1.44 × 10²³.
def test_recomputing_layers_is_work_for_the_hardware_and_no_use() -> None:
    plain, again = _account().time, _account(recompute="full").time
    assert again.hardware_flops.count == 144 * 10**21
    assert again.flops == plain.flops
    assert again.seconds == plain.seconds
    assert "time.hardware_flops" in {row.key for row in ledger(_account(recompute="full"))}


# Attention's products are done again, too: one forward and two backward shares become two and two. Llama 2 7B (32
# layers, 32 heads of 128) at 4,096 tokens: (8 × 6,738,415,616 + 16 × 32 × 32 × 128 × 4,096) × 10⁹.
def test_recomputing_layers_does_attention_again() -> None:
    run = _account(model="Llama 2 7B", seq_len="4096", tokens="1B", recompute="full").time
    assert run.hardware_flops.count == (8 * 6_738_415_616 + 16 * 32 * 32 * 128 * 4096) * 10**9


# Twenty tokens for each parameter, Hoffmann et al. 2022: 1.4 T for 70 B, as Chinchilla was trained.
def test_tokens_left_open_are_twenty_for_each_parameter() -> None:
    found = _account(params="70B")
    assert found.tokens.count == 1_400_000_000_000
    assert found.time.flops.count == 6 * 70 * 10**9 * 1400 * 10**9
    assert _account(tokens="15T").tokens.count == 15 * 10**12


# NVIDIA's data sheet of the A100: 312 TFLOP/s in bf16, dense (624 with sparsity).
def test_the_peak_left_open_is_an_a100s_dense_one() -> None:
    assert A100_PEAK == 312 * 10**12
    assert _account().peak_flops.count == A100_PEAK
    assert _account(peak_flops="989 TFLOP/s").peak_flops.count == 989 * 10**12


# 1.08 × 10²³ ÷ (312 × 10¹² × 0.4 × 90 × 86,400 s) = 111.3 cards, so 112; and 111 miss the day.
def test_cards_for_a_deadline_are_rounded_up() -> None:
    found = _account(deadline="90")
    assert found.time.cards_for_deadline is not None
    assert found.time.cards_for_deadline.count == 112
    assert (_account(cards="112").time.days.value or 0) <= 90 < (_account(cards="111").time.days.value or 0)


# A run of 10¹² parameters' worth of operations made to take a whole number of days: 6 × 10⁹ × 14,400,000 =
# 8.64 × 10¹⁶ FLOP at 10¹² FLOP/s are 86,400 s.
def test_a_deadline_that_is_met_to_the_second_needs_no_further_card() -> None:
    texts = {"params": "1B", "tokens": "14.4M", "peak_flops": "1 TFLOP/s", "mfu": "100 %", "cards": "1"}
    found = account(from_texts(texts | {"deadline": "1"}))
    assert found.time.seconds.value == 86_400
    assert found.time.days_on_one.value == 1
    assert found.time.cards_for_deadline is not None
    assert found.time.cards_for_deadline.count == 1
    sooner = account(from_texts(texts | {"deadline": "23.999 h"}))
    assert sooner.time.cards_for_deadline is not None
    assert sooner.time.cards_for_deadline.count == 2


def test_the_cost_is_card_hours_times_price() -> None:
    texts = {"params": "1B", "tokens": "14.4M", "peak_flops": "1 TFLOP/s", "mfu": "1", "cards": "1"}
    found = account(from_texts(texts | {"card_price": "$2.50"}))
    assert found.time.card_hours.value == 24
    assert found.time.cost is not None
    assert found.time.cost.value == 60
    free = account(from_texts(texts | {"card_price": "0"}))
    assert free.time.cost is not None
    assert free.time.cost.value == 0


@given(scenarios())
def test_time_holds_together_for_any_scenario(scenario: Scenario) -> None:
    found = account(scenario)
    run = found.time
    tokens = scenario.tokens or 20 * scenario.params
    assert run.flops.count == 6 * scenario.params * tokens
    rate = (scenario.peak_flops or found.card.peak_16bit or A100_PEAK) * scenario.mfu
    seconds = run.seconds.value
    assert seconds is not None
    assert seconds * found.cards.count * rate == run.flops.count
    assert run.card_hours.value == Fraction(seconds) * found.cards.count / 3600
    if scenario.deadline is not None:
        assert run.cards_for_deadline is not None
        cards, allowed = run.cards_for_deadline.count, scenario.deadline * 86_400
        assert run.flops.count <= cards * rate * allowed
        assert (cards - 1) * rate * allowed < run.flops.count
    else:
        assert run.cards_for_deadline is None
    assert (run.cost is None) == (scenario.card_price is None)


def test_more_cards_do_not_change_what_a_run_costs() -> None:
    costs = {_account(cards=cards, card_price="2").time.cost.value for cards in ("1", "6", "1,000")}  # type: ignore[union-attr]
    assert len(costs) == 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (Fraction(1, 2), "under 1 s"),
        (119, "119 s"),
        (120, "2 minutes"),
        (7200, "2 hours"),
        (2 * 86_400, "2 days"),
        (86_400 * 365 * 2, "2 years"),
        (Fraction(144_230_769), "4.57 years"),  # 144,230,769 ÷ 31,536,000
    ],
)
def test_a_time_reads_in_the_unit_it_reads_best_in(seconds: int | Fraction, text: str) -> None:
    assert duration_text(seconds) == text


# Per token 6·N and 12·L·a·d·s of attention (PaLM's convention, Chowdhery et al. 2022, appendix B). Llama 2 7B has 32
# layers of 32 heads of 128, and 6,738,415,616 parameters, all of them active.
@pytest.mark.parametrize("seq_len", [2048, 4096])
def test_a_named_models_operations_include_attention(seq_len: int) -> None:
    run = _account(model="Llama 2 7B", tokens="1T", seq_len=str(seq_len)).time
    assert run.flops.count == 10**12 * (6 * 6_738_415_616 + 12 * 32 * 32 * 128 * seq_len)


# Mixtral 8x7B: 46,702,792,704 parameters are kept, 12,879,925,248 work on a token (two experts of eight).
def test_a_mixture_computes_with_its_active_parameters_and_keeps_all() -> None:
    found = _account(model="Mixtral 8x7B", params="30B")
    assert (found.params.count, found.active.count) == (46_702_792_704, 12_879_925_248)
    assert found.training.count == 16 * 46_702_792_704
    assert found.tokens.count == 20 * 12_879_925_248
