"""What is trained: the model, the recipe and the optimizer, the cards, and the model's dimensions."""

from typing import Annotated

import msgspec

from core import choices
from core.choice_kinds import Choice, Named, Option
from core.fields import Field
from core.kinds import Count, Memory
from core.models.architecture import Architecture
from core.models.kind import ModelKind, model_options
from core.recipes import optimizer_options, recipe_options

_COUNT = "70B, 30e9, 1.3T or 7,000,000,000"


def _card_options() -> tuple[Option, ...]:
    from core.cards import cards

    return tuple(Option(card.name, card.name, f"{card.vendor}, {card.marketed}") for card in cards())


def _card_name(text: str) -> str:
    from core.cards import card

    return card(text).name


def _dimension(label: str, what: str) -> Field:
    return Field(
        label=label, kind=Count("40 or 4,096"), group="model", minimum=1, maximum=10**9, only_with="model",
        automatic="the model's", help=f"{what}, in place of the model's own.",
    )  # fmt: skip


class WhatIsTrained(msgspec.Struct, frozen=True):
    """The fields that decide, and the dimensions of a model."""

    params: Annotated[
        int,
        Field(
            label="Parameters",
            named_label="Model, or its parameters",
            or_named="model",
            only_without="model",
            phrase="{} parameters",
            kind=Count(_COUNT, "parameters"),
            hold_below=1000,
            group="essentials",
            minimum=1,
            maximum=10**15,
            help="How many numbers the model learns.",
            also="size weights billion",
        ),
    ] = 30_000_000_000
    model: Annotated[
        Architecture | None,
        Field(
            label="Model",
            phrase="{}",
            kind=ModelKind("a model by name, or the path of its config.json", model_options),
            group="essentials",
            automatic="none",
            help="A model of the catalogue, or the path of its configuration file; its count replaces the parameters.",
        ),
    ] = None
    precision: Annotated[
        str,
        Field(
            label="Recipe",
            phrase="{}",
            kind=Choice("a recipe by name", recipe_options),
            group="essentials",
            help="In which formats weights, gradients, master copy and moments are kept.",
            also="dtype bf16 fp16 fp32 fp8 mixed autocast",
        ),
    ] = "mixed"
    optimizer: Annotated[
        str,
        Field(
            label="Optimizer",
            phrase="{}",
            kind=Choice("an optimizer by name", optimizer_options),
            group="essentials",
            help="Which states the update keeps between steps.",
        ),
    ] = "adamw"
    card: Annotated[
        str | None,
        Field(
            label="Card",
            phrase="{}",
            kind=Named("a card by name", _card_options, resolve=_card_name),
            group="essentials",
            automatic="any card",
            help="A card of the catalogue; left open, only its memory counts.",
        ),
    ] = None
    card_memory: Annotated[
        int,
        Field(
            label="Memory of one card",
            named_label="Card, or its memory",
            or_named="card",
            phrase="{} a card",
            kind=Memory("80 GB, 80 GiB or 81559 MiB"),
            group="essentials",
            unit="B",
            minimum=10**6,
            maximum=10**15,
            only_without="card",
            help="Memory of one card, where no card is named.",
            also="gpu vram hbm device memory",
        ),
    ] = 80 * 10**9
    cards: Annotated[
        int | None,
        Field(
            label="Cards",
            phrase="on {} cards",
            kind=Count("6, 64 or 1,024", "cards"),
            group="essentials",
            minimum=1,
            maximum=10**7,
            automatic="as many as are needed",
            help="Cards that the state is spread over.",
            also="world size devices accelerators",
        ),
    ] = None
    zero: Annotated[
        int,
        Field(
            label="ZeRO stage",
            phrase="ZeRO stage {}",
            kind=Choice("0, 1, 2 or 3", lambda: choices.STAGES, whole=True),
            group="essentials",
            only_while=("sharding", "paper"),
            help="What is shared out over the cards instead of being held by each.",
            also="fsdp deepspeed sharding data parallel",
        ),
    ] = 0
    layers: Annotated[int | None, _dimension("Layers", "Depth of the model")] = None
    hidden: Annotated[int | None, _dimension("Hidden size", "Width of the residual stream")] = None
    heads: Annotated[int | None, _dimension("Attention heads", "Query heads of a layer")] = None
    kv_heads: Annotated[int | None, _dimension("Key and value heads", "Heads that keys and values have")] = None
    head_dim: Annotated[int | None, _dimension("Head size", "Width of one head")] = None
    mlp: Annotated[int | None, _dimension("MLP width", "Inner width of the MLP, of one expert in a mixture")] = None
    vocabulary: Annotated[int | None, _dimension("Vocabulary", "Rows of the token embedding")] = None
