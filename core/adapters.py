"""LoRA over a frozen model (Hu et al. 2021), in few bits with QLoRA (Dettmers et al. 2023): what a parameter carries.

peft keeps adapters in 32 bits over a 16-bit model by default; in a pure 16-bit recipe they are in 16 bits. The items
stay averages over the model's own parameters, whose sums are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import msgspec

from core.memory.passes import Lora
from core.memory.states import adapters, frozen_weights, optimizer_state
from core.memory.tensors import ParameterTensor, Tensor, elements
from core.models.facts import ModelFacts
from core.numbers import Number, ceil, narrow
from core.recipes import Item, recipe
from core.scenario import Scenario


class Targets(msgspec.Struct, frozen=True):
    """Which linears are meant: by the modules of a tensor's name, and by the names that stand for them in a pass.

    `names` where queries, keys and values are projected apart, `joined` where one linear does it; none means all.
    """

    label: str
    meant: Callable[[list[str]], bool]
    names: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()


_JOINED = frozenset({"c_attn", "query_key_value", "qkv_proj", "Wqkv", "wqkv", "W_pack"})
_QUERY_VALUE = frozenset({"q_proj", "v_proj", "query", "value", "q", "v"}) | _JOINED
TARGETS = {
    "all-linear": Targets("all linears", lambda modules: True),
    "attention": Targets(
        "attention", lambda modules: any("attn" in name or "attention" in name for name in map(str.lower, modules)),
        ("q_proj", "k_proj", "v_proj", "o_proj"), ("c_attn", "o_proj"),
    ),
    "qv": Targets("queries and values", lambda modules: modules[-2] in _QUERY_VALUE, ("q_proj", "v_proj"), ("c_attn",)),
}  # fmt: skip
# Matrices that no torch.nn.Linear holds: routers of mixtures are bare parameters in transformers 5.24.
_BARE = frozenset({"gate", "router"})
_STORAGE = {"16-bit": "bf16", "32-bit": "fp32"}


class Adapted(msgspec.Struct, frozen=True):
    """A frozen model with adapters. `each`: bytes of an adapter's parameter; `frozen_bytes`: all that is not trained.

    `largest`: elements of the largest linear stored in few bits, which is unpacked whole to be used; 0 for none.
    """

    targets: Targets
    lora: Lora
    tensors: tuple[Tensor, ...]
    parameters: int
    each: int
    storage: str
    frozen_bytes: int
    largest: int

    @property
    def narrow(self) -> bool:
        """Whether the frozen linears compute from 16 bits, however they are stored."""
        return self.storage not in ("", "32-bit")

    @property
    def packed(self) -> bool:
        """Whether the frozen linears are stored in few bits."""
        return self.largest > 0


_known: dict[tuple[int, int, str, str, str], tuple[ModelFacts, Adapted]] = {}
_MOST = 256


def adapted(scenario: Scenario, facts: ModelFacts | None) -> Adapted | None:
    """The adapters of a scenario; None where the whole model is trained."""
    if facts is None or scenario.lora_rank is None:
        return None
    key = (id(facts), scenario.lora_rank, scenario.lora_targets, scenario.frozen or "", scenario.precision)
    found = _known.get(key)
    # The key is an identity: the model itself is kept beside it, so that it cannot be another's.
    if found is None or found[0] is not facts:
        if len(_known) >= _MOST:
            _known.clear()
        found = _known[key] = (facts, _adapted(scenario, facts, scenario.lora_rank))
    return found[1]


def _adapted(scenario: Scenario, facts: ModelFacts, rank: int) -> Adapted:
    targets, kept = TARGETS[scenario.lora_targets], recipe(scenario.precision).weights[1]
    linears = tuple(tensor for tensor in facts.tensors if is_linear(tensor))
    meant = tuple(tensor for tensor in linears if targets.meant(tensor.name.split(".")))
    tensors = adapters(meant, rank)
    joined = any(tensor.name.split(".")[-2] in _JOINED for tensor in meant)
    wide = scenario.precision != "pure-16"
    storage = scenario.frozen or ""
    if not storage:
        frozen, largest = ceil(facts.count.total * kept), 0
    else:
        name = _STORAGE.get(storage, storage)
        others = max(2, ceil(kept))
        frozen = frozen_weights(name, linears, other_bytes=others, kinds=frozenset({"matrix"})).bytes
        frozen += others * (facts.count.total - elements(linears))
        largest = 0 if storage in _STORAGE else max((elements((_one(tensor),)) for tensor in linears), default=0)
    return Adapted(
        targets,
        Lora(rank, targets.joined if joined else targets.names, wide),
        tensors,
        elements(tensors),
        4 if wide else 2,
        storage,
        frozen,
        largest,
    )


def is_linear(tensor: ParameterTensor) -> bool:
    """Whether a tensor is the weight of a linear in a layer."""
    modules = tensor.name.split(".")
    return tensor.kind == "matrix" and len(tensor.shape) == 2 and len(modules) > 1 and modules[-2] not in _BARE


def _one(tensor: ParameterTensor) -> Tensor:
    return Tensor(tensor.name, tensor.shape)


def adapter_items(rows: tuple[Item, ...], scenario: Scenario, facts: ModelFacts, found: Adapted) -> tuple[Item, ...]:
    """The items of a parameter where adapters alone are trained: averages over the model's own parameters.

    Step counters, 4 B a tensor, are in the other state: adapters are many small tensors. PyTorch keeps them on the host
    unless the update is fused.
    """
    total, trained = facts.count.total, found.parameters * found.each
    kept: dict[str, tuple[str, int]] = {
        "weights": (_weight_format(rows, found), found.frozen_bytes + trained),
        "gradients": (_FORMATS[found.each], trained),
        "master": ("", 0),
    }
    if recipe(scenario.precision).moment[1]:
        state = optimizer_state(scenario.optimizer, found.tensors, found.each)
        for name in ("momentum", "variance", "other"):
            kept[name] = (_FORMATS[found.each], state.items.get(name, 0))
        # Adapters are many small tensors, so that their step counters show; others' are left out as too small.
        held = state.items.get("other", 0)
        kept["other"] = (f"{_FORMATS[found.each]}, counters" if held else "counters", held + state.counters)
    else:
        kept |= dict.fromkeys(("gradients", "momentum", "variance", "other"), ("", 0))
    averages: dict[str, Number] = {name: narrow(Fraction(size, total)) for name, (_, size) in kept.items()}
    return tuple(
        msgspec.structs.replace(row, bytes=averages[row.name], format=kept[row.name][0] if averages[row.name] else "")
        for row in rows
    )


_FORMATS = {4: "fp32", 2: "16-bit"}


def _weight_format(rows: tuple[Item, ...], found: Adapted) -> str:
    base = found.storage or next(row.format for row in rows if row.name == "weights")
    return f"{base}, adapters {_FORMATS[found.each]}"
