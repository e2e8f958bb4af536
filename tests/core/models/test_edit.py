"""What if it had 40 layers? The seven numbers stay editable after import."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from core.models.architecture import Architecture, ModelFileError
from core.models.catalogue import Model, model, models
from core.models.config import read_config
from core.models.count import count
from core.models.edit import replace_dimensions

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 32,
    "intermediate_size": 11008,
    "vocab_size": 32000,
    "tie_word_embeddings": False,
}  # Llama-2-7B: 6,738,415,616


def edited(fields: dict[str, Any], **changes: int) -> int:
    return count(replace_dimensions(read_config(fields, "m"), **changes)).total


def test_each_number_moves_the_count_as_the_formula_says() -> None:
    """By hand from V·h + L·(4·h² + 3·h·f + 2·h) + h + V·h; key heads follow the heads, the head size the width."""
    whole, h, f, depth, rows = 6_738_415_616, 4096, 11008, 32, 32000
    layer = 4 * h * h + 3 * h * f + 2 * h
    assert edited(LLAMA, layers=40) == whole + 8 * layer
    assert edited(LLAMA, vocabulary=50000) == whole + 18000 * 2 * h
    assert edited(LLAMA, mlp=14336) == whole + depth * 3 * h * (14336 - f)
    assert edited(LLAMA, kv_heads=8) == whole - depth * 2 * h * 24 * 128
    assert edited(LLAMA, head_dim=64) == whole - depth * 2 * h * h
    assert edited(LLAMA, heads=64) == whole  # heads of 64, so as wide as before
    wide = 5120
    assert edited(LLAMA, hidden=wide) == 2 * rows * wide + depth * (4 * wide * wide + 3 * wide * f + 2 * wide) + wide


FIELDS: list[tuple[dict[str, Any], dict[str, Any], dict[str, int]]] = [
({"model_type": "gpt2"}, {"n_layer": 48, "n_embd": 1536}, {"layers": 48, "hidden": 1536}),
    ({"model_type": "gemma2"}, {"num_hidden_layers": 46, "head_dim": 128}, {"layers": 46, "head_dim": 128}),
    ({"model_type": "deepseek_v3"}, {"num_hidden_layers": 70, "hidden_size": 4096}, {"layers": 70, "hidden": 4096}),
    ({"model_type": "t5"}, {"d_model": 768, "d_ff": 3072}, {"hidden": 768, "mlp": 3072}),
    ({"model_type": "mixtral"}, {"num_key_value_heads": 4, "intermediate_size": 8192}, {"kv_heads": 4, "mlp": 8192}),
    ({"model_type": "bloom"}, {"n_layer": 30, "hidden_size": 4096}, {"layers": 30, "hidden": 4096}),
    ({"model_type": "opt"}, {"hidden_size": 2048, "num_attention_heads": 32}, {"hidden": 2048, "heads": 32}),
    ({"model_type": "bert"}, {"num_hidden_layers": 24, "vocab_size": 40000}, {"layers": 24, "vocabulary": 40000}),
    ({"model_type": "jamba"}, {"num_hidden_layers": 72}, {"layers": 72}),
    ({"model_type": "qwen3_next"}, {"num_hidden_layers": 96}, {"layers": 96}),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "written", "changes"), FIELDS, ids=[row[0]["model_type"] for row in FIELDS])
def test_an_edited_model_counts_like_a_file_that_says_so(
    fields: dict[str, Any], written: dict[str, Any], changes: dict[str, int]
) -> None:
    assert edited(fields, **changes) == count(read_config(fields | written, "m")).total


@pytest.mark.parametrize("one", models(), ids=[one.name for one in models()])
def test_every_model_can_grow_and_shrink_and_come_back(one: Model) -> None:
    """One layer more of the last kind or in its pattern, one less, and the count is where it was."""
    arch = one.architecture
    longer = replace_dimensions(arch, layers=arch.layers + 1)
    assert longer.layers == arch.layers + 1
    assert count(longer).total > one.total or one.name == "ALBERT"
    assert count(replace_dimensions(longer, layers=arch.layers)).total == one.total
    assert replace_dimensions(arch, layers=arch.layers) is arch


def test_lists_with_an_entry_a_layer_go_on_in_their_pattern() -> None:
    """Qwen3.5's three linear layers and a full one; Nemotron's letters; DeepSeek's dense layers at the front only."""
    kinds = ["linear_attention"] * 3 + ["full_attention"]
    qwen = {"model_type": "qwen3_5_text", "num_hidden_layers": 8, "layer_types": kinds * 2}
    arch = replace_dimensions(read_config(qwen, "m"), layers=15)
    assert arch.fields["layer_types"] == kinds * 3 + kinds[:3]
    assert "layer_types was continued in its pattern to 15 layers." in arch.notes
    assert replace_dimensions(arch, layers=6).fields["layer_types"] == kinds + kinds[:2]
    nemotron = {"model_type": "nemotron_h", "hybrid_override_pattern": "M-M*" * 3}
    arch = replace_dimensions(read_config(nemotron, "m"), layers=14)
    assert arch.layers == 14
    assert arch.fields["layers_block_type"][12:] == ["linear_attention", "mlp"]
    glm = {"model_type": "glm4_moe_lite", "num_hidden_layers": 6, "mlp_layer_types": ["dense"] * 2 + ["sparse"] * 4}
    arch = replace_dimensions(read_config(glm, "m"), layers=9)
    assert arch.fields["mlp_layer_types"] == ["dense"] * 2 + ["sparse"] * 7


