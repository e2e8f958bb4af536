"""A row of an activation table: one kind of tensor that a pass keeps for its backward."""

from __future__ import annotations

from typing import Literal

import msgspec

Dtype = Literal["bf16", "fp32", "bool", "int32", "int64", "uint64"]
Where = Literal["embedding", "layer", "head", "loss"]
Category = Literal["attention", "mlp", "norm", "position", "dropout", "checkpoint", "head", "loss", "weight cast"]
Layers = Literal["all", "full", "window", "once", "later", "full later", "window later"]

DTYPE_BYTES: dict[Dtype, int] = {"bf16": 2, "fp32": 4, "bool": 1, "int32": 4, "int64": 8, "uint64": 8}


class Row(msgspec.Struct, frozen=True):
    """`count` tensors of shape `shape` (letters of passes.LETTERS) in each of the layers that `layers` names.

    layers: "all", only those that see the whole sequence ("full"), only those with a sliding window ("window"), "once"
    in a pass; "later": all but the first of them. why: what the backward pass computes from it. feeds: the weights
    whose gradients alone need it, so that it goes where they are frozen, unless it `stays` for another reason. needs:
    in a first layer whose input needs no gradient, it is kept only if one of these is trained (none given: it is kept).
    """

    tensor: str
    where: Where
    category: Category
    shape: tuple[str, ...]
    dtype: Dtype
    why: str
    count: int = 1
    layers: Layers = "all"
    feeds: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    stays: bool = False


class SavedTensor(msgspec.Struct, frozen=True):
    """A row with this pass's numbers: `elements` of one tensor, `places` it occurs in, `bytes` of all of them."""

    row: Row
    elements: int
    places: int
    bytes: int

    @property
    def bytes_each(self) -> int:
        """Bytes of one tensor."""
        return self.elements * DTYPE_BYTES[self.row.dtype]

    @property
    def formula(self) -> str:
        """In letters: "2 B · b·s·h", with the number of tensors and of layers before it where it is not one."""
        row = self.row
        parts = [f"{self.places} layers"] if row.layers != "once" else []
        if row.count != 1:
            parts.append(f"{row.count} tensors")
        size = DTYPE_BYTES[row.dtype]
        parts.append("·".join(row.shape) + f" · {size} B" if row.shape else f"{size} B")
        return " × ".join(parts)
