"""Questions about the state: what is kept for a parameter, and what each card holds of it."""

from __future__ import annotations

from fractions import Fraction

from core.account import Account
from core.bands import BAND_LABELS
from core.charts.build import share_text
from core.learn.asking import trains, why
from core.learn.optimizer_states import states_of
from core.learn.questions import Asked
from core.learn.sharding import sent
from core.learn.texts import text
from core.lines import Line, amount, difference, given, quotient
from core.numbers import Number, narrow, significant
from core.quantities import System, bytes_text
from core.recipes import optimizer
from core.states import band_lines, shard_line


def _each(value: Number) -> str:
    return amount(narrow(value), "B")


def dominates(account: Account, system: System) -> Asked | None:
    """Which band takes the most memory."""
    sizes = {band: line.count for band, line in account.bands.items()}
    most = max(sizes, key=lambda band: sizes[band])
    if list(sizes.values()).count(sizes[most]) > 1 or not trains(account):
        return None
    wrong = tuple(
        (BAND_LABELS[band], text("ask.dominates.less", band=BAND_LABELS[band], size=bytes_text(size, system)))
        for band, size in sizes.items()
        if band != most
    )
    wrong += why("dominates", (text("ask.dominates.even"), "even_why"))
    return Asked(text("ask.dominates"), BAND_LABELS[most], wrong, tuple(account.bands.values()))


