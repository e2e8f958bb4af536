"""Parameter counts against the models themselves: class defaults that were built, and what publishers state."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from core.memory.evidence import MEASURED, Case
from core.models.catalogue import models
from core.models.config import read_config
from core.models.count import count

QUANTITY = "parameters"
BUILT, PUBLISHED = "built with the defaults of its class", "published"


def built_cases(folder: Path = MEASURED) -> Iterator[Case]:
    """Each model type with its class's defaults, counted against the model that was built from them."""
    with (folder / "parameters.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            arch = read_config({"model_type": row["type"], "architectures": [row["class"]]}, row["class"])
            yield Case(QUANTITY, row["type"], BUILT, row["class"], count(arch).total, int(row["parameters"]))


def published_cases() -> Iterator[Case]:
    """Each model of the catalogue, counted from its configuration against the total that its row has a source for."""
    for model in models():
        arch = model.architecture
        yield Case(QUANTITY, arch.family, PUBLISHED, model.name, count(arch).total, model.total)
