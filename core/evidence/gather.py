"""All evidence, gathered once and written as text, JSON or Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from core.evidence.others import memory, memory_in_short, time
from core.evidence.parameters import built_cases, published_cases
from core.evidence.published import Published, published
from core.evidence.runs import Run, runs
from core.evidence.tables import (
    DEEP,
    Table,
    as_markdown,
    as_text,
    by_quantity,
    in_full,
    passes_by_family,
    passes_by_setting,
)
from core.memory.evidence import (
    Case,
    Finding,
    adapter_cases,
    findings,
    measured_models,
    pass_cases,
    shard_cases,
    state_cases,
)
from core.memory.versions import VERSIONS
from core.report import number

SCHEMA = 1
ABOUT = f"Measured on {VERSIONS}; other versions may save other tensors."


class Evidence(msgspec.Struct, frozen=True):
    """Every case that was measured, what they show by quantity, family and setting, and other people's figures."""

    cases: tuple[Case, ...]
    findings: tuple[Finding, ...]
    published: tuple[Published, ...]
    runs: tuple[Run, ...]

    def short_tables(self) -> tuple[Table, ...]:
        """What a reader wants first: by quantity, passes by family and by setting, other people's runs."""
        own = (by_quantity(self.cases, _deep()), passes_by_family(self.cases), passes_by_setting(self.cases))
        return (*own, memory(self.published), time(self.runs))

    def shortest_tables(self) -> tuple[Table, ...]:
        """The same for a page of other things: by quantity, passes by family, and the kinds of published figures."""
        return (by_quantity(self.cases, _deep()), passes_by_family(self.cases), memory_in_short(self.published))


@lru_cache(maxsize=1)
def _deep() -> frozenset[str]:
    """Measured models of many layers, by name."""
    return frozenset(name for name, (dimensions, _) in measured_models().items() if dimensions.layers >= DEEP)


@lru_cache(maxsize=1)
def evidence() -> Evidence:
    """The evidence of the tables that come with the program. Takes about half a second, the first time."""
    cases = (*built_cases(), *published_cases(), *state_cases(), *shard_cases(), *pass_cases(), *adapter_cases())
    return Evidence(cases, findings(cases), tuple(published()), tuple(runs()))


def to_text(found: Evidence) -> str:
    """For a terminal: the short tables, then everything by quantity, family and setting."""
    return "\n\n".join([ABOUT, *(as_text(table) for table in (*found.short_tables(), in_full(found.findings)))])


def to_markdown(found: Evidence) -> str:
    """The short tables in Markdown, each under a heading."""
    return tables_as_markdown(found.short_tables())


def tables_as_markdown(tables: Iterable[Table]) -> str:
    """Tables in Markdown, each under a heading, after what they were measured with."""
    parts = [ABOUT]
    for table in tables:
        parts += [f"### {table.title}", table.about, as_markdown(table)]
    return "\n\n".join(part for part in parts if part)


def to_json(found: Evidence) -> str:
    """Findings as JSON: counts are integers, errors are shares of what was measured, positive where too much."""
    rows = [
        {
            "quantity": one.quantity,
            "family": one.family,
            "setting": one.setting,
            "cases": one.cases,
            "exact": one.exact,
            "within_one_percent": one.within_one_percent,
            "within_five_percent": one.within_five_percent,
            "worst_error": float(one.worst),
            "worst_case": one.worst_model,
        }
        for one in found.findings
    ]
    memory_rows = [
        {
            "run": one.run,
            "figure": one.figure,
            "report": one.report,
            "less": one.less or None,
            "printed": one.printed,
            "published_bytes": number(one.published),
            "predicted_bytes": one.predicted,
            "ratio": float(one.ratio),
            "source": one.source,
            "left_open": one.left_open,
        }
        for one in found.published
    ]
    time_rows = [
        {
            "run": one.run,
            "figure": one.quantity,
            "report": one.report,
            "published": number(one.published),
            "predicted": number(one.predicted),
            "ratio": None if one.ratio is None else float(one.ratio),
            "printed_utilisation": number(one.stated),
            "implied_utilisation": number(one.implied),
            "source": one.source,
            "left_open": one.left_open,
        }
        for one in found.runs
    ]
    whole = {
        "schema": SCHEMA,
        "versions": VERSIONS,
        "findings": rows,
        "published_memory": memory_rows,
        "published_time": time_rows,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False)


FORMATS = {"text": to_text, "json": to_json, "markdown": to_markdown}
