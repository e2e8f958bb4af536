"""The blocks that a family's table is composed of: what PyTorch 2.13 on CUDA saves for each.

Each function returns rows for one layer. Source: tensors seen by autograd's saved-tensor hooks over transformers 5.24
models, de-duplicated by storage; parameters, buffers and inputs left out.
"""

from __future__ import annotations

from core.memory.rows import Category, Dtype, Layers, Row, Where
from core.memory.setting import Setting

# Linears before each point: what must be trained for a gradient to reach it in the first layer.
NOTHING = ("nothing",)
PROJECTIONS = ("query", "key", "value", "qkv")
ATTENTION = (*PROJECTIONS, "output")
ENTERING_MLP = (*ATTENTION, "gate", "up", "gate_up", "first", "router")

TOKENS = ("b", "s", "h")
HEADS = ("b", "s", "a", "d")
KV_HEADS = ("b", "s", "k", "d")
MLP = ("b", "s", "f")


def linear_input(
    setting: Setting, reader: str, feeds: tuple[str, ...], where: Where = "layer", layers: Layers = "all"
) -> list[Row]:
    """What linears read: one tensor for all of them, but under autocast a 16-bit copy for each."""
    category: Category = "head" if where == "head" else "attention" if reader.startswith("attention") else "mlp"
    copies = len(feeds) if setting.precision == "autocast" else 1
    why = "a linear's weight gradient is its output's gradient times its input"
    name = f"input of the {reader}" + (", a 16-bit copy for each linear" if setting.precision == "autocast" else "")
    return [Row(name, where, category, TOKENS, setting.inner, why, count=copies, layers=layers, feeds=feeds)]


def norm(
    setting: Setting, name: str, where: Where = "layer", layers: Layers = "all", needs: tuple[str, ...] = ()
) -> list[Row]:
    """LayerNorm keeps its input and two statistics; RMSNorm, written in Python, its input in 32 bits, 1/rms and the
    normalised values, and Gemma's also 1 + weight."""
    kind = setting.family.norm
    if kind == "layernorm":
        return [
            Row(f"{name}: input", where, "norm", TOKENS, setting.residual,
                "the norm's gradient needs the values it normalised", layers=layers, needs=needs),
            Row(f"{name}: mean and 1/σ", where, "norm", ("b", "s"), "fp32",
                "to normalise again in the norm's gradient", count=2, layers=layers, needs=needs),
        ]  # fmt: skip
    return _rms(setting, name, TOKENS, ("b", "s"), "h", setting.residual, where, layers, needs)


def head_norm(setting: Setting, name: str, head: str) -> list[Row]:
    """RMSNorm over each head of the queries ("a") or of the keys ("k")."""
    needs = ("query",) if head == "a" else ("key",)
    return _rms(setting, name, ("b", "s", head, "d"), ("b", "s", head), "d", setting.inner, "layer", "all", needs)


def _rms(
    setting: Setting, name: str, whole: tuple[str, ...], rows: tuple[str, ...], width: str, narrow: Dtype, where: Where,
    layers: Layers, needs: tuple[str, ...],
) -> list[Row]:  # fmt: skip
    gemma = setting.family.norm == "gemma_rmsnorm"
    found = [
        Row(f"{name}: input in 32 bits", where, "norm", whole, "fp32", "the mean square's gradient",
            layers=layers, needs=needs),
        Row(f"{name}: 1/rms", where, "norm", rows, "fp32", "scales the gradient of each token", layers=layers,
            needs=needs),
        Row(f"{name}: normalised", where, "norm", whole, "fp32" if gemma else narrow,
            "the gradient of the norm's weight", layers=layers, feeds=("norm",)),
    ]  # fmt: skip
    if gemma:
        found.append(Row(f"{name}: 1 + weight", where, "norm", (width,), "fp32",
                         "the gradient of the normalised values", layers=layers, needs=needs))  # fmt: skip
    return found


def rotary(setting: Setting, tables: int) -> list[Row]:
    """Cosines and sines, shared by all layers with the same base."""
    why = "turns the gradients of queries and keys back"
    return [Row("rotary cosine and sine", "embedding", "position", ("s", "r"), setting.residual, why,
                count=2 * tables, layers="once")]  # fmt: skip


def dropout_mask(name: str, where: Where = "layer", layers: Layers = "all") -> list[Row]:
    """One byte an element."""
    why = "which elements were dropped"
    needs = ATTENTION if name.startswith("attention") else ()
    return [Row(f"dropout mask of the {name}", where, "dropout", TOKENS, "bool", why, layers=layers, needs=needs)]


