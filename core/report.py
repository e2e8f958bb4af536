"""The account in text, JSON, Markdown and CSV. Names in the JSON are relied on: added to, never renamed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from itertools import groupby

from core import report_parts as parts
from core.account import Account
from core.caching import context_of
from core.ledger import Row, ledger
from core.notes import notes
from core.report_parts import number as number
from core.report_parts import value
from core.scenario import DIMENSION_FIELDS, FIELDS, describe
from core.search import would_fit
from core.shares import ranks_of
from core.verdict import verdict

SCHEMA = 1


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
        "shard_group": _group(account),
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
        "inference": parts.inference(account),
        "card": {
            "name": card.name,
            "bytes": card.capacity.count,
            "marketed_bytes": card.marketed,
            "reported_bytes": card.reported,
            "usable_bytes": card.usable,
            "room_bytes": card.room.count,
            **parts.overheads(account),
        },
        "cards_needed": value(account.cards_needed),
        "nodes_needed": value(account.nodes_needed),
        "stages": [
            {
                "stage": row.stage,
                "per_card_bytes": row.per_card.count,
                "fits": row.states_fit,
                "cards_to_fit": value(row.to_fit),
                "peak_bytes": row.peak.count,
            }
            for row in account.stages
        ],
        "per_card": {
            **{band: line.count for band, line in stage.bands.items()},
            **parts.at_peak(account),
            "peak": stage.peak.count,
            "fits": stage.fits,
            "headroom_bytes": stage.headroom.count,
        },
        "host": parts.host(account),
        "adapters": parts.adapters(account),
        "activations": parts.activations(account),
        "alternative": parts.other_activations(account),
        "moments": parts.moments(account),
        "time": {
            "flops": run.flops.count,
            "hardware_flops": run.hardware_flops.count,
            "seconds": value(run.seconds),
            "days": value(run.days),
            "days_on_one": value(run.days_on_one),
            "card_hours": value(run.card_hours),
            "cost": value(run.cost),
            "cards_for_deadline": value(run.cards_for_deadline),
        },
        "derivations": {row.key: row.line.text() for row in ledger(account)},
        "would_fit": parts.what_fits(account),
        "verdict": _verdict_lines(account),
        "notes": notes(account),
    }


def _group(account: Account) -> int | None:
    """Cards that share one copy, where the way of sharing has groups."""
    return ranks_of(account.scenario, account.cards.count) if account.scenario.sharding == "hsdp" else None


def _model(account: Account) -> dict[str, object] | None:
    if account.model is None:
        return None
    from core.models.count import count_report

    return count_report(account.model.arch, account.model.count)


def _verdict_lines(account: Account) -> list[str]:
    said = verdict(account)
    return [said.line, *([said.nodes] if said.nodes else []), said.detail]


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
    out = [f"**{said.line}.** {said.detail}", "", describe(account.scenario), ""]
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
