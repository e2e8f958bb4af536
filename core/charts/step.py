"""One training step of one card: its moments, and what the forward pass keeps."""

from __future__ import annotations

from core.account import Account
from core.charts.build import against, band_segments, byte_chart
from core.charts.description import Bar, Chart, Limit, Segment
from core.memory.rows import Category, SavedTensor
from core.quantities import System, bytes_text

STEP_TITLE = "One step, moment by moment"
KEPT_TITLE = "What the forward pass keeps"
EMPTY = "Name a model, or drop its config.json on the window, to see its activations and the moment at which they peak."
NO_STEP = "A recipe without gradients takes no step."
UNTABLED = "The activations of {} are not tabled."
_CATEGORIES: dict[Category, str] = {
    "attention": "Attention",
    "mlp": "MLP",
    "norm": "Norms",
    "position": "Positions",
    "dropout": "Dropout masks",
    "checkpoint": "Checkpoints",
    "head": "Head",
    "loss": "Loss",
    "weight cast": "Weight casts",
}


def _empty(account: Account, name: str, title: str) -> Chart:
    said = EMPTY if account.model is None else NO_STEP
    if account.model is not None and not account.model.tabled:
        said = UNTABLED.format(account.model.arch.family)
    return Chart(name, title, "", "B", (), (), (), 1, None, said)


def step_chart(account: Account, system: System) -> Chart:
    """The moments of a step on one card, by band, against the card's memory; the peak is marked."""
    step, room = account.stage.bill, account.card.room.count
    if step is None:
        return _empty(account, "step", STEP_TITLE)
    bars = []
    for place, moment in enumerate(step.moments):
        text = against(moment.bytes, room, system)
        low, high = (bytes_text(end, system) for end in (moment.low, moment.high))
        if low != high:
            text = f"{text.split(' · ', 1)[0]} · {low} to {high}"
        peak = moment is step.peak
        bars.append(
            Bar(
                moment.name[:1].upper() + moment.name[1:],
                band_segments(moment.bands, f"moments.{place}.bytes", system),
                text,
                "the peak" if peak else "",
                f"moments.{place}.bytes",
                over=moment.bytes > room,
                chosen=peak,
            )
        )
    limits = (Limit(room, f"{bytes_text(room, system)}, {account.card.name or 'one card'}"),) if room > 0 else ()
    run = step.kept.run
    caption = (
        f"The peak is {step.peak.name}: micro-batch {run.micro_batch:,} of {run.seq_len:,} tokens"
        f"{', attention by ' + step.kept.kernel if step.kept.kernel else ''}"
    )
    return byte_chart("step", STEP_TITLE, caption, tuple(bars), limits, system)


def _largest(tensors: list[SavedTensor]) -> str:
    """The tensor that takes most, and how many take as much."""
    most = max(tensor.bytes for tensor in tensors)
    first, *others = [tensor.row.tensor for tensor in tensors if tensor.bytes == most]
    return f"largest: {first}" + (f", with {len(others)} as large" if others else "")


def kept_chart(account: Account, system: System) -> Chart:
    """What the forward pass keeps for the backward pass, by the part of the model that keeps it."""
    step = account.stage.bill
    if step is None:
        return _empty(account, "kept", KEPT_TITLE)
    found: dict[Category, list[SavedTensor]] = {}
    for tensor in step.kept.tensors:
        found.setdefault(tensor.row.category, []).append(tensor)
    sizes = {category: sum(tensor.bytes for tensor in tensors) for category, tensors in found.items()}
    bars = tuple(
        Bar(
            _CATEGORIES.get(category, category),
            (Segment("activations", "Activations", size, bytes_text(size, system), "activations.saved_bytes"),),
            f"{bytes_text(size, system)} · {_largest(found[category])}",
            key="activations.saved_bytes",
        )
        for category, size in sorted(sizes.items(), key=lambda entry: -entry[1])
    )
    total = step.kept.saved_bytes + step.kept.weight_cast_bytes
    layers = account.model.dimensions.layers if account.model else 1
    caption = f"{bytes_text(total, system)} in {layers} {'layer' if layers == 1 else 'layers'}, head and loss"
    return byte_chart("kept", KEPT_TITLE, caption, bars, (), system)
