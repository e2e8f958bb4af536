"""The families: one row a model type, composed of blocks, with the defaults of its configuration class."""

from __future__ import annotations

from core.models.families.row import Family

_loaded: dict[str, Family] = {}


def families() -> dict[str, Family]:
    """Every known model type with its row. Loaded at the first call, as most starts of the program need none."""
    if not _loaded:
        from core.models.families import (
            audio,
            classic,
            custom,
            deberta,
            dense,
            encoder,
            fairseq,
            falcon,
            gemma4,
            hybrid,
            latent,
            mamba,
            mimo,
            mixture,
            nas,
            nested,
            omni,
            pictures,
            rwkv,
            seq2seq,
            towers,
            vision,
            wrapper,
        )

        shelves = (
            *(dense, classic, fairseq, falcon, mixture, mimo, latent, hybrid, mamba, rwkv, gemma4, encoder, deberta),
            *(seq2seq, vision, towers, pictures, audio, nested, wrapper, omni, nas, custom),
        )
        for shelf in shelves:
            _loaded.update(shelf.FAMILIES)
    return _loaded
