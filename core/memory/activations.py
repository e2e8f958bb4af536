"""saved(run): every tensor that a forward pass keeps for its backward, and their sums.

Exact for PyTorch 2.13 and transformers 5.24 on CUDA, kernel workspaces and the allocator's rounding apart.
"""

from __future__ import annotations

import msgspec

from core.memory.adapters import roles
from core.memory.families import stand_in, table_of
from core.memory.kernels import KERNEL_NAMES, Kernel, sdpa_kernel
from core.memory.passes import Pass, round_up, sizes
from core.memory.rows import DTYPE_BYTES, Category, Row, SavedTensor
from core.memory.setting import Family, Setting
from core.memory.table import layer_rows, layers_of, loss_dtype, rows


class SavedTensors(msgspec.Struct, frozen=True):
    """The saved tensors of a pass. kernel: of attention, by name. loss_bytes: the loss itself; logits_bytes: the
    model's output, where the caller holds it (else 0). notes: what was assumed, in sentences. stand_in: the table is
    another family's."""

    run: Pass
    setting: Setting
    full_layers: int
    window_layers: int
    tensors: tuple[SavedTensor, ...]
    kernel: str
    letters: dict[str, int]
    loss_bytes: int
    logits_bytes: int
    saved_bytes: int
    weight_cast_bytes: int
    notes: tuple[str, ...] = ()
    stand_in: bool = False

    @property
    def end_of_forward_bytes(self) -> int:
        """All that is live then beyond parameters: saved tensors, weight casts, loss, and logits that are held."""
        return self.saved_bytes + self.weight_cast_bytes + self.loss_bytes + self.logits_bytes

    @property
    def layer(self) -> tuple[SavedTensor, ...]:
        """What a single layer keeps while it is not checkpointed; of the kind that more layers are of."""
        majority = "window" if self.window_layers > self.full_layers else "full"
        found = layer_rows(self.setting)
        kinds = ("all", "later", majority, f"{majority} later")
        return tuple(measure(row, self.letters, 1) for row in found if row.layers in kinds)

    def by_category(self) -> dict[Category, int]:
        """Bytes of each category that occurs, in the order of the pass."""
        sums: dict[Category, int] = {}
        for tensor in self.tensors:
            sums[tensor.row.category] = sums.get(tensor.row.category, 0) + tensor.bytes
        return sums


def saved(run: Pass) -> SavedTensors:
    """The saved tensors of a pass; a family without a table takes the nearest one's and a note says so."""
    family, note = table_of(run.dimensions)
    full, window = layer_split(run, family)
    setting = setting_of(run, family, full, window)
    letters = letters_of(run, family)
    tensors: list[SavedTensor] = []
    kept = casts = 0
    for row in rows(setting):
        tensor = measure(row, letters, layers_of(row.layers, full, window))
        tensors.append(tensor)
        if row.category == "weight cast":
            casts += tensor.bytes
        else:
            kept += tensor.bytes
    logits = letters["b"] * letters["s"] * letters["V"] * DTYPE_BYTES[setting.inner] if run.keep_logits else 0
    loss = DTYPE_BYTES[loss_dtype(setting)]
    return SavedTensors(
        run, setting, full, window, tuple(tensors), _kernel_text(setting), letters, loss, logits, kept, casts,
        _notes(run, setting, note), stand_in(run.dimensions),
    )  # fmt: skip


def measure(row: Row, letters: dict[str, int], places: int) -> SavedTensor:
    """A row with its numbers."""
    elements = 1
    for letter in row.shape:
        elements *= letters[letter]
    return SavedTensor(row, elements, places, elements * row.count * places * DTYPE_BYTES[row.dtype])


def letters_of(run: Pass, family: Family) -> dict[str, int]:
    """Sizes with the family's rotary share where the pass names none."""
    turned = run.rotary_dims or run.dimensions.head_dim * family.rotary_share // 100
    return sizes(run, round_up(turned, 2))


def layer_split(run: Pass, family: Family) -> tuple[int, int]:
    """Layers that see the whole sequence, and layers with a sliding window."""
    layers = run.dimensions.layers
    if run.window_layers is not None:
        window = min(run.window_layers, layers)
    elif family.window_of:
        window = layers - layers // family.window_of
    else:
        window = layers if run.window else 0
    return layers - window, window


def setting_of(run: Pass, family: Family, full: int, window: int) -> Setting:
    """The key of the family's table. A window narrower than the sequence is passed to the kernel as a mask."""
    dim = run.dimensions
    cut = 0 < run.window <= run.seq_len
    masks = (run.padding_mask, run.padding_mask or cut)

    def kernel(masked: bool) -> Kernel:
        if run.attention == "eager" or family.softcap:
            return "eager"
        return sdpa_kernel(sixteen_bit=run.precision != "fp32", masked=masked, heads=dim.heads, kv_heads=dim.kv_heads,
                           head_dim=dim.head_dim)  # fmt: skip

    return Setting(
        family=family,
        precision=run.precision,
        full_kernel=kernel(masks[0]) if full else "",
        window_kernel=kernel(masks[1]) if window else "",
        full_masked=masks[0],
        window_masked=masks[1],
        dropout=run.dropout,
        recompute=run.recompute == "full",
        one_kv_head=dim.kv_heads == 1 < dim.heads,
        grouped=dim.kv_heads != dim.heads,
        one_sequence=run.micro_batch == 1,
        odd_head=dim.head_dim % 8 != 0,
        padding_mask=run.padding_mask,
        adapted=roles(run.lora.targets) if run.lora else None,
        adapter="fp32" if run.precision != "bf16" or (run.lora and run.lora.wide) else "bf16",
    )


def _kernel_text(setting: Setting) -> str:
    names = [name for name in (setting.full_kernel, setting.window_kernel) if name]
    return " and ".join(dict.fromkeys(names))


def _notes(run: Pass, setting: Setting, note: str) -> tuple[str, ...]:
    notes = [note] if note else []
    family = setting.family
    if run.dropout and not family.dropouts:
        notes.append(f"Models of the family {family.name} have no dropout by default: dropout adds nothing here.")
    if family.softcap and run.attention == "sdpa":
        notes.append("PyTorch's attention kernels cannot cap scores: this family runs with eager attention.")
    if 0 < run.window <= run.seq_len and setting.window_kernel == "efficient":
        notes.append(
            f"A window of {run.window:,} tokens in a sequence of {run.seq_len:,} is passed as a mask: "
            f"those layers run {KERNEL_NAMES[setting.window_kernel]}."
        )
    return tuple(notes)
