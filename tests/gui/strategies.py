"""Charts of every kind that a description can hold, for Hypothesis."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from core.charts.description import Bar, Chart, Limit, Number, Segment, Tick

ROLES = ("parameters", "gradients", "optimizer", "activations", "transient", "unheard-of")

words: SearchStrategy[str] = st.text(st.sampled_from("abcdefgmnorstW1234 -·"), max_size=60).map(
    lambda text: " ".join(text.split())
)
numbers: SearchStrategy[Number] = st.one_of(
    st.integers(0, 10**3),
    st.integers(0, 10**15),
    st.sampled_from([0, 1, 10**24]),
    st.fractions(0, 100, max_denominator=8),
)


@st.composite
def bars(draw: st.DrawFn) -> Bar:
    """A bar of up to six segments, some of them 0."""
    segments = tuple(
        Segment(draw(st.sampled_from(ROLES)), draw(words), draw(numbers), draw(words), key=f"part{at}")
        for at in range(draw(st.integers(0, 6)))
    )
    text = draw(st.sampled_from(["", "2 B", "480 GB", "480 GB · over by 400 GB", "1,234,567,890,123 B · fits"]))
    return Bar(
        draw(words),
        segments,
        text,
        draw(words),
        draw(st.sampled_from(["", "bar"])),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.none() | numbers),
    )


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    """A chart of 1 to 16 bars; now and then with bars broken, with up to eight limits and ticks."""
    made = draw(st.lists(bars(), min_size=1, max_size=16))
    longest = max(bar.total for bar in made)
    broken = draw(st.booleans()) and longest > 16
    maximum: Number = Fraction(longest) / draw(st.integers(2, 1000)) if broken else longest
    limits = tuple(
        Limit(maximum * Fraction(draw(st.integers(0, 100)), 100), draw(words)) for _ in range(draw(st.integers(0, 8)))
    )
    count = draw(st.integers(0, 8))
    ticks = tuple(Tick(maximum * Fraction(at, max(1, count)), f"{at * 100:,} GB") for at in range(count + 1))
    return Chart(
        name="made",
        title=draw(words),
        caption=draw(words),
        unit=draw(st.sampled_from(["", "B", "GB"])),
        bars=tuple(made),
        limits=limits,
        ticks=ticks,
        maximum=maximum,
        break_at=maximum * Fraction(4, 5) if broken else None,
        spoken=draw(words),
    )