def stage_1_saves(account: Account, system: System) -> Asked | None:
    """What stage 1 saves on each card."""
    whole, first = account.stages[0].per_card, account.stages[1].per_card
    if account.cards.count < 2 or first.count >= whole.count:
        return None
    line = difference(text("ask.stage_1_saves.line"), "B", whole, first)
    states = account.bands["optimizer"].count
    rows = [
        (bytes_text(states, system), "all"),
        (bytes_text(account.stages[1].bands["optimizer"].count, system), "kept"),
        (bytes_text(whole.count - whole.count // account.cards.count, system), "everything"),
        (bytes_text(first.count, system), "left"),
    ]
    question = text("ask.stage_1_saves", cards=amount(account.cards.count, "cards"))
    return Asked(question, bytes_text(line.count, system), why("stage_1_saves", *rows), (line,))


def gradient_width(account: Account, system: System) -> Asked | None:
    """What changes when gradients are kept in another width."""
    each, gradients = Fraction(account.each.value or 0), Fraction(account.each_bands["gradients"])
    if not trains(account) or gradients not in (2, 4, 6):
        return None
    width = 4 if gradients != 4 else 2
    without = difference(text("ask.gradient_width.rest"), "B", account.each, given("gradient", narrow(gradients), "B"))
    right = _each(each - gradients + width)
    rows = [
        (_each(each), "same"),
        (_each(each + width), "beside"),
        (_each(each * 2 if width == 4 else each / 2), "all"),
    ]
    line = Line(
        text("ask.gradient_width.line"),
        narrow(each - gradients + width),
        "B",
        "sum",
        (without, given("gradient", width, "B")),
    )
    question = text("ask.gradient_width", bits=width * 8, each=_each(each))
    return Asked(question, right, why("gradient_width", *rows), (line,))


def weights_share(account: Account, system: System) -> Asked | None:
    """Which part of the training state the weights alone are."""
    if not trains(account):
        return None
    weights, gradients = account.bands["parameters"].count, account.bands["gradients"].count
    master = next((kept.line.count for kept in account.kept if kept.item.name == "master"), 0)
    items = sum(1 for kept in account.kept if kept.item.bytes)
    rows = [
        (share_text(weights, weights + gradients), "no_optimizer"),
        (share_text(weights, weights + gradients + master), "no_averages"),
        (share_text(1, items), "items"),
    ]
    line = quotient(text("ask.weights_share.line"), "", account.bands["parameters"], account.training)
    right = share_text(weights, account.training.count)
    return Asked(text("ask.weights_share"), right, why("weights_share", *rows), (line,))


def inference(account: Account, system: System) -> Asked | None:
    """What the weights alone take."""
    params = account.params.count
    rows = [(account.training.count, "training"), (params, "one"), (4 * params, "wide"), (2 * params, "half")]
    wrong = why("inference", *((bytes_text(size, system), why) for size, why in rows))
    return Asked(text("ask.inference"), bytes_text(account.inference.count, system), wrong, (account.inference,))


def other_optimizer(account: Account, system: System) -> Asked | None:
    """What another optimizer would save, or cost."""
    own = account.scenario.optimizer
    other = "sgd-momentum" if own != "sgd-momentum" else "adamw"
    mine, theirs = states_of(account, own).line, states_of(account, other).line
    if not trains(account) or mine.value == theirs.value:
        return None
    more, less = (mine, theirs) if mine.count > theirs.count else (theirs, mine)
    line = difference(text("ask.other_optimizer.line"), "B", more, less)
    rows = [
        (more.count, "all"),
        (account.bands["optimizer"].count, "band"),
        (line.count + account.bands["gradients"].count, "gradients"),
        (0, "nothing"),
    ]
    wrong = why("other_optimizer", *((bytes_text(size, system), why) for size, why in rows))
    question = text("ask.other_optimizer", own=optimizer(own).label, other=optimizer(other).label)
    return Asked(question, bytes_text(line.count, system), wrong, (line,))


def stage_3(account: Account, system: System) -> Asked | None:
    """What one card holds at stage 3."""
    if account.cards.count < 2:
        return None
    line = account.stages[3].per_card
    rows = [
        (account.stages[1].per_card.count, "first"),
        (account.stages[2].per_card.count, "second"),
        (line.count + account.bands["parameters"].count, "copy"),
        (account.training.count, "none"),
    ]
    wrong = why("stage_3", *((bytes_text(size, system), why) for size, why in rows))
    return Asked(
        text("ask.stage_3", cards=amount(account.cards.count, "cards")), bytes_text(line.count, system), wrong, (line,)
    )


def doubled(account: Account, system: System) -> Asked | None:
    """One card's share at stage 1 with twice the cards."""
    now = account.stages[1]
    count = account.cards.count
    if now.bands["optimizer"].count < 10 * count or not trains(account):
        return None
    rows_ = tuple(kept.item for kept in account.kept)
    optimizer_ = band_lines(rows_, shard_line(account.params, given("cards", 2 * count)))["optimizer"]
    parts = (now.bands["parameters"], now.bands["gradients"], optimizer_)
    line = Line(text("ask.doubled.line"), sum(part.count for part in parts), "B", "sum", parts)
    rows = [(now.per_card.count // 2, "half"), (now.per_card.count, "same"), (optimizer_.count, "states")]
    wrong = why("doubled", *((bytes_text(size, system), why) for size, why in rows))
    question = text(
        "ask.doubled",
        now=bytes_text(now.per_card.count, system),
        cards=amount(count, "cards"),
        twice=amount(2 * count, "cards"),
    )
    return Asked(question, bytes_text(line.count, system), wrong, (line,))


def first_that_fits(account: Account, system: System) -> Asked | None:
    """The first stage that fits on the cards there are."""
    fitting = [row.stage for row in account.stages if row.fits]
    never = text("ask.first_that_fits.none")
    right = text("walls.stage", stage=fitting[0]).capitalize() if fitting else never
    wrong = []
    for row in account.stages:
        size = bytes_text(abs(row.headroom.count), system)
        reason = (
            text("ask.first_that_fits.earlier")
            if row.fits
            else text("ask.first_that_fits.over", stage=row.stage, size=size)
        )
        wrong.append((text("walls.stage", stage=row.stage).capitalize(), reason))
    if fitting:
        wrong.append((never, text("ask.first_that_fits.does", stage=fitting[0])))
    lines = tuple(row.headroom for row in account.stages if not fitting or row.stage <= fitting[0])
    question = text("ask.first_that_fits", cards=amount(account.cards.count, "cards"))
    return Asked(question, right, tuple(wrong), lines)


def stage_3_sends(account: Account, system: System) -> Asked | None:
    """How much more a card sends at stage 3 than at stage 2."""
    second, third = sent(account, 2), sent(account, 3)
    if not second.count:
        return None
    line = quotient(text("ask.stage_3_sends.line"), "", third, second)
    rows = [(Fraction(1), "same"), (Fraction(2), "twice"), (Fraction(account.cards.count), "cards")]
    wrong = why("stage_3_sends", *((_times(value), why) for value, why in rows))
    return Asked(text("ask.stage_3_sends"), _times(line.value or 0), wrong, (line,))


def _times(value: Number) -> str:
    return text("times.one") if value == 1 else text("times", factor=significant(value))
