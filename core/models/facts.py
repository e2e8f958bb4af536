"""What an account needs to know of a scenario's model, worked out once for each model and set of dimensions."""

from __future__ import annotations

import msgspec

from core.models.architecture import Architecture
from core.models.count import Count, count
from core.models.dimensions import Dimensions, dimensions
from core.models.edit import replace_dimensions
from core.models.expand import Tensor, tensors

# Enough for a document of scenarios that are flipped through while numbers are dragged.
_KEPT = 64


class ModelFacts(msgspec.Struct, frozen=True):
    """A model as the scenario wants it: with dimensions changed by hand, counted."""

    arch: Architecture
    count: Count
    dimensions: Dimensions
    tensors: tuple[Tensor, ...]


_known: dict[tuple[int, tuple[tuple[str, int], ...]], tuple[Architecture, ModelFacts]] = {}


def model_facts(arch: Architecture, changed: dict[str, int]) -> ModelFacts:
    """The model with some of its seven numbers changed. Raises ModelFileError where they cannot stand together."""
    key = (id(arch), tuple(sorted(changed.items())))
    found = _known.get(key)
    # The key is an identity: the model itself is kept beside it, so that it cannot be another's.
    if found is not None and found[0] is arch:
        return found[1]
    wanted = replace_dimensions(arch, **changed) if changed else arch
    facts = ModelFacts(wanted, count(wanted), dimensions(wanted), tensors(wanted))
    if len(_known) >= _KEPT:
        _known.pop(next(iter(_known)))
    _known[key] = (arch, facts)
    return facts
