"""The account in text, JSON, Markdown and CSV. Names in the JSON are relied on: added to, never renamed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from itertools import groupby

from core.account import Account
from core.alternative import alternative
from core.bands import BAND_LABELS
from core.caching import context_of, token_bytes
from core.capacity import OVERHEADS, overhead_lines
from core.ledger import Row, ledger
from core.lines import Line
from core.notes import notes
from core.numbers import Number
from core.scenario import DIMENSION_FIELDS, FIELDS, describe
from core.search import would_fit
from core.verdict import verdict

SCHEMA = 1


def number(value: Number | None) -> int | float | None:
    """A JSON number: exact where it is whole, else the nearest double."""
    if value is None or isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else float(value)


def _value(line: Line | None) -> int | float | None:
    return None if line is None else number(line.value)


def resolved(account: Account) -> dict[str, object]:
    """Every field with the value that was used, automatic ones included."""
    values = {
        name: field.kind.give(getattr(account.scenario, name)) for name, field in FIELDS.items() if name != "model"
    }
    values |= {
        **{name: (getattr(account.model.arch, name) or None) if account.model else None for name in DIMENSION_FIELDS},
        "params": account.params.count,
        "model": account.scenario.model.name if account.scenario.model is not None else None,
        "card_memory": account.card.capacity.count,
        "cards": account.cards.count,
        "zero": account.stage.stage,
        "context": context_of(account.scenario),
        "tokens": account.tokens.count,
        "peak_flops": number(account.peak_flops.value),
    }
    values |= {f"bytes_{kept.item.name}": number(kept.item.bytes) for kept in account.kept}
    return values


def to_json(account: Account) -> dict[str, object]:
    """The report as JSON values; bytes are exact integers, keys without a value are null."""
    stage, card, run = account.stage, account.card, account.time
    return {
        "schema": SCHEMA,
        "scenario": resolved(account),
        "custom": account.custom,
        "parameters": {"total": account.params.count, "active": account.active.count},
        "model": _model(account),
        "per_parameter": [
            {
                "item": kept.item.name,
                "band": kept.item.band,
                "format": kept.item.format,
                "bytes": number(kept.item.bytes),
            }
            for kept in account.kept
        ],
        "training": {
            "bytes": account.training.count,
            "bands": {band: line.count for band, line in account.bands.items()},
        },
        "items": {kept.item.name: kept.line.count for kept in account.kept},
        "inference": _inference(account),
        "card": {
            "name": card.name,
            "bytes": card.capacity.count,
            "marketed_bytes": card.marketed,
            "reported_bytes": card.reported,
            "usable_bytes": card.usable,
            "room_bytes": card.room.count,
            **_overheads(account),
        },
        "cards_needed": _value(account.cards_needed),
        "nodes_needed": _value(account.nodes_needed),
        "stages": [
            {
                "stage": row.stage,
                "per_card_bytes": row.per_card.count,
                "fits": row.states_fit,
                "cards_to_fit": _value(row.to_fit),
                "peak_bytes": row.peak.count,
            }
            for row in account.stages
        ],
        "per_card": {
            **{band: line.count for band, line in stage.bands.items()},
            **_at_peak(account),
            "peak": stage.peak.count,
            "fits": stage.fits,
            "headroom_bytes": stage.headroom.count,
        },
        "host": _host(account),
        "adapters": _adapters(account),
        "activations": _activations(account),
        "alternative": _alternative(account),
        "moments": _moments(account),
        "time": {
            "flops": run.flops.count,
            "hardware_flops": run.hardware_flops.count,
            "seconds": _value(run.seconds),
            "days": _value(run.days),
            "days_on_one": _value(run.days_on_one),
            "card_hours": _value(run.card_hours),
            "cost": _value(run.cost),
            "cards_for_deadline": _value(run.cards_for_deadline),
        },
        "derivations": {row.key: row.line.text() for row in ledger(account)},
        "would_fit": _would_fit(account),
        "verdict": _verdict_lines(account),
        "notes": notes(account),
    }


def _inference(account: Account) -> dict[str, object]:
    """Weights, and the cache of the context where the model is known."""
    cached, scenario = account.cached, account.scenario
    each = None if account.cache is None else token_bytes(scenario, account.cache)
    return {
        "bytes": account.inference.count,
        "cache_bytes": _value(cached),
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
        "cache_bytes_per_token": _value(each),
        "context": context_of(scenario),
        "sequences": scenario.sequences,
        "total_bytes": None if cached is None else account.inference.count + cached.count,
    }


def _adapters(account: Account) -> dict[str, object] | None:
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


def _would_fit(account: Account) -> dict[str, object]:
    """What would make it fit, found by search."""
    found = would_fit(account)
    return {
        "micro_batch": None if found.micro_batch is None else found.micro_batch.value,
        "seq_len": None if found.seq_len is None else found.seq_len.value,
        "stages": [{"stage": row.stage, "cards": row.value} for row in found.cards],
        "sentences": [row.sentence for row in found.all],
    }


def _overheads(account: Account) -> dict[str, int]:
    """What is set aside of one card, each on its own."""
    found = overhead_lines(account.scenario, account.card.capacity.count)
    return {row.key.removeprefix("card."): found[row.key].count if row.key in found else 0 for row in OVERHEADS}


def _alternative(account: Account) -> dict[str, object] | None:
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


def _host(account: Account) -> dict[str, int]:
    """What the host holds for each card."""
    held = {band: account.stage.host[band].count if band in account.stage.host else 0 for band in BAND_LABELS}
    return {**held, "bytes": sum(held.values())}


def _model(account: Account) -> dict[str, object] | None:
    if account.model is None:
        return None
    from core.models.count import count_report

    return count_report(account.model.arch, account.model.count)


def _at_peak(account: Account) -> dict[str, object]:
    step = account.stage.bill
    if step is None:
        return {"activations": None, "transient": None}
    largest = step.steps.pass_peak
    return {
        "activations": largest.bytes - largest.gradients,
        "transient": step.peak.bands["transient"],
        "peak_at": step.peak.name,
    }


def _moments(account: Account) -> list[dict[str, object]] | None:
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


def _activations(account: Account) -> dict[str, object] | None:
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


def _verdict_lines(account: Account) -> list[str]:
    said = verdict(account)
    return [f"{said.headline}, {said.condition}", *([said.nodes] if said.nodes else []), said.detail]


def as_json(account: Account) -> str:
    """The report as JSON text."""
    return json.dumps(to_json(account), indent=2, ensure_ascii=False)


def as_json_line(account: Account) -> str:
    """The report as JSON in one line."""
    return json.dumps(to_json(account), ensure_ascii=False)


def as_text(account: Account) -> str:
    """The report as a person reads it in a terminal."""
    out = [describe(account.scenario), "", *_verdict_lines(account)]
    rows = ledger(account)
    label, decimal, binary = (max(len(getattr(row, name)) for row in rows) for name in ("label", "decimal", "binary"))
    for section, group in groupby(rows, lambda row: row.section):
        out += ["", section]
        for row in group:
            line = f"  {row.label:<{label}}  {row.decimal:>{decimal}}  {row.binary:>{binary}}  {row.line.text()}"
            out.append(line.rstrip())
    out += ["", "What would fit", *(f"  {row.sentence}" for row in would_fit(account).all)]
    out += ["", "Notes", *(f"  {note}" for note in notes(account))]
    return "\n".join(out)


HEADINGS = ("Section", "Figure", "GB", "GiB", "Exact", "Derivation", "Note")


def cells(row: Row) -> tuple[str, ...]:
    """One row of the ledger as texts, under HEADINGS."""
    return (row.section, row.label, row.decimal, row.binary, row.exact, row.line.text(), row.note)


def rows_as_markdown(rows: Iterable[Row]) -> str:
    """Rows of the ledger as a Markdown table."""
    lines = [HEADINGS, tuple("---" for _ in HEADINGS), *(cells(row) for row in rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def rows_as_csv(rows: Iterable[Row]) -> str:
    """Rows of the ledger as CSV with the exact value as a bare number in a column of its own."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("key", "section", "figure", "value", "unit", "gb", "gib", "derivation", "note"))
    for row in rows:
        value = "" if row.line.value is None else str(number(row.line.value))
        unit = row.line.unit
        writer.writerow(
            (row.key, row.section, row.label, value, unit, row.decimal, row.binary, row.line.text(), row.note)
        )
    return out.getvalue().rstrip("\n")


