"""The question a person asks: every field once, frozen.

A field is declared here and nowhere else. None means that the field is left to its automatic value.
"""

import difflib
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, get_args, get_type_hints

import msgspec

from core import choices
from core.fields import Field, Group, InputError, shown
from core.kinds import BytesEach, Choice, Count, Days, Flag, Memory, Money, Named, Option, Rate, Share
from core.models.architecture import Architecture
from core.models.kind import ModelKind, model_options
from core.numbers import Number
from core.recipes import optimizer_options, recipe_options

GROUPS = (
    Group("essentials", "Scenario", folded=False),
    Group("model", "Model dimensions"),
    Group("batch", "Batch and sequence"),
    Group("items", "Bytes per parameter"),
    Group("adapters", "Adapters"),
    Group("sharding", "Sharding and offload"),
    Group("card", "Card details"),
    Group("inference", "Inference"),
    Group("time", "Time and cost"),
)

_COUNT = "70B, 30e9, 1.3T or 7,000,000,000"
_MEMORY = Memory("80 GB, 80 GiB or 81559 MiB")
_EACH = BytesEach("2, 0.5 or 4.5 bits")


def _card_options() -> tuple[Option, ...]:
    from core.cards import cards

    return tuple(Option(card.name, card.name, f"{card.vendor}, {card.marketed}") for card in cards())


def _card_name(text: str) -> str:
    from core.cards import card

    return card(text).name


def _switch(label: str, what: str) -> Field:
    return Field(label=label, phrase=f"{label.lower()} {{}}", kind=Flag("on or off"), group="batch", help=what)


def _dimension(label: str, what: str) -> Field:
    return Field(
        label=label, kind=Count("40 or 4,096"), group="model", minimum=1, maximum=10**9, only_with="model",
        automatic="the model's", help=f"{what}, in place of the model's own.",
    )  # fmt: skip


def _memory(label: str, phrase: str, what: str) -> Field:
    return Field(
        label=label, phrase=phrase, kind=_MEMORY, group="card", unit="B", minimum=0, maximum=10**15, help=what,
    )  # fmt: skip


def _bytes_each(label: str, what: str) -> Field:
    return Field(
        label=label, kind=_EACH, group="items", unit="B per parameter", minimum=0, maximum=64,
        automatic="by recipe and optimizer", help=f"Bytes kept for each parameter as {what}.",
    )  # fmt: skip


