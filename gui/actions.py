"""Every action once: menus, keys and help are made from this list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

Menu = Literal["File", "Edit", "Scenario", "View", "Help"]
MENUS: tuple[Menu, ...] = ("File", "Edit", "Scenario", "View", "Help")
# What these do concerns the document: what is being typed is taken first. Another look at it interrupts nobody.
ABOUT_THE_DOCUMENT: tuple[Menu, ...] = ("File", "Edit", "Scenario")
MOST_FLIPS = 9


class ActionRow(msgspec.Struct, frozen=True):
    """An action: the name of the handler, its label, its menu and its keys.

    Actions of one `choice` are exclusive and show which holds; `rule` draws a line above.
    """

    name: str
    label: str
    menu: Menu
    keys: tuple[str, ...] = ()
    choice: str = ""
    rule: bool = False


ACTIONS = (
    ActionRow("new", "New scenario", "File", ("Ctrl+N",)),
    ActionRow("open", "Open…", "File", ("Ctrl+O",)),
    ActionRow("recent", "Open recent", "File"),
    ActionRow("save", "Save", "File", ("Ctrl+S",), rule=True),
    ActionRow("save_as", "Save as…", "File", ("Ctrl+Shift+S",)),
    ActionRow("export_board", "Export board as picture…", "File", ("Ctrl+E",), rule=True),
    ActionRow("export_chart", "Export one chart as picture…", "File", ("Ctrl+Shift+E",)),
    ActionRow("quit", "Quit", "File", ("Ctrl+Q",), rule=True),
    ActionRow("undo", "Undo", "Edit", ("Ctrl+Z",)),
    ActionRow("redo", "Redo", "Edit", ("Ctrl+Shift+Z", "Ctrl+Y")),
    ActionRow("copy_board", "Copy board as picture", "Edit", ("Ctrl+Shift+C",), rule=True),
    ActionRow("copy_text", "Copy ledger as text", "Edit"),
    ActionRow("copy_markdown", "Copy ledger as Markdown", "Edit", ("Ctrl+Shift+M",)),
    ActionRow("copy_csv", "Copy ledger as CSV", "Edit"),
    ActionRow("copy_latex", "Copy ledger as LaTeX", "Edit"),
    ActionRow("copy_line", "Copy scenario as one line", "Edit", ("Ctrl+L",), rule=True),
    ActionRow("paste_line", "Paste scenario", "Edit", ("Ctrl+Shift+V",)),
    ActionRow("pin", "Pin as baseline, or unpin", "Scenario", ("Ctrl+B",)),
    ActionRow("duplicate", "Duplicate", "Scenario", ("Ctrl+D",), rule=True),
    ActionRow("rename", "Rename…", "Scenario", ("F2",)),
    ActionRow("remove", "Remove", "Scenario", ("Ctrl+Shift+W",)),
    ActionRow("move_before", "Move before the one at its left", "Scenario", ("Ctrl+Shift+PgUp",)),
    ActionRow("move_after", "Move after the one at its right", "Scenario", ("Ctrl+Shift+PgDown",)),
    *(
        ActionRow(f"flip_{place}", f"Show scenario {place}", "Scenario", (f"Ctrl+{place}",), rule=place == 1)
        for place in range(1, MOST_FLIPS + 1)
    ),
    ActionRow("page_why", "Why so much", "View", ("Alt+1",), "page"),
    ActionRow("page_cards", "How many cards", "View", ("Alt+2",), "page"),
    ActionRow("page_step", "One step", "View", ("Alt+3",), "page"),
    ActionRow("page_model", "Model and card", "View", ("Alt+4",), "page"),
    ActionRow("page_scenarios", "Scenarios", "View", ("Alt+5",), "page"),
    ActionRow("page_ledger", "Ledger", "View", ("Alt+6",), "page"),
    ActionRow("page_learn", "Learn", "View", ("Alt+7",), "page"),
    ActionRow("unit_decimal", "Charts in GB", "View", ("Ctrl+G",), "unit", rule=True),
    ActionRow("unit_binary", "Charts in GiB", "View", ("Ctrl+Shift+G",), "unit"),
    ActionRow("theme_system", "Follow the system", "View", (), "theme", rule=True),
    ActionRow("theme_light", "Light", "View", ("Ctrl+Shift+L",), "theme"),
    ActionRow("theme_dark", "Dark", "View", ("Ctrl+Shift+D",), "theme"),
    ActionRow("motion_system", "Motion as the system has it", "View", (), "motion", rule=True),
    ActionRow("motion_none", "No motion", "View", (), "motion"),
    ActionRow("present", "Present", "View", ("F11",), rule=True),
    ActionRow("zoom_in", "Larger", "View", ("Ctrl++", "Ctrl+=")),
    ActionRow("zoom_out", "Smaller", "View", ("Ctrl+-",)),
    ActionRow("zoom_reset", "Usual size", "View", ("Ctrl+0",)),
    ActionRow("why", "Why this figure", "Help", ("F1",)),
    ActionRow("palette", "Find an action or a field", "Help", ("Ctrl+P",)),
    ActionRow("evidence", "How far to trust it", "Help"),
    ActionRow("keys", "Keys", "Help", ("Ctrl+/",)),
    ActionRow("about", "About Memory Tax", "Help", rule=True),
)


def install(
    window: QMainWindow, handlers: Mapping[str, Callable[[], object]], before: Callable[[], object]
) -> dict[str, QAction]:
    """Make menus and actions on a window; `handlers` has a function for each action. Returns them by name.

    `before` is called before each that concerns the document.
    """
    menus: dict[str, QMenu] = {name: window.menuBar().addMenu(f"&{name}") for name in MENUS}
    groups: dict[str, QActionGroup] = {}
    made: dict[str, QAction] = {}
    for row in ACTIONS:
        if row.rule:
            menus[row.menu].addSeparator()
        if row.name == "recent":
            menu = menus[row.menu].addMenu(row.label)
            made[row.name] = menu.menuAction()
            continue
        action = QAction(row.label, window)
        action.setShortcuts([QKeySequence(keys) for keys in row.keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        if row.choice:
            action.setCheckable(True)
            groups.setdefault(row.choice, QActionGroup(window)).addAction(action)
        if row.menu in ABOUT_THE_DOCUMENT:
            action.triggered.connect(lambda _=False: before())
        action.triggered.connect(lambda _=False, run=handlers[row.name]: run())
        menus[row.menu].addAction(action)
        # Keys work while the menus are hidden, too.
        window.addAction(action)
        made[row.name] = action
    return made


def keys_of(row: ActionRow) -> str:
    """The keys of an action as the system writes them."""
    native = QKeySequence.SequenceFormat.NativeText
    return " or ".join(QKeySequence(keys).toString(native) for keys in row.keys)


def keys_text() -> list[tuple[str, str]]:
    """Each action that has keys, with them."""
    return [(row.label, keys_of(row)) for row in ACTIONS if row.keys]
