"""The vocabulary in which a family is written: weights, blocks of weights, stacks of layers.

A block yields the weights of one part of a model (the attention of a layer, a norm, the head) as shapes in letters.
A stack repeats blocks, one set a layer; where layers differ, a choice says which blocks each layer has.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from core.models.architecture import Architecture, ModelFileError
from core.models.sizes import Size, letter

SEVEN = {
    "hidden_size": "hidden",
    "num_hidden_layers": "layers",
    "num_attention_heads": "heads",
    "num_key_value_heads": "kv_heads",
    "head_dim": "head_dim",
    "intermediate_size": "mlp",
    "vocab_size": "vocabulary",
}
"""The seven numbers that a person edits: their usual keys in a file, and their names in an Architecture."""

Flag = bool | str
"""A fixed answer, or the key of the file that gives it."""


class View:
    """An architecture seen as letters. `mark` is added to each letter, so that a tower's differ from the text's."""

    def __init__(self, arch: Architecture, mark: str = "") -> None:
        self.arch = arch
        self.mark = mark
        self.h = letter("h" + mark, arch.hidden)
        self.L = letter("L" + mark, arch.layers)
        self.V = letter("V" + mark, arch.vocabulary)
        self.q = letter("q" + mark, arch.heads)
        self.k = letter("k" + mark, arch.kv_heads)
        self.d = letter("d" + mark, arch.head_dim)
        self.f = letter("f" + mark, arch.mlp)

    def get(self, key: str) -> Any:
        """The field as it stands: a number, flag, text, list, object or None."""
        short = SEVEN.get(key)
        return getattr(self.arch, short) if short else self.arch.fields.get(key)

    def number(self, key: str) -> int:
        """A whole-number field; 0 for null. Raises ModelFileError where it holds something else."""
        value = self.get(key)
        if value is None or value is False:
            return 0
        if not isinstance(value, int):
            raise ModelFileError(f"{key} is {shown(value)}, and a whole number is needed there")
        return int(value)

    def size(self, key: str, name: str) -> Size:
        """A whole-number field as a letter."""
        return letter(name + self.mark, self.number(key))

    def named(self, name: str, value: int) -> Size:
        """A computed whole number as a letter."""
        return letter(name + self.mark, value)

    def flag(self, flag: Flag) -> bool:
        """A fixed answer as it is, or the field that gives it."""
        return bool(self.get(flag)) if isinstance(flag, str) else flag

    def tower(self, name: str, mark: str) -> View:
        """The view of one of its towers."""
        return View(self.arch.towers[name], mark)


def shown(value: object) -> str:
    """A value of a file in words, cut to a length that fits a sentence."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**30 else "a number of more than 30 digits"
    if isinstance(value, str):
        text = "".join(char if char.isprintable() else "�" for char in value[:80])
        return f'"{text}{"…" if len(value) > 80 else ""}"'
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, Mapping) else str(value)


class Weight(NamedTuple):
    """One parameter tensor: `kind` is embedding, head, matrix, vector, table, convolution or experts.

    A tensor of experts holds `experts` of them, of which one token passes through `used`.
    """

    name: str
    shape: tuple[Size | int, ...]
    kind: str = "matrix"
    experts: int = 0
    used: int = 0


Width = Callable[[View], Size]


class Block(NamedTuple):
    """The weights that one line of the account sums: its name, its group, and what it holds."""

    term: str
    group: str
    weights: Callable[[View], Iterable[Weight]]


class Choice(NamedTuple):
    """Blocks that differ from layer to layer: `select` gives each layer's case, `cases` the blocks of a case."""

    select: Callable[[View], Sequence[Hashable]]
    cases: Callable[[Any], tuple[Block, ...]]


class Stack(NamedTuple):
    """Layers under one path. `depth` and `letter` are how many and how that number is written."""

    path: str
    blocks: tuple[Block | Choice, ...]
    depth: Width = lambda v: v.L


class Prefixed(NamedTuple):
    """A layout whose names stand under a prefix."""

    prefix: str
    parts: tuple[Any, ...]


class Tower(NamedTuple):
    """The layout of a nested model: `name` in `Architecture.towers`, its place, its group and its letters' mark."""

    name: str
    prefix: str
    group: str
    mark: str


class Text(NamedTuple):
    """The place of the text model in a wrapper: the prefix that replaces its own."""

    prefix: str = "model.language_model."


Part = Block | Stack | Prefixed | Tower | Text
Layout = tuple[Part, ...]


def by_case(cases: Mapping[str, tuple[Block, ...]]) -> Callable[[Any], tuple[Block, ...]]:
    """The cases of a choice from a table; a case that it lacks is refused in words."""

    def case(name: Any) -> tuple[Block, ...]:
        if name not in cases:
            raise ModelFileError(f"a layer is of the kind {shown(name)}; known are {', '.join(sorted(cases))}")
        return cases[name]

    return case


def size(key: str, name: str) -> Width:
    """A width that a field gives."""
    return lambda v: v.size(key, name)


def hidden(v: View) -> Size:
    """The model's width."""
    return v.h


def mlp_width(v: View) -> Size:
    """The width inside the MLP."""
    return v.f


def linear(name: str, rows: Size | int, columns: Size | int, bias: bool = False) -> Iterator[Weight]:
    """A linear layer as PyTorch stores it: [out, in], and a bias of [out]."""
    yield Weight(f"{name}.weight", (rows, columns))
    if bias:
        yield Weight(f"{name}.bias", (rows,), "vector")


def vector(name: str, *shape: Size | int) -> Weight:
    """Parameters that no matrix product reads: a norm's weight, a bias, a gate."""
    return Weight(name, shape, "vector")
