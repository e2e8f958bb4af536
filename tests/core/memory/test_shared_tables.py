"""Tables of measurements kept beside the checkout, where they are there: every row of each that is in scope."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.memory.activations import saved
from core.memory.evidence import llama_tensors
from core.memory.passes import Lora, Pass
from core.memory.peak import timeline
from core.memory.sharding import Shard, fsdp2_over_tensor_parallel, shard, tensor_parallel
from core.memory.states import adapters, frozen_weights, optimizer_state
from core.memory.tensors import Tensor, elements
from core.models.dimensions import Dimensions

SHARED = Path(__file__).parents[3] / ".." / "shared"
ACTIVATIONS = SHARED / "truth" / "activations.csv"
FORMULAS = SHARED / "facts" / "ACTIVATIONS.md"

pytestmark = pytest.mark.skipif(not ACTIVATIONS.exists(), reason="the shared tables are not beside the checkout")


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (SHARED / "truth" / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _run(row: dict[str, str]) -> Pass:
    def number(name: str) -> int:
        return int(row[name] or 0)

    family = {"neox": "gpt_neox"}.get(row["arch"], row["arch"])
    dim = Dimensions(
        family, number("h"), number("L"), number("V"), number("a"), number("k"), number("d"), number("f"), number("E"),
        number("t"), row["tied"] == "True",
    )  # fmt: skip
    return Pass(
        dim, number("b"), number("s"), row["prec"], row["attn"],  # type: ignore[arg-type]
        dropout=float(row["dropout"]) > 0, padding_mask=row["padded"] == "1",
        recompute="full" if row["ckpt"] == "1" else "none", keep_logits=row["keep_output"] == "1",
    )  # fmt: skip


def _passes() -> list[dict[str, str]]:
    return [row for row in _rows("activations.csv") if row["use_cache"] == "0" and row["dev"] == "cuda"]


def test_saved_tensors_of_every_row() -> None:
    rows = _passes()
    assert len(rows) == 329
    for row in rows:
        kept = saved(_run(row))
        if row["ckpt"] == "0":
            assert (kept.saved_bytes, kept.weight_cast_bytes) == (int(row["saved_act"]), int(row["saved_wcast"])), row
        assert kept.end_of_forward_bytes == int(row["end_fwd"]), row
        assert kept.kernel == (row["sdpa_kernel"] or "eager")


def test_peak_of_every_row() -> None:
    errors = []
    for row in _passes():
        found = timeline(saved(_run(row)), int(row["n_params"])).pass_peak.bytes
        errors.append(found / int(row["step_peak"]) - 1)
        if int(row["L"]) >= 12:
            assert errors[-1] > -0.0001, row
    assert sum(error == 0 for error in errors) >= 320
    assert max(map(abs, errors)) < 0.001


def test_adapters_of_every_row() -> None:
    seen = 0
    for row in _rows("activations_extra.csv"):
        if row["dev"] != "cuda":
            continue
        targets = () if row["lora_targets"] == "all-linear" else ("q_proj", "v_proj")
        lora = Lora(int(row["r"]), targets, "float32" in row["adapter_dtype"]) if row["lora_targets"] else None
        dim = Dimensions("llama", 4096, int(row["L"]), 32000, 32, 32, 128, 11008)
        recompute = "full" if row["ckpt"] == "1" else "none"
        kept = saved(Pass(dim, 1, 1024, row["prec"], lora=lora, recompute=recompute))  # type: ignore[arg-type]
        if recompute == "none":
            assert kept.saved_bytes == int(row["saved_act"]), row
        assert kept.weight_cast_bytes == int(row["saved_wcast"]), row
        assert kept.end_of_forward_bytes == int(row["end_fwd"]), row
        peak = timeline(kept, int(row["trainable_params"])).pass_peak.bytes
        assert abs(peak / int(row["step_peak"]) - 1) < 0.02, row
        seen += 1
    assert seen == 14


def _formula(text: str, letters: dict[str, int]) -> int:
    """The value of a sum such as "8·a·b·d·s + 24"."""
    total = 0
    for term in text.split(" + "):
        size = 1
        for factor in term.strip().split("·"):
            size *= letters[factor] if factor in letters else int(factor)
        total += size
    return total


def _model(family: str, heads: str) -> Dimensions:
    kv_heads = {"mha": 6, "gqa": 2, "mqa": 1}[heads]
    experts, each = (5, 3) if family == "mixtral" else (0, 0)
    return Dimensions({"neox": "gpt_neox"}.get(family, family), 144, 3, 1234, 6, kv_heads, 24, 700, experts, each)


def _letters(dim: Dimensions) -> dict[str, int]:
    return {
        "b": 2, "s": 96, "h": 144, "a": dim.heads, "k": dim.kv_heads, "d": 24, "f": 700, "V": 1234, "E": 5, "t": 3,
        "qkv": (dim.heads + 2 * dim.kv_heads) * 24,
    }  # fmt: skip


def _tables() -> Iterator[tuple[str, str, list[str]]]:
    """Family, kind of heads and cells of each line of formulas."""
    family = heads = ""
    for line in FORMULAS.read_text(encoding="utf-8").splitlines():
        if title := re.match(r"### (\w+) \((\w+)\)$", line):
            family, heads = title.groups()
        elif line.startswith(("#", "## 4")):
            family = ""
        elif family and line.startswith("|") and "·" in line:
            yield family, heads, [cell.strip() for cell in line.strip("|").split("|")]


def test_every_formula() -> None:
    seen = 0
    for family, heads, cells in _tables():
        attention, precision, dropout, mask, per_layer, once, casts = cells
        dim = _model(family, heads)
        run = Pass(
            dim, 2, 96, precision, attention.split()[0],  # type: ignore[arg-type]
            dropout=dropout == "on", padding_mask=mask == "pad",
        )  # fmt: skip
        kept = saved(run)
        letters = _letters(dim)
        assert kept.saved_bytes == 3 * _formula(per_layer, letters) + _formula(once, letters), cells
        expected = 0
        if casts != "-":
            layer, rest = casts.split(";")
            expected = 3 * _formula(layer, letters) + _formula(rest, letters)
        assert kept.weight_cast_bytes == expected, cells
        seen += 1
    assert seen > 150


def test_every_formula_with_checkpoints() -> None:
    seen = 0
    for line in FORMULAS.read_text(encoding="utf-8").splitlines():
        match = re.match(r"\| (\w+) (mha|gqa|mqa) \| (eager|sdpa) \| (\w+) \| (on|off) \| ([^|]*) \| ([^|]*) \|", line)
        if not match:
            continue
        family, heads, attention, precision, dropout, per_layer, once = match.groups()
        dim = _model(family, heads)
        run = Pass(dim, 2, 96, precision, attention, dropout=dropout == "on", recompute="full")  # type: ignore[arg-type]
        letters = _letters(dim)
        expected = 3 * _formula(per_layer, letters) + _formula(once, letters)
        assert saved(run).end_of_forward_bytes == expected, line
        seen += 1
    assert seen > 90


def test_shards_of_every_row() -> None:
    models = {"even": llama_tensors(512, 1536, 4096, 3, 8, 4), "uneven": llama_tensors(250, 683, 1003, 3, 5, 5)}
    seen = 0
    for row in _rows("sharding.csv"):
        tensors, world, rank = models[row["model"]], int(row["world"]), int(row["rank"])
        mesh = [int(number) for number in re.findall(r"\d+", row["mesh"])]
        held = _shard(row["strategy"], tensors, world, rank, mesh)
        # Gradients of plain tensor parallelism are made by hand there, and without padding.
        gradients = held.own if row["strategy"].startswith("DTensor") else held.stored
        assert 4 * elements(held.stored) == int(row["param_bytes_storage"]), row
        assert 4 * elements(held.own) == int(row["param_bytes_local"]) == int(row["grad_bytes_local"]), row
        assert 4 * elements(gradients) == int(row["grad_bytes_storage"]), row
        assert optimizer_state("adamw", held.optimizer, 4).bytes == int(row["opt_bytes"]), row
        seen += 1
    assert seen == 72


def _shard(strategy: str, tensors: tuple[Tensor, ...], world: int, rank: int, mesh: list[int]) -> Shard:
    if strategy.startswith("FSDP2 fully_shard"):
        return shard("fsdp2", tensors, world, rank)
    if strategy.startswith("HSDP"):
        return shard("hsdp", tensors, world, rank, shard_size=mesh[1])
    if strategy.startswith("DDP"):
        return shard("ddp-bucket-view" if "True" in strategy else "ddp", tensors, world, rank)
    if strategy.startswith("ZeroRedundancy"):
        return shard("zero-redundancy", tensors, world, rank)
    if strategy.startswith("DTensor"):
        return tensor_parallel(tensors, world, rank)
    return fsdp2_over_tensor_parallel(tensors, mesh[0], mesh[1], rank // mesh[1], rank % mesh[1])


_NAMES = {
    "Adam": "adam", "AdamW": "adamw", "AdamW foreach=False": "adamw", "AdamW fused": "adamw",
    "AdamW amsgrad": "amsgrad",
    "AdamW tied embeddings": "adamw", "SGD": "sgd", "SGD momentum": "sgd-momentum", "Adagrad": "adagrad",
    "RMSprop": "rmsprop", "RMSprop centered momentum": "rmsprop-centred-momentum", "Adadelta": "adadelta",
    "Adamax": "adamax", "NAdam": "nadam", "RAdam": "radam", "ASGD": "asgd", "Adafactor (torch.optim)": "adafactor",
    "Adafactor (transformers, default)": "adafactor-transformers", "Adafactor (transformers)": "adafactor-transformers",
    "Adafactor (transformers, beta1=0.9)": "adafactor-beta1", "Lion (lion-pytorch)": "lion",
    "Muon (hidden 2-D) + AdamW (rest)": "muon",
    "bnb Adam8bit (blockwise, fp32 params)": "adam-8bit", "bnb AdamW8bit (blockwise, bf16 params)": "adamw-8bit",
    "bnb Lion8bit": "lion-8bit", "bnb AdamW 32bit": "adamw-32bit-bnb", "bnb PagedAdamW8bit": "adamw-8bit",
    "bnb SGD8bit momentum": "sgd-momentum-8bit", "torchao AdamW8bit": "adamw-8bit-torchao",
    "torchao AdamW4bit": "adamw-4bit-torchao", "torchao AdamWFp8": "adamw-fp8-torchao", "torchao _AdamW": "adamw",
}  # fmt: skip


def test_states_of_every_row() -> None:
    plain, tied = (llama_tensors(256, 688, 1024, 2, 4, 2, tied=tied) for tied in (False, True))
    seen = 0
    for row in _rows("states.csv"):
        recipe, expected = row["recipe"], int(row["opt_bytes"])
        seen += 1
        if "4-bit storage" in recipe:
            name = (
                recipe.split()[1] + ("-128" if "block 128" in recipe else "") + ("-double" if "True" in recipe else "")
            )
            assert frozen_weights(name, [Tensor("w", (4096, 4096))]).bytes == int(row["param_bytes"]), row
        elif "LoRA" in recipe:
            large = recipe.startswith("QLoRA")
            base = llama_tensors(512, 688, 1024, 2, 4, 2) if large else plain
            rank = 8 if "r=8" in recipe else 16
            adapted = adapters(base, rank, () if "all-linear" in recipe else ("q_proj", "v_proj"))
            assert optimizer_state("adamw", adapted, 4).bytes == expected, row
            assert 4 * elements(adapted) == int(row["grad_bytes"]), row
        else:
            sixteen = recipe.startswith(("bf16", "pure")) or "bfloat16" in recipe or "stochastic" in recipe
            tensors = tied if "tied" in recipe else plain
            assert optimizer_state(_name(recipe), tensors, 2 if sixteen else 4).bytes == expected, row
    assert seen == 58


def _name(recipe: str) -> str:
    if recipe.startswith(("autocast", "pure", "mixed")):
        return "adamw"
    found = [
        name for name in _NAMES if recipe in (name, f"fp32 {name}", f"bf16 {name}") or recipe.startswith(f"{name} ")
    ]
    return _NAMES[max(found, key=len)]
