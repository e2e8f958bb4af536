"""What follows attention in a layer: an MLP, or a mixture of experts."""

from __future__ import annotations

from collections.abc import Iterator

from core.models.layout import Block, Flag, View, Weight, Width, hidden, linear, mlp_width, size, vector
from core.models.sizes import Size


def glu(
    path: str = "mlp",
    names: tuple[str, str, str] = ("gate_proj", "up_proj", "down_proj"),
    bias: Flag = False,
    width: Width = mlp_width,
    fused: str = "",
    hidden: Width = hidden,
    term: str = "MLP",
    group: str = "mlp",
) -> Block:
    """3·h·f: gate, up and down (Shazeer 2020); `fused` names one matrix for gate and up. Biases add 2·f + h."""

    def weights(v: View) -> Iterator[Weight]:
        h, f, has_bias = hidden(v), width(v), v.flag(bias)
        if fused:
            yield from linear(f"{path}.{fused}", f * 2, h, has_bias)
        else:
            yield from linear(f"{path}.{names[0]}", f, h, has_bias)
            yield from linear(f"{path}.{names[1]}", f, h, has_bias)
        yield from linear(f"{path}.{names[2]}", h, f, has_bias)

    return Block(term, group, weights)


def mlp(
    path: str = "mlp",
    names: tuple[str, str] = ("fc1", "fc2"),
    bias: Flag = True,
    width: Width = mlp_width,
    hidden: Width = hidden,
    columns_first: bool = False,
    term: str = "MLP",
    group: str = "mlp",
) -> Block:
    """2·h·f: up and down. Biases add f + h. `columns_first` is the order of GPT-2's Conv1D."""
    dot = f"{path}." if path else ""

    def weights(v: View) -> Iterator[Weight]:
        for name, rows, columns in ((names[0], width(v), hidden(v)), (names[1], hidden(v), width(v))):
            yield Weight(f"{dot}{name}.weight", (columns, rows) if columns_first else (rows, columns))
            if v.flag(bias):
                yield vector(f"{dot}{name}.bias", rows)

    return Block(term, group, weights)


def expert_width(v: View) -> Size:
    """Width inside one expert."""
    return v.size("moe_intermediate_size", "m")


def expert_number(v: View) -> Size:
    """Number of routed experts of a layer."""
    return v.size("num_experts", "E")


def router(name: str = "mlp.gate", bias: Flag = False, number: Width = expert_number) -> Block:
    """h·E: the scores that choose a token's experts. A correction bias that is no parameter is left out."""
    return Block("router", "router", lambda v: linear(name, number(v), v.h, v.flag(bias)))


def experts(
    path: str = "mlp.experts",
    width: Width = expert_width,
    hidden: Width = hidden,
    gated: bool = True,
    bias: bool = False,
    columns_first: bool = False,
    number: Width = expert_number,
    used: Width | None = None,
) -> Block:
    """3·h·m·E, or 2·h·m·E without a gate: the routed experts, of which a token passes `num_experts_per_tok`."""
    up_name = "gate_up_proj" if gated else "up_proj"

    def weights(v: View) -> Iterator[Weight]:
        h, m, e = hidden(v), width(v), number(v)
        k = used(v).value if used else v.number("num_experts_per_tok")
        up = m * 2 if gated else m
        for name, rows, columns in ((up_name, up, h), ("down_proj", h, m)):
            shape = (e, columns, rows) if columns_first else (e, rows, columns)
            yield Weight(f"{path}.{name}", shape, "experts", e.value, k)
            if bias:
                yield Weight(f"{path}.{name}_bias", (e, rows), "experts", e.value, k)

    return Block("experts", "experts", weights)


def shared_width(v: View) -> Size:
    """Width of the shared experts together: their number times the width of one."""
    return v.size("n_shared_experts", "S") * expert_width(v)


def shared(path: str = "mlp.shared_experts", width: Width = shared_width) -> Block:
    """3·h·m·S: the experts that every token passes."""
    return glu(path, width=width, term="shared experts", group="experts")


def gated_shared(path: str = "mlp") -> tuple[Block, ...]:
    """One shared expert of its own width s, scaled by a gate of h."""
    width = size("shared_expert_intermediate_size", "s")
    return (
        glu(f"{path}.shared_expert", width=width, term="shared experts", group="experts"),
        Block("shared experts' gate", "router", lambda v: [Weight(f"{path}.shared_expert_gate.weight", (1, v.h))]),
    )


def moe(
    *more: Block, gate: str = "mlp.gate", path: str = "mlp.experts", width: Width = expert_width
) -> tuple[Block, ...]:
    """Router and routed experts, and what a family adds to them."""
    return (router(gate), experts(path, width), *more)
