"""What if the model had 40 layers? The seven numbers of an architecture stay editable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from core.models.architecture import Architecture, ModelFileError
from core.models.assemble import assemble
from core.models.layout import SEVEN
from core.models.values import LARGEST, MOST

LISTS = (
    "layer_types",
    "mlp_layer_types",
    "indexer_types",
    "index_topk_pattern",
    "compress_ratios",
    "hybrid_layer_pattern",
    "hybrid_override_pattern",
    "layers_block_type",
    "moe_layer_freq",
    "block_configs",
    "moe_intermediate_size",
    "num_experts_per_tok",
    "num_shared_expert",
)
"""Fields with one entry a layer, where they are lists."""

INDICES = ("attn_layer_indices", "full_attn_idxs", "cross_attention_layers", "moe_layers", "mlp_only_layers")
"""Fields that list layers by number."""

NAMES = {
    "hidden": "hidden size",
    "layers": "layers",
    "heads": "heads",
    "kv_heads": "key and value heads",
    "head_dim": "head size",
    "mlp": "MLP width",
    "vocabulary": "vocabulary",
}


def replace_dimensions(arch: Architecture, **changes: int) -> Architecture:
    """The architecture with some of its seven numbers changed, and what hangs on them worked out again.

    Lists with an entry a layer are cut, or continued in their pattern; key heads that were as many as query heads
    stay so; a head size that was computed is computed again. Each such step adds a note. Raises ModelFileError, one
    sentence, where the numbers cannot stand together.
    """
    for name, value in changes.items():
        _check(name, value)
    changes = {name: value for name, value in changes.items() if value != getattr(arch, name)}
    if not changes:
        return arch
    notes, stated = list(arch.notes), dict(arch.stated)
    if "layers" in changes:
        notes += _resize(stated, arch.layers, changes["layers"])
    edited = {**arch.edited, **changes}
    if (
        "heads" in changes
        and "kv_heads" not in edited
        and arch.kv_heads == arch.heads
        and not _computed(arch, "kv_heads")
    ):
        edited["kv_heads"] = changes["heads"]
        notes.append("Key and value heads follow the query heads, as they were as many.")
    changed = assemble(replace(arch, stated=stated, edited=edited))
    if changed.kv_heads and changed.heads % changed.kv_heads:
        notes.append(
            f"{changed.heads} query heads cannot be shared out evenly over {changed.kv_heads} key and value heads."
        )
    said = ", ".join(f"{NAMES[name]} {getattr(arch, name):,} → {value:,}" for name, value in changes.items())
    towers = {name: _follow(tower, arch.hidden, changed.hidden) for name, tower in arch.towers.items()}
    return replace(changed, towers=towers, notes=(*notes, f"Changed by hand: {said}."))


def _computed(arch: Architecture, short: str) -> bool:
    return short in arch.derived


def _check(name: str, value: object) -> None:
    if name not in SEVEN.values():
        raise ModelFileError(f"{name} is no dimension; known are {', '.join(SEVEN.values())}")
    most = next(MOST.get(key, LARGEST) for key, short in SEVEN.items() if short == name)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise ModelFileError(f"{NAMES[name]} cannot be {value}; accepted are whole numbers from 1 to {most:,}")


def _follow(tower: Architecture, before: int, after: int) -> Architecture:
    """A tower hands its output on at the text model's width."""
    keys = [key for key in ("out_hidden_size", "output_dim") if tower.fields.get(key) == before]
    if before == after or not keys:
        return tower
    return replace(
        tower,
        fields={**tower.fields, **dict.fromkeys(keys, after)},
        stated={**tower.stated, **{key: after for key in keys if key in tower.stated}},
    )


def _resize(stated: dict[str, Any], before: int, after: int) -> list[str]:
    """Cuts or continues the fields that speak of single layers."""
    notes = []
    for key in LISTS:
        value = stated.get(key)
        if isinstance(value, (list, str)) and value:
            stated[key] = value[:after] if len(value) >= after else _continue(value[:before], after)
            notes.append(f"{key} was {'cut' if after < before else 'continued in its pattern'} to {after} layers.")
    for key in INDICES:
        value = stated.get(key)
        if isinstance(value, list) and value and all(isinstance(item, int) for item in value):
            stated[key] = [item for item in value if item < after]
            if after > before and key != "mlp_only_layers":
                stated[key] += _further(sorted(value), before, after)
            if stated[key] != value:
                notes.append(f"{key} now names {len(stated[key])} layers.")
    return notes


def _continue(value: Sequence[Any], length: int) -> Any:
    """Goes on with the shortest period that the later half of the list has; with its last entry where it has none."""
    items = list(value)
    period = next((p for p in range(1, len(items) // 2 + 1) if _repeats(items, p)), 1)
    while len(items) < length:
        items.append(items[-period])
    return "".join(items) if isinstance(value, str) else items


def _repeats(items: list[Any], period: int) -> bool:
    tail = items[-2 * period :] if period > len(items) // 4 else items[len(items) // 2 :]
    return all(tail[i] == tail[i - period] for i in range(period, len(tail)))


def _further(value: list[int], before: int, after: int) -> list[int]:
    """Layer numbers beyond the old depth, at the distance of the last two."""
    if len(value) < 2 or value[-1] >= before:
        return []
    step = value[-1] - value[-2]
    return list(range(value[-1] + step, after, step)) if step > 0 else []
