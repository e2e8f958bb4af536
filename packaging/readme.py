"""Writes the README's table of evidence anew, between its two marks: `python packaging/readme.py`.

Nothing in that block is typed: it comes from the tables in resources/measured and from what is predicted for them. A
test compares it, so a change in either shows.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- evidence -->", "<!-- end of evidence -->"


def block() -> str:
    """What stands between the marks."""
    from core.evidence.gather import evidence, tables_as_markdown

    return tables_as_markdown(evidence().shortest_tables())


def renewed(text: str) -> str:
    """The README's text with the block as it is now. Raises ValueError where it has not both marks, once each."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise ValueError(f"README.md: holds no {BEGIN} with one {END} after it")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n\n{block()}\n\n{END}{after}"


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    readme = ROOT / "README.md"
    readme.write_text(renewed(readme.read_text("utf-8")), "utf-8")
