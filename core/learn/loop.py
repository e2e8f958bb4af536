"""One training step as a cycle: which item each stage reads and writes, and how many bytes that moves.

The stages follow mixed-precision training with a master copy (Micikevicius et al. 2018, figure 1): forward and
backward compute with the working weights, the update reads the gradients and changes what lives between steps, and the
working weights are rounded anew from the master copy. Counted is each item once for each access; activations, caches
and repeated micro-batches come on top.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from core.account import Account, Kept
from core.learn.description import Figure, Loop, LoopItem, LoopMark, LoopStage, Part, Split, View
from core.learn.state import State
from core.learn.texts import text
from core.lines import Line, given, product, total
from core.numbers import Number, significant
from core.quantities import System, bytes_text

STAGES = ("forward", "backward", "update", "refresh")
Way = Literal["read", "write"]

# stage, item, ways; where a recipe keeps a master copy.
_WITH_MASTER: tuple[tuple[str, str, tuple[Way, ...]], ...] = (
    ("forward", "weights", ("read",)),
    ("backward", "weights", ("read",)),
    ("backward", "gradients", ("write",)),
    ("update", "gradients", ("read",)),
    ("update", "master", ("read", "write")),
    ("update", "momentum", ("read", "write")),
    ("update", "variance", ("read", "write")),
    ("update", "other", ("read", "write")),
    ("refresh", "master", ("read",)),
    ("refresh", "weights", ("write",)),
)
# Without one the update changes the working weights themselves, and nothing is left to refresh.
_WITHOUT_MASTER = (
    *(row for row in _WITH_MASTER if row[0] in ("forward", "backward")),
    ("update", "gradients", ("read",)),
    ("update", "weights", ("read", "write")),
    *(row for row in _WITH_MASTER if row[0] == "update" and row[1] in ("momentum", "variance", "other")),
)
# Gradients in two formats: the 16-bit ones are read back once to be added to the 32-bit ones, which the update reads.
BOTH_GRADIENTS = "bf16 + fp32"
_HALF_OF_BOTH = 2


class Access(msgspec.Struct, frozen=True):
    """One stage reading or writing one item: bytes for each parameter, and for the whole model as a line."""

    stage: str
    kept: Kept
    way: Way
    each: Number
    line: Line


def accesses(account: Account) -> tuple[Access, ...]:
    """Every access of one training step, stage by stage."""
    kept = {row.item.name: row for row in account.kept if row.item.bytes}
    rules: tuple[tuple[str, str, tuple[Way, ...]], ...] = _WITH_MASTER if "master" in kept else _WITHOUT_MASTER
    if "gradients" not in kept:
        rules = rules[:1]  # no gradients, no training: the forward pass alone
    found = []
    for stage, name, ways in rules:
        if name not in kept:
            continue
        row = kept[name]
        for way in ways:
            each = update_bytes(row) if (stage, name) == ("update", "gradients") else row.item.bytes
            found.append(_access(account, stage, row, way, each))
        if (stage, name) == ("backward", "gradients") and row.item.format == BOTH_GRADIENTS:
            found.append(_access(account, stage, row, "read", _HALF_OF_BOTH))
    return tuple(found)


def update_bytes(gradients: Kept) -> Number:
    """Bytes of one gradient as the update, and a message between cards, takes it."""
    if gradients.item.format == BOTH_GRADIENTS:
        return gradients.item.bytes - _HALF_OF_BOTH
    return gradients.item.bytes


def _access(account: Account, stage: str, row: Kept, way: Way, each: Number) -> Access:
    name = text(f"loop.{way}.line", item=row.item.label.lower(), stage=text(f"loop.{stage}").lower())
    figure = given(f"{row.item.label.lower()} of a parameter", each, "B")
    return Access(stage, row, way, each, product(name, "B", account.params, figure, whole=True))


def stage_line(account: Account, stage: str) -> Line:
    """Bytes that a stage reads and writes."""
    return total(text(f"loop.{stage}"), "B", tuple(row.line for row in accesses(account) if row.stage == stage))


def traffic(account: Account) -> Line:
    """Bytes that one step reads and writes, in all."""
    stages = tuple(line for stage in STAGES if (line := stage_line(account, stage)).count)
    return total(text("loop.total.line"), "B", stages)


def describe(account: Account, system: System, state: State) -> View:
    """The cycle as a whole at step 0, then stage by stage."""
    step = state.at(0, len(STAGES) + 1)
    chosen = step - 1 if step else None
    rows = accesses(account)
    kept = tuple(row for row in account.kept if row.item.bytes)
    marks = []
    for at, stage in enumerate(STAGES):
        for place, item in enumerate(kept):
            moved = {
                row.way: bytes_text(row.line.count, system) for row in rows if row.stage == stage and row.kept is item
            }
            if moved:
                marks.append(LoopMark(at, place, moved.get("read", ""), moved.get("write", "")))
    stages = tuple(_stage(account, stage, system) for stage in STAGES)
    said = [_said(account, system, stage) for stage in STAGES]
    whole = traffic(account)
    loop = Loop(
        "loop",
        text("loop.chart"),
        text("loop.caption"),
        stages,
        tuple(_item(rows, item, system) for item in kept),
        tuple(marks),
        text("loop.read"),
        text("loop.write"),
        bytes_text(whole.count, system),
        text("loop.total"),
        text("loop.sum"),
        chosen,
        " ".join(said),
    )
    return View(
        "loop",
        text("loop.title"),
        text("loop.lead"),
        Split((Part(loop),)),
        _figures(account, system),
        text("loop.whole") if chosen is None else said[chosen],
        step,
        len(STAGES) + 1,
    )


def _stage(account: Account, stage: str, system: System) -> LoopStage:
    moved = stage_line(account, stage).count
    return LoopStage(text(f"loop.{stage}"), bytes_text(moved, system) if moved else text("loop.none"), moved > 0)


def _item(rows: tuple[Access, ...], kept: Kept, system: System) -> LoopItem:
    width = f"{significant(kept.item.bytes * 8, 4)} bits"
    note = f"{kept.item.format}, {width}" if kept.item.format else width
    moved = sum(row.line.count for row in rows if row.kept is kept)
    return LoopItem(kept.item.label, note, kept.item.band, bytes_text(moved, system))


def _said(account: Account, system: System, stage: str) -> str:
    """What a stage reads and writes, in a sentence."""
    rows = [row for row in accesses(account) if row.stage == stage]
    label = text(f"loop.{stage}")
    if not rows:
        return text("loop.idle", stage=label)
    words = []
    for way in ("read", "write"):
        own = [row for row in rows if row.way == way]
        if own:
            names = _listed([row.kept.item.label.lower() for row in own])
            words.append(
                text(f"loop.{way}.said", items=names, size=bytes_text(sum(row.line.count for row in own), system))
            )
    return text("loop.said", stage=label, words="; ".join(words), why=text(f"loop.{stage}.why"))


def _listed(words: list[str]) -> str:
    return text("list.last", first=", ".join(words[:-1]), last=words[-1]) if len(words) > 1 else words[0]


def _figures(account: Account, system: System) -> tuple[Figure, ...]:
    rows, whole = accesses(account), traffic(account)
    reads, writes = (
        total(text(f"loop.{way}.all"), "B", tuple(row.line for row in rows if row.way == way))
        for way in ("read", "write")
    )
    each = total(text("loop.each"), "B", tuple(given(row.line.name, row.each, "B") for row in rows))
    update = stage_line(account, "update")
    found = [
        Figure("traffic", text("loop.total"), bytes_text(whole.count, system), text("loop.total.detail"), whole),
        Figure("each", text("loop.each"), f"{significant(each.value or 0, 5)} B", text("loop.each.detail"), each),
        Figure("read", text("loop.read.all"), bytes_text(reads.count, system), "", reads),
        Figure("write", text("loop.write.all"), bytes_text(writes.count, system), "", writes),
    ]
    if update.count:
        found.append(
            Figure(
                "update", text("loop.update.all"), bytes_text(update.count, system), text("loop.update.detail"), update
            )
        )
    return tuple(found)
