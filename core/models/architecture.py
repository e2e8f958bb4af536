"""An architecture: everything about a model that decides how many parameters it has."""

from __future__ import annotations

from typing import Any

import msgspec

from core.models.windows import Window


class ModelFileError(ValueError):
    """A model's file or fields cannot be used. The message is one sentence in the user's words."""


class Quantisation(msgspec.Struct, frozen=True):
    """How the file says that its weights are stored: the method's name, and bits per weight where it says so."""

    method: str
    bits: int | None = None


class Architecture(msgspec.Struct, frozen=True):
    """A model as its configuration file states it, with class defaults filled in; whole without the file.

    The seven numbers from `hidden` to `vocabulary` are those that a person edits; 0 where the family has no such
    thing (a vision tower's vocabulary). `head` is the kind of head that `class_name` has. `fields` holds what else
    the family's layout reads, by the key's usual name. `derived` names those of the seven that the file left to be
    computed from others. In a model with towers the numbers are those of its text model, `text_type` names that
    model's family, and `towers` holds the rest. `stated` are the values before anything was computed from others,
    and `edited` the numbers that a person changed since: a change is worked out from these two. `window` is what
    layers see that do not see the whole sequence.
    """

    name: str
    model_type: str
    class_name: str
    head: str
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    mlp: int
    vocabulary: int
    tied: bool
    fields: dict[str, Any] = {}
    text_type: str = ""
    towers: dict[str, Architecture] = {}
    derived: tuple[str, ...] = ()
    stated: dict[str, Any] = {}
    edited: dict[str, int] = {}
    dtype: str = ""
    quantisation: Quantisation | None = None
    notes: tuple[str, ...] = ()
    window: Window | None = None

    @property
    def family(self) -> str:
        """The model type whose layout the text model has."""
        return self.text_type or self.model_type
