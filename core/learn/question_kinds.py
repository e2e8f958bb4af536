"""The kinds of question: for each what it asks, the right answer with its lines, and the mistakes people make."""

from __future__ import annotations

from fractions import Fraction

from core.account import Account
from core.bands import BAND_LABELS
from core.charts.catalogue import share_text
from core.learn.averages import states_line
from core.learn.laboratory import experiment
from core.learn.loop import traffic
from core.learn.questions import Asked, Kind
from core.learn.setup import Setup, format_of
from core.learn.sharding import sent
from core.learn.texts import text
from core.learn.units import mixed_quotient, same_step
from core.learn.walls import walls
from core.learn.wording import power_text, real_text
from core.lines import Line, amount, difference, given, quotient
from core.numbers import Number, ceil, narrow, scientific, significant
from core.quantities import System, bytes_text, in_unit
from core.recipes import optimizer
from core.states import band_lines, shard_line
from core.verdict import duration_text


def _why(kind: str, *rows: tuple[str, str], **values: object) -> tuple[tuple[str, str], ...]:
    """(answer, mistake) pairs: the mistake's text is found by the kind and its name."""
    return tuple((answer, text(f"ask.{kind}.{mistake}", **values)) for answer, mistake in rows)


def _trains(account: Account) -> bool:
    return account.training.count > account.inference.count > 0 and account.each_bands["gradients"] > 0


def dominates(account: Account, system: System) -> Asked | None:
    """Which band takes the most memory."""
    sizes = {band: line.count for band, line in account.bands.items()}
    most = max(sizes, key=lambda band: sizes[band])
    if list(sizes.values()).count(sizes[most]) > 1 or not _trains(account):
        return None
    wrong = tuple(
        (BAND_LABELS[band], text("ask.dominates.less", band=BAND_LABELS[band], size=bytes_text(size, system)))
        for band, size in sizes.items()
        if band != most
    )
    wrong += _why("dominates", (text("ask.dominates.even"), "even_why"))
    return Asked(text("ask.dominates"), BAND_LABELS[most], wrong, tuple(account.bands.values()))


