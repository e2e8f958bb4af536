"""Every kind of chart as a picture, in both themes, against the pictures that were looked at and found good."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from core.account import account
from core.charts.catalogue import CHARTS
from core.charts.compare import SCENARIOS, describe_beside, scenarios_chart
from core.charts.description import Chart
from core.scenario import from_texts
from gui.charts.view import ChartView
from gui.theme import THEMES
from tests.gui.looked_at import LLAMA_ON_EIGHT, compare
from tests.gui.samples import SAMPLES

FOLDER = Path(__file__).parent / "goldens"
SIZE = QSize(560, 260)
OF_AN_ACCOUNT = ("step", "kept", "model", "card", "beside", SCENARIOS)


def described(name: str) -> Chart:
    """A chart of Llama 3 8B on eight H100, alone, beside the same at stage 2, or in a row of three scenarios."""
    found, baseline = account(from_texts(LLAMA_ON_EIGHT)), account(from_texts({**LLAMA_ON_EIGHT, "zero": "2"}))
    if name == SCENARIOS:
        lesson = account(from_texts({}))
        return scenarios_chart([("Stage 3", found), ("Stage 2", baseline), ("The lesson", lesson)], 0, "decimal")
    if name == "beside":
        return describe_beside("step", found, baseline, "decimal")
    return CHARTS[name].describe(found, "decimal")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", [*SAMPLES, *OF_AN_ACCOUNT])
def test_the_picture_is_the_one_that_was_looked_at(name: str, theme: str, qtbot: QtBot, tmp_path: Path) -> None:
    chart = SAMPLES[name]() if name in SAMPLES else described(name)
    view = ChartView(chart=chart, theme=THEMES[theme])
    qtbot.addWidget(view)
    view.resize(SIZE)
    compare(view.grab().toImage(), FOLDER / f"{name}-{theme}.png", tmp_path)
