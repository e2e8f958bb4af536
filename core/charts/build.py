"""The pieces that charts are described with: segments by band, axes, spoken text."""

from __future__ import annotations

from fractions import Fraction

from core.bands import ALL_LABELS
from core.charts.description import Bar, Chart, Limit, Segment, Tick
from core.charts.scale import byte_ticks, plain_ticks, reach
from core.numbers import Number, significant
from core.quantities import System, bytes_text

_FRACTIONS = {
    Fraction(1, 8): "one eighth",
    Fraction(1, 4): "a quarter",
    Fraction(1, 2): "half",
    Fraction(3, 4): "three quarters",
}


def byte_chart(
    name: str, title: str, caption: str, bars: tuple[Bar, ...], limits: tuple[Limit, ...], system: System
) -> Chart:
    """A chart of bytes: scale and spoken text follow from bars and limits."""
    maximum, break_at = reach(bars, limits)
    ticks = byte_ticks(break_at or maximum, system)
    said = spoken(caption, bars, limits)
    return Chart(name, title, caption, "B", bars, limits, ticks, maximum, break_at, said)


def plain_chart(name: str, title: str, caption: str, bars: tuple[Bar, ...], unit: str) -> Chart:
    """A chart of figures in one unit that has no steps of a thousand."""
    longest = max((bar.total for bar in bars), default=0) or 1
    ticks: tuple[Tick, ...] = plain_ticks(longest, unit)
    return Chart(name, title, caption, unit, bars, (), ticks, longest, None, spoken(caption, bars, ()))


def spoken(caption: str, bars: tuple[Bar, ...], limits: tuple[Limit, ...]) -> str:
    """What a chart says, in sentences."""
    said = [caption]
    for bar in bars:
        parts = [f"{segment.label.lower()} {segment.text}" for segment in bar.segments if segment.value]
        said.append(f"{bar.label}: {bar.text}" + (f" ({', '.join(parts)})" if len(parts) > 1 else ""))
    said += [f"Line at {limit.label}" for limit in limits]
    return ". ".join(said) + "."


def share_text(part: Number, whole: Number) -> str:
    """A part of a whole: in words where it is a plain fraction, else in per cent."""
    share = Fraction(part) / Fraction(whole)
    return _FRACTIONS.get(share, f"{significant(share * 100)} %")


def band_segments(sizes: dict[str, int], keys: str, system: System) -> tuple[Segment, ...]:
    """A segment for each band of `sizes`, in their order; `keys` is the path of their derivations, `{}` the band."""
    return tuple(
        Segment(band, ALL_LABELS[band], size, bytes_text(size, system), keys.format(band))
        for band, size in sizes.items()
    )


def against(total: int, room: int, system: System) -> str:
    value = bytes_text(total, system)
    return f"{value} · fits" if total <= room else f"{value} · over by {bytes_text(total - room, system)}"
