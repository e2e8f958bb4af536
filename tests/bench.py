"""Measures speed and memory: python -m tests.bench, or `make bench`. Writes build/bench.json and prints a table.

Every figure is a median of at least five runs, with this machine and the versions beside it. The aims stand beside the
figures and nothing fails on them: times are a machine's, and another one's prove nothing.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

os.environ["QT_QPA_PLATFORM"] = os.environ.get("MEMORY_TAX_TEST_PLATFORM", "offscreen")

if TYPE_CHECKING:
    from gui.main_window import MainWindow

ROOT = Path(__file__).parents[1]
OUT = ROOT / "build" / "bench.json"
RUNS = 9
MODEL = "Llama 2 7B"
# What moves the charts of a page: on the first two without a model, on the others with one.
CHANGED = {
    "why": ("params", "bytes_variance"),
    "cards": ("params", "bytes_variance"),
    "step": ("micro_batch", "seq_len"),
    "model": ("layers", "mlp"),
}
CHANGES = 100  # of a field, on each page of charts

# An empty window of the same parts: what no tuning of ours can go below.
REFERENCE = """
import sys
import pyqtgraph
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication(sys.argv[:1])
window = QMainWindow()
window.setCentralWidget(pyqtgraph.GraphicsView())
window.resize(1280, 800)
window.show()
def ready():
    app.processEvents()
    print("ready", flush=True)
    app.quit()
QTimer.singleShot(0, app, ready)
app.exec()
"""

Figures = dict[str, float | None]


def main() -> int:
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as home:
        os.environ["MEMORY_TAX_HOME"] = home
        for measure in (processes, recompute, window):
            figures |= measure(Path(home))
    OUT.parent.mkdir(exist_ok=True)
    content = {**figures, "runs": RUNS, "machine": machine(), "versions": versions()}
    OUT.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(table(figures))
    print(f"written to {OUT.relative_to(ROOT)}")
    return 0


def recompute(_: Path) -> Figures:
    """One account of the default scenario, and of a model with its activations; each of another value: none is kept."""
    from core.account import account
    from core.scenario import FIELDS, Scenario, change

    def seconds(start: Scenario, field: str, first: int, loops: int) -> float:
        """Of one account: the median of the runs."""
        took = []
        for run in range(RUNS):
            scenarios = [change(start, {field: first + run * loops + place}) for place in range(loops)]
            begin = time.perf_counter()
            for scenario in scenarios:
                account(scenario)
            took.append((time.perf_counter() - begin) / loops)
        return statistics.median(took)

    model = change(Scenario(), {"model": FIELDS["model"].read(MODEL)})
    account(model)  # which reads the catalogue
    return {
        "recompute_us": seconds(Scenario(), "params", 30 * 10**9, 400) * 1e6,
        "account_us": seconds(model, "seq_len", 2048, 100) * 1e6,
    }


def processes(home: Path) -> Figures:
    """Whole processes, in turn so that a busy moment touches all alike: window, empty window, report."""
    # Whoever installed the program has its bytecode; a first run of each writes it.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"MEMORY_TAX_HOME": str(home), "MEMORY_TAX_SMOKE": "1"}
    commands = {"start_ms": ["main.py"], "start_reference_ms": ["-c", REFERENCE], "report_ms": ["main.py", "report"]}
    took: dict[str, list[float]] = {name: [] for name in commands}
    memory: list[float] = []
    for run in range(RUNS + 1):
        for name, words in commands.items():
            milliseconds, megabytes = process(words, environment)
            if run:
                took[name].append(milliseconds)
                if name == "start_ms" and megabytes is not None:
                    memory.append(megabytes)
    figures: Figures = {name: statistics.median(times) for name, times in took.items()}
    return figures | {"rss_mb": statistics.median(memory) if memory else None}


def process(words: list[str], environment: dict[str, str]) -> tuple[float, float | None]:
    """Milliseconds from the start of a Python process to "ready" (or to its end), and its largest resident MB."""
    begin = time.perf_counter()
    running = subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert running.stdout is not None
    with running.stdout as out:
        ready = next((time.perf_counter() for line in out if line.strip() == b"ready"), None)
    if not hasattr(os, "wait4"):
        status, megabytes = running.wait(), None
    else:
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = status
        megabytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    end = time.perf_counter()
    if status:
        raise SystemExit(f"bench: {' '.join(words)[:40]} ended with status {status}")
    return ((ready or end) - begin) * 1000, megabytes


def window(home: Path) -> Figures:
    """In one window of 1280 × 800: from a field's change to the painted board, and a board's PNG."""
    from PySide6.QtCore import QEvent, QObject

    from core.charts.catalogue import BOARD, PAGES
    from core.scenario import FIELDS
    from gui.export import write_chart
    from gui.pictures import picture

    class Painted(QObject):
        count = 0

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            self.count += event.type() == QEvent.Type.Paint
            return False

    shown = open_window()
    painted = Painted()
    by_page: dict[str, list[float]] = {}
    for page in PAGES:
        fields = CHANGED[page.name]
        if fields[0] != "params":
            shown.store.apply({"model": FIELDS["model"].read(MODEL)})
        shown.show_page(page.name)
        views = [card.view.viewport() for card in shown.boards[page.name].cards]
        for view in views:
            view.installEventFilter(painted)
        by_page[page.name] = [took for field in fields for took in changes(shown, field, painted)]
        for view in views:
            view.removeEventFilter(painted)
    every = [milliseconds for times in by_page.values() for milliseconds in times]

    png = []
    charts, heading = picture(shown.store.account, BOARD)
    for _ in range(RUNS):
        begin = time.perf_counter()
        write_chart(home / "board.png", charts, heading)
        png.append((time.perf_counter() - begin) * 1000)
    shown.store.save(home / "bench.memtax")  # so that closing asks nothing
    shown.close()
    return {
        "repaint_ms_median": statistics.median(every),
        "repaint_ms_p95": statistics.quantiles(every, n=20)[-1],
        **{f"repaint_ms_median_{name}": statistics.median(times) for name, times in by_page.items()},
        "png_ms": statistics.median(png),
    }


def open_window() -> MainWindow:
    """The app's own window, painted once."""
    from PySide6.QtWidgets import QApplication

    from gui.app import make_app
    from gui.look import Look
    from gui.main_window import MainWindow
    from gui.settings import Settings
    from gui.store import Store

    app = make_app()
    settings = Settings()
    shown = MainWindow(Store(), settings, Look(app, settings))
    shown.resize(1280, 800)
    shown.show()
    QApplication.processEvents()
    return shown


