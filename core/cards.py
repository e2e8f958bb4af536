"""The catalogue of cards: how much memory each has, by three ways of counting, and how fast it is.

Memory is counted three ways, and they differ by up to a tenth. `marketed` is what the vendor prints, taken at its word:
80 GB is 80 × 10⁹ B, and only where a vendor prints GiB is it 2³⁰. `reported` is the total that the card's own tool
shows (nvidia-smi, rocm-smi, hl-smi). `usable` is the total that a program sees (PyTorch's total_memory), before the
context takes its share; PyTorch prints it in hundredths of a GiB, so it is known to about 5 MB.

Peaks are dense, in FLOP/s; a figure that no source was found for is None. Every figure carries its source.
"""

from __future__ import annotations

import csv
import difflib
import json
import re
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from core.quantities import BYTE, GB, GIB, MIB

CATALOGUE = Path(__file__).parents[1] / "resources" / "catalogue" / "cards.csv"
Capacity = Literal["marketed", "reported", "usable"]

_UNITS = {unit.symbol: unit.size for unit in (BYTE, MIB, GB, GIB)}
# Words that a device name may carry and that tell no two cards apart.
_VENDOR_WORDS = frozenset({"nvidia", "tesla", "geforce", "amd", "instinct", "intel", "google", "cloud", "aws"})


class UnknownCard(ValueError):
    """A name that is no card's, or several cards'. The message is one sentence."""


class Card(msgspec.Struct, frozen=True):
    """One card, or one device of a card that programs see as several.

    Attributes:
        marketed: memory as the vendor prints it, with its unit.
        marketed_bytes, reported_bytes, usable_bytes: bytes.
        peak_16bit, peak_fp8, peak_fp32: dense FLOP/s. 16 bits are bf16, or fp16 where the note says so.
        bandwidth: of the memory, bytes a second.
        sources: for each figure that is known, by attribute, where it stands.
    """

    name: str
    vendor: str
    aliases: tuple[str, ...]
    marketed: str
    marketed_bytes: int
    reported_bytes: int | None
    usable_bytes: int | None
    peak_16bit: int | None
    peak_fp8: int | None
    peak_fp32: int | None
    bandwidth: int | None
    note: str
    sources: dict[str, str]


# Attribute, column, and what one of the column's unit is; None where the column writes its own unit of memory.
_COLUMNS = (
    ("marketed_bytes", "marketed", None),
    ("reported_bytes", "reported", None),
    ("usable_bytes", "usable", None),
    ("peak_16bit", "tflops_16bit", 10**12),
    ("peak_fp8", "tflops_fp8", 10**12),
    ("peak_fp32", "tflops_fp32", 10**12),
    ("bandwidth", "bandwidth_gb_s", 10**9),
)


def _figure(text: str, scale: int | None) -> int | None:
    """The whole number nearest to a cell; None for an empty one."""
    if not text:
        return None
    number, _, unit = text.partition(" ")
    return round(Fraction(number) * (_UNITS[unit] if scale is None else scale))


def _card(row: dict[str, str]) -> Card:
    figures: dict[str, Any] = {name: _figure(row[column], scale) for name, column, scale in _COLUMNS}
    sources = {
        name: row[f"{column.removesuffix('_gb_s')}_source"] for name, column, _ in _COLUMNS if figures[name] is not None
    }
    aliases = tuple(alias.strip() for alias in row["aliases"].split(";") if alias.strip())
    return Card(
        name=row["name"],
        vendor=row["vendor"],
        aliases=aliases,
        marketed=row["marketed"],
        note=row["note"],
        sources=sources,
        **figures,
    )


@lru_cache(maxsize=1)
def cards() -> tuple[Card, ...]:
    """All cards, in the order of the catalogue. Read when first asked for."""
    with CATALOGUE.open(encoding="utf-8", newline="") as file:
        return tuple(_card(row) for row in csv.DictReader(file))


def capacity(card: Card, which: Capacity) -> int | None:
    """Bytes of a card by one way of counting; None where that figure is not known."""
    figures = {"marketed": card.marketed_bytes, "reported": card.reported_bytes, "usable": card.usable_bytes}
    return figures[which]


def _words(name: str) -> frozenset[str]:
    """What tells a name from another: its words in any order and case, without vendors, 80 GB being one word."""
    text = re.sub(r"(\d)\s+(?=gi?b\b)", r"\1", name.casefold())
    return frozenset(re.findall(r"[a-z0-9]+", text)) - _VENDOR_WORDS


@lru_cache(maxsize=1)
def _known() -> dict[frozenset[str], Card]:
    """Each card by the words of its name and of its aliases."""
    return {_words(name): card for card in cards() for name in (card.name, *card.aliases)}


def card(name: str) -> Card:
    """The card of that name, whatever the case, order and punctuation: "h100 sxm", "a100-80gb", "NVIDIA L40S".

    A name that leaves words out is taken where it fits one card only.

    Raises:
        UnknownCard: where no card or more than one is meant.
    """
    words = _words(name)
    if words in _known():
        return _known()[words]
    fitting = {found.name: found for known, found in _known().items() if words and words < known}
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    shown = repr(name.strip()[:60]) if name.strip() else "an empty name"
    if fitting:
        raise UnknownCard(f"{shown} could be {_listed(list(fitting)[:6])}: name one")
    names = {label.casefold(): found.name for found in cards() for label in (found.name, *found.aliases)}
    near = difflib.get_close_matches(name.strip().casefold(), list(names), 6, 0.6)
    close = list(dict.fromkeys(names[label] for label in near))[:3]
    accepted = f"near it: {_listed(close)}" if close else "the catalogue of cards lists the names"
    raise UnknownCard(f"{shown} is no card of the catalogue; {accepted}")


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}" if len(names) > 1 else names[0]


def as_json() -> str:
    """The catalogue as a JSON array of objects: bytes, FLOP/s and B/s as integers, null where not known."""
    return json.dumps([msgspec.to_builtins(known) for known in cards()], indent=2, ensure_ascii=False)


def as_text() -> str:
    """The catalogue for reading: a line of figures a card, then its note and the source of each figure."""
    return "\n".join(_paragraph(known) for known in cards())


def _paragraph(known: Card) -> str:
    memory = [f"{known.marketed} marketed"]
    memory += [
        f"{size:,} B {which}"
        for which, size in (("reported", known.reported_bytes), ("usable", known.usable_bytes))
        if size is not None
    ]
    speed = [
        f"{peak / 10**12:,g} TFLOP/s {kind}"
        for kind, peak in (("16-bit", known.peak_16bit), ("fp8", known.peak_fp8), ("fp32", known.peak_fp32))
        if peak is not None
    ]
    if known.bandwidth is not None:
        speed.append(f"{known.bandwidth / 10**9:,g} GB/s")
    lines = [f"{known.name} ({known.vendor})", "    " + "; ".join(memory + speed)]
    if known.note:
        lines.append(f"    {known.note}")
    told: dict[str, list[str]] = {}
    for figure, source in known.sources.items():
        told.setdefault(source, []).append(_LABELS[figure])
    lines += [f"    {', '.join(figures)}: {source}" for source, figures in told.items()]
    return "\n".join(lines)


_LABELS = {
    "marketed_bytes": "marketed",
    "reported_bytes": "reported",
    "usable_bytes": "usable",
    "peak_16bit": "16-bit",
    "peak_fp8": "fp8",
    "peak_fp32": "fp32",
    "bandwidth": "bandwidth",
}
