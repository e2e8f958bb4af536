"""What an account needs to know of a scenario's model, worked out once for each model and set of dimensions."""

from __future__ import annotations

import msgspec

from core.models.architecture import Architecture
from core.models.count import Count, Term, count
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

    @property
    def attention_layers(self) -> int:
        """Attentions that a token passes: a hybrid's mixers are none, an encoder's and the one across both are."""
        return sum(term.layers for term in self.count.terms if _kind(term.name).endswith("attention") and _own(term))

    @property
    def tabled(self) -> bool:
        """Whether what a pass keeps is known, from the model's own table or a near one's."""
        sizes = self.dimensions
        return bool(sizes.vocabulary and sizes.heads and sizes.mlp and self.one_stack)

    @property
    def towers(self) -> tuple[str, ...]:
        """The towers beside the model over tokens: "vision", "audio"."""
        beside = dict.fromkeys(term.name.partition(": ")[0] for term in self.count.terms if not _own(term))
        return tuple(beside)

    @property
    def one_stack(self) -> bool:
        """Whether a pass is one stack of attention and MLP over tokens.

        An encoder beside a decoder, a tower that is trained against another, and recurrent mixers are more than that.
        """
        names = [_kind(term.name) for term in self.count.terms if _own(term)]
        towers = any(term.group == "vision" for term in self.count.terms)
        return not (
            any(name.startswith(("encoder", "cross attention")) for name in names)
            or any(term.group == "mixer" for term in self.count.terms)
            or (towers and self.arch.head == "none")
        )


def _kind(name: str) -> str:
    """A term's name without the kind of layer that it is of."""
    return name.partition(" (")[0]


def _own(term: Term) -> bool:
    """Whether a term is of the model over tokens, not of a tower whose output that reads."""
    return not term.name.startswith(("vision: ", "audio: "))


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
