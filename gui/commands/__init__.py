"""What each action does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from core import report
from core.charts.catalogue import BOARD, PAGES
from gui.actions import MOST_FLIPS
from gui.commands.files import FileCommands
from gui.commands.help import HelpCommands
from gui.commands.pictures import PictureCommands
from gui.commands.scenarios import ScenarioCommands
from gui.commands.texts import TextCommands
from gui.controls.value_box import ValueBox
from gui.look import CHOICES, MOTIONS

if TYPE_CHECKING:
    from gui.main_window import MainWindow


class Commands:
    """The handlers of the actions of one window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.files = FileCommands(window)
        self.pictures = PictureCommands(window)
        self.scenarios = ScenarioCommands(window)
        self.texts = TextCommands(window)
        self.help = HelpCommands(window)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """A function for each action, by the action's name."""
        window, store, look = self._window, self._window.store, self._window.look
        files, pictures, texts, about = self.files, self.pictures, self.texts, self.help
        pages = (*(page.name for page in PAGES), "scenarios", "ledger", "learn")
        scenarios = self.scenarios
        return {
            "new": files.new,
            "open": files.open,
            "save": files.save,
            "save_as": files.save_as,
            "export_board": pictures.export_board,
            "export_chart": lambda: pictures.export(pictures.chart_in_view()),
            "quit": window.close,
            "undo": self._undo,
            "redo": store.redo,
            "copy_board": lambda: pictures.copy_picture(BOARD),
            "copy_text": lambda: texts.copy_ledger(report.rows_as_text),
            "copy_markdown": lambda: texts.copy_ledger(report.rows_as_markdown),
            "copy_csv": lambda: texts.copy_ledger(report.rows_as_csv),
            "copy_latex": lambda: texts.copy_ledger(report.rows_as_latex),
            "copy_line": texts.copy_line,
            "paste_line": texts.paste_line,
            "pin": scenarios.pin,
            "duplicate": scenarios.duplicate,
            "rename": scenarios.rename,
            "remove": scenarios.remove,
            "move_before": partial(scenarios.move, -1),
            "move_after": partial(scenarios.move, 1),
            **{f"flip_{place}": partial(scenarios.select, place - 1) for place in range(1, MOST_FLIPS + 1)},
            **{f"page_{name}": partial(window.show_page, name) for name in pages},
            "unit_decimal": lambda: store.set_system("decimal"),
            "unit_binary": lambda: store.set_system("binary"),
            **{f"theme_{choice}": partial(look.choose, choice) for choice in CHOICES},
            **{f"motion_{choice}": partial(look.choose_motion, choice) for choice in MOTIONS},
            "present": window.present,
            "zoom_in": lambda: look.zoom_by(1),
            "zoom_out": lambda: look.zoom_by(-1),
            "zoom_reset": lambda: look.zoom_by(0),
            "why": about.why,
            "palette": about.find,
            "evidence": about.evidence,
            "keys": about.keys,
            "about": about.about,
        }

    def _undo(self) -> None:
        """A step back; where a text that was not taken is still in hand, that goes first."""
        window = self._window
        rows = [*window.form.made.values(), *window.slim_bar.rows.values()]
        wrong = next((row for row in rows if row.sentence and row.box.hasFocus()), None)
        if wrong is not None and isinstance(wrong.box, ValueBox):
            wrong.box.drop()
        else:
            window.store.undo()
