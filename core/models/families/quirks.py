"""Known reasons why a published total differs from the count, computed for the model at hand."""

from __future__ import annotations

from collections.abc import Iterable

from core.models.layout import View


def router_bias(v: View) -> Iterable[str]:
    """The correction bias of a router that balances without a loss: a buffer, stored in the checkpoint."""
    experts = v.number("num_experts")
    if experts:
        yield (
            f"Checkpoints also store one correction bias of {experts:,} numbers for each router: a buffer, and not a "
            "parameter, so it is not counted."
        )


def mxfp4_scales(v: View) -> Iterable[str]:
    """gpt-oss is published with one scale for 32 weights of its experts, which some totals count as parameters."""
    experts, h, f = v.number("num_experts"), v.arch.hidden, v.arch.mlp
    scales = v.arch.layers * experts * 3 * h * f // 32
    if v.arch.quantisation and v.arch.quantisation.method == "mxfp4":
        yield f"Published totals may count {scales:,} MXFP4 scales, one for 32 expert weights, as parameters."


def stored_rotary(v: View) -> Iterable[str]:
    """Old code keeps the rotary frequencies as a buffer that is saved."""
    yield "Checkpoints also store the rotary frequencies, a buffer of a few numbers a layer; it is not counted."
