"""What the optimizer's step makes and frees, in the moments' format."""

from __future__ import annotations

import pytest

from core.account import account
from core.scenario import from_json


def _update(**fields: object) -> int:
    """Temporaries at the optimizer step on one card."""
    step = account(from_json({"model": "Llama 2 7B", **fields})).stage.bill
    assert step is not None
    return next(moment for moment in step.moments if moment.name == "optimizer step").bands["transient"]


@pytest.mark.parametrize(
    ("fields", "size"),
    [
        # PyTorch's default on CUDA takes the square root of all second moments at once: 6,738,415,616 of them.
        ({"precision": "mixed"}, 4 * 6_738_415_616),
        # meta-pytorch/torchtune#389: in pure bf16 "about one more model size" of temporaries.
        ({"precision": "pure-16"}, 2 * 6_738_415_616),
        ({"precision": "mixed", "zero": 1, "cards": 4}, 6_738_415_616),
        ({"precision": "mixed", "fused_update": True}, 0),
        ({"precision": "mixed", "optimizer": "sgd"}, 0),
        ({"precision": "mixed", "offload": "optimizer"}, 0),
    ],
)
def test_the_steps_temporaries(fields: dict[str, object], size: int) -> None:
    assert _update(**fields) == size
