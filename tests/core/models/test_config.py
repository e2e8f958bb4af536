"""How a configuration's keys are understood: absent, null, misspelt, nested, tied, and of an unknown type."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.architecture import ModelFileError, Quantisation
from core.models.config import read_config
from core.models.count import count
from core.models.dimensions import dimensions
from core.models.families import families

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "tie_word_embeddings": False,
}  # Llama 3 8B: 8,030,261,248 (Meta's model card)


def total(fields: dict[str, Any]) -> int:
    return count(read_config(fields, "m")).total


def notes(fields: dict[str, Any]) -> str:
    return " ".join(count(read_config(fields, "m")).notes)


def without(fields: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key not in keys}


def test_a_complete_file_needs_no_note() -> None:
    assert total(LLAMA) == 8_030_261_248
    assert read_config(LLAMA, "m").notes == ()


def test_null_and_absent_key_heads_differ_by_class() -> None:
    """Absent: llama as many as queries, mistral 8, starcoder2 2, gemma2 4 (class defaults); null: computed."""
    for kind, absent in (("llama", 32), ("mistral", 8), ("starcoder2", 2), ("gemma2", 4)):
        fields = without(LLAMA, "num_key_value_heads") | {"model_type": kind}
        assert read_config(fields, "m").kv_heads == absent
        assert read_config(fields | {"num_key_value_heads": None}, "m").kv_heads == 32


def test_null_and_absent_query_rank_differ() -> None:
    """DeepSeek-V2-Lite has null and no query compression; absent is the class's rank of 1,536."""
    fields = {"model_type": "deepseek_v2", "hidden_size": 2048, "num_attention_heads": 16, "num_experts_per_tok": 6}
    names = {term.formula for term in count(read_config(fields, "m")).terms if term.group == "attention"}
    assert any("r" in formula for formula in names)
    names = {
        term.formula
        for term in count(read_config(fields | {"q_lora_rank": None}, "m")).terms
        if term.group == "attention"
    }
    assert not any("·r" in formula for formula in names)


def test_head_size_is_the_class_s_where_absent_and_computed_where_null() -> None:
    """Gemma 256, qwen3 128, qwen3_next 256, gpt_oss 64 (class defaults); llama, qwen3_moe: width over heads."""
    for kind, size in (("gemma", 256), ("qwen3", 128), ("qwen3_next", 256), ("gpt_oss", 64), ("llama", 128)):
        assert read_config({"model_type": kind, "hidden_size": 4096, "num_attention_heads": 32}, "m").head_dim == size
    fields = {"model_type": "qwen3", "hidden_size": 4096, "num_attention_heads": 64, "head_dim": None}
    assert read_config(fields, "m").head_dim == 64


def test_the_class_decides_the_tie_where_the_file_does_not() -> None:
    for kind, tied in (("llama", False), ("gemma", True), ("smollm3", True), ("gpt2", True), ("cohere", True)):
        assert read_config({"model_type": kind}, "m").tied is tied


