"""What a Learn page shows, as plain data.

A page is drawings beside and beneath each other, with a row of figures at its foot. Bars are charts as on the board;
the kinds below are for what bars cannot show. As with charts, whoever paints or reads a description adds no number and
no word. Points of lines and places on a number line are floats, since they become pixels; figures keep exact lines.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from core.charts.description import Chart, Tick
from core.lines import Line
from core.numbers import Number

Dash = Literal["solid", "dashed", "dotted"]


class Figure(msgspec.Struct, frozen=True):
    """One figure beneath the drawings: what it is, its text, a word about it, and the line behind it.

    `mark` is "right" or "wrong" where the figure is an example of how to compute, or of how not to.
    """

    key: str
    label: str
    text: str
    detail: str = ""
    line: Line | None = None
    mark: str = ""


class Series(msgspec.Struct, frozen=True):
    """One line: its name and the text at its end, its colour role, and its points from left to right.

    `stepped`: the value holds until the next point. `strong`: it is the one to look at.
    """

    label: str
    text: str
    role: str
    points: tuple[tuple[float, float], ...]
    dash: Dash = "solid"
    strong: bool = False
    stepped: bool = False


class Rule(msgspec.Struct, frozen=True):
    """A labelled dashed line across lines: at a height, or upright."""

    at: float
    label: str
    upright: bool = False


class Plot(msgspec.Struct, frozen=True):
    """Lines over one axis each way; `log_x`, `log_y`: equal factors take equal room. `x_name` stands at the x axis.

    `tick_room` and `name_room` are texts of a plot that this one is drawn beneath: room is kept for the widest of all,
    so that the axes of both line up.
    """

    name: str
    title: str
    caption: str
    series: tuple[Series, ...]
    rules: tuple[Rule, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    x_name: str
    spoken: str
    log_x: bool = False
    log_y: bool = False
    tick_room: tuple[str, ...] = ()
    name_room: tuple[str, ...] = ()


class BitRow(msgspec.Struct, frozen=True):
    """One number as its format holds it: the digits of sign, exponent and fraction, and its value."""

    label: str
    sign: str
    exponent: str
    fraction: str
    text: str
    changed: frozenset[int] = frozenset()


class Bits(msgspec.Struct, frozen=True):
    """Bit patterns, one a row, under the names of their groups; `changed` bits differ from the first row's."""

    name: str
    title: str
    caption: str
    groups: tuple[str, str, str]
    rows: tuple[BitRow, ...]
    spoken: str


class Ruler(msgspec.Struct, frozen=True):
    """A number line around a weight: what can be represented, where one update aims, and where it lands.

    Places are in gaps from the weight: −1 is the neighbour below, −½ the middle, where rounding turns.
    """

    name: str
    title: str
    caption: str
    marks: tuple[tuple[float, str], ...]
    half: float
    half_text: str
    aim: float
    aim_text: str
    lands: float
    verdict: str
    survives: bool
    spoken: str


class LoopStage(msgspec.Struct, frozen=True):
    """One stage of a training step: its name, what it moves in all, and whether it happens in this recipe."""

    label: str
    text: str
    active: bool


class LoopItem(msgspec.Struct, frozen=True):
    """One item that is kept: its label, its format with its width, its band, and what moves of it in all."""

    label: str
    note: str
    role: str
    text: str


class LoopMark(msgspec.Struct, frozen=True):
    """What one stage does with one item: texts of what is read and written, empty where nothing is."""

    stage: int
    item: int
    read: str
    write: str


class Loop(msgspec.Struct, frozen=True):
    """A training step as a cycle of stages over the items in memory; `chosen` is the stage to look at, or None."""

    name: str
    title: str
    caption: str
    stages: tuple[LoopStage, ...]
    items: tuple[LoopItem, ...]
    marks: tuple[LoopMark, ...]
    read_word: str
    write_word: str
    total: str
    total_label: str
    sum_label: str
    chosen: int | None
    spoken: str


class Slot(msgspec.Struct, frozen=True):
    """A band as every card would hold it whole: its bytes, and the part from `begin` to `end` that this card holds."""

    role: str
    size: Number
    begin: Fraction
    end: Fraction


class CellCard(msgspec.Struct, frozen=True):
    """One card: its name, its slots from the top, and its total."""

    label: str
    slots: tuple[Slot, ...]
    text: str


class CellBand(msgspec.Struct, frozen=True):
    """The name of a band beside the cards, and how much of it one card holds."""

    label: str
    role: str
    text: str


class Cells(msgspec.Struct, frozen=True):
    """Cards as cells that fill. Of many cards the first ones and the last are drawn, `gap_after` of them before a gap.

    `over`: one card's share is more than a card has.
    """

    name: str
    title: str
    caption: str
    bands: tuple[CellBand, ...]
    cards: tuple[CellCard, ...]
    gap_after: int
    verdict: str
    over: bool
    spoken: str


class Answer(msgspec.Struct, frozen=True):
    """One answer to choose: its text, whether it is right, and which mistake leads to it."""

    text: str
    right: bool
    why: str = ""


class Quiz(msgspec.Struct, frozen=True):
    """A question with its choices; `chosen` is the one that a person took, or None before that.

    `derivation` is shown once one was taken: the account's lines, step by step.
    """

    name: str
    title: str
    caption: str
    question: str
    choices: tuple[Answer, ...]
    chosen: int | None
    derivation: tuple[str, ...]
    said: str
    spoken: str


Drawing = Chart | Plot | Bits | Ruler | Loop | Cells | Quiz


class Part(msgspec.Struct, frozen=True):
    """A drawing, or a split of its own, and its share of the room."""

    content: Drawing | Split
    weight: int = 1


class Split(msgspec.Struct, frozen=True):
    """Parts side by side where `across` is set, else from top to bottom."""

    parts: tuple[Part, ...]
    across: bool = False

    def drawings(self) -> tuple[Drawing, ...]:
        """All drawings, in the order they are read."""
        found: list[Drawing] = []
        for part in self.parts:
            found += part.content.drawings() if isinstance(part.content, Split) else (part.content,)
        return tuple(found)


class View(msgspec.Struct, frozen=True):
    """One page at one step: heading, a few words, drawings, what the step says, and figures."""

    name: str
    title: str
    lead: str
    body: Split
    figures: tuple[Figure, ...]
    said: str = ""
    step: int = 0
    steps: int = 1

    @property
    def drawings(self) -> tuple[Drawing, ...]:
        """All drawings, in the order they are read."""
        return self.body.drawings()
