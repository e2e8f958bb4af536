"""What a reader of the figures must know: what is not counted, what was assumed, what is close."""

from __future__ import annotations

from fractions import Fraction

from core.account import Account
from core.alternative import alternative
from core.capacity import CardFigures, set_aside
from core.compute import A100_PEAK, TOKENS_EACH
from core.lines import amount
from core.memory.versions import VERSIONS
from core.numbers import ceil_div, plain, significant
from core.quantities import both_text, bytes_text
from core.recipes import optimizer, recipe
from core.scenario import FIELDS
from core.shares import Carrier, carrier, held, ranks_of

# A card count is called close where one card fewer misses by less than this part of a card.
_CLOSE = 100
# Padding is told from this part of the model on.
_PADDED = 100


def notes(account: Account) -> list[str]:
    """The notes of an account, the most general first, one sentence or two each."""
    scenario = account.scenario
    found = [_counted(account)]
    found += [note for note in (recipe(scenario.precision).note, optimizer(scenario.optimizer).note) if note]
    if account.model is not None:
        found += [f"{account.model.arch.name}: {note}" for note in account.model.count.notes]
    if account.custom:
        found.append(f"Bytes were set by hand: {plain(account.each.value or 0)} B a parameter is a custom recipe.")
    found += _about_activations(account)
    found += _about_adapters(account)
    found += account.cache.notes if account.cache is not None else ()
    found += _about_sharing(account)
    found += _about_cards(account)
    found += _not_counted(account)
    found += _about_capacity(account)
    if scenario.tokens is None:
        found.append(
            f"Training tokens are taken as {TOKENS_EACH} for each active parameter ({account.tokens.count:,}), "
            "after Hoffmann et al. 2022."
        )
    if scenario.peak_flops is None and account.card.peak_16bit is None:
        which = f"the catalogue has no peak for {account.card.name}" if account.card.name else "no card is named"
        found.append(f"Times use the dense 16-bit peak of an A100, {A100_PEAK // 10**12} TFLOP/s, since {which}.")
    return found


def _counted(account: Account) -> str:
    step = account.stage.bill
    if not recipe(account.scenario.precision).moment[1]:
        return "Counted are the weights alone: the cache of keys and values, and activations in passing, come on top."
    if account.stage.bill is None and account.model is not None and not account.model.tabled:
        return (
            f"Counted is the training state alone: the activations of {account.model.arch.family} are not tabled, and "
            "they come on top, with temporary buffers and fragmentation."
        )
    if step is None:
        return "Counted is the training state alone: activations, temporary buffers and fragmentation come on top."
    how = "by another family's tables" if step.kept.stand_in else "to the byte where a range is not given"
    return (
        f"Peaks hold for {VERSIONS} on CUDA, {how}; kernel workspaces, the allocator's rounding and the CUDA context "
        "come on top."
    )


def _about_activations(account: Account) -> list[str]:
    step = account.stage.bill
    if step is None:
        return []
    found = list(step.notes)
    other = alternative(account.scenario, step)
    if other is not None:
        found.append(
            f"By {other.label}, {other.formula}, activations are {both_text(other.line.count)}; PyTorch keeps "
            f"{both_text(step.kept.saved_bytes + step.kept.weight_cast_bytes)}, which is what the peak counts."
        )
    if account.model is not None and account.model.towers:
        found.append(
            f"The pass is one over text alone: what the {' and '.join(account.model.towers)} "
            f"{'towers keep' if len(account.model.towers) > 1 else 'tower keeps'} comes on top."
        )
    moment = step.peak
    if moment.low != moment.high:
        found.append(
            f"The peak, {moment.name}, is approximate: between {both_text(moment.low)} and {both_text(moment.high)}."
        )
    if account.stage.stage == 3 and account.cards.count > 1:
        found.append("Gathered layers at stage 3 are as measured of FSDP2 without overlap of streams.")
    return found


def _about_adapters(account: Account) -> list[str]:
    """What is trained beside a frozen model, and how its weights are stored."""
    found, scenario = account.adapters, account.scenario
    if found is None:
        if scenario.lora_rank is None:
            return []
        return ["Adapters stand on the linears of a model: without one the whole model is trained."]
    if not found.parameters:
        return [f"{account.params.count:,} parameters are frozen, and no linear is one of {found.targets.label}."]
    share = significant(Fraction(found.parameters * 100, account.params.count), 2)
    bits = 32 if found.each == 4 else 16
    trained = (
        f"LoRA of rank {found.lora.rank} on {found.targets.label} trains {found.parameters:,} parameters in {bits} "
        f"bits, {share} % of the model's; bytes of a parameter are averages over the model's."
    )
    words = [trained, "Operations are 4 a parameter and token: frozen weights have no gradient of their own."]
    if found.packed:
        words.append(
            "Linears in few bits are unpacked one at a time to 16 bits while they run, counted as transient; "
            "embeddings, head and norms are not packed."
        )
    return words


