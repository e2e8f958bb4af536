"""What a model is made of: its parameters by group of terms."""

from __future__ import annotations

from core.account import Account
from core.charts.build import share_text, spoken
from core.charts.description import Bar, Chart, Segment, Tick
from core.charts.scale import tick_step
from core.models.count import Term
from core.numbers import Number, narrow
from core.quantities import System, count_text

TITLE = "What the model is made of"
EMPTY = "Name a model, or drop its config.json on the window, to see what it is made of."
# Groups in the order in which a token passes them; any other follows.
ORDER = ("vision", "audio", "projector", "embedding", "attention", "mixer", "mlp", "router", "experts", "norm", "head")
LABELS = {"mlp": "MLP", "norm": "Norms", "experts": "Experts", "head": "Head", "vision": "Vision tower"}


def model_chart(account: Account, system: System) -> Chart:
    """Parameters by group; in a mixture the part that one token uses is set off from the rest."""
    if account.model is None:
        return Chart("model", TITLE, "", "parameters", (), (), (), 1, None, EMPTY)
    groups: dict[str, list[Term]] = {}
    for term in account.model.count.terms:
        groups.setdefault(term.group, []).append(term)
    names = sorted(groups, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))
    total = account.params.count
    bars = tuple(_bar(name, groups[name], total) for name in names)
    longest = max((bar.total for bar in bars), default=0) or 1
    arch = account.model.arch
    caption = f"{arch.name}: {total:,} parameters, {arch.layers} layers of width {arch.hidden:,}"
    if account.active is not account.params:
        caption += f"; one token uses {count_text(account.active.count)}"
    return Chart(
        "model", TITLE, caption, "parameters", bars, (), _ticks(longest), longest, None, spoken(caption, bars, ())
    )


def _bar(name: str, terms: list[Term], total: int) -> Bar:
    size, active = sum(term.count for term in terms), sum(term.active for term in terms)
    depth = max(term.layers for term in terms)
    # What stands once, as the last norm does, is in no layer.
    inside = sum(term.count for term in terms if term.layers == depth)
    each = f" · {count_text(inside // depth)} in each of {depth} layers" if depth > 1 else ""
    segments = [Segment("parameters", "Used by a token" if active < size else "Parameters", active, count_text(active))]
    if active < size:
        segments.append(Segment("idle", "Other experts", size - active, count_text(size - active)))
    label = LABELS.get(name, name[:1].upper() + name[1:])
    return Bar(label, tuple(segments), f"{count_text(size)}{each}", share_text(size, total))


def _ticks(maximum: Number) -> tuple[Tick, ...]:
    step = tick_step(maximum)
    return tuple(
        Tick(narrow(step * place), count_text(narrow(step * place)) if place else "0")
        for place in range(int(maximum / step) + 1)
    )
