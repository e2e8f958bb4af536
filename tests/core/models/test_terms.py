"""The terms of a count: they sum to it, and each formula in figures, worked out, is the term's number."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from core.models.architecture import Architecture
from core.models.catalogue import Model, models
from core.models.config import read_config
from core.models.count import count, count_report
from core.models.expand import tensors
from core.models.sizes import letter

DEEPSEEK = {
    "model_type": "deepseek_v3",
    "num_nextn_predict_layers": 1,
}  # every other value is the class's, which is DeepSeek-V3's own


def worked_out(figures: str) -> int:
    """The value of a formula in figures: digits, ×, + and brackets only."""
    plain = figures.replace(",", "").replace("×", "*")
    assert re.fullmatch(r"[\d\s*+()]+", plain), figures
    return int(eval(plain))  # checked to be arithmetic


@pytest.mark.parametrize("one", models(), ids=[one.name for one in models()])
def test_terms_sum_and_formulas_hold(one: Model) -> None:
    arch = one.architecture
    counted = count(arch)
    assert sum(term.count for term in counted.terms) == counted.total
    assert sum(term.active for term in counted.terms) == counted.active
    for term in counted.terms:
        assert worked_out(term.figures) == term.count, term
        assert term.count == term.per_layer * term.layers
    whole = 0
    for tensor in tensors(arch):
        number = tensor.copies
        for side in tensor.shape:
            number *= side
        whole += number
    assert whole == counted.total


def test_the_terms_of_a_dense_model_are_those_of_its_paper() -> None:
    """Llama 3 8B: V·h, L·(2·h² + 2·h·k·d), L·3·h·f, norms and head (Grattafiori 2024, table 3)."""
    fields = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
              "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256}  # fmt: skip
    terms = {
        term.name: (term.group, term.count, term.formula, term.layers) for term in count(read_config(fields, "m")).terms
    }
    assert terms == {
        "token embedding": ("embedding", 525_336_576, "V·h", 1),
        "attention": ("attention", 1_342_177_280, "L·(2·h·q·d + 2·h·k·d)", 32),
        "MLP": ("mlp", 5_637_144_576, "L·3·h·f", 32),
        "norms": ("norm", 262_144, "L·2·h", 32),
        "final norm": ("norm", 4096, "h", 1),
        "head": ("head", 525_336_576, "V·h", 1),
    }


def test_the_active_share_of_a_mixture_and_its_three_ways_of_counting() -> None:
    """DeepSeek-V3: 671,026,404,352, of which 37,552,282,624 active with both tables; its paper says 671B and 37B.

    Each table is 129,280 × 7,168.
    """
    counted = count(read_config(DEEPSEEK, "m"))
    table = 129_280 * 7168
    assert (counted.total, counted.active) == (671_026_404_352, 37_552_282_624)
    assert (counted.embedding, counted.head, counted.tied) == (table, table, False)
    assert counted.active_without_input_embedding == counted.active - table
    assert counted.active_without_embeddings == counted.active - 2 * table


@pytest.mark.parametrize(
    ("fields", "published"),
    [
        # The checkpoint's unique parameters beyond the model, less the router's correction bias of 256.
        (DEEPSEEK, 11_610_068_224 - 256),
        # The checkpoint of MiMo-7B-Base: 7,833,409,536 against 7,622,619,136.
        (
            {"model_type": "mimo", "hidden_size": 4096, "num_hidden_layers": 36, "num_attention_heads": 32,
             "num_key_value_heads": 8, "intermediate_size": 11008, "vocab_size": 151680, "num_nextn_predict_layers": 1},
            210_790_400,
        ),
        # Qwen3.5-35B-A3B's checkpoint: 35,951,822,704 against 35,107,181,936; the class's sizes are its own.
        ({"model_type": "qwen3_5_moe_text", "mtp_num_hidden_layers": 1}, 844_640_768),
    ],
)  # fmt: skip
def test_prediction_layers_are_named_with_their_size(fields: dict[str, Any], published: int) -> None:
    assert any(f"about {published:,} parameters" in note for note in count(read_config(fields, "m")).notes)


def test_known_reasons_for_other_totals_are_said() -> None:
    """gpt-oss-120b's MXFP4 scales, 3,583,180,800; falcon-40b's stored head, 65,024 × 8,192; T5's head."""
    quantised = {"model_type": "gpt_oss", "quantization_config": {"quant_method": "mxfp4"}}
    falcon = {"model_type": "falcon", "hidden_size": 8192, "num_attention_heads": 128, "new_decoder_architecture": True}
    for fields, part in (
        (quantised, "3,583,180,800 MXFP4 scales"),
        (falcon, "532,676,608"),
        (DEEPSEEK, "one correction bias of 256 numbers"),
        ({"model_type": "t5", "tie_word_embeddings": False}, "16,449,536 fewer"),
        ({"model_type": "albert"}, "All 12 layers share the parameters of 1"),
    ):
        assert any(part in note for note in count(read_config(fields, "m")).notes)


