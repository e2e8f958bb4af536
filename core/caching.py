"""What inference keeps of the tokens it has read: keys and values, layer by layer, from a model's own projections.

A projection's rows are what a token leaves behind: those of keys and of values, or of the compressed latent that
multi-head latent attention keeps in place of both (DeepSeek-V2 2024, section 2.1: kv_lora_rank + qk_rope_head_dim).
"""

from __future__ import annotations

import msgspec

from core.lines import Line, given, product, total
from core.memory.inference import CacheLayers
from core.models.expand import Tensor
from core.models.facts import ModelFacts
from core.scenario import Scenario

_LATENT = "kv_a_proj_with_mqa"
_FUSED = frozenset({"query_key_value", "c_attn", "qkv_proj", "Wqkv", "wqkv", "W_pack"})
# Parts of a model that read no tokens of the sequence.
_ELSEWHERE = ("vision", "visual", "audio", "talker", "token2wav", "text_model", "cross")
# Heads of models that read a text once instead of going on with it.
_READERS = frozenset({"masked", "pretraining", "answer", "projection", "image"})


class Cache(msgspec.Struct, frozen=True):
    """The layers that cache, and what is not counted, in sentences."""

    layers: tuple[CacheLayers, ...]
    notes: tuple[str, ...] = ()


_known: dict[tuple[int, int], tuple[ModelFacts, Cache]] = {}


def cache_of(facts: ModelFacts, window: int) -> Cache:
    """How a model caches; no layers where that is not known. `window`: in place of the model's own, 0 for that."""
    key = (id(facts), window)
    found = _known.get(key)
    # The key is an identity: the model itself is kept beside it, so that it cannot be another's.
    if found is None or found[0] is not facts:
        if len(_known) >= 256:
            _known.clear()
        found = _known[key] = (facts, _cache(facts, window))
    return found[1]


def _cache(facts: ModelFacts, window: int) -> Cache:
    arch, name = facts.arch, facts.arch.name
    units: dict[str, list[Tensor]] = {}
    for tensor in facts.tensors:
        if tensor.unit and not any(part in tensor.unit for part in _ELSEWHERE):
            units.setdefault(tensor.unit, []).append(tensor)
    last = [tensor.name.split(".")[-2:] for tensor in facts.tensors]
    if arch.head in _READERS or not arch.vocabulary or any("decoder" in unit for unit in units if _pairs(units, unit)):
        return Cache((), (f"{name} keeps no cache of one sequence: it is no decoder of text alone.",))
    if any("compressor" in part for tensor in facts.tensors for part in tensor.name.split(".")):
        return Cache((), (f"The cache of {name}'s compressed attention is not counted.",))
    alike: dict[tuple[str, int, int], int] = {}
    for unit, tensors in units.items():
        for row in _layers(facts, unit, tensors, window):
            kind = (row.label, row.elements, row.window)
            alike[kind] = alike.get(kind, 0) + row.layers
    layers = [CacheLayers(label, copies, elements, tokens) for (label, elements, tokens), copies in alike.items()]
    notes = []
    if not layers:
        notes.append(f"The cache of {name} is not counted: its layers have no keys and values that are known here.")
    elif sum(alike.values()) < arch.layers:
        fewer = arch.layers - sum(alike.values())
        notes.append(f"{fewer} of {arch.layers} layers cache no keys and values; what else they keep is not counted.")
    if ["wk", "weight"] in last:
        notes.append("The keys of the sparse attention's indexer are not counted.")
    return Cache(tuple(layers), tuple(notes))


def _pairs(units: dict[str, list[Tensor]], unit: str) -> bool:
    """Whether a decoder has an encoder beside it."""
    return "decoder" in unit and any("encoder" in other for other in units)


def _layers(facts: ModelFacts, unit: str, tensors: list[Tensor], window: int) -> list[CacheLayers]:
    """Layers of one kind: with a window where the kind is named for it, else as many as the model says."""
    rows = {tensor.name.split(".")[-2]: tensor for tensor in tensors if len(tensor.shape) == 2}
    copies, elements, label = 0, 0, "keys and values"
    if _LATENT in rows:
        copies, elements, label = rows[_LATENT].copies, rows[_LATENT].shape[0], "latent"
    elif "k_proj" in rows:
        keys = rows["k_proj"]
        copies, elements = keys.copies, keys.shape[0] + rows.get("v_proj", keys).shape[0]
    elif any(name in rows for name in _FUSED):
        joined = next(tensor for name, tensor in rows.items() if name in _FUSED)
        copies, elements = joined.copies, 2 * facts.arch.kv_heads * facts.arch.head_dim
    if not copies:
        return []
    own = facts.arch.window
    tokens = window or (own.tokens if own is not None else 0)
    windowed = 0
    if tokens:
        if "sliding" in unit or "full_attention" in unit or "full attention" in unit:
            windowed = copies if "sliding" in unit else 0
        else:
            depth = own.layers(facts.arch.layers) if own is not None else facts.arch.layers
            windowed = depth * copies // facts.arch.layers
    found = []
    if copies > windowed:
        found.append(CacheLayers(label, copies - windowed, elements))
    if windowed:
        found.append(CacheLayers(f"{label} in a window", windowed, elements, tokens))
    return found


def cache_line(scenario: Scenario, cache: Cache) -> Line | None:
    """Bytes that the sequences of inference keep, or None where it is not known."""
    if not cache.layers:
        return None
    context = context_of(scenario)
    each = given("of an element", scenario.cache_bytes, "B", field="cache_bytes")
    sequences = given("sequences", scenario.sequences, field="sequences")
    parts = []
    for row in cache.layers:
        kept = row.tokens(context)
        tokens = given("tokens of the window", kept) if kept < context else given("tokens", kept, field="context")
        layers, elements = given("layers", row.layers), given("elements of a token", row.elements)
        parts.append(product(row.label, "B", layers, elements, tokens, sequences, each, whole=True))
    return total("Cache", "B", tuple(parts))


def token_bytes(scenario: Scenario, cache: Cache) -> Line | None:
    """Bytes that one more token of one sequence adds while no window is full."""
    if not cache.layers:
        return None
    each = given("of an element", scenario.cache_bytes, "B", field="cache_bytes")
    parts = tuple(
        product(row.label, "B", given("layers", row.layers), given("elements of a token", row.elements), each)
        for row in cache.layers
    )
    return parts[0] if len(parts) == 1 else total("Cache of a token", "B", parts)


def context_of(scenario: Scenario) -> int:
    """Tokens of a sequence that inference keeps."""
    return scenario.seq_len if scenario.context is None else scenario.context
