"""Predicted against measured: how far the account is from what PyTorch was seen to keep, by family and setting.

The measurements are tables in resources/measured, which says how they were made.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import msgspec

from core.memory.activations import saved
from core.memory.passes import Lora, Pass
from core.memory.peak import timeline
from core.memory.sharding import Strategy, shard
from core.memory.states import optimizer_state
from core.memory.tensors import Tensor, elements
from core.models.dimensions import Dimensions

MEASURED = Path(__file__).parents[2] / "resources" / "measured"


class Case(msgspec.Struct, frozen=True):
    """One figure: what was predicted and what was measured, in bytes."""

    quantity: str
    family: str
    setting: str
    model: str
    predicted: int
    measured: int

    @property
    def error(self) -> Fraction:
        """Relative to what was measured; positive where too much was predicted."""
        if not self.measured:
            return Fraction(1 if self.predicted else 0)
        return Fraction(self.predicted - self.measured, self.measured)


class Finding(msgspec.Struct, frozen=True):
    """What the cases of one quantity, family and setting show. worst: the error largest in size, with its sign."""

    quantity: str
    family: str
    setting: str
    cases: int
    exact: int
    within_one_percent: int
    within_five_percent: int
    worst: Fraction
    worst_model: str


def findings(cases: Iterable[Case]) -> tuple[Finding, ...]:
    """Cases gathered by quantity, family and setting, in the order in which they first come."""
    groups: dict[tuple[str, str, str], list[Case]] = {}
    for case in cases:
        groups.setdefault((case.quantity, case.family, case.setting), []).append(case)
    return tuple(_finding(key, group) for key, group in groups.items())


def _finding(key: tuple[str, str, str], group: list[Case]) -> Finding:
    errors = [case.error for case in group]
    worst = max(group, key=lambda case: abs(case.error))

    def within(percent: int) -> int:
        return sum(abs(error) <= Fraction(percent, 100) for error in errors)

    return Finding(*key, len(group), errors.count(Fraction(0)), within(1), within(5), worst.error, worst.model)


def evidence(folder: Path = MEASURED) -> tuple[Finding, ...]:
    """Everything that was measured, family by family. Raises OSError where a table is missing."""
    cases = (*pass_cases(folder), *adapter_cases(folder), *state_cases(folder), *shard_cases(folder))
    return findings(cases)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def measured_models(folder: Path = MEASURED) -> dict[str, tuple[Dimensions, int]]:
    """Dimensions and parameters of the measured models, by name."""
    found = {}
    for row in _rows(folder / "models.csv"):
        numbers = {name: int(row[name]) for name in _NUMBERS}
        dim = Dimensions(family=row["family"], tied=row["tied"] == "yes", **numbers)
        found[row["model"]] = (dim, int(row["parameters"]))
    return found


_NUMBERS = (
    "hidden", "layers", "vocabulary", "heads", "kv_heads", "head_dim", "mlp", "experts", "experts_per_token"
)  # fmt: skip


def pass_cases(folder: Path = MEASURED) -> Iterator[Case]:
    """Saved tensors, live bytes after forward and the largest moment of each measured pass."""
    models = measured_models(folder)
    for row in _rows(folder / "passes.csv"):
        dim, parameters = models[row["model"]]
        run = Pass(
            dim,
            int(row["sequences"]),
            int(row["tokens"]),
            cast(Any, row["precision"]),
            cast(Any, row["attention"]),
            dropout=row["dropout"] == "yes",
            padding_mask=row["padding"] == "yes",
            recompute="full" if row["checkpoints"] == "yes" else "none",
            keep_logits=row["logits_held"] == "yes",
            window=int(row["window"]),
        )
        kept = saved(run)
        setting = f"{row['precision']}, {row['attention']}" + (", checkpoints" if run.recompute == "full" else "")
        figures = [
            ("live after forward", kept.end_of_forward_bytes, row["live_after_forward"]),
            ("largest moment", timeline(kept, parameters).pass_peak.bytes, row["largest"]),
        ]
        if row["kept_for_backward"]:
            figures.insert(0, ("saved tensors", kept.saved_bytes + kept.weight_cast_bytes, row["kept_for_backward"]))
        for quantity, predicted, measured in figures:
            yield Case(quantity, dim.family, setting, row["model"], predicted, int(measured))


def adapter_cases(folder: Path = MEASURED) -> Iterator[Case]:
    """The same under LoRA, of small models: hidden 128, 3 layers, vocabulary 256, 8 heads of 16, MLP 256; two sequences
    of 96 tokens."""
    for row in _rows(folder / "adapters.csv"):
        dim = Dimensions(row["family"], 128, 3, 256, 8, int(row["kv_heads"]), 16, 256, tied=row["tied"] == "yes")
        lora = Lora(int(row["rank"]), tuple(row["targets"].split()), row["wide"] == "yes")
        run = Pass(
            dim, 2, 96, cast(Any, row["precision"]), cast(Any, row["attention"]), lora=lora,
            recompute="full" if row["checkpoints"] == "yes" else "none",
        )  # fmt: skip
        kept = saved(run)
        figures = [
            ("live after forward, LoRA", kept.end_of_forward_bytes, row["live_after_forward"]),
            ("largest moment, LoRA", timeline(kept, int(row["trained"])).pass_peak.bytes, row["largest"]),
        ]
        if row["kept_for_backward"]:
            all_saved = kept.saved_bytes + kept.weight_cast_bytes
            figures.insert(0, ("saved tensors, LoRA", all_saved, row["kept_for_backward"]))
        for quantity, predicted, measured in figures:
            setting = f"{row['precision']}, {row['attention']}"
            yield Case(quantity, dim.family, setting, row["targets"] or "all linears", predicted, int(measured))


def state_cases(folder: Path = MEASURED) -> Iterator[Case]:
    """Optimizer states of the measured Llama model."""
    for row in _rows(folder / "states.csv"):
        moment = 4 if row["weights"] == "fp32" else 2
        predicted = optimizer_state(row["optimizer"], LLAMA_6M, moment).bytes
        yield Case("optimizer states", row["optimizer"], f"{row['weights']} weights", "llama-6m", predicted,
                   int(row["bytes"]))  # fmt: skip


def shard_cases(folder: Path = MEASURED) -> Iterator[Case]:
    """What one rank holds of the measured Llama model in 32 bits."""
    for row in _rows(folder / "shards.csv"):
        held = shard(cast(Strategy, row["strategy"]), LLAMA_6M, int(row["ranks"]), int(row["rank"]),
                     shard_size=int(row["ranks_of_a_copy"]))  # fmt: skip
        figures = {
            "parameters_stored": 4 * elements(held.stored),
            "parameters_own": 4 * elements(held.own),
            "gradients_stored": 4 * elements(held.stored),
            "adamw_states": optimizer_state("adamw", held.optimizer, 4).bytes,
        }
        for name, predicted in figures.items():
            yield Case("shards", row["strategy"], name.replace("_", " "), "llama-6m", predicted, int(row[name]))


def llama_tensors(
    hidden: int, mlp: int, vocabulary: int, layers: int, heads: int, kv_heads: int, *, tied: bool = False
) -> tuple[Tensor, ...]:
    """Parameter tensors of a Llama model as transformers names and shapes them."""
    head = hidden // heads

    def layer(name: str, *shape: int) -> Tensor:
        kind = "matrix" if len(shape) > 1 else "vector"
        return Tensor(f"model.layers.*.{name}.weight", shape, layers, kind, "layer")

    ends = [Tensor("model.norm.weight", (hidden,), 1, "vector")]
    if not tied:
        ends.append(Tensor("lm_head.weight", (vocabulary, hidden), 1, "head"))
    return (
        Tensor("model.embed_tokens.weight", (vocabulary, hidden), 1, "embedding"),
        layer("self_attn.q_proj", heads * head, hidden),
        layer("self_attn.k_proj", kv_heads * head, hidden),
        layer("self_attn.v_proj", kv_heads * head, hidden),
        layer("self_attn.o_proj", hidden, heads * head),
        layer("mlp.gate_proj", mlp, hidden),
        layer("mlp.up_proj", mlp, hidden),
        layer("mlp.down_proj", hidden, mlp),
        layer("input_layernorm", hidden),
        layer("post_attention_layernorm", hidden),
        *ends,
    )


LLAMA_6M = llama_tensors(384, 1000, 1500, 3, 6, 2)
