"""On what it runs: details of the card, inference, time and cost."""

from fractions import Fraction
from typing import Annotated

from core import choices
from core.choice_kinds import Choice
from core.fields import Field
from core.inputs.how import HowItIsTrained
from core.kinds import BytesEach, Count, Days, Memory, Money, Rate, Share
from core.numbers import Number

_MEMORY = Memory("80 GB, 80 GiB or 81559 MiB")


def _memory(label: str, phrase: str, what: str) -> Field:
    return Field(
        label=label, phrase=phrase, kind=_MEMORY, group="card", unit="B", minimum=0, maximum=10**15, help=what,
    )  # fmt: skip


class WhereItRuns(HowItIsTrained, frozen=True):
    """What of a card counts, what inference caches, and how long the run may take."""

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
            also="headroom margin slack",
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
            also="fragmentation",
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
            kind=Count("4096, 128k or 128Ki (131,072)", "tokens"),
            group="inference",
            minimum=1,
            maximum=10**9,
            automatic="the sequence length",
            help="Tokens of each sequence whose keys and values are kept during inference.",
            also="context length kv cache prompt",
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
            also="concurrent requests kv cache",
        ),
    ] = 1
    cache_bytes: Annotated[
        Number,
        Field(
            label="Bytes of a cached element",
            phrase="{} B a cached element",
            kind=BytesEach("2, 0.5 or 4.5 bits"),
            group="inference",
            unit="B",
            minimum=0,
            maximum=8,
            help="Format of cached keys and values: 2 is 16-bit, 1 is 8-bit.",
            also="kv cache",
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
            also="utilization efficiency",
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
            also="tflops speed",
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
            also="days",
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
            also="dollars cost hour",
        ),
    ] = None
