"""The words of the command line about catalogues and models' files: cards, models, count."""

from __future__ import annotations

import argparse
import json
from typing import TextIO

from core.request import WRONG, Refused


def print_cards(options: argparse.Namespace, out: TextIO) -> int:
    """The catalogue of cards."""
    from core.cards import as_json, as_text

    print(as_json() if options.format == "json" else as_text(), file=out)
    return 0


def print_models(options: argparse.Namespace, out: TextIO) -> int:
    """The catalogue of models."""
    from core.models.catalogue import as_json, as_text

    print(as_json() if options.format == "json" else as_text(), file=out)
    return 0


def print_counts(options: argparse.Namespace, out: TextIO) -> int:
    """The parameters of configuration files: one in full, several a line each, bad ones in their place."""
    several = len(options.configs) > 1
    status = 0
    for name in options.configs:
        found = _counted(name)
        if "error" in found:
            if not several:
                raise Refused(str(found["error"]))
            status = WRONG
        if options.format == "json":
            print(json.dumps(found, indent=None if several else 2, ensure_ascii=False), file=out)
        else:
            print(_line(found) if several else _paragraph(found), file=out)
    return status


def _counted(name: str) -> dict[str, object]:
    from core.models.architecture import ModelFileError
    from core.models.count import count, count_report
    from core.models.read import read_file

    try:
        arch = read_file(name)
        report: dict[str, object] = count_report(arch, count(arch))
    except ModelFileError as problem:
        return {"file": name, "error": str(problem)}
    return {"file": name, **report}


def _line(found: dict[str, object]) -> str:
    if "error" in found:
        return str(found["error"])
    return f"{found['total']:>22,}  {found['active']:>22,}  {found['model_type']}  {found['file']}"


def _paragraph(found: dict[str, object]) -> str:
    terms = found["terms"]
    assert isinstance(terms, list)
    wide = max([len(term["name"]) for term in terms] + [12])
    lines = [f"{found['name']}, {found['class'] or found['model_type']}", ""]
    lines += [
        f"  {term['name']:<{wide}}  {term['count']:>20,}  {term['formula']} = {term['figures']}" for term in terms
    ]
    lines += ["", f"  {'in all':<{wide}}  {found['total']:>20,}"]
    if found["active"] != found["total"]:
        lines.append(f"  {'active':<{wide}}  {found['active']:>20,}  what one token uses")
    lines.append(
        f"  {'embedding':<{wide}}  {found['embedding']:>20,}  {'tied to the head' if found['tied'] else ''}".rstrip()
    )
    notes = found["notes"]
    assert isinstance(notes, list)
    return "\n".join(lines + ([""] if notes else []) + [f"  {note}" for note in notes])