class Scenario(msgspec.Struct, frozen=True):
    """Everything a person asked for."""

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
            kind=_MEMORY,
            group="essentials",
            unit="B",
            minimum=10**6,
            maximum=10**15,
            only_without="card",
            help="Memory of one card, where no card is named.",
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
        ),
    ] = 0
    layers: Annotated[int | None, _dimension("Layers", "Depth of the model")] = None
    hidden: Annotated[int | None, _dimension("Hidden size", "Width of the residual stream")] = None
    heads: Annotated[int | None, _dimension("Attention heads", "Query heads of a layer")] = None
    kv_heads: Annotated[int | None, _dimension("Key and value heads", "Heads that keys and values have")] = None
    head_dim: Annotated[int | None, _dimension("Head size", "Width of one head")] = None
    mlp: Annotated[int | None, _dimension("MLP width", "Inner width of the MLP, of one expert in a mixture")] = None
    vocabulary: Annotated[int | None, _dimension("Vocabulary", "Rows of the token embedding")] = None
    micro_batch: Annotated[
        int,
        Field(
            label="Micro-batch",
            phrase="micro-batch {}",
            kind=Count("1, 4 or 32", "sequences"),
            group="batch",
            minimum=1,
            maximum=10**6,
            help="Sequences in one forward pass on one card.",
        ),
    ] = 1
    seq_len: Annotated[
        int,
        Field(
            label="Sequence length",
            phrase="{} tokens a sequence",
            kind=Count("4096 or 128k", "tokens"),
            group="batch",
            minimum=1,
            maximum=10**8,
            help="Tokens of one sequence in a forward pass.",
        ),
    ] = 2048
    gradient_accumulation: Annotated[
        int,
        Field(
            label="Micro-batches in a step",
            phrase="{} micro-batches in a step",
            kind=Count("1 or 8", "micro-batches"),
            group="batch",
            minimum=1,
            maximum=10**6,
            help="Gradient accumulation: with more than one, gradients are there all along.",
        ),
    ] = 1
    recompute: Annotated[
        str,
        Field(
            label="Recomputation",
            phrase="recompute {}",
            kind=Choice("none or full", lambda: choices.RECOMPUTE),
            group="batch",
            help="Activation checkpointing: keep each layer's input only, and compute the rest again.",
        ),
    ] = "none"
    attention: Annotated[
        str,
        Field(
            label="Attention",
            phrase="{} attention",
            kind=Choice("sdpa or eager", lambda: choices.ATTENTION),
            group="batch",
            help="How attention is computed, which decides what it saves.",
        ),
    ] = "sdpa"
    sliding_window: Annotated[
        int | None,
        Field(
            label="Sliding window",
            phrase="window of {} tokens",
            kind=Count("4096 or none", "tokens"),
            group="batch",
            minimum=1,
            maximum=10**8,
            automatic="none",
            help="Tokens that a sliding-window layer sees; a window narrower than the sequence changes the kernel.",
        ),
    ] = None
    dropout: Annotated[bool, _switch("Dropout", "Whether the model's dropouts are active.")] = False
    padding_mask: Annotated[bool, _switch("Padding mask", "Whether a padding mask is passed.")] = False
    keep_logits: Annotated[
        bool, _switch("Logits held", "Whether the caller holds the model's output through the backward pass.")
    ] = False
    fused_update: Annotated[
        bool,
        _switch("Fused update", "Whether the optimizer's step is one kernel, which makes no copies of the moments."),
    ] = False
    activation_model: Annotated[
        str,
        Field(
            label="Compared with",
            phrase="activations by {}",
            kind=Choice("pytorch or korthikanti", lambda: choices.ACTIVATION_MODELS),
            group="batch",
            only_with="model",
            help="A paper's formula for activations, shown beside the tensors PyTorch keeps; the peak stays theirs.",
        ),
    ] = "pytorch"
    bytes_weights: Annotated[Number | None, _bytes_each("Weights", "weights")] = None
    bytes_gradients: Annotated[Number | None, _bytes_each("Gradients", "gradients")] = None
    bytes_master: Annotated[Number | None, _bytes_each("Master copy", "a full-precision copy of the weights")] = None
    bytes_momentum: Annotated[Number | None, _bytes_each("Momentum", "running average of the gradient")] = None
    bytes_variance: Annotated[Number | None, _bytes_each("Variance", "running average of the squared gradient")] = None
    bytes_other: Annotated[Number | None, _bytes_each("Other state", "optimizer state beyond two moments")] = None
    lora_rank: Annotated[
        int | None,
        Field(
            label="Rank of LoRA adapters",
            phrase="LoRA of rank {}",
            kind=Count("16 or none"),
            group="adapters",
            minimum=1,
            maximum=65_536,
            automatic="none",
            only_with="model",
            help="Freezes the model and trains two thin matrices of this rank beside each linear that is adapted.",
        ),
    ] = None
    lora_targets: Annotated[
        str,
        Field(
            label="Adapted linears",
            phrase="on {}",
            kind=Choice("all-linear, attention or qv", lambda: choices.LORA_TARGETS),
            group="adapters",
            only_with="lora_rank",
            help="Which linears of the layers have an adapter.",
        ),
    ] = "all-linear"
    frozen: Annotated[
        str | None,
        Field(
            label="Frozen weights",
            phrase="{} frozen weights",
            kind=Choice("16-bit, nf4-double or int8", lambda: choices.FROZEN_STORAGE),
            group="adapters",
            automatic="as the recipe keeps weights",
            only_with="lora_rank",
            help="How linears that are not trained are stored; embeddings, head and norms stay as the recipe has them.",
        ),
    ] = None
    sharding: Annotated[
        str,
        Field(
            label="Carried out by",
            phrase="{}",
            kind=Choice("paper, fsdp2 or ddp", lambda: choices.SHARDING),
            group="sharding",
            help="How the stage is carried out: by the paper's formula, or as an implementation really stores it.",
        ),
    ] = "paper"
    shard_group: Annotated[
        int | None,
        Field(
            label="Cards that share one copy",
            phrase="groups of {}",
            kind=Count("8 or 64", "cards"),
            group="sharding",
            minimum=1,
            maximum=10**7,
            automatic="a node's",
            only_while=("sharding", "hsdp"),
            help="Cards of one HSDP group: they share out one copy of the model, and other groups hold the same.",
        ),
    ] = None
    offload: Annotated[
        str,
        Field(
            label="Kept on the host",
            phrase="{} on the host",
            kind=Choice("none, optimizer or parameters", lambda: choices.OFFLOAD),
            group="sharding",
            help="What lives in the host's memory instead of on the card.",
        ),
    ] = "none"
    card_capacity: Annotated[
        str,
        Field(
            label="Figure that counts",
            phrase="{} memory",
            kind=Choice("marketed, reported or usable", lambda: choices.CAPACITIES),
            group="card",
            only_with="card",
            help="Which of a catalogue card's three memory figures counts.",
        ),
    ] = "marketed"
    reserve: Annotated[
        int,
        Field(
            label="Reserve on each card",
            phrase="{} in reserve",
            kind=_MEMORY,
            group="card",
            unit="B",
            minimum=0,
            maximum=10**15,
            help="Memory of each card set aside: context, fragmentation, a margin.",
        ),
    ] = 0
    context_memory: Annotated[
        int,
        _memory(
            "CUDA context",
            "{} of context",
            "Memory that the process's CUDA context takes of each card: 0.55 GiB on recent cards (ml-engineering, "
            "torch.distributed), 1,343 MiB on a V100 (transformers, model memory anatomy).",
        ),
    ] = 0
    comm_buffers: Annotated[
        int,
        _memory(
            "Communication buffers",
            "{} of communication buffers",
            "Memory that NCCL takes of each card at its first collective: 1.45 GiB, or 0.73 GiB where a process names "
            "its device at the start (ml-engineering, torch.distributed).",
        ),
    ] = 0
    allocator_slack: Annotated[
        Number,
        Field(
            label="Allocator's slack",
            phrase="{} slack",
            kind=Share("5 % or 0.05"),
            group="card",
            minimum=0,
            maximum=1,
            help="Share of each card lost to the allocator's rounding and fragmentation.",
        ),
    ] = 0
    node_size: Annotated[
        int,
        Field(
            label="Cards of a node",
            phrase="nodes of {}",
            kind=Count("8 or 4", "cards"),
            group="card",
            minimum=1,
            maximum=10**4,
            help="Cards come in nodes of so many; whole nodes stand beside the exact number.",
        ),
    ] = 8
    context: Annotated[
        int | None,
        Field(
            label="Context",
            phrase="context of {} tokens",
            kind=Count("4096 or 128k", "tokens"),
            group="inference",
            minimum=1,
            maximum=10**9,
            automatic="the sequence length",
            help="Tokens of each sequence whose keys and values are kept during inference.",
        ),
    ] = None
    sequences: Annotated[
        int,
        Field(
            label="Sequences at a time",
            phrase="{} sequences at a time",
            kind=Count("1 or 64", "sequences"),
            group="inference",
            minimum=1,
            maximum=10**7,
            help="Sequences that inference serves at the same time.",
        ),
    ] = 1
    cache_bytes: Annotated[
        Number,
        Field(
            label="Bytes of a cached element",
            phrase="{} B a cached element",
            kind=_EACH,
            group="inference",
            unit="B",
            minimum=0,
            maximum=8,
            help="Format of cached keys and values: 2 is 16-bit, 1 is 8-bit.",
        ),
    ] = 2
    tokens: Annotated[
        int | None,
        Field(
            label="Training tokens",
            phrase="{} tokens",
            kind=Count("1.4T, 300e9 or 20B", "tokens"),
            hold_below=1000,
            group="time",
            minimum=1,
            maximum=10**18,
            automatic="20 for each active parameter",
            help="Tokens the model is trained on.",
        ),
    ] = None
    mfu: Annotated[
        Number,
        Field(
            label="Utilisation",
            phrase="{} of peak",
            kind=Share("40 % or 0.4"),
            group="time",
            minimum=Fraction(1, 10**6),
            maximum=1,
            help="Share of a card's dense peak that the run reaches (model FLOPs utilisation).",
        ),
    ] = Fraction(2, 5)
    peak_flops: Annotated[
        int | None,
        Field(
            label="Peak of one card",
            kind=Rate("989 TFLOP/s or 312e12"),
            group="time",
            unit="FLOP/s",
            minimum=10**6,
            maximum=10**20,
            automatic="the card's, or an A100's 312 TFLOP/s",
            help="Dense 16-bit operations one card does in a second at its peak.",
        ),
    ] = None
    deadline: Annotated[
        Number | None,
        Field(
            label="Deadline",
            phrase="within {}",
            kind=Days("90, 12 weeks or 36 h"),
            group="time",
            unit="days",
            minimum=Fraction(1, 10**6),
            maximum=10**6,
            automatic="none",
            help="Days within which the run must end.",
        ),
    ] = None
    card_price: Annotated[
        Number | None,
        Field(
            label="Price of a card hour",
            phrase="{} a card hour",
            kind=Money("2.50 or $2.50"),
            group="time",
            unit="per card hour",
            minimum=0,
            maximum=10**6,
            automatic="none",
            help="Price of one card for one hour, in any currency.",
        ),
    ] = None


