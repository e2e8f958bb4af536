"""The application's style sheet: what every kind of control looks like, from one theme and one zoom factor.

Dynamic properties choose between looks of one class: `card` (QFrame), `role` (QLabel), `primary` and `segment`
(QPushButton), `disclosure` (QToolButton), `error` (any field).
"""

from __future__ import annotations

from string import Template

import msgspec

from gui.glyphs import glyph
from gui.theme import BASE, CAPTION, CARD_RADIUS, FIELD_RADIUS, HEADING, TITLE, VERDICT, Theme, mix

_SHEET = Template("""
* { font-family: "Inter"; font-size: ${base}px; }
QWidget { color: $text; }
QMainWindow, QDialog { background: $window; }
QFrame[card="true"] { background: $card; border: ${one}px solid $line; border-radius: ${card_radius}px; }
QFrame[card="true"][figure="true"] { padding: ${one}px; }
QFrame[card="true"][figure="true"]:hover { border-color: $field_line; }
QFrame[figure="true"]:focus { border: ${two}px solid $accent; padding: 0; }
QFrame[popup="true"] { border: ${one}px solid $field_line; border-radius: 0; }
QScrollArea, QScrollArea > QWidget > QWidget[plain="true"] { background: transparent; border: none; }

QLabel { background: transparent; }
QLabel[role="title"] { font-size: ${title}px; font-weight: 600; }
QLabel[role="verdict"] { font-size: ${verdict}px; font-weight: 600; }
QLabel[role="heading"] { font-size: ${heading}px; font-weight: 600; }
QLabel[role="field"], QLabel[role="value"] { font-weight: 500; }
QLabel[role="quiet"] { color: $quiet; }
QLabel[role="caption"] { color: $quiet; font-size: ${caption}px; }
QLabel[role="error"] { color: $limit; font-size: ${caption}px; font-weight: 500; }
QLabel[role="limit"] { color: $limit; font-weight: 600; }
QLabel[role="toast"] {
    background: $text; color: $card; border-radius: ${field_radius}px; padding: 0 ${button_x}px; font-weight: 500;
}
QLabel:focus { border: ${two}px solid $accent; border-radius: ${four}px; }

QAbstractSpinBox, QLineEdit, QComboBox, QPlainTextEdit, QTextEdit {
    background: $card; color: $text; border: ${one}px solid $field_line; border-radius: ${field_radius}px;
    padding: ${pad_y}px ${pad_x}px; min-height: ${field_height}px; font-weight: 500;
    selection-background-color: $accent; selection-color: $on_accent;
}
QPlainTextEdit, QTextEdit { font-weight: 400; }
QAbstractSpinBox:hover, QLineEdit:hover, QComboBox:hover { border-color: $quiet; }
QAbstractSpinBox:focus, QLineEdit:focus, QComboBox:focus, QComboBox:on, QPlainTextEdit:focus, QTextEdit:focus {
    border: ${two}px solid $accent; padding: ${focus_y}px ${focus_x}px;
}
QAbstractSpinBox[error="true"], QLineEdit[error="true"], QComboBox[error="true"] {
    border: ${two}px solid $limit; padding: ${focus_y}px ${focus_x}px;
}
QAbstractSpinBox:disabled, QLineEdit:disabled, QComboBox:disabled { color: $quiet; background: $window; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit, QLineEdit[bare="true"] {
    border: none; background: transparent; padding: 0; min-height: 0;
}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
    subcontrol-origin: border; width: ${button_width}px; border: none; background: transparent;
}
QAbstractSpinBox::up-button {
    subcontrol-position: top right; margin: ${two}px ${two}px 0 0; border-top-right-radius: ${six}px;
}
QAbstractSpinBox::down-button {
    subcontrol-position: bottom right; margin: 0 ${two}px ${two}px 0; border-bottom-right-radius: ${six}px;
}
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $hover; }
QAbstractSpinBox::up-button:pressed, QAbstractSpinBox::down-button:pressed { background: $line; }
QAbstractSpinBox::up-arrow { image: url("$up"); width: ${glyph}px; height: ${glyph}px; }
QAbstractSpinBox::down-arrow { image: url("$down"); width: ${glyph}px; height: ${glyph}px; }
QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::up-arrow:off { image: url("$up_dim"); }
QAbstractSpinBox::down-arrow:disabled, QAbstractSpinBox::down-arrow:off { image: url("$down_dim"); }
QComboBox::drop-down {
    subcontrol-origin: border; subcontrol-position: center right; width: ${button_width}px; border: none;
    margin-right: ${two}px;
}
QComboBox::down-arrow { image: url("$down"); width: ${glyph}px; height: ${glyph}px; }
QComboBox { combobox-popup: 0; }
QComboBox QAbstractItemView, QListView[names="true"] {
    background: $card; color: $text; border: ${one}px solid $field_line; padding: ${four}px;
    selection-background-color: $accent; selection-color: $on_accent; outline: none;
}
QComboBoxPrivateContainer { background: $card; border: none; }
QComboBox QAbstractItemView::item, QListView[names="true"]::item {
    min-height: ${item_height}px; padding: 0 ${six}px; border-radius: ${four}px;
}

QPushButton {
    background: $card; color: $text; border: ${one}px solid $field_line; border-radius: ${field_radius}px;
    padding: ${pad_y}px ${button_x}px; min-height: ${field_height}px; font-weight: 500;
}
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $line; }
QPushButton:disabled { color: $quiet; background: $window; }
QPushButton:focus { border: ${two}px solid $accent; padding: ${focus_y}px ${button_focus_x}px; }
QPushButton[primary="true"] { background: $accent; color: $on_accent; border-color: $accent; font-weight: 600; }
QPushButton[primary="true"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[primary="true"]:pressed { background: $accent_down; border-color: $accent_down; }
QPushButton[primary="true"]:focus { border: ${two}px solid $text; }
QPushButton[primary="true"]:disabled { background: $window; color: $quiet; border-color: $line; }
QPushButton[flat="true"] { background: transparent; border-color: transparent; }
QPushButton[flat="true"]:hover { background: $hover; }
QPushButton[flat="true"]:focus { border: ${two}px solid $accent; }
QPushButton[small="true"] { padding: ${three}px ${six}px; min-height: ${segment_height}px; font-size: ${caption}px; }
QPushButton[small="true"]:focus { padding: ${two}px ${five}px; }
QFrame[segments="true"] { background: $track; border: none; border-radius: ${field_radius}px; }
QPushButton[segment="true"] {
    background: transparent; color: $track_text; border: ${one}px solid transparent; border-radius: ${six}px;
    padding: ${three}px ${segment_x}px; min-height: ${segment_height}px; font-size: ${caption}px;
}
QPushButton[segment="true"]:hover { color: $text; }
QPushButton[segment="true"]:checked { background: $card; color: $text; border-color: $field_line; font-weight: 600; }
QPushButton[segment="true"]:focus { border: ${two}px solid $accent; padding: ${two}px ${segment_focus_x}px; }

QToolButton {
    background: transparent; color: $text; border: ${one}px solid transparent; border-radius: ${six}px;
    padding: ${four}px ${six}px;
}
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $line; }
QToolButton:focus { border: ${two}px solid $accent; padding: ${three}px ${five}px; }
QToolButton:disabled { color: $quiet; }
QToolButton[disclosure="true"] { font-weight: 500; padding: ${six}px ${four}px; text-align: left; }
QToolButton[disclosure="true"]:checked { background: transparent; }
QToolButton[disclosure="true"]:hover { background: $hover; }
QToolButton[disclosure="true"]:focus { padding: ${five}px ${three}px; }
QToolButton::right-arrow { image: url("$right"); width: ${glyph}px; height: ${glyph}px; }
QToolButton::down-arrow { image: url("$down"); width: ${glyph}px; height: ${glyph}px; }
QToolButton::menu-indicator { image: none; }

QCheckBox, QRadioButton { background: transparent; spacing: ${field_radius}px; padding: ${three}px; }
QCheckBox:focus, QRadioButton:focus { border: ${two}px solid $accent; border-radius: ${six}px; padding: ${one}px; }
QCheckBox::indicator, QRadioButton::indicator {
    width: ${indicator}px; height: ${indicator}px; background: $card; border: ${one}px solid $quiet;
}
QCheckBox::indicator { border-radius: ${four}px; }
QRadioButton::indicator { border-radius: ${radio_radius}px; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$check"); }
QCheckBox::indicator:indeterminate { background: $accent; border-color: $accent; image: url("$dash"); }
QRadioButton::indicator:checked { background: $accent; border-color: $accent; image: url("$dot"); }

QTableView, QTreeView, QListView {
    background: $card; alternate-background-color: $window; color: $text; border: none; gridline-color: $grid;
    selection-background-color: $tint; selection-color: $text; outline: none;
}
QTableView::item, QTreeView::item, QListView::item { padding: ${three}px ${six}px; border: ${two}px solid transparent; }
QTableView::item:hover, QListView::item:hover { background: $hover; }
QTableView::item:selected, QTreeView::item:selected, QListView::item:selected { background: $tint; color: $text; }
QTableView::item:focus, QTreeView::item:focus, QListView::item:focus { border: ${two}px solid $accent; }
QHeaderView, QTableCornerButton::section { background: $card; border: none; }
QHeaderView::section {
    background: $card; color: $quiet; border: none; border-bottom: ${one}px solid $line;
    padding: ${six}px ${header_x}px; font-size: ${caption}px; font-weight: 500;
}

QTabBar { background: transparent; }
QTabBar::tab {
    background: transparent; color: $track_text; border: ${one}px solid transparent; border-radius: ${six}px;
    padding: ${four}px ${segment_x}px; margin-right: ${four}px; font-size: ${caption}px; font-weight: 500;
}
QTabBar::tab:hover { color: $text; background: $hover; }
QTabBar::tab:selected { background: $card; color: $text; border-color: $field_line; font-weight: 600; }
QTabBar::tab:focus { border: ${two}px solid $accent; }

QMenuBar { background: $window; color: $text; border: none; padding: ${two}px; }
QMenuBar::item { background: transparent; padding: ${four}px ${field_radius}px; border-radius: ${six}px; }
QMenuBar::item:selected { background: $line; }
QMenu { background: $card; color: $text; border: ${one}px solid $field_line; padding: ${four}px; }
QMenu::item { padding: ${five}px ${menu_right}px ${five}px ${menu_left}px; border-radius: ${four}px; }
QMenu::item:selected { background: $accent; color: $on_accent; }
QMenu::item:disabled { color: $quiet; background: transparent; }
QMenu::separator { height: ${one}px; background: $line; margin: ${four}px ${six}px; }
QMenu::indicator { width: ${glyph}px; height: ${glyph}px; left: ${six}px; }
QMenu::indicator:checked { image: url("$check_text"); }
QMenu::indicator:checked:selected { image: url("$check"); }
QMenu::right-arrow { image: url("$right"); width: ${glyph}px; height: ${glyph}px; right: ${six}px; }
QToolTip {
    background: $text; color: $card; border: ${one}px solid $text; padding: ${four}px ${six}px;
    font-size: ${caption}px;
}
QStatusBar { background: $window; color: $quiet; border: none; }
QStatusBar::item { border: none; }

QScrollBar:vertical { background: transparent; width: ${bar}px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: ${bar}px; margin: 0; }
QScrollBar::handle { background: $field_line; border-radius: ${three}px; margin: ${three}px; }
QScrollBar::handle:vertical { min-height: ${handle}px; }
QScrollBar::handle:horizontal { min-width: ${handle}px; }
QScrollBar::handle:hover { background: $quiet; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: transparent; }
""")

