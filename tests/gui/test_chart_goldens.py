"""Every kind of chart as a picture, in both themes, against the pictures that were looked at and found good.

Rewrite them with MEMORY_TAX_WRITE_GOLDENS=1, and look at what changed before committing it.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gui.charts.view import ChartView
from gui.theme import THEMES
from tests.gui.samples import SAMPLES

FOLDER = Path(__file__).parent / "goldens"
WRITE = bool(os.environ.get("MEMORY_TAX_WRITE_GOLDENS"))
SIZE = QSize(560, 260)

# A pixel differs where a channel is off by more than rounding's breadth: processors blend a little differently. Twenty
# of 145,600 pixels may; a text that moves by a pixel changes hundreds.
STEP, MOST = 24, 20


def array(picture: QImage) -> np.ndarray[tuple[int, int, int], np.dtype[np.int16]]:
    """Height × width × 4 channels."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(plain.constBits(), np.uint8)
    return flat.reshape(plain.height(), plain.width(), 4).astype(np.int16)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SAMPLES)
def test_the_picture_is_the_one_that_was_looked_at(name: str, theme: str, qtbot: QtBot, tmp_path: Path) -> None:
    view = ChartView(chart=SAMPLES[name](), theme=THEMES[theme])
    qtbot.addWidget(view)
    view.resize(SIZE)
    picture: QImage = view.grab().toImage()
    golden = FOLDER / f"{name}-{theme}.png"
    if WRITE:
        FOLDER.mkdir(exist_ok=True)
        picture.save(str(golden))
    expected = QImage(str(golden))
    assert not expected.isNull(), f"{golden.name} is missing; write it with MEMORY_TAX_WRITE_GOLDENS=1"
    assert expected.size() == picture.size()
    differs = (np.abs(array(picture) - array(expected)) > STEP).any(axis=2)
    if differs.sum() > MOST:
        seen = tmp_path / golden.name
        picture.save(str(seen))
        pytest.fail(f"{int(differs.sum())} pixels differ from {golden.name}; see {seen}")
