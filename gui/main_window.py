"""The window: inputs at the left; verdict, figures, charts and ledger at the right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.charts.catalogue import PAGES
from core.charts.compare import SCENARIOS
from core.quantities import System
from core.scenario import FIELDS, input_of
from gui.actions import install
from gui.commands import Commands
from gui.controls.form import Form
from gui.controls.switch import Switch
from gui.dialogs import Dialogs
from gui.learn.page import LearnPage
from gui.look import Look
from gui.palette import Palette
from gui.panels.baseline_line import BaselineLine
from gui.panels.beginnings_bar import BeginningsBar
from gui.panels.board import Board
from gui.panels.cards import Card
from gui.panels.flow import Flow
from gui.panels.ledger_table import LedgerTable
from gui.panels.notes_line import NotesLine
from gui.panels.offer import Offer
from gui.panels.pages import Pages
from gui.panels.scenario_tabs import ScenarioTabs
from gui.panels.scenarios_page import ScenariosPage
from gui.panels.slim_bar import SlimBar
from gui.panels.summary import Summary
from gui.panels.toast import Toast
from gui.panels.why import WhyPopup
from gui.settings import Settings
from gui.store import Store
from gui.wheel_zoom import WheelZoom

LEDGER, LEARN = "ledger", "learn"
UNIT_NAMES: dict[System, str] = {"decimal": "GB", "binary": "GiB"}


class MainWindow(QMainWindow):
    """Shows one store. Everything it does is an action; it changes nothing itself but what is seen."""

    def __init__(self, store: Store, settings: Settings, look: Look, dialogs: Dialogs | None = None) -> None:
        super().__init__()
        self.store, self.settings, self.look = store, settings, look
        self.dialogs = dialogs or Dialogs(self)
        self.commands = Commands(self)
        self.form = Form(store)
        self.summary = Summary()
        self.boards = {page.name: Board(page) for page in PAGES}
        self.table = LedgerTable()
        self.tabs = ScenarioTabs(store)
        self.tabs.rename_requested.connect(self.commands.scenarios.rename)
        self.scenarios = ScenariosPage()
        self.baseline = BaselineLine()
        self.baseline.dropped.connect(self.commands.scenarios.unpin)
        self.learn = LearnPage()
        self.notes = NotesLine()
        self.slim_bar = SlimBar(store)
        self._offer = Offer()
        self.offer = self._offer.show_offer
        self.palette_popup = Palette(self)
        self._why = WhyPopup(self)
        self._why.field_wanted.connect(self.go_to)
        self.said = Toast(self, self.slim_bar)
        self.setAcceptDrops(True)
        self.setMinimumSize(QSize(760, 440))
        self._lay_out()
        self.actions_by_name = install(self, self.commands.handlers(), store.settle)
        self.commands.files.fill_recent()
        self.summary.asked.connect(self.explain)
        self.table.asked.connect(self.explain)
        self.learn.asked.connect(self.explain)
        self.learn.explained.connect(self._why.show_row)
        for board in self.boards.values():
            board.asked.connect(self.explain)
            board.menu_requested.connect(self.commands.pictures.chart_menu)
            board.drag_started.connect(self.commands.pictures.drag)
        self.table.said.connect(self.say)
        self.beginnings.chosen.connect(self.commands.files.begin)
        store.changed.connect(self.show_account)
        store.shown_changed.connect(self.show_account)
        store.document_changed.connect(self.show_document)
        look.changed.connect(self.show_look)
        self.show_account()
        self.show_document()
        self.show_page(PAGES[0].name)
        look.dress()
        WheelZoom(self, look.zoom_by)

    def _lay_out(self) -> None:
        inputs = Card()
        inputs.setFixedWidth(304)
        self._inputs = inputs
        column = QVBoxLayout(inputs)
        column.setContentsMargins(0, 4, 0, 4)
        column.addWidget(self.form)
        self.beginnings = BeginningsBar()
        column.addWidget(self.beginnings)

        self.pages = Pages()
        self._page_names = [*self.boards, SCENARIOS, LEDGER, LEARN]
        for board in self.boards.values():
            self.pages.addWidget(board)
        self.pages.addWidget(self.scenarios)
        ledger_card = Card()
        ledger_column = QVBoxLayout(ledger_card)
        ledger_column.setContentsMargins(8, 8, 8, 8)
        ledger_column.addWidget(self.table)
        self.pages.addWidget(ledger_card)
        self.pages.addWidget(self.learn)

        self._page_switch = Switch([*(page.label for page in PAGES), "Scenarios", "Ledger", "Learn"], "View")
        self._page_switch.chosen.connect(lambda place: self.show_page(self._page_names[place]))
        self._unit_switch = Switch(list(UNIT_NAMES.values()), "Unit of the charts")
        self._unit_switch.chosen.connect(lambda place: self.store.set_system(list(UNIT_NAMES)[place]))
        self._export = export = QPushButton("Export…")
        export.setToolTip("Export the board as a picture")
        export.clicked.connect(self.commands.pictures.export_board)
        tools = QWidget()
        tools.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        tool_row = QHBoxLayout(tools)
        tool_row.setContentsMargins(0, 0, 0, 0)
        tool_row.setSpacing(12)
        tool_row.addStretch(1)
        tool_row.addWidget(self._unit_switch, 0, Qt.AlignmentFlag.AlignVCenter)
        tool_row.addWidget(export)
        bar = Flow(spacing=12)
        bar.addWidget(self._page_switch)
        bar.addWidget(tools)

        # Where everything does not fit, in a low window or in large type, this side scrolls as the inputs do.
        shown = QWidget()
        shown.setProperty("plain", True)
        column = QVBoxLayout(shown)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self.summary)
        column.addWidget(self.baseline)
        column.addLayout(bar)
        column.addWidget(self.pages, 1)
        column.addWidget(self.notes)
        scrolled = QScrollArea()
        scrolled.setWidgetResizable(True)
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scrolled.setWidget(shown)

        right = QVBoxLayout()
        right.setSpacing(12)
        right.addWidget(self._offer)
        right.addWidget(self.tabs)
        right.addWidget(scrolled, 1)
        right.addWidget(self.slim_bar)
        self.slim_bar.hide()

        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(24, 8, 24, 10)
        row.setSpacing(16)
        row.addWidget(inputs)
        row.addLayout(right, 1)
        self.setCentralWidget(body)

    def show_account(self) -> None:
        """Show the store's account everywhere."""
        account, system = self.store.account, self.store.system
        baseline, book = self.store.baseline, self.store.book
        self.summary.show_account(account, baseline)
        for board in self.boards.values():
            board.show_account(account, system, baseline)
        self.table.show_account(account, baseline)
        self.scenarios.show_accounts(self.store.accounts, book.current, system)
        self.baseline.show_comparison(account, baseline, book.baseline.name if book.baseline else "", system)
        self.learn.show_account(account, system)
        self.notes.show_account(account)
        self._unit_switch.press(list(UNIT_NAMES).index(system))
        self.actions_by_name[f"unit_{system}"].setChecked(True)

    def show_document(self) -> None:
        """Show the document's name and whether it is saved, and what can be undone."""
        # "[*]" in a title is Qt's own mark; twice it is what it says.
        name = self.store.path.name.replace("[*]", "[*][*]") if self.store.path else "Untitled"
        self.setWindowTitle(f"{name}[*] – Memory Tax")
        self.setWindowModified(self.store.dirty)
        self.actions_by_name["undo"].setEnabled(self.store.can_undo)
        self.actions_by_name["redo"].setEnabled(self.store.can_redo)

    def show_look(self) -> None:
        """Dress everything in the theme and the type size."""
        self._inputs.setFixedWidth(round(304 * self.look.zoom))
        self.pages.setMinimumHeight(round(300 * self.look.zoom))
        self.summary.set_zoom(self.look.zoom)
        for board in self.boards.values():
            board.set_look(self.look.theme, self.look.zoom, self.look.motion)
        self.scenarios.set_look(self.look.theme, self.look.zoom, self.look.motion)
        self.form.set_theme(self.look.theme, self.look.zoom)
        self.table.set_zoom(self.look.zoom)
        self.learn.set_theme(self.look.theme, self.look.zoom)
        self.actions_by_name[f"theme_{self.look.choice}"].setChecked(True)
        self.actions_by_name[f"motion_{self.look.motion_choice}"].setChecked(True)

    def show_page(self, name: str) -> None:
        """Show a page of charts, the ledger, or the side that explains."""
        place = self._page_names.index(name)
        self.pages.setCurrentIndex(place)
        self._page_switch.press(place)
        self.actions_by_name[f"page_{name}"].setChecked(True)
        self._show_summary()

    def _show_summary(self) -> None:
        """Before an audience a page that explains needs the verdict's room."""
        self.summary.setVisible(not (self.presenting and self.page == LEARN))

    @property
    def page(self) -> str:
        """The page that is shown."""
        return self._page_names[self.pages.currentIndex()]

    @property
    def presenting(self) -> bool:
        """Whether only what an audience needs is shown."""
        return self.slim_bar.isVisibleTo(self)

    def present(self) -> None:
        """Verdict and charts large and the rest gone, or back."""
        presenting = not self.presenting
        for widget in (self.menuBar(), self._inputs, self.notes, self._export):
            widget.setVisible(not presenting)
        self.slim_bar.setVisible(presenting)
        self._show_summary()
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        self.look.present(presenting)
        self.slim_bar.show_scenario()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends presenting."""
        if event.key() == Qt.Key.Key_Escape and self.presenting:
            self.present()
        else:
            super().keyPressEvent(event)

    def explain(self, key: str, at: QPoint) -> None:
        """Open the derivation of a figure."""
        self._why.explain(self.store.account, key, at)

    def go_to(self, name: str) -> None:
        """Put the cursor into the input of a field, where it can be seen."""
        if not self.presenting:
            self.form.focus(name)
        elif input_of(name) in self.slim_bar.rows:
            self.slim_bar.rows[input_of(name)].box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self.say(f"{FIELDS[name].label} is in the form, which F11 brings back")

    def say(self, text: str) -> None:
        """Say in passing that something was done."""
        self.said.say(text)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """One file can be dropped anywhere."""
        if len(event.mimeData().urls()) == 1 and event.mimeData().urls()[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """A dropped file is opened."""
        event.acceptProposedAction()
        self.commands.files.open_path(Path(event.mimeData().urls()[0].toLocalFile()))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Unsaved work is asked about once."""
        if not self.commands.files.may_leave():
            event.ignore()
            return
        self.settings.put("geometry", self.saveGeometry())
        event.accept()
