"""What each optimizer keeps, as a table: which states, how each is stored, and its counters.

Measured after one real step (PyTorch 2.13, transformers 5.24, bitsandbytes, torchao, lion-pytorch).
"""

from __future__ import annotations

import msgspec

from core.memory.storage import (
    Storage,
    ao_4bit,
    ao_8bit,
    ao_fp8,
    bnb_8bit,
    factored,
    factored_fp32,
    fp32,
    like_weights,
)


class State(msgspec.Struct, frozen=True):
    """One kind of state tensor. item: momentum, variance or other, as the account calls it; name: the optimizer's."""

    item: str
    name: str
    storage: Storage


class Rule(msgspec.Struct, frozen=True):
    """counters: 32-bit numbers for each tensor (steps), on the host unless fused; shared: code books, once in all.

    rest: the rule of what is no hidden matrix, where it is another one (Muon). temporaries: elements for each parameter
    that PyTorch's default implementation on CUDA ("foreach") makes in a step, in the moments' format; the fused one
    makes none. None where it was not measured.
    """

    name: str
    states: tuple[State, ...]
    counters: int = 0
    shared: int = 0
    rest: str = ""
    temporaries: int | None = None


def _momentum(name: str = "exp_avg", storage: Storage = like_weights) -> State:
    return State("momentum", name, storage)


def _variance(name: str = "exp_avg_sq", storage: Storage = like_weights) -> State:
    return State("variance", name, storage)


def _both(storage: Storage = like_weights) -> tuple[State, ...]:
    return (_momentum(storage=storage), _variance(storage=storage))


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("adamw", _both(), 1, temporaries=1),
        Rule("adam", _both(), 1, temporaries=1),
        Rule("amsgrad", (*_both(), State("other", "max_exp_avg_sq", like_weights)), 1, temporaries=1),
        Rule("nadam", _both(), 2, temporaries=1),
        Rule("radam", _both(), 1, temporaries=1),
        Rule("adamax", (_momentum(), _variance("exp_inf")), 1, temporaries=1),
        Rule("adadelta", (_variance("square_avg"), _momentum("acc_delta")), 1, temporaries=2),
        Rule("sgd", (), temporaries=0),
        Rule("sgd-momentum", (_momentum("momentum_buffer"),), temporaries=0),
        Rule("adagrad", (_variance("sum"),), 1, temporaries=2),
        Rule("rmsprop", (_variance("square_avg"),), 1, temporaries=1),
        Rule(
            "rmsprop-centred-momentum",
            (_variance("square_avg"), _momentum("momentum_buffer"), State("other", "grad_avg", like_weights)),
            1,
        ),
        Rule("asgd", (_momentum("ax"),), 3),
        Rule("lion", (_momentum(),)),
        Rule("adafactor", (State("other", "row and column variance", factored),), 1),
        Rule("adafactor-transformers", (State("other", "row and column of exp_avg_sq", factored_fp32),), 1),
        Rule(
            "adafactor-beta1",
            (_momentum(storage=fp32), State("other", "row and column of exp_avg_sq", factored_fp32)),
            1,
        ),
        Rule("muon", (_momentum("momentum_buffer"),), rest="adamw"),
        Rule("adamw-32bit-bnb", _both(fp32)),
        Rule("adamw-8bit", _both(bnb_8bit), shared=2048),
        Rule("adam-8bit", _both(bnb_8bit), shared=2048),
        Rule("lion-8bit", (_momentum(storage=bnb_8bit),), shared=2048),
        Rule("sgd-momentum-8bit", (_momentum("momentum_buffer", bnb_8bit),), shared=2048),
        Rule("adamw-8bit-torchao", _both(ao_8bit), 1),
        Rule("adamw-4bit-torchao", _both(ao_4bit), 1),
        Rule("adamw-fp8-torchao", _both(ao_fp8), 1),
    )
}  # fmt: skip