def mlp(setting: Setting) -> list[Row]:
    """The feed-forward part, its inputs included."""
    kind, inner = setting.family.mlp, setting.inner

    def row(name: str, why: str, dtype: Dtype = inner, shape: tuple[str, ...] = MLP) -> Row:
        return Row(name, "layer", "mlp", shape, dtype, why, needs=ENTERING_MLP)

    def last_input(name: str, reader: str, why: str, *, stays: bool = False) -> Row:
        needs = ENTERING_MLP if stays else ()
        return Row(name, "layer", "mlp", MLP, inner, why, feeds=(reader,), needs=needs, stays=stays)

    product = "the down projection's weight gradient"
    if kind == "experts":
        return linear_input(setting, "router", ("router",)) + experts(setting)
    if kind in ("swiglu", "swiglu_fused", "geglu"):
        act = "GELU" if kind == "geglu" else "SiLU"
        readers = ("gate_up",) if kind == "swiglu_fused" else ("gate", "up")
        found = linear_input(setting, "gate and up projections", readers)
        if kind == "swiglu_fused":
            why = f"{act}'s gradient and that of its product"
            found.append(row("gate and up, one tensor", why, shape=("b", "s", "2f")))
        else:
            found += [row("gate", f"{act}'s gradient"), row("up", f"the gradient of {act}(gate)")]
        found.append(row(f"{act}(gate)", "the gradient of up"))
        return [*found, last_input(f"{act}(gate) × up", "down", product)]
    found = linear_input(setting, "first MLP linear", ("first",))
    if kind == "relu":
        why = "ReLU's own gradient, and the second linear's weight gradient"
        return [*found, last_input("ReLU output", "second", why, stays=True)]
    last = "the second linear's weight gradient"
    if kind == "gelu":
        return [*found, row("GELU input", "GELU's gradient"), last_input("GELU output", "second", last)]
    # GELU written in Python: every step is saved, and the power is taken in 32 bits under autocast.
    wide: Dtype = setting.residual
    return [
        *found,
        row("GELU input", "the gradient of its cube", wide),
        row("tanh", "tanh's gradient", wide),
        row("1 + tanh", "the gradient of x/2", wide),
        row("x/2", "the gradient of 1 + tanh"),
        last_input("GELU output", "second", last),
    ]


def experts(setting: Setting) -> list[Row]:
    """A mixture as torch's grouped matrix product runs it; under autocast its experts stay in 32 bits."""
    wide: Dtype = setting.residual
    routed = ("b", "s", "t")

    def row(name: str, shape: tuple[str, ...], dtype: Dtype, why: str, feeds: tuple[str, ...] = ()) -> Row:
        return Row(name, "layer", "mlp", shape, dtype, why, feeds=feeds, needs=() if feeds else ENTERING_MLP)

    return [
        row("router probabilities", ("b", "s", "E"), "fp32", "softmax's gradient"),
        row("chosen experts", routed, "int64", "where the chosen probabilities came from"),
        row("sum of the chosen probabilities", ("b", "s"), "fp32", "the gradient of their normalisation"),
        row("chosen probabilities", routed, "fp32", "the gradient of their normalisation"),
        row("token of each row", routed, "int64", "where each expert's input came from"),
        row("order by expert", routed, "int64", "where each weight came from"),
        row("rows up to each expert", ("E",), "int32", "bounds of each expert's rows"),
        row("inputs by expert", (*routed, "h"), wide, "the experts' weight gradients", ("experts",)),
        row("gate and up, one tensor", (*routed, "2f"), wide, "SiLU's gradient and that of its product"),
        row("SiLU(gate)", (*routed, "f"), wide, "the gradient of up"),
        row("SiLU(gate) × up", (*routed, "f"), wide, "the down projections' weight gradients", ("experts",)),
        row("weights by expert", routed, "fp32", "the gradient of the experts' outputs"),
        row("outputs by expert", (*routed, "h"), wide, "the gradient of the router's weights"),
        row("order back to tokens", routed, "int64", "where each output went"),
    ]


def weight_casts(setting: Setting) -> list[Row]:
    """Autocast's 16-bit copies of linear weights, which the graph keeps from forward to each layer's backward."""

    def row(name: str, shape: tuple[str, ...], needs: tuple[str, ...], count: int = 1) -> Row:
        why = "autocast's copy, read again for the gradient of the linear's input"
        return Row(f"{name} weight in 16 bits", "layer", "weight cast", shape, "bf16", why, count=count, needs=needs)

    if setting.family.projection == "fused":
        found = [row("query, key and value", ("(a+2k)d", "h"), NOTHING)]
    else:
        found = [row("query", ("a", "d", "h"), NOTHING), row("key and value", ("k", "d", "h"), NOTHING, 2)]
    found.append(row("attention output", ("a", "d", "h"), PROJECTIONS))
    kind = setting.family.mlp
    if kind == "experts":
        return [*found, row("router", ("E", "h"), ATTENTION)]
    if kind == "swiglu_fused":
        return [*found, row("gate and up", ("2f", "h"), ATTENTION), row("down", ("f", "h"), ENTERING_MLP)]
    if kind in ("swiglu", "geglu"):
        return [*found, row("gate and up", ("f", "h"), ATTENTION, 2), row("down", ("f", "h"), ENTERING_MLP)]
    return [*found, row("first MLP", ("f", "h"), ATTENTION), row("second MLP", ("f", "h"), ENTERING_MLP)]
