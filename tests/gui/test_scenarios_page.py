"""The page of all scenarios keeps up with fifty of them."""

from __future__ import annotations

import time

from pytestqt.qtbot import QtBot

from core.account import account
from core.scenario import from_texts
from gui.panels.scenarios_page import ScenariosPage


# A cell that made all columns be measured again took fifty scenarios to three seconds; in one pass it is a tenth.
def test_fifty_scenarios_are_shown_without_a_wait(qtbot: QtBot) -> None:
    page = ScenariosPage()
    qtbot.addWidget(page)
    page.show()
    named = [
        (f"run {place}", account(from_texts({"model": "Llama 2 7B", "zero": str(place % 4), "cards": str(place + 1)})))
        for place in range(50)
    ]
    page.show_accounts(named, 0, "decimal")
    started = time.process_time()
    page.show_accounts(named, 7, "decimal")
    assert time.process_time() - started < 0.7
    assert page.table.columnCount() == 51
    header = page.table.horizontalHeader()
    assert header.sectionSize(1) >= page.table.sizeHintForColumn(1)
