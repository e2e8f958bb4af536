"""Which head a model has: the class that `architectures` names decides it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.models.families.row import Family

ENDINGS = (
    ("ForCausalLM", "lm"),
    ("LMHeadModel", "lm"),
    ("ForConditionalGeneration", "lm"),
    ("ForMaskedLM", "masked"),
    ("ForPreTraining", "pretraining"),
    ("ForSequenceClassification", "classify"),
    ("ForTokenClassification", "token"),
    ("ForQuestionAnswering", "answer"),
    ("ForImageClassification", "image"),
    ("ForRewardModel", "reward"),
    ("RewardModel", "reward"),
    ("TextModelWithProjection", "text projection"),
    ("ModelWithProjection", "projection"),
    ("EncoderModel", "encoder"),
    ("Model", "none"),
)
"""Kinds of head by the ending of the class's name; the first that fits."""


def head_of(class_name: str, row: Family, model_type: str) -> tuple[str, list[str]]:
    """The kind of head, and a note where the class is not one that the family is known to have."""
    if class_name in row.classes:
        return row.classes[class_name], []
    kind = next((kind for ending, kind in ENDINGS if class_name.endswith(ending)), "")
    if kind in row.heads or kind in row.bodies:
        return kind, []
    if kind in ("masked", "pretraining", "lm") and row.head in row.heads:
        return row.head, []
    if not class_name:
        return row.head, []
    return row.head, [
        f"The head of {class_name} is not known for {model_type}: counted with that of {row.class_name or 'its class'}."
    ]


def number_of_labels(mapping: Mapping[str, Any], default: int) -> int:
    """Classes that a classifier tells apart: by its table of names, else as stated, else the class's number."""
    table = mapping.get("id2label")
    if isinstance(table, Mapping) and table:
        return len(table)
    stated = mapping.get("num_labels")
    return stated if isinstance(stated, int) and not isinstance(stated, bool) and stated > 0 else default
