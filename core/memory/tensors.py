"""What states and shards need to know of a parameter tensor."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Protocol

import msgspec


class ParameterTensor(Protocol):
    """A parameter tensor that occurs `copies` times, once in each of so many layers.

    kind: "embedding", "head", "matrix", "experts" (one matrix for each, stacked), "vector", and whatever else an
    architecture names. unit: the kind of layer that holds it, "" outside layers.
    """

    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def copies(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def unit(self) -> str: ...


class Tensor(msgspec.Struct, frozen=True):
    """A parameter tensor as this room makes them: adapters, shards."""

    name: str
    shape: tuple[int, ...]
    copies: int = 1
    kind: str = "matrix"
    unit: str = ""


def by_rows(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape as rows that can be dealt out: a lone number is one row."""
    return shape or (1,)


def elements(tensors: Iterable[ParameterTensor]) -> int:
    """Elements of all tensors, copies included."""
    return sum(prod(tensor.shape) * tensor.copies for tensor in tensors)


def count(tensors: Iterable[ParameterTensor]) -> int:
    """How many tensors there are, copies included."""
    return sum(tensor.copies for tensor in tensors)