def _about_carrier(account: Account, how: Carrier) -> list[str]:
    """What an implementation holds beyond the paper's shares."""
    if account.model is None:
        words = (
            f"What {how.label} stores depends on a model's tensors: stage {how.stage} is by the paper's formula here"
        )
        return [f"{words}, without buckets." if how.buckets else f"{words}."]
    found = []
    if how.buckets and account.stage.bill is not None:
        size = both_text(account.stage.bill.buckets)
        found.append(f"{how.label}'s buckets hold the gradients a second time: {size}, counted as transient.")
    if how.stage == 3:
        ranks = ranks_of(account.scenario, account.cards.count)
        more = held(account.model.tensors, how, ranks).stored * ranks - account.params.count
        if more * _PADDED > account.params.count:
            share = significant(Fraction(more * 100, account.params.count), 2)
            found.append(
                f"{how.label} deals out whole rows of each tensor, padded alike: {ranks:,} ranks together store "
                f"{share} % more than the model has."
            )
    return found


def _about_sharing(account: Account) -> list[str]:
    """How the stage is carried out, and what lives on the host."""
    scenario, found = account.scenario, []
    how = carrier(scenario)
    if how is not None:
        if scenario.zero not in (0, how.stage):
            found.append(
                f"ZeRO stage {scenario.zero} was asked for; {how.label} carries out stage {how.stage}, which counts."
            )
        found += _about_carrier(account, how)
    if scenario.sharding == "hsdp":
        group, cards = ranks_of(scenario, account.cards.count), account.cards.count
        shares = f"{amount(group, 'cards')} share one copy under HSDP"
        found.append(
            f"{shares}."
            if cards == group
            else f"{shares}, and {cards // group:,} such groups hold the same."
            if cards % group == 0
            else f"{shares}, which {amount(cards, 'cards')} cannot be parted into evenly."
        )
    if scenario.offload != "none":
        found.append(
            "What is offloaded is counted on the host, for each card; a node's memory must hold it for all its cards. "
            "The cards needed still count the whole state."
        )
        if scenario.offload == "parameters" and account.stage.stage != 3:
            found.append(
                f"Parameters are offloaded at stage 3 in practice; here it is at stage {account.stage.stage}, as asked."
            )
    return found


def _not_counted(account: Account) -> list[str]:
    """Numbers that are set beside a name which has its own: they do not count, and nothing else would say so."""
    found = []
    for known in FIELDS.values():
        if not known.or_named:
            continue
        name, value = getattr(account.scenario, known.or_named), getattr(account.scenario, known.name)
        if name is not None and value != known.default:
            called = FIELDS[known.or_named].kind.label(name)
            found.append(f"Not counted: {known.said(value)}, since {called} has its own.")
    return found


def _about_cards(account: Account) -> list[str]:
    found = []
    room = account.card.room.count
    if account.cards_needed is None:
        size = account.card.capacity.count
        reserve = both_text(set_aside(account.scenario, size))
        return [f"Setting aside {reserve} leaves nothing of a card's {both_text(size)}."]
    needed = account.cards_needed.count
    if needed > 1:
        missing = ceil_div(account.training.count, needed - 1) - room
        if missing * _CLOSE < room:
            found.append(
                f"{needed - 1:,} {'cards miss' if needed > 2 else 'card misses'} by {bytes_text(missing)} a card."
            )
    last = account.stages[3].to_fit.value
    if last is not None and last > needed:
        found.append(
            f"Shards are rounded up to whole parameters and bytes: stage 3 fits on {last:,} cards, not {needed:,}."
        )
    return found


def _about_capacity(account: Account) -> list[str]:
    card: CardFigures = account.card
    if card.name is None:
        return []
    found = []
    for kind, size in (("marketed", card.marketed), ("reported", card.reported), ("usable", card.usable)):
        if size is None or kind == account.scenario.card_capacity:
            continue
        reserve = set_aside(account.scenario, size)
        if size <= reserve:
            continue
        other = max(1, ceil_div(account.training.count, size - reserve))
        answers = []
        if account.cards_needed is not None and other != account.cards_needed.count:
            answers.append(f"{amount(other, 'cards')} would be needed, not {account.cards_needed.count:,}")
        fits = account.stage.peak.count <= size - reserve
        if fits != account.stage.fits:
            answers.append(
                f"stage {account.stage.stage} would {'fit' if fits else 'not fit'} on {account.cards.count:,}"
            )
        if answers:
            found.append(f"With the {kind} memory of {card.name}, {both_text(size)}: {'; '.join(answers)}.")
    return found
