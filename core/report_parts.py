"""Parts of the report's JSON, one function for each key that stands for more than a line of the account."""

from __future__ import annotations

from core.account import Account
from core.alternative import alternative
from core.bands import BAND_LABELS
from core.caching import context_of, token_bytes
from core.capacity import OVERHEADS, overhead_lines
from core.lines import Line
from core.numbers import Number
from core.search import would_fit


def number(value: Number | None) -> int | float | None:
    """A JSON number: exact where it is whole, else the nearest double."""
    if value is None or isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else float(value)


def value(line: Line | None) -> int | float | None:
    return None if line is None else number(line.value)


def at_peak(account: Account) -> dict[str, object]:
    step = account.stage.bill
    if step is None:
        return {"activations": None, "transient": None}
    largest = step.steps.pass_peak
    return {
        "activations": largest.bytes - largest.gradients,
        "transient": step.peak.bands["transient"],
        "peak_at": step.peak.name,
    }


def activations(account: Account) -> dict[str, object] | None:
    """The pass as one card runs it, before anything is shared out."""
    step = account.stage.bill
    if step is None:
        return None
    kept, largest = step.kept, step.steps.pass_peak
    return {
        "saved_bytes": kept.saved_bytes,
        "weight_cast_bytes": kept.weight_cast_bytes,
        "end_of_forward_bytes": kept.end_of_forward_bytes,
        "peak_bytes": largest.bytes,
        "peak_low_bytes": largest.low,
        "peak_high_bytes": largest.high,
        "peak_at": largest.at,
        "kernel": kept.kernel or None,
        "terms": [
            {
                "tensor": tensor.row.tensor,
                "where": tensor.row.where,
                "formula": tensor.formula,
                "bytes": tensor.bytes,
                "why": tensor.row.why,
            }
            for tensor in kept.tensors
        ],
    }


def moments(account: Account) -> list[dict[str, object]] | None:
    """The moments of a step on one card, in their order."""
    step = account.stage.bill
    if step is None:
        return None
    return [
        {
            "at": moment.name,
            "bytes": moment.bytes,
            "low_bytes": moment.low,
            "high_bytes": moment.high,
            "bands": moment.bands,
        }
        for moment in step.moments
    ]


def other_activations(account: Account) -> dict[str, object] | None:
    """A paper's activations, and how they differ from those that PyTorch keeps."""
    found = alternative(account.scenario, account.stage.bill)
    if found is None:
        return None
    return {
        "model": found.name,
        "formula": found.formula,
        "bytes": found.line.count,
        "groups": [
            {
                "group": row.group,
                "paper_bytes": row.paper,
                "saved_bytes": row.saved,
                "difference_bytes": row.bytes,
                "reasons": list(row.reasons),
            }
            for row in found.rows
        ],
    }


def inference(account: Account) -> dict[str, object]:
    """Weights, and the cache of the context where the model is known."""
    cached, scenario = account.cached, account.scenario
    each = None if account.cache is None else token_bytes(scenario, account.cache)
    return {
        "bytes": account.inference.count,
        "cache_bytes": value(cached),
        "cache": []
        if cached is None
        else [
            {
                "layers": row.layers,
                "elements": row.elements,
                "window": row.window or None,
                "bytes": part.count,
                "what": row.label,
            }
            for row, part in zip(account.cache.layers if account.cache else (), cached.parts, strict=True)
        ],
        "cache_bytes_per_token": value(each),
        "context": context_of(scenario),
        "sequences": scenario.sequences,
        "total_bytes": None if cached is None else account.inference.count + cached.count,
    }


def adapters(account: Account) -> dict[str, object] | None:
    """What is trained beside a frozen model."""
    found = account.adapters
    if found is None:
        return None
    return {
        "rank": found.lora.rank,
        "targets": account.scenario.lora_targets,
        "parameters": found.parameters,
        "bytes": found.parameters * found.each,
        "frozen": found.storage or "as the recipe keeps weights",
        "frozen_bytes": found.frozen_bytes,
    }


def host(account: Account) -> dict[str, int]:
    """What the host holds for each card."""
    held = {band: account.stage.host[band].count if band in account.stage.host else 0 for band in BAND_LABELS}
    return {**held, "bytes": sum(held.values())}


def overheads(account: Account) -> dict[str, int]:
    """What is set aside of one card, each on its own."""
    found = overhead_lines(account.scenario, account.card.capacity.count)
    return {row.key.removeprefix("card."): found[row.key].count if row.key in found else 0 for row in OVERHEADS}


def what_fits(account: Account) -> dict[str, object]:
    """What would make it fit, found by search."""
    found = would_fit(account)
    return {
        "micro_batch": None if found.micro_batch is None else found.micro_batch.value,
        "seq_len": None if found.seq_len is None else found.seq_len.value,
        "stages": [{"stage": row.stage, "cards": row.value} for row in found.cards],
        "sentences": [row.sentence for row in found.all],
    }
