"""The three bands of the training state, and what comes after them."""

from __future__ import annotations

import msgspec


class Band(msgspec.Struct, frozen=True):
    """A band: the name others rely on, its label, and what belongs to it."""

    name: str
    label: str
    meaning: str


BANDS = (
    Band("parameters", "Parameters", "the working copy of the weights that the forward pass reads"),
    Band("gradients", "Gradients", "how each weight should change: written by the backward pass, used by the update"),
    Band("optimizer", "Optimizer states", "whatever lives between steps for the update alone, master copy included"),
)
# What comes after the states, known only with a model.
STEP_BANDS = (
    Band("activations", "Activations", "what the forward pass keeps for the backward pass"),
    Band("transient", "Transient", "what lives only at one moment: temporaries, gathered layers"),
)
ALL_LABELS = {band.name: band.label for band in (*BANDS, *STEP_BANDS)}
BAND_LABELS = {band.name: band.label for band in BANDS}