def rows_as_text(rows: Iterable[Row]) -> str:
    """Rows of the ledger as tab-separated text, as spreadsheets paste it."""
    return "\n".join("\t".join((row.label, row.decimal, row.binary, row.exact, row.line.text())) for row in rows)


_LATEX = {
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "×": r"$\times$",
    "÷": r"$\div$",
    "−": "$-$",
    "≈": r"$\approx$",
}
_LATEX |= {"⌈": r"$\lceil$", "⌉": r"$\rceil$", "$": r"\$", "\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
_LATEX |= {"^": r"\textasciicircum{}", "{": r"\{", "}": r"\}", "·": r"$\cdot$"}
_LATEX |= {raised: f"$^{{{digit}}}$" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}


def rows_as_latex(rows: Iterable[Row]) -> str:
    """Rows of the ledger as a LaTeX tabular with a rule before each section."""

    def escaped(text: str) -> str:
        return "".join(_LATEX.get(character, character) for character in text)

    lines = [r"\begin{tabular}{lrrl}", r"Figure & GB & GiB & Derivation \\"]
    for section, group in groupby(rows, lambda row: row.section):
        lines += [r"\hline", rf"\multicolumn{{4}}{{l}}{{\textbf{{{escaped(section)}}}}} \\"]
        for row in group:
            parts = (row.label, row.decimal, row.binary, row.line.text())
            lines.append(" & ".join(escaped(part) for part in parts) + r" \\")
    return "\n".join([*lines, r"\end{tabular}"])


def as_markdown(account: Account) -> str:
    """The report as Markdown: verdict, ledger, notes."""
    said = verdict(account)
    out = [f"**{said.headline}**, {said.condition}. {said.detail}", "", describe(account.scenario), ""]
    out += [rows_as_markdown(ledger(account)), "", *(f"- {row.sentence}" for row in would_fit(account).all)]
    out += [f"- {note}" for note in notes(account)]
    return "\n".join(out)


def as_csv(account: Account) -> str:
    """The ledger as CSV."""
    return rows_as_csv(ledger(account))


FORMATS: dict[str, Callable[[Account], str]] = {
    "text": as_text,
    "json": as_json,
    "markdown": as_markdown,
    "csv": as_csv,
}
