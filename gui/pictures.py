"""Which charts a picture shows, and what stands around them: one answer for menu, key, clipboard and shell."""

from __future__ import annotations

import re

from core.account import Account
from core.charts.catalogue import BOARD, CHARTS
from core.charts.compare import describe_beside
from core.charts.description import Chart
from core.memory.versions import VERSIONS
from core.quantities import System
from core.scenario import FIELDS, describe
from core.verdict import verdict
from core.version import VERSION
from gui.charts.page import Heading

UNITS: dict[System, str] = {"decimal": "GB = 10⁹ bytes", "binary": "GiB = 2³⁰ bytes"}


def picture(
    account: Account, name: str, system: System = "decimal", baseline: Account | None = None
) -> tuple[tuple[Chart, ...], Heading]:
    """The charts and the heading of a picture by name: a chart's name, or the board of all charts."""
    names = tuple(CHARTS) if name == BOARD else (name,)
    said = verdict(account)
    heading = Heading(
        title="Memory Tax",
        verdict=(said.line, said.detail),
        scenario=describe(account.scenario, labels=True),
        foot=f"Memory Tax {VERSION} · {UNITS[system]} · {_counted(account)}",
    )
    charts = tuple(describe_beside(wanted, account, baseline, system) for wanted in names)
    # On a board, a chart that has nothing to show would only take room.
    return tuple(chart for chart in charts if chart.bars or len(charts) == 1), heading


def _counted(account: Account) -> str:
    """What of a step the figures hold."""
    known = account.stage.bill is not None
    return (
        f"training state, and activations as {VERSIONS} keep them"
        if known
        else "training state only, activations not counted"
    )


def file_name(account: Account, name: str) -> str:
    """A name for the picture's file that says what it shows."""
    scenario = account.scenario
    trained = FIELDS["params"].kind.text(scenario.params) if scenario.model is None else scenario.model.name
    size = re.sub(r"[^\w.]+", "-", trained).strip("-.") or "model"
    return f"memory-tax-{size}-{scenario.precision}-{name}.png"
