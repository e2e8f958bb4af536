"""What stands in attention's place in hybrid and recurrent models: Mamba, gated delta rule, short convolution."""

from __future__ import annotations

from collections.abc import Iterator

from core.models.layout import Block, Flag, View, Weight, linear, vector


def mamba1(
    path: str = "mixer",
    keys: tuple[str, str, str, str] = ("expand", "state_size", "conv_kernel", "time_step_rank"),
    bias: Flag = "use_bias",
    conv_bias: Flag = "use_conv_bias",
    inner_norms: bool = False,
) -> Block:
    """Mamba (Gu and Dao 2023): h·2i + i·w + i·(R + 2N) + R·i + i + i·N + i + i·h, with i = expand·h.

    R is h ÷ 16 rounded up where the file says "auto"; `inner_norms` are Jamba's R + 2N.
    """
    expand, state, kernel, rank = keys

    def weights(v: View) -> Iterator[Weight]:
        i = v.named("i", v.number(expand) * v.arch.hidden)
        n, w = v.size(state, "N"), v.size(kernel, "w")
        r = v.named("R", -(-v.arch.hidden // 16) if v.get(rank) == "auto" else v.number(rank))
        yield Weight(f"{path}.A_log", (i, n), "vector")
        yield vector(f"{path}.D", i)
        yield Weight(f"{path}.conv1d.weight", (i, 1, w), "convolution")
        if v.flag(conv_bias):
            yield vector(f"{path}.conv1d.bias", i)
        yield from linear(f"{path}.in_proj", i * 2, v.h, v.flag(bias))
        yield from linear(f"{path}.x_proj", r + n * 2, i)
        yield from linear(f"{path}.dt_proj", i, r, True)
        yield from linear(f"{path}.out_proj", v.h, i, v.flag(bias))
        if inner_norms:
            for name, width in (("dt", r), ("b", n), ("c", n)):
                yield vector(f"{path}.{name}_layernorm.weight", width)

    return Block("Mamba mixer", "mixer", weights)


def mamba2(
    path: str,
    inner: str = "",
    expand: str = "mamba_expand",
    heads: str = "mamba_n_heads",
    head: str = "",
    groups: str = "mamba_n_groups",
    state: str = "mamba_d_state",
    kernel: str = "mamba_d_conv",
    bias: Flag = "mamba_proj_bias",
    out_bias: Flag | None = None,
    conv_bias: Flag = "mamba_conv_bias",
    norm: Flag = True,
) -> Block:
    """Mamba-2 (Dao and Gu 2024): h·(2i + 2GN + H) + (i + 2GN)·w + (i + 2GN) + 3H + i + i·h, H heads, G groups.

    The inner width i is the field `inner` where it is set, heads times head size where `head` names a field, else
    the expansion times h.
    """

    def weights(v: View) -> Iterator[Weight]:
        g, n, count, w = (v.size(key, x) for key, x in ((groups, "G"), (state, "N"), (heads, "H"), (kernel, "w")))
        if inner and v.get(inner) is not None:
            width = v.number(inner)
        else:
            width = count.value * v.number(head) if head else v.number(expand) * v.arch.hidden
        i = v.named("i", width)
        wide = i + g * n * 2
        for name in ("dt_bias", "A_log", "D"):
            yield vector(f"{path}.{name}", count)
        yield Weight(f"{path}.conv1d.weight", (wide, 1, w), "convolution")
        if v.flag(conv_bias):
            yield vector(f"{path}.conv1d.bias", wide)
        yield from linear(f"{path}.in_proj", i + wide + count, v.h, v.flag(bias))
        if v.flag(norm):
            yield vector(f"{path}.norm.weight", i)
        yield from linear(f"{path}.out_proj", v.h, i, v.flag(bias if out_bias is None else out_bias))

    return Block("Mamba-2 mixer", "mixer", weights)


def delta_net(path: str = "linear_attn", fused: bool = False) -> Block:
    """Gated delta rule (Yang 2024): h·(2K + 2U) + 2·h·b + (2K + U)·w + 2·b + dᵥ + U·h, with K = a·dₖ and U = b·dᵥ.

    a key heads of dₖ and b value heads of dᵥ. `fused` is how Qwen3-Next stores the input projections.
    """

    def weights(v: View) -> Iterator[Weight]:
        a, dk = v.size("linear_num_key_heads", "a"), v.size("linear_key_head_dim", "dₖ")
        b, dv = v.size("linear_num_value_heads", "b"), v.size("linear_value_head_dim", "dᵥ")
        keys, values, w = a * dk, b * dv, v.size("linear_conv_kernel_dim", "w")
        yield vector(f"{path}.dt_bias", b)
        yield vector(f"{path}.A_log", b)
        yield Weight(f"{path}.conv1d.weight", (keys * 2 + values, 1, w), "convolution")
        if fused:
            yield from linear(f"{path}.in_proj_qkvz", keys * 2 + values * 2, v.h)
            yield from linear(f"{path}.in_proj_ba", b * 2, v.h)
        else:
            yield from linear(f"{path}.in_proj_qkv", keys * 2 + values, v.h)
            yield from linear(f"{path}.in_proj_z", values, v.h)
            yield from linear(f"{path}.in_proj_b", b, v.h)
            yield from linear(f"{path}.in_proj_a", b, v.h)
        yield vector(f"{path}.norm.weight", dv)
        yield from linear(f"{path}.out_proj", v.h, values)

    return Block("gated delta net", "mixer", weights)


def short_convolution(path: str = "conv", bias: Flag = "conv_bias", kernel: str = "conv_L_cache") -> Block:
    """LFM2's gated short convolution: 4·h² + h·w, with biases 5·h more."""

    def weights(v: View) -> Iterator[Weight]:
        yield Weight(f"{path}.conv.weight", (v.h, 1, v.size(kernel, "w")), "convolution")
        if v.flag(bias):
            yield vector(f"{path}.conv.bias", v.h)
        yield from linear(f"{path}.in_proj", v.h * 3, v.h, v.flag(bias))
        yield from linear(f"{path}.out_proj", v.h, v.h, v.flag(bias))

    return Block("short convolution", "mixer", weights)
