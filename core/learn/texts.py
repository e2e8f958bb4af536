"""The words of the Learn pages: one file a language, by key; a key that a language lacks is taken from English."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "resources" / "texts"
LANGUAGE = "en"


@cache
def load(language: str = LANGUAGE) -> Mapping[str, str]:
    """All texts of a language, English where it has none. Raises FileNotFoundError for a language without a file."""
    found: dict[str, str] = json.loads((FOLDER / f"learn.{language}.json").read_text(encoding="utf-8"))
    return found if language == LANGUAGE else {**load(), **found}


def text(key: str, /, **values: object) -> str:
    """The text of a key, with values in its places. Raises KeyError for a key or a place that there is none for."""
    return load()[key].format(**values)