def cards(account: Account, system: System) -> Asked | None:
    """How many cards hold the training state."""
    room = account.card.room.count
    if account.cards_needed is None or not account.cards_needed.parts:
        return None
    training = account.training.count
    rows = [
        (amount(ceil(mixed_quotient(account)), "cards"), "mixed"),
        (amount(training // room, "cards"), "down"),
        (amount(max(1, -(-account.inference.count // room)), "cards"), "weights"),
        (amount(max(1, -(-account.bands["optimizer"].count // room)), "cards"), "optimizer"),
    ]
    question = text("ask.cards", room=bytes_text(room, system))
    right = amount(account.cards_needed.count, "cards")
    return Asked(question, right, _why("cards", *rows), (account.cards_needed,))


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
    return Asked(question, bytes_text(line.count, system), _why("stage_1_saves", *rows), (line,))


def gradient_width(account: Account, system: System) -> Asked | None:
    """What changes when gradients are kept in another width."""
    each, gradients = Fraction(account.each.value or 0), Fraction(account.each_bands["gradients"])
    if not _trains(account) or gradients not in (2, 4, 6):
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
    return Asked(question, right, _why("gradient_width", *rows), (line,))


def _each(value: Number) -> str:
    return amount(narrow(value), "B")


def gib(account: Account, system: System) -> Asked | None:
    """The training state in the other unit system."""
    decimal, binary = same_step(account)
    size = account.training.count
    if decimal.size == 1 or size < 10 * decimal.size:
        return None
    ratio = Fraction(binary.size, decimal.size)
    plain_value, value = Fraction(size, decimal.size), Fraction(size, binary.size)
    rows = [(plain_value, "same"), (plain_value * ratio, "times"), (plain_value * 1000 / 1024, "once")]
    line = quotient(
        text("ask.gib.line", unit=binary.symbol),
        binary.symbol,
        account.training,
        given(f"bytes in a {binary.symbol}", binary.size, "B"),
    )
    wrong = _why("gib", *((f"{significant(wrong)} {binary.symbol}", why) for wrong, why in rows))
    question = text("ask.gib", size=f"{significant(plain_value)} {decimal.symbol}", unit=binary.symbol)
    return Asked(question, f"{significant(value)} {binary.symbol}", wrong, (line,))


def weights_share(account: Account, system: System) -> Asked | None:
    """Which part of the training state the weights alone are."""
    if not _trains(account):
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
    return Asked(text("ask.weights_share"), right, _why("weights_share", *rows), (line,))


def vanishes(account: Account, system: System) -> Asked | None:
    """How far a coarse weight moves under small updates without a 32-bit copy."""
    own = format_of(Setup(), account)
    found = experiment("bf16" if own == "fp32" else own, 1, Fraction(1, 10**6), 4096, 0)
    rows = [
        (real_text(Fraction(4096, 10**6), 3), "exact"),
        (real_text(Fraction(found.weight) - Fraction(found.below), 3), "gap"),
        (real_text(Fraction(1, 10**6), 3), "once"),
    ]
    steps = (
        text("ask.vanishes.half", half=power_text(found.half_gap)),
        text("ask.vanishes.smaller", update=real_text(Fraction(1, 10**6)), half=real_text(found.half_gap, 3)),
    )
    question = text("ask.vanishes", format=found.number_format.replace("-", " "), update=real_text(Fraction(1, 10**6)))
    return Asked(question, text("ask.vanishes.right"), _why("vanishes", *rows), steps)


def inference(account: Account, system: System) -> Asked | None:
    """What the weights alone take."""
    params = account.params.count
    rows = [(account.training.count, "training"), (params, "one"), (4 * params, "wide"), (2 * params, "half")]
    wrong = _why("inference", *((bytes_text(size, system), why) for size, why in rows))
    return Asked(text("ask.inference"), bytes_text(account.inference.count, system), wrong, (account.inference,))


def moved_bytes(account: Account, system: System) -> Asked | None:
    """How many bytes one step reads and writes."""
    if not _trains(account):
        return None
    line, size = traffic(account), account.training.count
    rows = [(size, "once"), (2 * size, "twice"), (account.bands["parameters"].count, "weights")]
    wrong = _why("moved_bytes", *((bytes_text(each, system), why) for each, why in rows))
    steps = (f"{one.name}: {(one.parts[0] if len(one.parts) == 1 else one).text()}" for one in line.parts)
    return Asked(
        text("ask.moved_bytes"), bytes_text(line.count, system), wrong, (*steps, f"{line.name}: {line.text()}")
    )


def in_time(account: Account, system: System) -> Asked | None:
    """How many cards end the run before the deadline."""
    found = walls(account)
    at_peak = Fraction(account.time.days_on_one.value or 0) * Fraction(account.mfu.value or 0) / found.deadline
    rows = [(max(1, ceil(at_peak)), "peak"), (max(1, -(-found.time.count // 3)), "forward")]
    if account.cards_needed is not None:
        rows.insert(0, (account.cards_needed.count, "memory"))
    wrong = _why("in_time", *((amount(count, "cards"), why) for count, why in rows))
    question = text(
        "ask.in_time",
        days=f"{significant(found.deadline)} days",
        one=duration_text((account.time.days_on_one.value or 0) * 86_400),
    )
    return Asked(question, amount(found.time.count, "cards"), wrong, (found.time,))


def other_optimizer(account: Account, system: System) -> Asked | None:
    """What another optimizer would save, or cost."""
    own = account.scenario.optimizer
    other = "sgd-momentum" if own != "sgd-momentum" else "adamw"
    mine, theirs = states_line(account, own), states_line(account, other)
    if not _trains(account) or mine.value == theirs.value:
        return None
    more, less = (mine, theirs) if mine.count > theirs.count else (theirs, mine)
    line = difference(text("ask.other_optimizer.line"), "B", more, less)
    rows = [
        (more.count, "all"),
        (account.bands["optimizer"].count, "band"),
        (line.count + account.bands["gradients"].count, "gradients"),
        (0, "nothing"),
    ]
    wrong = _why("other_optimizer", *((bytes_text(size, system), why) for size, why in rows))
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
    wrong = _why("stage_3", *((bytes_text(size, system), why) for size, why in rows))
    return Asked(
        text("ask.stage_3", cards=amount(account.cards.count, "cards")), bytes_text(line.count, system), wrong, (line,)
    )


def doubled(account: Account, system: System) -> Asked | None:
    """One card's share at stage 1 with twice the cards."""
    now = account.stages[1]
    count = account.cards.count
    if now.bands["optimizer"].count < 10 * count or not _trains(account):
        return None
    rows_ = tuple(kept.item for kept in account.kept)
    optimizer_ = band_lines(rows_, shard_line(account.params, given("cards", 2 * count)))["optimizer"]
    parts = (now.bands["parameters"], now.bands["gradients"], optimizer_)
    line = Line(text("ask.doubled.line"), sum(part.count for part in parts), "B", "sum", parts)
    rows = [(now.per_card.count // 2, "half"), (now.per_card.count, "same"), (optimizer_.count, "states")]
    wrong = _why("doubled", *((bytes_text(size, system), why) for size, why in rows))
    question = text(
        "ask.doubled",
        now=bytes_text(now.per_card.count, system),
        cards=amount(count, "cards"),
        twice=amount(2 * count, "cards"),
    )
    return Asked(question, bytes_text(line.count, system), wrong, (line,))


def mixed_units(account: Account, system: System) -> Asked | None:
    """What a division of GB by GiB gives."""
    decimal, binary = same_step(account)
    if account.cards_needed is None or decimal.size == 1 or account.training.count < decimal.size:
        return None
    first = f"{significant(in_unit(account.training.count, decimal).value)} {decimal.symbol}"
    second = f"{significant(in_unit(account.card.room.count, binary).value)} {binary.symbol}"
    figure = significant(mixed_quotient(account))
    wrong = _why(
        "mixed_units", *((text(f"ask.mixed_units.{name}"), f"{name}_why") for name in ("cards", "exact", "margin"))
    )
    steps = (text("ask.mixed_units.step", first=first, second=second, figure=figure), account.cards_needed)
    question = text("ask.mixed_units", first=first, second=second, figure=figure)
    return Asked(question, text("ask.mixed_units.right"), wrong, steps)


def operations(account: Account, system: System) -> Asked | None:
    """How many operations the run takes."""
    flops = account.time.flops
    each = Fraction(flops.count, 6)
    rows = [(each * 2, "forward"), (each * 4, "backward"), (each, "once"), (each * 8, "recompute")]
    wrong = _why("operations", *((f"{scientific(value)} FLOP", why) for value, why in rows))
    question = text("ask.operations", tokens=scientific(account.tokens.count))
    return Asked(question, f"{scientific(flops.count)} FLOP", wrong, (flops,))


def first_that_fits(account: Account, system: System) -> Asked | None:
    """The first stage that fits on the cards there are."""
    fitting = [row.stage for row in account.stages if row.fits]
    never = text("ask.first_that_fits.none")
    right = text("walls.stage", stage=fitting[0]).capitalize() if fitting else never
    wrong = []
    for row in account.stages:
        size = bytes_text(abs(row.headroom.count), system)
        why = (
            text("ask.first_that_fits.earlier")
            if row.fits
            else text("ask.first_that_fits.over", stage=row.stage, size=size)
        )
        wrong.append((text("walls.stage", stage=row.stage).capitalize(), why))
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
    wrong = _why("stage_3_sends", *((_times(value), why) for value, why in rows))
    return Asked(text("ask.stage_3_sends"), _times(line.value or 0), wrong, (line,))


def _times(value: Number) -> str:
    return text("times.one") if value == 1 else text("times", factor=significant(value))


def sold_and_reported(account: Account, system: System) -> Asked | None:
    """What a card's own tool reports."""
    card = account.card
    if card.name is None or card.reported is None:
        return None
    rows = [
        (card.marketed, "decimal"),
        (card.marketed * 1024**3 // 1000**3, "binary"),
        (card.reported * 1000**3 // 1024**3, "twice"),
    ]
    wrong = _why("sold_and_reported", *((bytes_text(size, "binary"), why) for size, why in rows))
    line = given(text("units.reported"), card.reported, "B")
    in_gib = quotient(text("units.reported"), "GiB", line, given("bytes in a GiB", 1024**3, "B"))
    question = text("ask.sold_and_reported", card=card.name, size=bytes_text(card.marketed))
    return Asked(question, bytes_text(card.reported, "binary"), wrong, (in_gib,))


KINDS: dict[str, Kind] = {
    ask.__name__: ask
    for ask in (
        dominates,
        inference,
        weights_share,
        gradient_width,
        moved_bytes,
        vanishes,
        other_optimizer,
        gib,
        mixed_units,
        cards,
        sold_and_reported,
        stage_1_saves,
        stage_3,
        doubled,
        first_that_fits,
        stage_3_sends,
        operations,
        in_time,
    )
}
