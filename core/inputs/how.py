"""How it is trained: batch and sequence, bytes of each item, adapters, sharding and offload."""

from typing import Annotated

from core import choices
from core.choice_kinds import Choice, Flag
from core.fields import Field
from core.inputs.what import WhatIsTrained
from core.kinds import BytesEach, Count
from core.numbers import Number

_EACH = BytesEach("2, 0.5 or 4.5 bits")


def _switch(label: str, what: str) -> Field:
    return Field(label=label, phrase=f"{label.lower()} {{}}", kind=Flag("on or off"), group="batch", help=what)


def _bytes_each(label: str, what: str) -> Field:
    return Field(
        label=label, kind=_EACH, group="items", unit="B per parameter", minimum=0, maximum=64,
        automatic="by recipe and optimizer", help=f"Bytes kept for each parameter as {what}.",
    )  # fmt: skip


class HowItIsTrained(WhatIsTrained, frozen=True):
    """What runs on one card, what each parameter carries, and how it is shared out."""

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
            also="batch size",
        ),
    ] = 1
    seq_len: Annotated[
        int,
        Field(
            label="Sequence length",
            phrase="{} tokens a sequence",
            kind=Count("4096, 128k or 128Ki (131,072)", "tokens"),
            group="batch",
            minimum=1,
            maximum=10**8,
            help="Tokens of one sequence in a forward pass.",
            also="context length tokens max length",
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
            also="activation gradient checkpointing",
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
            also="peft adapter",
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
            also="quantization 4-bit nf4 qlora",
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
            also="ddp fsdp2 hsdp zero",
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
            also="cpu host",
        ),
    ] = "none"
