"""All evidence, gathered once and written as text, JSON or Markdown."""

from __future__ import annotations

import json
from functools import lru_cache

import msgspec

from core.evidence.parameters import built_cases, published_cases
from core.evidence.tables import (
    Table,
    as_markdown,
    as_text,
    by_quantity,
    in_full,
    passes_by_family,
    passes_by_setting,
)
from core.memory.evidence import Case, Finding, findings, pass_cases, shard_cases, state_cases
from core.memory.versions import VERSIONS

SCHEMA = 1
ABOUT = f"Measured on {VERSIONS}; other versions may save other tensors."


class Evidence(msgspec.Struct, frozen=True):
    """Every case that was measured, and what they show by quantity, family and setting."""

    cases: tuple[Case, ...]
    findings: tuple[Finding, ...]

    def short_tables(self) -> tuple[Table, ...]:
        """What a reader wants first: by quantity, then passes by family and by setting."""
        return (by_quantity(self.cases), passes_by_family(self.cases), passes_by_setting(self.cases))


@lru_cache(maxsize=1)
def evidence() -> Evidence:
    """The evidence of the tables that come with the program. Takes about half a second, the first time."""
    cases = (*built_cases(), *published_cases(), *state_cases(), *shard_cases(), *pass_cases())
    return Evidence(cases, findings(cases))


def to_text(found: Evidence) -> str:
    """For a terminal: the short tables, then everything by quantity, family and setting."""
    return "\n\n".join([ABOUT, *(as_text(table) for table in (*found.short_tables(), in_full(found.findings)))])


def to_markdown(found: Evidence) -> str:
    """The short tables in Markdown, each under a heading."""
    parts = [ABOUT]
    for table in found.short_tables():
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
    return json.dumps({"schema": SCHEMA, "versions": VERSIONS, "findings": rows}, indent=2, ensure_ascii=False)


FORMATS = {"text": to_text, "json": to_json, "markdown": to_markdown}
