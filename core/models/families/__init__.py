"""The families: one row a model type, composed of blocks, with the defaults of its configuration class."""

from __future__ import annotations

from importlib import import_module

from core.models.families.row import Family

_SHELVES = ("dense", "classic", "mixture", "latent", "hybrid", "gemma4", "encoder", "seq2seq", "vision", "towers", "wrapper", "omni", "custom")
_loaded: dict[str, Family] = {}


def families() -> dict[str, Family]:
    """Every known model type with its row. Loaded at the first call."""
    if not _loaded:
        for shelf in _SHELVES:
            _loaded.update(import_module(f"{__name__}.{shelf}").FAMILIES)
    return _loaded