def _fields() -> dict[str, Field]:
    defaults = dict(zip(Scenario.__struct_fields__, Scenario.__struct_defaults__, strict=True))
    hints = get_type_hints(Scenario, include_extras=True)
    described = {name: get_args(hint)[1] for name, hint in hints.items()}
    return {
        name: msgspec.structs.replace(field, name=name, default=defaults[name]) for name, field in described.items()
    }


FIELDS = _fields()
# Fields that have an input of their own: a name that stands for another field's value shares that one's.
INPUTS = tuple(name for name in FIELDS if name not in {known.or_named for known in FIELDS.values()})
ITEM_FIELDS = tuple(name for name in FIELDS if name.startswith("bytes_"))


def field(name: str) -> Field:
    """The field of that name; raises InputError with near names where there is none."""
    known = FIELDS.get(name)
    if known is None:
        near = difflib.get_close_matches(name.replace("-", "_"), FIELDS, 3, 0.5)
        hint = f"near it: {', '.join(near)}" if near else "the list is printed by `fields`"
        # As text it may be long and hold anything: quoted it is short and one line.
        raise InputError(shown(name), shown(name), f"no field has this name; {hint}")
    return known


def change(scenario: Scenario, values: Mapping[str, object]) -> Scenario:
    """`scenario` with other values, which are already of their fields' kinds."""
    return msgspec.structs.replace(scenario, **values)


