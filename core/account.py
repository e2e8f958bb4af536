"""account(scenario) → Account: the one entry to everything that follows from a scenario.

One pure function, nothing updated in part. Values are exact; every figure is a Line that knows its parts.
"""

from __future__ import annotations

import msgspec

from core.adapters import Adapted, adapted, adapter_items
from core.bands import BAND_LABELS
from core.caching import Cache, cache_line, cache_of
from core.capacity import CardFigures, card_figures
from core.compute import A100_PEAK, FROZEN_OPERATIONS, TOKENS_EACH, TRAINED_OPERATIONS, Time, attention_line, time
from core.exact_states import exact_items
from core.lines import Line, given, product, quotient_up, search, total
from core.models.architecture import ModelFileError
from core.models.facts import ModelFacts, model_facts
from core.numbers import Number
from core.recipes import Item, items, with_overrides
from core.scenario import FIELDS, Scenario, changed_dimensions, overrides
from core.shares import stage_of
from core.stages import Stage as Stage
from core.stages import peak_bands, stages_of
from core.states import band_lines, item_lines, state_line


class Kept(msgspec.Struct, frozen=True):
    """One item with its bytes in the whole model."""

    item: Item
    line: Line


class Account(msgspec.Struct, frozen=True):
    """Everything that follows from a scenario. `custom`: bytes were set by hand that the recipe does not have.

    `cache` says how inference caches where a model is known, `cached` are its bytes where these are.
    """

    scenario: Scenario
    custom: bool
    params: Line
    active: Line
    model: ModelFacts | None
    adapters: Adapted | None
    kept: tuple[Kept, ...]
    each: Line
    each_bands: dict[str, Number]
    bands: dict[str, Line]
    training: Line
    inference: Line
    cache: Cache | None
    cached: Line | None
    card: CardFigures
    cards: Line
    cards_needed: Line | None
    nodes_needed: Line | None
    stages: tuple[Stage, ...]
    tokens: Line
    mfu: Line
    peak_flops: Line
    time: Time

    @property
    def stage(self) -> Stage:
        """The stage that counts."""
        return self.stages[stage_of(self.scenario)]


def account(scenario: Scenario) -> Account:
    """The account of `scenario`. Raises InputError where the card has no figure of the kind asked for."""
    model = _model(scenario)
    params, active = _parameters(scenario, model)
    set_by_hand = overrides(scenario)
    adapters = adapted(scenario, model)
    rows = _items(scenario, model, set_by_hand)
    parts = tuple(given(row.label, row.bytes, "B", field=f"bytes_{row.name}") for row in rows if row.bytes)
    each = total("Each parameter", "B", parts)
    each_bands = {band: sum((row.bytes for row in rows if row.band == band), 0) for band in BAND_LABELS}
    training = state_line("Training", rows, params)
    weights = set_by_hand.get("weights")
    inference = product("Inference", "B", params, _inference_weights(weights), whole=True)

    cache = None if model is None else cache_of(model, scenario.sliding_window or 0)

    card = card_figures(scenario)
    needed = quotient_up("Cards needed", "cards", training, card.room) if card.room.count > 0 else None
    if needed is not None and needed.value == 0:
        needed = search("Cards needed", 1, "cards", "the training state is 0 B, and there is no less than one card")
    if scenario.cards is not None:
        cards = given("cards", scenario.cards, field="cards")
    else:
        cards = given("cards", needed.count if needed is not None else 1, field="cards")

    whole = band_lines(rows, params)
    stages = stages_of(scenario, model, rows, params, cards, card.room)

    if scenario.tokens is not None:
        tokens = given("tokens", scenario.tokens, field="tokens")
    else:
        tokens = product("tokens", "", given("tokens for each active parameter", TOKENS_EACH, field="tokens"), active)
    peak = given("peak of one card", scenario.peak_flops or card.peak_16bit or A100_PEAK, "FLOP/s", field="peak_flops")
    mfu = given("utilisation", scenario.mfu, field="mfu")
    run = time(
        active, _attention(model, scenario.seq_len), tokens,
        cards, peak, mfu,
        _asked("days until the deadline", scenario, "deadline"),
        _asked("price of a card hour", scenario, "card_price"),
        recomputed=scenario.recompute == "full",
        each=TRAINED_OPERATIONS if adapters is None else FROZEN_OPERATIONS,
    )  # fmt: skip
    return Account(
        scenario=scenario,
        custom=bool(set_by_hand) and rows != _items(scenario, model, {}),
        params=params,
        active=active,
        model=model,
        adapters=adapters,
        kept=tuple(Kept(row, line) for row, line in zip(rows, item_lines(rows, params), strict=True)),
        each=each,
        each_bands=each_bands,
        bands=whole,
        training=training,
        inference=inference,
        cache=cache,
        cached=None if cache is None else cache_line(scenario, cache),
        card=card,
        cards=cards,
        cards_needed=needed,
        nodes_needed=_nodes(needed, scenario.node_size),
        stages=stages,
        tokens=tokens,
        mfu=mfu,
        peak_flops=peak,
        time=run,
    )


def _attention(model: ModelFacts | None, seq_len: int) -> Line | None:
    """Operations of attention for one token, where the model is known."""
    return None if model is None else attention_line(model.dimensions, model.attention_layers, seq_len)


def _asked(name: str, scenario: Scenario, field: str) -> Line | None:
    """What a person asked for, where anything was."""
    value = getattr(scenario, field)
    return None if value is None else given(name, value, field=field)


def _inference_weights(set_by_hand: Number | None) -> Line:
    """Bytes of a weight in inference: 16 bits, or what a person set."""
    return given("weights of a parameter", 2 if set_by_hand is None else set_by_hand, "B", field="bytes_weights")


def _nodes(cards: Line | None, size: int) -> Line | None:
    """Whole nodes that hold so many cards."""
    return (
        None
        if cards is None
        else quotient_up("Nodes needed", "nodes", cards, given("cards of a node", size, field="node_size"))
    )


def at_peak(account: Account, stage: int, cards: int) -> dict[str, int]:
    """Bytes of each band on one of `cards` cards at the largest moment of a step at `stage`."""
    rows = tuple(kept.item for kept in account.kept)
    return peak_bands(account.scenario, account.model, rows, account.params.count, stage, cards)


def _items(scenario: Scenario, model: ModelFacts | None, set_by_hand: dict[str, Number]) -> tuple[Item, ...]:
    """What each parameter carries: by the tables, exactly where the model is known, or as a person set it."""
    rows = items(scenario.precision, scenario.optimizer, {})
    if model is not None:
        rows = exact_items(rows, scenario.precision, scenario.optimizer, model)
        adapters = adapted(scenario, model)
        if adapters is not None:
            rows = adapter_items(rows, scenario, model, adapters)
    return with_overrides(rows, set_by_hand)


def _model(scenario: Scenario) -> ModelFacts | None:
    if scenario.model is None:
        return None
    changed = changed_dimensions(scenario)
    try:
        return model_facts(scenario.model, changed)
    except ModelFileError as problem:
        raise FIELDS[next(iter(changed), "model")].error(str(problem)) from None


def _parameters(scenario: Scenario, model: ModelFacts | None) -> tuple[Line, Line]:
    """All parameters, and those that one token uses."""
    if model is None:
        params = given("parameters", scenario.params, field="params")
        return params, params
    terms = tuple(given(term.name, term.count, source=term.formula, field="params") for term in model.count.terms)
    params = total("parameters", "", terms)
    if model.count.active == model.count.total:
        return params, params
    used = tuple(given(term.name, term.active) for term in model.count.terms if term.active)
    return params, total("active parameters", "", used)