def test_the_outer_object_s_tie_wins_over_the_text_model_s() -> None:
    """qwen3_vl_moe's text default is tied, its own is not; kimi_k25's own is tied (classes of transformers 5.24.0)."""
    text = {"hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100}
    assert not read_config({"model_type": "qwen3_vl_moe", "text_config": text}, "m").tied
    assert not read_config(
        {"model_type": "qwen3_vl_moe", "text_config": text | {"tie_word_embeddings": True}}, "m"
    ).tied
    assert read_config({"model_type": "kimi_k25", "text_config": text | {"tie_word_embeddings": False}}, "m").tied


@pytest.mark.parametrize(
    ("class_name", "labels", "beyond"),
    [
        ("LlamaForCausalLM", None, 128256 * 4096),
        ("LlamaModel", None, 0),
        ("LlamaForSequenceClassification", 1, 4096),
        ("LlamaForSequenceClassification", None, 2 * 4096),
        ("LlamaForTokenClassification", 5, 5 * 4096 + 5),
        ("LlamaForQuestionAnswering", None, 2 * 4096 + 2),
        ("LlamaRewardModel", None, 4096),
    ],
)
def test_architectures_decides_the_head(class_name: str, labels: int | None, beyond: int) -> None:
    """The body of Llama 3 8B is 8,030,261,248 less its head of 128,256 × 4,096."""
    fields = LLAMA | {"architectures": [class_name]} | ({} if labels is None else {"num_labels": labels})
    assert total(fields) == 8_030_261_248 - 128256 * 4096 + beyond


def test_labels_are_counted_by_their_names() -> None:
    """ViT-B/16 with ImageNet's 1,000 labels: 86,567,656 (Dosovitskiy 2020 says 86M; the checkpoint's own number)."""
    names = {str(i): f"label {i}" for i in range(1000)}
    assert total({"model_type": "vit", "architectures": ["ViTForImageClassification"], "id2label": names}) == 86_567_656


def test_a_key_in_another_s_spelling_is_not_read_and_said() -> None:
    """transformers passes such keys over in silence: opt knows hidden_size, and no hidden_dim or num_layers."""
    fields = {"model_type": "opt", "hidden_dim": 1024, "num_layers": 24, "n_head": 16, "vocab_size": 50272}
    assert total(fields) == 125_239_296  # the class's own: OPT-125M
    for part in (
        "hidden_dim 1,024 is not read",
        "num_layers 24 is not read",
        "hidden_size 768",
        "num_hidden_layers 12",
    ):
        assert part in notes(fields)


def test_what_is_assumed_for_width_depth_and_vocabulary_is_said() -> None:
    for kind, row in families().items():
        if row.class_name and kind != "nemotron-nas":
            said = notes({"model_type": kind})
            if "vocab_size" in row.defaults or (row.text and "vocab_size" in families()[row.text.model_type].defaults):
                assert "taken from the" in said, kind


def test_spellings_of_a_class_are_read() -> None:
    """GPT-2's own keys and the usual ones: 124,439,808 (Radford 2019, the small model)."""
    own = {"n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024, "vocab_size": 50257}
    usual = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "max_position_embeddings": 1024}
    for fields in (own, usual | {"vocab_size": 50257}):
        assert total({"model_type": "gpt2"} | fields) == 124_439_808


def test_an_unknown_type_is_counted_as_the_nearest_layout_with_every_key() -> None:
    other = without(LLAMA, "architectures") | {"model_type": "brandnew"}
    assert total(other) == 8_030_261_248
    assert 'A guess: model_type "brandnew" is not known' in notes(other)
    spelt = {"model_type": "brandnew", "n_embd": 64, "n_layer": 2, "n_head": 4, "ffn_dim": 256, "vocab_size": 100}
    assert total(spelt) == 2 * 100 * 64 + 2 * (4 * 64 * 64 + 3 * 64 * 256 + 2 * 64) + 64
    mixture = other | {"num_local_experts": 8, "num_experts_per_tok": 2}
    assert "mixtral" in notes(mixture)
    nested = {"model_type": "brandnew", "text_config": without(LLAMA, "model_type", "architectures")}
    assert total(nested) == 8_030_261_248
    assert "Only its text model is counted" in notes(nested)


@pytest.mark.parametrize(
    "key", ["hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size"]
)
def test_an_unknown_type_without_a_key_that_the_layout_needs_is_refused(key: str) -> None:
    with pytest.raises(ModelFileError, match=key):
        read_config(without(LLAMA, key, "architectures") | {"model_type": "brandnew"}, "m")


def test_a_missing_type_is_found_by_the_class() -> None:
    """MiniCPM3's first files name no model_type."""
    assert total({"architectures": ["MiniCPM3ForCausalLM"]}) == 4_073_875_968  # the class's own, the published 4B
    assert "names no model_type" in notes({"architectures": ["MiniCPM3ForCausalLM"]})


def test_meta_s_own_file_is_read_where_it_says_its_vocabulary() -> None:
    """Llama-2-7B and 70B by Meta's params.json; its code's rule for the MLP's width gives 11,008 and 28,672."""
    small = {"dim": 4096, "n_layers": 32, "n_heads": 32, "multiple_of": 256, "vocab_size": 32000}
    assert total(small) == 6_738_415_616
    large = {"dim": 8192, "n_layers": 80, "n_heads": 64, "n_kv_heads": 8, "multiple_of": 4096, "vocab_size": 32000,
             "ffn_dim_multiplier": 1.3}  # fmt: skip
    assert total(large) == 68_976_648_192
    with pytest.raises(ModelFileError, match="vocab_size is -1"):
        read_config(small | {"vocab_size": -1}, "m")


def test_mistral_s_own_file_is_read() -> None:
    """Mistral-7B-v0.1 and Mixtral-8x7B by their params.json."""
    fields = {"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8}
    assert total(fields | {"vocab_size": 32000}) == 7_241_732_096
    moe = {"moe": {"num_experts": 8, "num_experts_per_tok": 2}}
    assert total(fields | {"vocab_size": 32000} | moe) == 46_702_792_704


def test_number_format_and_quantisation_are_as_the_file_states_them() -> None:
    arch = read_config(LLAMA | {"torch_dtype": "bfloat16"}, "m")
    assert (arch.dtype, arch.quantisation) == ("bfloat16", None)
    arch = read_config(LLAMA | {"dtype": "float16", "quantization_config": {"quant_method": "awq", "bits": 4}}, "m")
    assert (arch.dtype, arch.quantisation) == ("float16", Quantisation("awq", 4))
    nested = {"model_type": "qwen3_vl", "text_config": {"dtype": "bfloat16"}}
    assert read_config(nested, "m").dtype == "bfloat16"
    assert read_config({"model_type": "chatglm", "quantization_bit": 4}, "m").quantisation == Quantisation(
        "quantization_bit", 4
    )


def test_a_list_that_is_too_short_is_refused() -> None:
    fields = {"model_type": "lfm2", "num_hidden_layers": 8, "layer_types": ["conv"] * 3}
    with pytest.raises(ModelFileError, match="layer_types has 3 entries for 8 layers"):
        total(fields)
    with pytest.raises(ModelFileError, match='a layer is of the kind "brandnew"'):
        total(fields | {"layer_types": ["brandnew"] * 8})


def test_a_flat_type_says_that_it_does_not_read_a_nested_model() -> None:
    assert "text_config is not read" in notes({"model_type": "ministral3", "text_config": {"hidden_size": 3072}})


def test_dimensions_name_the_family_whose_layers_they_are() -> None:
    fields = {"model_type": "qwen2_vl", "hidden_size": 1536, "num_hidden_layers": 28, "num_attention_heads": 12,
              "num_key_value_heads": 2, "intermediate_size": 8960, "vocab_size": 151936}  # fmt: skip
    sizes = dimensions(read_config(fields, "m"))
    assert (sizes.family, sizes.hidden, sizes.layers, sizes.heads, sizes.kv_heads) == ("qwen2", 1536, 28, 12, 2)
    mixture = dimensions(read_config({"model_type": "qwen3_moe", "moe_intermediate_size": 768}, "m"))
    assert (mixture.mlp, mixture.experts, mixture.experts_per_token) == (768, 128, 8)


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 300), st.integers(10**12, 10**13), st.floats(allow_nan=False),
    st.text(max_size=5), st.lists(st.integers(-1, 5), max_size=4),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)  # fmt: skip


@st.composite
def files(draw: st.DrawFn, kind: str | None = None) -> dict[str, Any]:
    """A file of a known type in which some of its own keys hold anything, its nested models included."""
    kind = kind or draw(st.sampled_from(sorted(families())))
    row = families()[kind]
    fields = draw(st.dictionaries(st.sampled_from(sorted(row.defaults) or ["x"]), VALUES, max_size=4))
    for nested in (*((row.text,) if row.text else ()), *row.towers.values()):
        if draw(st.booleans()):
            fields[nested.keys[0].split(".")[0]] = draw(st.one_of(VALUES, files(nested.model_type)))
    return {"num_hidden_layers": 2} | fields | {"model_type": kind}


@given(files())
def test_no_fields_raise_anything_but_a_sentence(fields: dict[str, Any]) -> None:
    counted = None
    said = ""
    try:
        counted = count(read_config(fields, "m"))
    except ModelFileError as error:
        said = str(error)
    if counted is None:
        assert said
        assert "\n" not in said
    else:
        assert counted.total == sum(term.count for term in counted.terms) > 0
