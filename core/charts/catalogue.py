"""Every chart, once: its name, its title and how it is described from an account."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from core.account import Account, Stage, at_peak
from core.bands import BAND_LABELS
from core.charts.build import against, band_segments, byte_chart, plain_chart, share_text
from core.charts.card import TITLE as CARD_TITLE
from core.charts.card import card_chart
from core.charts.description import Bar, Chart, Limit, Segment
from core.charts.model import TITLE as MODEL_TITLE
from core.charts.model import model_chart
from core.charts.step import KEPT_TITLE, STEP_TITLE, kept_chart, step_chart
from core.lines import amount
from core.numbers import significant
from core.quantities import System, bytes_text
from core.recipes import optimizer, recipe

_MOST_CARD_LINES = 5
_MOST_CARD_ROWS = 8


class ChartKind(msgspec.Struct, frozen=True):
    """A chart that views, exports and the command line know by name."""

    name: str
    title: str
    describe: Callable[[Account, System], Chart]


def recipe_text(account: Account) -> str:
    """Recipe and optimizer as a person names them."""
    scenario = account.scenario
    named = recipe(scenario.precision).label
    return f"{'Custom bytes, from ' if account.custom else ''}{named} with {optimizer(scenario.optimizer).label}"


def per_parameter(account: Account, system: System) -> Chart:
    """The items of one parameter, one bar each."""
    bars = tuple(
        Bar(
            kept.item.label,
            (Segment(kept.item.band, kept.item.label, kept.item.bytes, f"{significant(kept.item.bytes, 6)} B", key),),
            f"{significant(kept.item.bytes, 6)} B",
            kept.item.format,
            key,
        )
        for index, kept in enumerate(account.kept)
        if (key := f"per_parameter.{index}.bytes") and (kept.item.name != "other" or kept.item.bytes)
    )
    each = account.each_bands
    bands = " · ".join(f"{BAND_LABELS[band].lower()} {significant(each[band], 6)}" for band in BAND_LABELS)
    caption = f"{significant(account.each.value or 0, 6)} B in all: {bands}"
    return plain_chart("per-parameter", CHARTS["per-parameter"].title, caption, bars, "B")


def _share(account: Account) -> str:
    """How small a part of training inference is; where the weights are the same bytes, of the weights."""
    training, inference = account.training.count, account.inference.count
    if not 0 < inference < training:
        return ""
    same = inference == account.bands["parameters"].count
    return f": {'the weights alone are' if same else 'inference takes'} {share_text(inference, training)}"


def footprint(account: Account, system: System) -> Chart:
    """Training against inference, by band, with lines at whole cards."""
    training, inference = account.training.count, account.inference.count
    bars = (
        Bar(
            "Training",
            band_segments({band: line.count for band, line in account.bands.items()}, "training.bands.{}", system),
            bytes_text(training, system),
            amount(account.each.value, "B") + " each",
            "training.bytes",
        ),
        Bar(
            "Inference",
            (Segment("parameters", "Parameters", inference, bytes_text(inference, system), "inference.bytes"),),
            bytes_text(inference, system),
            "weights alone",
            "inference.bytes",
        ),
    )
    share = _share(account)
    caption = f"{bytes_text(training, system)} against {bytes_text(inference, system)}{share}"
    return byte_chart("footprint", CHARTS["footprint"].title, caption, bars, _card_lines(account, training), system)


def _card_lines(account: Account, longest: int) -> tuple[Limit, ...]:
    """Lines at whole cards: the first, the last that is needed, and a few round ones between."""
    room = account.card.room.count
    if room <= 0 or account.cards_needed is None:
        return ()
    last = account.cards_needed.count
    step = 1
    while last / step > _MOST_CARD_LINES:
        step = {"1": 2, "2": 5, "5": 10}[str(step)[0]] * 10 ** (len(str(step)) - 1)
    counts = sorted({1, *range(step, last, step), last})
    kept = [count for count in counts if count in (1, last) or last - count >= step / 2]
    # Lines nearer than a fiftieth of the picture to zero would be drawn over the axis.
    return tuple(Limit(count * room, amount(count, "cards")) for count in kept if count * room * 50 >= longest)


def _card_limit(account: Account, system: System) -> tuple[Limit, ...]:
    room = account.card.room.count
    if room <= 0:
        return ()
    reserved = " after the reserve" if account.card.room is not account.card.capacity else ""
    return (Limit(room, f"{bytes_text(room, system)}, {account.card.name or 'one card'}{reserved}"),)


_SHARED_TEXT = ("nothing shared", "optimizer states", "and gradients", "and parameters")


def _stage_key(stage: Stage) -> str:
    """Where the bar of a stage is derived: the peak where a step is known, else the states."""
    return f"stages.{stage.stage}.{'per_card_bytes' if stage.bill is None else 'peak_bytes'}"


def _stage_bar(account: Account, stage: Stage, system: System) -> Bar:
    key = _stage_key(stage)
    keys = "per_card.{}" if stage is account.stage and stage.bill is None else key
    return Bar(
        f"Stage {stage.stage}",
        band_segments(stage.at_peak(), keys, system),
        against(stage.peak.count, account.card.room.count, system),
        _SHARED_TEXT[stage.stage],
        key,
        over=not stage.fits,
        chosen=stage is account.stage,
    )


def stages(account: Account, system: System) -> Chart:
    """One card's share by ZeRO stage, against the card's memory."""
    bars = tuple(_stage_bar(account, stage, system) for stage in account.stages)
    fits = [stage for stage in account.stages if stage.fits]
    cards = amount(account.cards.count, "cards")
    said = f"from stage {fits[0].stage} on it fits" if fits else "it fits at no stage"
    if len(fits) == len(bars):
        said = "it fits at every stage"
    return byte_chart(
        "stages", CHARTS["stages"].title, f"On {cards}: {said}", bars, _card_limit(account, system), system
    )


def card_ladder(chosen: int) -> list[int]:
    """Numbers of cards worth seeing beside `chosen`: one, and powers of two around it."""
    powers = [2**power for power in range(24)]
    below = [count for count in powers if 1 < count < chosen][-4:]
    above = [count for count in powers if count > chosen]
    room = _MOST_CARD_ROWS - 1 - len(below) - (chosen != 1)
    return sorted({1, *below, chosen, *above[: max(room, 2)]})


def by_cards(account: Account, system: System) -> Chart:
    """One card's share against the number of cards, at the chosen stage; at stage 0, where nothing shrinks, at 3."""
    stage = account.stage.stage or 3
    room, chosen = account.card.room.count, account.cards.count
    bars = []
    for count in card_ladder(chosen):
        bands = at_peak(account, stage, count)
        total = sum(bands.values())
        key = _stage_key(account.stages[stage]) if count == chosen else ""
        bars.append(
            Bar(
                amount(count, "cards"),
                band_segments(bands, key, system),
                against(total, room, system),
                key=key,
                over=total > room,
                chosen=count == chosen,
            )
        )
    fewest = account.stages[stage].to_fit.value
    what = "it" if account.model is None else "the state alone"
    needs = f"{what} fits from {amount(fewest, 'cards')} on" if fewest else f"{what} fits on no number of cards"
    why = " (stage 0 shares nothing)" if account.stage.stage == 0 else ""
    return byte_chart(
        "cards",
        f"{CHARTS['cards'].title}, stage {stage}",
        f"At stage {stage}{why}: {needs}",
        tuple(bars),
        _card_limit(account, system),
        system,
    )


