"""Which layers of a model are of which kind: selectors for a `Choice`.

Each gives one case a layer. A list in the file that is shorter than the model is deep is refused; one that is
longer is cut, as some files append the layers of multi-token prediction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from core.models.architecture import ModelFileError
from core.models.layout import View, shown

Select = Callable[[View], list[str]]

DENSE, SPARSE = "dense", "sparse"


def per_layer(v: View, key: str) -> list[Any] | None:
    """A list of the file with one entry a layer; None where the key is absent or null."""
    value = v.get(key)
    if value is None:
        return None
    if not isinstance(value, (list, str)):
        raise ModelFileError(f"{key} is {shown(value)}, and a list with one entry a layer is needed there")
    if len(value) < v.arch.layers:
        raise ModelFileError(f"{key} has {len(value)} entries for {v.arch.layers} layers, and one a layer is needed")
    return list(value[: v.arch.layers])


def words(v: View, key: str) -> list[str] | None:
    """A list of the file with one word a layer; None where the key is absent or null."""
    value = per_layer(v, key)
    for item in value or ():
        if not isinstance(item, str):
            raise ModelFileError(f"{key} holds {shown(item)}, and the kind of each layer in words is needed there")
    return value


def listed(key: str, otherwise: Select, names: Mapping[Any, str] | None = None) -> Select:
    """The file's own list, its words translated by `names`; `otherwise` where it has none."""

    def select(v: View) -> list[str]:
        kinds = words(v, key)
        if kinds is None:
            return otherwise(v)
        return [names.get(kind, kind) for kind in kinds] if names else kinds

    return select


def all_layers(kind: str) -> Select:
    """Every layer alike."""
    return lambda v: [kind] * v.arch.layers


def after_first(key: str, every: str = "") -> Select:
    """Dense layers first, as many as `key` says, then sparse ones; with `every`, only each such one is sparse."""

    def select(v: View) -> list[str]:
        first, step = v.number(key), max(v.number(every), 1) if every else 1
        return [SPARSE if i >= first and i % step == 0 else DENSE for i in range(v.arch.layers)]

    return select


def first_dense(number: int) -> Select:
    """A fixed number of dense layers first, then sparse ones."""
    return lambda v: [DENSE if i < number else SPARSE for i in range(v.arch.layers)]


def every_step(step: str, dense: str) -> Select:
    """Each `step`-th layer sparse, but for those that the list `dense` names (qwen2_moe)."""

    def select(v: View) -> list[str]:
        period, only = max(v.number(step), 1), indices(v, dense)
        some = v.number("num_experts") > 0
        return [SPARSE if some and i not in only and (i + 1) % period == 0 else DENSE for i in range(v.arch.layers)]

    return select


def indices(v: View, key: str) -> Collection[int]:
    """A list of layer numbers, counted from 0; empty where absent or null."""
    value = v.get(key)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, int) for item in value):
        raise ModelFileError(f"{key} is {shown(value)}, and a list of layer numbers is needed there")
    return frozenset(value)


def interval(key: str, every: str, others: str, default: int) -> Select:
    """Each `key`-th layer of one kind, the others of another."""

    def select(v: View) -> list[str]:
        period = max(v.number(key) or default, 1)
        return [others if (i + 1) % period else every for i in range(v.arch.layers)]

    return select
