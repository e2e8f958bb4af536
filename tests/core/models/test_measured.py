"""Counts against models that transformers 5.24.0 built on PyTorch 2.13's meta device.

measured.jsonl holds one model a line: the fields of its configuration, the class that was built, and what it held:
`total`, the number of unique parameters; `tensors`, how many tensors they stand in; `active`, those of a mixture
with the routed experts' tensors taken at k of E. It varies widths, flags, ties and lists of layers. The same of each
type with no field but the type, so that each class default counts, is resources/measured/parameters.csv.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from core.memory.evidence import MEASURED
from core.models.config import read_config
from core.models.count import count
from core.models.expand import tensors
from core.models.families import families

VARIED: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "measured.jsonl").read_text("utf-8").splitlines()
]
DEFAULTS: list[dict[str, Any]] = [
    {"fields": {"model_type": row["type"]}, "class": row["class"], "total": int(row["parameters"]),
     "tensors": int(row["tensors"]), "active": int(row["active"])}
    for row in csv.DictReader((MEASURED / "parameters.csv").read_text("utf-8").splitlines())
]  # fmt: skip
ROWS = DEFAULTS + VARIED


@pytest.mark.parametrize("row", ROWS, ids=[f"{i}-{row['fields']['model_type']}" for i, row in enumerate(ROWS)])
def test_a_measured_model_is_counted_to_the_last_parameter(row: dict[str, Any]) -> None:
    arch = read_config({"architectures": [row["class"]], **row["fields"]}, "measured")
    counted = count(arch)
    assert counted.total == row["total"]
    assert sum(tensor.copies for tensor in tensors(arch)) == row["tensors"]
    assert counted.active == row.get("active", row["total"])


def test_every_type_that_transformers_has_a_class_for_is_measured() -> None:
    """The others, whose code comes with the checkpoint, are in test_published."""
    measured = {row["fields"]["model_type"] for row in ROWS}
    own_code = {"RefinedWeb", "phi-msft", "kimi_k2", "chatglm", "qwen", "baichuan", "internlm", "internlm2", "mimo"}
    own_code |= {"PanguEmbedded", "deepseek", "hunyuan", "nemotron-nas"}
    alone = {name for name, row in families().items() if row.class_name}
    assert alone - measured == own_code