CHARTS: dict[str, ChartKind] = {
    kind.name: kind
    for kind in (
        ChartKind("per-parameter", "What one parameter carries", per_parameter),
        ChartKind("footprint", "Training against inference", footprint),
        ChartKind("stages", "One card by ZeRO stage", stages),
        ChartKind("cards", "One card by number of cards", by_cards),
        ChartKind("model", MODEL_TITLE, model_chart),
        ChartKind("card", CARD_TITLE, card_chart),
        ChartKind("step", STEP_TITLE, step_chart),
        ChartKind("kept", KEPT_TITLE, kept_chart),
    )
}
# All charts on one sheet, under this name.
BOARD = "board"


def describe_charts(account: Account, names: tuple[str, ...], system: System = "decimal") -> tuple[Chart, ...]:
    """Descriptions of the named charts."""
    return tuple(CHARTS[name].describe(account, system) for name in names)


class Page(msgspec.Struct, frozen=True):
    """Charts that are seen together: what people ask, and the charts that answer."""

    name: str
    label: str
    charts: tuple[str, ...]


PAGES = (
    Page("why", "Why so much", ("per-parameter", "footprint")),
    Page("cards", "How many cards", ("stages", "cards")),
    Page("step", "One step", ("step", "kept")),
    Page("model", "Model and card", ("model", "card")),
)