def test_layers_listed_by_number_go_on_at_their_distance() -> None:
    fields = {"model_type": "mllama", "text_config": {"cross_attention_layers": [3, 8, 13, 18, 23, 28, 33, 38]}}
    arch = replace_dimensions(read_config(fields, "m"), layers=50)
    assert arch.fields["cross_attention_layers"] == [3, 8, 13, 18, 23, 28, 33, 38, 43, 48]
    assert replace_dimensions(arch, layers=20).fields["cross_attention_layers"] == [3, 8, 13, 18]


def test_a_tower_hands_on_at_the_new_width() -> None:
    """Qwen3-VL's mergers end in the text model's width, so a wider text model widens them: one and three deep."""
    one = model("Qwen3-VL 8B").architecture
    wider = replace_dimensions(one, hidden=one.hidden * 2)
    before = {term.name: term.count for term in count(one).terms}
    after = {term.name: term.count for term in count(wider).terms}
    merged = 4 * one.towers["vision"].hidden
    assert after["vision: patch merger"] - before["vision: patch merger"] == (merged + 1) * one.hidden


def test_edits_add_up_and_survive_being_saved() -> None:
    arch = replace_dimensions(replace_dimensions(read_config(LLAMA, "m"), layers=40), hidden=5120)
    again = msgspec.json.decode(msgspec.json.encode(arch), type=Architecture)
    assert count(replace_dimensions(again, heads=40)).total == edited(LLAMA, layers=40, hidden=5120, heads=40)
    assert (arch.layers, arch.hidden, arch.head_dim) == (40, 5120, 160)
    assert any(note.startswith("Changed by hand: hidden size 4,096 → 5,120") for note in arch.notes)


def test_numbers_that_cannot_stand_together_are_refused_or_said() -> None:
    arch = read_config(LLAMA, "m")
    for changes, reason in (
        ({"hidden": 4097}, "does not divide"),
        ({"layers": 0}, "layers cannot be 0; accepted are whole numbers from 1 to 10,000"),
        ({"mlp": -1}, "MLP width cannot be -1"),
        ({"vocabulary": True}, "vocabulary cannot be True"),
        ({"width": 1}, "width is no dimension; known are hidden, layers"),
    ):
        with pytest.raises(ModelFileError, match=reason):
            replace_dimensions(arch, **changes)
    uneven = replace_dimensions(arch, kv_heads=5)
    assert any("cannot be shared out evenly" in note for note in uneven.notes)