def changes(shown: MainWindow, field: str, painted: object) -> Iterator[float]:
    """Milliseconds from each change to painted charts; up and down in turns of ten, so that figures grow and shrink."""
    from PySide6.QtWidgets import QAbstractSpinBox, QApplication

    box = shown.form.rows[field].box
    assert isinstance(box, QAbstractSpinBox)
    for place in range(CHANGES + 10):
        direction = 1 if place // 10 % 2 == 0 else -1
        before = getattr(painted, "count", 0)
        begin = time.perf_counter()
        box.stepBy(direction)
        QApplication.processEvents()
        took = (time.perf_counter() - begin) * 1000
        if getattr(painted, "count", 0) == before:
            raise SystemExit(f"bench: {shown.page}: a change was not painted")
        if place >= 10:  # the first changes warm up
            yield took


def machine() -> dict[str, object]:
    """What the times were measured on."""
    name = platform.processor() or platform.machine()
    about = Path("/proc/cpuinfo")
    if about.exists():
        lines = about.read_text(encoding="utf-8").splitlines()
        name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), name)
    return {
        "processor": name,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "platform": os.environ["QT_QPA_PLATFORM"],
    }


def versions() -> dict[str, str]:
    """What was measured."""
    from core.version import VERSION

    packages = ("PySide6-Essentials", "pyqtgraph", "numpy", "msgspec")
    return {"memory-tax": VERSION, "python": platform.python_version()} | {name: version(name) for name in packages}


def table(figures: Figures) -> str:
    """The figures with their aims."""
    reference = figures["start_reference_ms"] or 0
    aims = {
        "recompute_us": "below 200",
        "account_us": "below 1,000",
        "repaint_ms_median": "below 8",
        "repaint_ms_p95": "below 16",
        "start_ms": f"at most {1.5 * reference:.0f}, 1.5 times the empty window",
        "report_ms": "below 400",
    }
    width = max(map(len, figures))
    rows = []
    for name, value in figures.items():
        said = "–" if value is None else f"{value:.1f}"
        aim = f"  aim: {aims[name]}" if name in aims else ""
        rows.append(f"{name:<{width}}  {said:>8}{aim}")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.exit(main())