def from_texts(texts: Mapping[str, str], start: Scenario | None = None) -> Scenario:
    """A scenario from what a person typed, by field name. Raises InputError at the first field that is wrong."""
    return change(start or Scenario(), {field(name).name: field(name).read(text) for name, text in texts.items()})


def from_json(values: Mapping[str, object], start: Scenario | None = None) -> Scenario:
    """A scenario from JSON values, by field name. Raises InputError at the first key or value that is wrong."""
    return change(start or Scenario(), {field(name).name: field(name).take(value) for name, value in values.items()})


def to_json(scenario: Scenario) -> dict[str, object]:
    """The values a person set, by field name: what differs from the defaults, exactly."""
    return {
        name: known.kind.give(value)
        for name, known in FIELDS.items()
        if (value := getattr(scenario, name)) != known.default
    }


DIMENSION_FIELDS = ("layers", "hidden", "heads", "kv_heads", "head_dim", "mlp", "vocabulary")


def changed_dimensions(scenario: Scenario) -> dict[str, int]:
    """Dimensions of the model that a person set in place of its own, by name."""
    return {name: value for name in DIMENSION_FIELDS if (value := getattr(scenario, name)) is not None}


def overrides(scenario: Scenario) -> dict[str, Number]:
    """Bytes a person set in place of the recipe's, by item name."""
    return {
        name.removeprefix("bytes_"): value for name in ITEM_FIELDS if (value := getattr(scenario, name)) is not None
    }


def input_of(name: str) -> str:
    """The field whose input takes this one: itself, or the one that a person may name it for."""
    return name if name in INPUTS else next(known.name for known in FIELDS.values() if known.or_named == name)


def applies(scenario: Scenario, known: Field) -> bool:
    """Whether a field acts in this scenario: some do only with, or only without, another that is set."""
    if known.only_while is not None and getattr(scenario, known.only_while[0]) != known.only_while[1]:
        return False
    if known.only_with:
        return getattr(scenario, known.only_with) is not None and applies(scenario, FIELDS[known.only_with])
    return not known.only_without or getattr(scenario, known.only_without) is None


def describe(scenario: Scenario) -> str:
    """The scenario in one line, in a person's words: what differs from the defaults after what always matters."""
    always = ("params", "model", "precision", "optimizer", "card", "card_memory")
    words = []
    for name, known in FIELDS.items():
        value = getattr(scenario, name)
        if value is None or (name not in always and value == known.default) or not applies(scenario, known):
            continue
        words.append(known.said(value))
    return " · ".join(words)
