"""From an architecture to its parameter tensors, each with its shape in letters."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import msgspec

from core.models.architecture import Architecture
from core.models.families import families
from core.models.layout import Block, Choice, Layout, Part, Prefixed, Stack, Text, View, Weight
from core.models.sizes import Size, of, product


class Tensor(msgspec.Struct, frozen=True):
    """A parameter tensor as the model holds it, once for `copies` layers; `*` in the name stands for the layer.

    `kind` is embedding, head, matrix, vector, table, convolution or experts: `experts` of them in one tensor, along
    its first dimension.
    `unit` names the kind of layer that holds it, "" outside layers: tensors of one unit and one copy are one layer.
    """

    name: str
    shape: tuple[int, ...]
    copies: int
    kind: str
    unit: str = ""
    experts: int = 0


class Item(NamedTuple):
    """A weight in its place. `case` is the kind of layer, where layers differ; `stack` the path of its layers."""

    name: str
    weight: Weight
    copies: int
    term: str
    group: str
    stack: str = ""
    case: str = ""
    depth: Size = of(1)
    unit: str = ""


class _Place(NamedTuple):
    prefix: str = ""
    group: str = ""


def tensors(arch: Architecture) -> tuple[Tensor, ...]:
    """Every parameter tensor of the model, tied ones once, in the order of its modules.

    Raises ModelFileError where the fields contradict each other.
    """
    return tuple(
        Tensor(
            item.name,
            tuple(int(side) for side in item.weight.shape),
            item.copies,
            item.weight.kind,
            item.unit,
            item.weight.experts,
        )
        for item in expand(arch)
    )


def expand(arch: Architecture) -> list[Item]:
    """Every weight of the model in its place."""
    row = families()[arch.model_type]
    view = View(arch)
    items: list[Item] = []
    for part in row.bodies.get(arch.head, row.body):
        _part(part, view, _Place(), items)
    text = families()[arch.family]
    for block in (row if arch.head in row.heads else text).heads.get(arch.head, ()):
        _once(block, view, _Place(), items)
    return items


def _part(part: Part, view: View, place: _Place, items: list[Item]) -> None:
    if isinstance(part, Block):
        _once(part, view, place, items)
    elif isinstance(part, Stack):
        _stack(part, view, place, items)
    elif isinstance(part, Prefixed):
        for inner in part.parts:
            _part(inner, view, _Place(place.prefix + part.prefix, place.group), items)
    elif isinstance(part, Text):
        _text(families()[view.arch.family].body, view, part, place, items)
    elif part.name in view.arch.towers:
        tower = view.tower(part.name, part.mark)
        for inner in families()[tower.arch.model_type].body:
            _part(inner, tower, _Place(place.prefix + part.prefix, part.group), items)


def _text(body: Layout, view: View, text: Text, place: _Place, items: list[Item]) -> None:
    """The text model's own parts, with its usual prefix replaced by the wrapper's."""
    for part in body:
        if isinstance(part, Prefixed):
            part = Prefixed(text.prefix, part.parts)
        _part(part, view, place, items)


def _term(block: Block, place: _Place) -> tuple[str, str]:
    return (f"{place.group}: {block.term}", place.group) if place.group else (block.term, block.group)


def _once(block: Block, view: View, place: _Place, items: list[Item]) -> None:
    term, group = _term(block, place)
    items.extend(Item(place.prefix + weight.name, weight, 1, term, group) for weight in block.weights(view))


def _stack(stack: Stack, view: View, place: _Place, items: list[Item]) -> None:
    depth = stack.depth(view)
    path = f"{place.prefix}{stack.path}"
    for cases, copies in _kinds(stack, view, depth.value):
        unit = f"{path}[{', '.join(_case(c) for c in cases)}]" if cases else path
        for block, case in _blocks(stack, cases):
            term, group = _term(block, place)
            items.extend(
                Item(f"{path}.*.{weight.name}", weight, copies, term, group, path, case, depth, unit)
                for weight in block.weights(view)
            )


def _kinds(stack: Stack, view: View, depth: int) -> list[tuple[tuple[Hashable, ...], int]]:
    """The kinds of layer that occur, in order of appearance, and how many layers are of each."""
    selected = [part.select(view) for part in stack.blocks if isinstance(part, Choice)]
    if not selected:
        return [((), depth)]
    kinds: dict[tuple[Hashable, ...], int] = {}
    for layer in zip(*selected, strict=True):
        kinds[layer] = kinds.get(layer, 0) + 1
    return list(kinds.items())


def _blocks(stack: Stack, cases: tuple[Hashable, ...]) -> Iterator[tuple[Block, str]]:
    rest = iter(cases)
    for part in stack.blocks:
        if isinstance(part, Choice):
            case = next(rest)
            for block in part.cases(case):
                yield block, _case(case)
        else:
            yield part, ""


def _case(case: Hashable) -> str:
    """A case by its name; one that carries numbers is a tuple that starts with its name."""
    return str(case[0] if isinstance(case, tuple) else case)


def layer_size(arch: Architecture, case: Hashable | None = None) -> int:
    """Parameters of the text model's last layer, or of a layer of that case."""
    view = View(arch)
    for part in families()[arch.family].body:
        for inner in part.parts if isinstance(part, Prefixed) else (part,):
            if isinstance(inner, Stack):
                choices = [part for part in inner.blocks if isinstance(part, Choice)]
                cases = tuple(choice.select(view)[-1] if case is None else case for choice in choices)
                blocks = [block for block, _ in _blocks(inner, cases)]
                return sum(product(w.shape).value for block in blocks for w in block.weights(view))
    return 0
