"""Pictures against those that were looked at and found good.

Rewrite them with MEMORY_TAX_WRITE_GOLDENS=1, and look at what changed before committing it.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

# The scenario that README and charts are shown with.
LLAMA_ON_EIGHT = {"model": "Llama 3 8B", "card": "H100 SXM", "cards": "8", "zero": "3", "seq_len": "8192"}
WRITE = bool(os.environ.get("MEMORY_TAX_WRITE_GOLDENS"))

# A pixel differs where a channel is off by more than rounding's breadth: processors blend a little differently. One in
# 7,280 may; a text that moves by a pixel changes hundreds.
STEP, ONE_IN = 24, 7_280


def array(picture: QImage) -> np.ndarray[tuple[int, int, int], np.dtype[np.int16]]:
    """Height × width × 4 channels."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(plain.constBits(), np.uint8)
    return flat.reshape(plain.height(), plain.width(), 4).astype(np.int16)


def compare(picture: QImage, golden: Path, seen: Path) -> None:
    """Fail where a picture is not the golden one; it is written into the folder `seen` then."""
    if WRITE:
        golden.parent.mkdir(exist_ok=True)
        picture.convertToFormat(QImage.Format.Format_RGB32).save(str(golden), quality=0)
    expected = QImage(str(golden))
    assert not expected.isNull(), f"{golden.name} is missing; write it with MEMORY_TAX_WRITE_GOLDENS=1"
    assert expected.size() == picture.size()
    differs = int((np.abs(array(picture) - array(expected)) > STEP).any(axis=2).sum())
    if differs > picture.width() * picture.height() // ONE_IN:
        picture.save(str(seen / golden.name))
        pytest.fail(f"{differs} pixels differ from {golden.name}; see {seen / golden.name}")
