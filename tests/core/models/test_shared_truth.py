"""Every configuration that lies beside the checkout with its total; skipped where that folder is absent."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from core.models.architecture import ModelFileError
from core.models.config import read_config
from core.models.count import count
from core.models.expand import tensors
from core.models.read import read_file

TRUTH = Path(__file__).parents[3].parent / "shared" / "truth"
pytestmark = pytest.mark.skipif(not TRUTH.is_dir(), reason="no shared material beside the checkout")


def rows(name: str) -> list[dict[str, str]]:
    path = TRUTH / name
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", rows("configs.csv"), ids=lambda row: row["name"])
def test_a_real_file_is_counted_to_the_last_parameter(row: dict[str, str]) -> None:
    arch = read_file(TRUTH / "configs" / row["name"])
    counted = count(arch)
    assert counted.total == int(row["total"])
    assert sum(term.count for term in counted.terms) == counted.total
    if row["active"]:
        assert counted.active == int(row["active"])
    if row["dtype"]:
        assert arch.dtype == row["dtype"]
    if row["quantisation"]:
        assert arch.quantisation is not None
        assert arch.quantisation.method == row["quantisation"]


@pytest.mark.parametrize("row", rows("params.csv"), ids=lambda row: row["name"])
def test_a_measured_model_is_counted_in_every_way(row: dict[str, str]) -> None:
    fields = {**json.loads(row["config_json"]), "architectures": [row["model_class"]]}
    arch = read_config(fields, row["name"])
    counted = count(arch)
    assert counted.total == int(row["total_params"])
    assert counted.embedding == int(row["input_embedding_params"])
    assert counted.active == int(row["active_params_per_token"])
    assert counted.active_without_embeddings == int(row["active_params_excl_embeddings"])
    assert str(counted.tied) == row["tied"]
    assert sum(tensor.copies for tensor in tensors(arch)) == int(row["n_param_tensors"])


@pytest.mark.parametrize("path", sorted((TRUTH / "malformed").glob("*")), ids=lambda path: path.name)
def test_a_malformed_file_is_refused_in_one_sentence(path: Path) -> None:
    with pytest.raises(ModelFileError) as refused:
        read_file(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)
