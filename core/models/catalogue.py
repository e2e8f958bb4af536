"""The catalogue of models: those that people name, each with the fields that decide its count.

A row's total is what its publisher or its checkpoint says, or what the model's class holds when it is built; the
count of its fields is checked against it. Sources name the configuration that the fields are from.
"""

from __future__ import annotations

import difflib
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from core.models.architecture import Architecture
from core.models.config import read_config

CATALOGUE = Path(__file__).parents[2] / "resources" / "catalogue" / "models.json"


_CONFIGURATION_OF = "config.json of "


class UnknownModel(ValueError):
    """A name that is no model's, or several models'. The message is one sentence."""


class Model(msgspec.Struct, frozen=True):
    """One model: `total` parameters, of which one token uses `active`; `date` is when it was published, to the month.

    `fields` are those of its configuration file that decide the count.
    """

    name: str
    aliases: tuple[str, ...]
    date: str
    total: int
    source: str
    fields: dict[str, Any]
    active: int = 0

    def __post_init__(self) -> None:
        if not self.active:
            msgspec.structs.force_setattr(self, "active", self.total)

    @property
    def architecture(self) -> Architecture:
        """The architecture that its fields describe."""
        return read_config(self.fields, self.name)


class _Catalogue(msgspec.Struct, frozen=True):
    schema: int
    models: tuple[Model, ...]


@lru_cache(maxsize=1)
def models() -> tuple[Model, ...]:
    """All models, in the order of the catalogue. Read when first asked for."""
    return msgspec.json.decode(CATALOGUE.read_bytes(), type=_Catalogue).models


def model(name: str) -> Model:
    """The model of that name or alias, whatever the case and punctuation: "llama 2 7b", "Mixtral-8x7B".

    A name that leaves words out is taken where it fits one model only and is more than a letter.

    Raises:
        UnknownModel: where no model or more than one is meant; the sentence suggests what is near.
    """
    wanted = _words(name)
    known = _known()
    if wanted in known:
        return known[wanted]
    fitting = list(dict.fromkeys(found.name for words, found in known.items() if wanted and set(wanted) <= set(words)))
    # One letter is the beginning of a name: the L of ViT-L must not come up while "llama" is typed.
    if len(fitting) == 1 and len("".join(wanted)) > 1:
        return next(found for found in models() if found.name == fitting[0])
    shown = repr(name.strip()[:60]) if name.strip() else "an empty name"
    if fitting:
        raise UnknownModel(f"{shown} could be {_listed(fitting[:6])}: name one")
    close = _near(name)
    accepted = f"near it: {_listed(close)}" if close else "the catalogue of models lists the names"
    raise UnknownModel(f"{shown} is no model of the catalogue; {accepted}")


def spelt(text: str) -> Model | None:
    """The model whose name, alias or repository this is, letter by letter but for the case; None where none is."""
    return _spellings().get(text.strip().casefold())


def search(text: str) -> tuple[Model, ...]:
    """Models with a name or alias whose words begin as every typed word does; all for no text.

    Those that begin as typed come first, then the order of the catalogue.
    """
    typed = re.findall(r"[a-z0-9.]+", text.casefold())
    found = [one for one in models() if any(_begins(label.split(), typed) for label in _labels(one))]
    start = " ".join(typed)
    return tuple(sorted(found, key=lambda one: not any(label.startswith(start) for label in _labels(one))))


def as_json() -> str:
    """The catalogue as a JSON array of objects: counts as integers, fields as in a configuration file."""
    return json.dumps([msgspec.to_builtins(one) for one in models()], indent=2, ensure_ascii=False)


def as_text() -> str:
    """The catalogue for reading: a line a model with its figures, then its source."""
    return "\n".join(
        f"{one.name}\n    {one.total:,} parameters{_share(one)}; {one.date}\n    {one.source}" for one in models()
    )


def _begins(words: list[str], typed: list[str]) -> bool:
    return all(any(word.startswith(part) for word in words) for part in typed)


def _share(one: Model) -> str:
    return "" if one.active == one.total else f", {one.active:,} of them active per token"


def _words(name: str) -> tuple[str, ...]:
    """What tells a name from another: its runs of letters and of figures, in order."""
    return tuple(re.findall(r"[a-z]+|\d+(?:\.\d+)?", name.casefold()))


@lru_cache(maxsize=1)
def _known() -> dict[tuple[str, ...], Model]:
    """Each model by the words of its name and of its aliases."""
    return {_words(label): one for one in models() for label in (one.name, *one.aliases)}


@lru_cache(maxsize=1)
def _spellings() -> dict[str, Model]:
    found: dict[str, Model] = {}
    for one in models():
        repository = one.source.removeprefix(_CONFIGURATION_OF).split(",")[0].split(" ")[0]
        of_a_repository = (repository,) if one.source.startswith(_CONFIGURATION_OF) else ()
        for label in (one.name, *one.aliases, *of_a_repository):
            found.setdefault(label.casefold(), one)
    return found


def _labels(one: Model) -> list[str]:
    return [" ".join(re.findall(r"[a-z0-9.]+", label.casefold())) for label in (one.name, *one.aliases)]


def _near(name: str) -> list[str]:
    names = {label.casefold(): one.name for one in models() for label in (one.name, *one.aliases)}
    close = difflib.get_close_matches(name.strip().casefold(), list(names), 6, 0.6)
    return list(dict.fromkeys(names[label] for label in close))[:3]


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}" if len(names) > 1 else names[0]
