"""The kind of field that holds a model: a name of the catalogue, a configuration file, or an architecture itself."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec

from core.choice_kinds import Choice, Option
from core.models.architecture import Architecture, ModelFileError
from core.numbers import Unreadable


class ModelKind(Choice, frozen=True):
    """A model. A file is read once, where it is named; the value is the architecture, whole without the file."""

    def read(self, text: str) -> Architecture:
        """The model that a text names: JSON of an architecture, a path, or a name of the catalogue."""
        wanted = text.strip()
        try:
            if wanted.startswith("{"):
                return _architecture(wanted)
            from core.models.catalogue import model, spelt

            if _is_path(wanted):
                # "ViT-B/16" has a path's separator, as a repository's name on a hub has.
                known = spelt(wanted) if not os.path.lexists(wanted) else None
                if known is not None:
                    return known.architecture
                from core.models.read import read_file

                return read_file(wanted)
            return model(wanted).architecture
        except ValueError as problem:
            raise Unreadable(str(problem), complete=True) from None

    def take(self, value: object) -> Architecture:
        """The model of a JSON value: text, or the object of an architecture as a saved scenario holds it."""
        if isinstance(value, dict):
            return self.read(json.dumps(value))
        if not isinstance(value, str):
            raise Unreadable("is neither a name nor an architecture")
        return self.read(value)

    def text(self, value: Architecture) -> str:
        return value.name

    def label(self, value: Architecture) -> str:
        return value.name

    def spell(self, value: Architecture) -> str:
        """The catalogue's name where it means this very architecture, else the architecture as JSON."""
        try:
            if self.read(value.name) == value:
                return value.name
        except Unreadable:
            pass
        return json.dumps(self.give(value), ensure_ascii=False, separators=(",", ":"))

    def echo(self, value: Architecture) -> str:
        return f"{value.name}, {value.family}"

    def give(self, value: Architecture) -> object:
        return msgspec.to_builtins(value)


def model_options() -> tuple[Option, ...]:
    """The catalogue's models as choices."""
    from core.models.catalogue import models

    return tuple(Option(row.name, row.name) for row in models())


def _is_path(text: str) -> bool:
    if text.endswith(".json") or os.sep in text or text.startswith((".", "~")):
        return True
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # longer than a file's name can be, or with a mark that none has
        return False


def _architecture(text: str) -> Architecture:
    try:
        return msgspec.json.decode(text, type=Architecture)
    except (msgspec.MsgspecError, RecursionError) as problem:
        reason = str(problem) or "it is nested too deeply"
        raise ModelFileError(f"the model is not an architecture as Memory Tax writes it: {reason}") from None