def test_a_tensor_list_has_the_shapes_of_the_model() -> None:
    """Mixtral as transformers 5.24.0 holds it: experts in one tensor, gate and up in one matrix."""
    shapes = {tensor.name: (tensor.shape, tensor.copies, tensor.kind, tensor.experts)
              for tensor in tensors(read_config({"model_type": "mixtral"}, "m"))}  # fmt: skip
    layer = "model.layers.*."
    assert shapes["model.embed_tokens.weight"] == ((32000, 4096), 1, "embedding", 0)
    assert shapes[layer + "self_attn.k_proj.weight"] == ((1024, 4096), 32, "matrix", 0)
    assert shapes[layer + "mlp.gate.weight"] == ((8, 4096), 32, "matrix", 0)
    assert shapes[layer + "mlp.experts.gate_up_proj"] == ((8, 28672, 4096), 32, "experts", 8)
    assert shapes[layer + "mlp.experts.down_proj"] == ((8, 4096, 14336), 32, "experts", 8)
    assert shapes[layer + "input_layernorm.weight"] == ((4096,), 32, "vector", 0)
    assert shapes["lm_head.weight"] == ((32000, 4096), 1, "head", 0)


def test_units_tell_layers_of_different_kinds_apart() -> None:
    units = {tensor.unit: tensor.copies for tensor in tensors(read_config(DEEPSEEK, "m"))}
    assert units == {"": 1, "model.layers[dense]": 3, "model.layers[sparse]": 58}


@pytest.mark.parametrize("one", models(), ids=[one.name for one in models()])
def test_an_architecture_survives_being_saved(one: Model) -> None:
    arch = one.architecture
    again = msgspec.json.decode(msgspec.json.encode(arch), type=Architecture)
    assert again == arch
    assert count(again) == count(arch)


def test_the_report_is_plain_and_complete() -> None:
    arch = read_config({"model_type": "gpt2"}, "GPT-2")
    report = msgspec.json.decode(msgspec.json.encode(count_report(arch, count(arch))))
    assert report["schema"] == 1
    assert (report["model_type"], report["total"], report["active"]) == ("gpt2", 124_439_808, 124_439_808)
    assert (report["embedding"], report["tied"]) == (50257 * 768, True)
    assert sum(term["count"] for term in report["terms"]) == report["total"]
    assert all({"name", "count", "formula"} <= set(term) for term in report["terms"])
    assert all(isinstance(note, str) for note in report["notes"])


def test_sizes_add_and_multiply_like_polynomials() -> None:
    h, f = letter("h", 8), letter("f", 20)
    size = (h * 2 + 3) * (h + f)
    assert size.value == (2 * 8 + 3) * (8 + 20)
    assert size.in_letters() == "2·h² + 2·h·f + 3·h + 3·f"
    assert size.in_figures() == "2 × 8 × 8 + 2 × 8 × 20 + 3 × 8 + 3 × 20"
