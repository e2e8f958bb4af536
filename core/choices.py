"""What the fields with fixed choices offer, as tables: the name others rely on, the label, and a line about it."""

from __future__ import annotations

from core.choice_kinds import Option
from core.memory.storage import FROZEN
from core.numbers import significant

CAPACITIES = (
    Option("marketed", "Marketed", "as sold, in decimal gigabytes"),
    Option("reported", "Reported", "what the card's own tool reports"),
    Option("usable", "Usable", "what a program can allocate"),
)
STAGES = (
    Option("0", "0 · nothing shared", "every card holds everything"),
    Option("1", "1 · optimizer states", "optimizer states are spread over the cards"),
    Option("2", "2 · and gradients", "optimizer states and gradients are spread over the cards"),
    Option("3", "3 · and parameters", "everything is spread over the cards"),
)
RECOMPUTE = (
    Option("none", "None", "everything that backward needs is kept"),
    Option("full", "Full", "one checkpoint a layer: only its input is kept, the rest is computed again"),
)
ATTENTION = (
    Option("sdpa", "sdpa", "what PyTorch picks on CUDA: flash, memory-efficient or math"),
    Option("eager", "eager", "the scores of every head, a matrix of the sequence squared, are kept"),
)
ACTIVATION_MODELS = (
    Option("pytorch", "As PyTorch keeps them", "tensor by tensor, to the byte"),
    Option("korthikanti", "Korthikanti et al.", "s·b·h·(34 + 5·a·s/h) a layer, shown beside PyTorch's"),
    Option("korthikanti-selective", "Korthikanti et al., selective", "34·s·b·h a layer: attention is computed again"),
)
SHARDING = (
    Option("paper", "By the paper", "the ZeRO stage that is chosen, shares even to the parameter"),
    Option("ddp", "DDP", "stage 0: every rank holds everything, and the gradients again in its buckets"),
    Option("ddp-bucket-view", "DDP, gradients as bucket views", "stage 0: the gradients are the buckets"),
    Option("zero-redundancy", "ZeroRedundancyOptimizer", "stage 1 under DDP: whole tensors, each to one rank's update"),
    Option("fsdp2", "FSDP2", "stage 3: each rank has its rows of every tensor, padded alike"),
    Option("hsdp", "HSDP", "stage 3 within groups of cards, each of which holds one copy"),
)
OFFLOAD = (
    Option("none", "Nothing", "everything stays on the card"),
    Option("optimizer", "Optimizer states", "the states live on the host, where the update runs (ZeRO-Offload)"),
    Option("parameters", "Everything", "parameters, gradients and states live on the host; layers visit the card"),
)
LORA_TARGETS = (
    Option("all-linear", "All linears", "every linear of the layers; not the head, and not stacked experts"),
    Option("attention", "Attention", "queries, keys, values and output of attention"),
    Option("qv", "Queries and values", "what the LoRA paper adapts; a projection that joins them counts whole"),
)


def _blocks(name: str, label: str, how: str) -> Option:
    """A format with a scale for each block of weights, and the bytes of a weight that follow."""
    return Option(name, label, f"{how}: {significant(FROZEN[name].bulk, 4)} B a weight")


_HALF_BYTE, _DOUBLE = "half a byte and a 32-bit scale for each block of {}", "QLoRA's double quantisation"
FROZEN_STORAGE = (
    Option("16-bit", "16-bit", "2 B a weight"),
    Option("32-bit", "32-bit", "4 B a weight"),
    Option("int8", "8-bit", "1 B a weight and a 32-bit scale a row"),
    _blocks("nf4", "NF4", _HALF_BYTE.format(64)),
    _blocks("nf4-double", "NF4, scales in 8 bits", _DOUBLE),
    _blocks("nf4-128", "NF4, blocks of 128", _HALF_BYTE.format(128)),
    _blocks("nf4-128-double", "NF4, blocks of 128, scales in 8 bits", _DOUBLE),
    _blocks("fp4", "FP4", _HALF_BYTE.format(64)),
    _blocks("fp4-double", "FP4, scales in 8 bits", _DOUBLE),
    _blocks("fp4-128", "FP4, blocks of 128", _HALF_BYTE.format(128)),
    _blocks("fp4-128-double", "FP4, blocks of 128, scales in 8 bits", _DOUBLE),
)
