"""LoRA over a frozen model: which saved tensors go, and which come.

peft with transformers 5.24: an adapter on a linear keeps its own input (cast to 32 bits, where adapters are in 32 bits
over a 16-bit model, peft's default; under autocast a 16-bit copy) and the output of its first matrix. A frozen linear
keeps no input, a frozen RMSNorm not the normalised values. The first layer's input needs no gradient.
"""

from __future__ import annotations

import msgspec

from core.memory.rows import Category, Dtype, Layers, Row
from core.memory.setting import Setting

# Names of linears in transformers' models, and what they are here.
ROLES: dict[str, tuple[str, ...]] = {
    "q_proj": ("query",), "k_proj": ("key",), "v_proj": ("value",), "query": ("query",), "key": ("key",),
    "value": ("value",), "o_proj": ("output",), "out_proj": ("output",), "dense": ("output",), "c_attn": ("qkv",),
    "query_key_value": ("qkv",), "qkv_proj": ("qkv",), "gate_proj": ("gate",), "up_proj": ("up",),
    "down_proj": ("down", "second"), "gate_up_proj": ("gate_up",), "fc1": ("first",), "c_fc": ("first",),
    "dense_h_to_4h": ("first",), "fc2": ("second",), "dense_4h_to_h": ("second",), "c_proj": ("output", "second"),
}  # fmt: skip

# Shapes of each linear's input and output beyond b·s.
_IN: dict[str, tuple[str, ...]] = {"output": ("a", "d"), "down": ("f",), "second": ("f",)}
_OUT: dict[str, tuple[str, ...]] = {
    "query": ("a", "d"), "key": ("k", "d"), "value": ("k", "d"), "qkv": ("(a+2k)d",), "output": ("h",), "gate": ("f",),
    "up": ("f",), "gate_up": ("2f",), "first": ("f",), "down": ("h",), "second": ("h",),
}  # fmt: skip

_LATER: dict[Layers, Layers] = {"all": "later", "full": "full later", "window": "window later"}


def roles(targets: tuple[str, ...]) -> tuple[str, ...]:
    """The linears that these names mean; all of a layer's where none is named. Raises KeyError for an unknown name."""
    if not targets:
        return tuple(sorted(_OUT))
    return tuple(sorted({role for name in targets for role in ROLES[name]}))


def input_shape(role: str) -> tuple[str, ...]:
    """Shape of a linear's input."""
    return ("b", "s", *_IN.get(role, ("h",)))


def output_shape(role: str) -> tuple[str, ...]:
    """Shape of a linear's output."""
    return ("b", "s", *_OUT[role])


def weight_shapes(role: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Shapes of an adapter's two matrices: (rank, in) and (out, rank)."""
    return ("R", *_IN.get(role, ("h",))), (*_OUT[role], "R")


def copies_input(setting: Setting) -> bool:
    """Whether each adapter keeps a copy of its own of what its linear reads."""
    return setting.precision == "autocast" or setting.adapter != setting.inner


def adapter_format(setting: Setting) -> Dtype:
    """Format in which an adapter computes."""
    return "bf16" if setting.precision == "autocast" else setting.adapter


def adapt(rows: list[Row], setting: Setting) -> list[Row]:
    """The rows of a layer or of the head under LoRA; as they are where all is trained."""
    if not setting.frozen:
        return rows
    found: list[Row] = []
    for row in rows:
        if row.feeds:
            found += _fed(row, setting)
        elif row.needs and not setting.trains(*row.needs) and row.layers in _LATER:
            found.append(msgspec.structs.replace(row, layers=_LATER[row.layers]))
        else:
            found.append(row)
    return found


def _fed(row: Row, setting: Setting) -> list[Row]:
    """In place of a linear's input: what its adapters keep."""
    found: list[Row] = []
    trained = [role for role in row.feeds if setting.trains(role)]
    if row.stays:
        later = row.needs and not setting.trains(*row.needs)
        found.append(msgspec.structs.replace(row, layers=_LATER[row.layers]) if later else row)
    if not trained:
        return found
    own, kind = copies_input(setting), adapter_format(setting)
    why = "the gradient of the adapter's first matrix"
    if own:
        name = f"{row.tensor.split(',')[0]}, a copy for each adapter"
        found.append(_row(name, row.category, input_shape(trained[0]), kind, why, row.layers, len(trained)))
    elif not row.stays:
        found.append(msgspec.structs.replace(row, count=1, why=why))
    inner = f"output of the adapter's first matrix: {', '.join(trained)}"
    why = "the gradient of its second matrix"
    found.append(_row(inner, row.category, ("b", "s", "R"), kind, why, row.layers, len(trained)))
    if setting.precision == "autocast":
        found += [cast for role in trained for cast in _casts(role, row.layers)]
    return found


def _row(
    name: str, category: Category, shape: tuple[str, ...], dtype: Dtype, why: str, layers: Layers, count: int
) -> Row:
    return Row(name, "layer", category, shape, dtype, why, count=count, layers=layers)


def _casts(role: str, layers: Layers) -> list[Row]:
    """Autocast's copies of the adapter's matrices; the first is read again only where the input needs a gradient."""
    first, second = weight_shapes(role)
    why = "autocast's copy, read again for the gradient of what it multiplied"
    at_input = role in ("query", "key", "value", "qkv")
    return [
        Row(f"{role}: first adapter matrix in 16 bits", "layer", "weight cast", first, "bf16", why,
            layers=_LATER.get(layers, layers) if at_input else layers),
        Row(f"{role}: second adapter matrix in 16 bits", "layer", "weight cast", second, "bf16", why, layers=layers),
    ]  # fmt: skip