# Lengths in pixels at zoom 1. Two pixels of ring instead of one of edge take one pixel of padding, so nothing moves.
_LENGTHS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "card_radius": CARD_RADIUS,
    "field_radius": FIELD_RADIUS, "base": BASE, "caption": CAPTION, "heading": HEADING, "title": TITLE,
    "verdict": VERDICT,
    "pad_y": 6, "pad_x": 10, "field_height": 20, "button_width": 24, "glyph": 12, "item_height": 26, "button_x": 14,
    "segment_x": 10, "segment_height": 18, "indicator": 16, "bar": 12, "handle": 32, "header_x": 11,
    "menu_right": 20, "menu_left": 24,
}  # fmt: skip


def build(theme: Theme, zoom: float) -> str:
    """The style sheet of a theme, every length times `zoom`. Needs a QGuiApplication, to draw the arrows."""
    lengths = {name: max(1, round(length * zoom)) for name, length in _LENGTHS.items()}
    ring = lengths["two"] - lengths["one"]
    lengths["focus_y"] = max(0, lengths["pad_y"] - ring)
    lengths["focus_x"] = max(0, lengths["pad_x"] - ring)
    lengths["button_focus_x"] = max(0, lengths["button_x"] - ring)
    lengths["segment_focus_x"] = max(0, lengths["segment_x"] - ring)
    # A radius of more than half the outer size draws square corners.
    lengths["radio_radius"] = lengths["indicator"] // 2 + lengths["one"]
    size = lengths["glyph"]
    colours = {name: value for name, value in msgspec.structs.asdict(theme).items() if isinstance(value, str)}
    glyphs = {
        **{shape: glyph(shape, theme.quiet, size) for shape in ("up", "down", "right")},
        "up_dim": glyph("up", theme.line, size),
        "down_dim": glyph("down", theme.line, size),
        **{shape: glyph(shape, theme.on_accent, size) for shape in ("check", "dash", "dot")},
        "check_text": glyph("check", theme.text, size),
    }
    more = {
        "accent_hover": mix(theme.accent, theme.text, 0.25),
        "accent_down": mix(theme.accent, theme.text, 0.45),
        "tint": theme.tint,
        "track": track(theme),
        "track_text": track_text(theme),
    }
    return _SHEET.substitute(**lengths, **colours, **glyphs, **more)


def track(theme: Theme) -> str:
    """Ground of a segmented switch, as #RRGGBB."""
    return mix(theme.window, theme.line, 0.8)


def track_text(theme: Theme) -> str:
    """Text of what is not chosen in a segmented switch, as #RRGGBB."""
    return mix(theme.quiet, theme.text, 0.3)
