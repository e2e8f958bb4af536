"""Colours, type and space, once. What is drawn in a chart and what is drawn in the window come from the same table.

The bands' colours are Okabe and Ito's ("Color Universal Design", 2008), which people with the common colour-vision
deficiencies tell apart. Everything that is text keeps 4.5 to 1 against each surface that it may stand on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtGui import QColor, QPalette

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

BASE, CAPTION, HEADING, TITLE, VERDICT = 13, 12, 15, 22, 28
"""Type sizes in pixels at zoom 1."""

WINDOW_MARGIN, CARD_MARGIN, CARD_GAP = 24, 20, 16
"""Spaces in pixels at zoom 1: around the window, inside a card, between cards."""

CARD_RADIUS, FIELD_RADIUS = 12, 8
"""Corner radii in pixels at zoom 1."""

BANDS: Mapping[str, str] = MappingProxyType(
    {
        "parameters": "#0072B2",
        "gradients": "#56B4E9",
        "optimizer": "#E69F00",
        "activations": "#009E73",
        "transient": "#CC79A7",
        "reserve": "#8A939E",
    }
)
"""The colour of each band, the same in both themes."""

OTHER_BAND = "#8A939E"
"""The colour of a role that has none of its own."""


class Theme(msgspec.Struct, frozen=True):
    """The colours of one theme, as #RRGGBB. `field_line`: a field's edge; `hover`: the ground under the pointer."""

    name: str
    dark: bool
    window: str
    card: str
    line: str
    field_line: str
    hover: str
    text: str
    quiet: str
    grid: str
    accent: str
    on_accent: str
    limit: str

    def band(self, role: str) -> str:
        """Fill of a segment with this role, as #RRGGBB."""
        return BANDS.get(role, OTHER_BAND)

    def outline(self, role: str) -> str:
        """Thin edge of a segment with this role: its fill, drawn towards the colour of the text."""
        return mix(self.band(role), self.text, 0.42)

    @property
    def ghost(self) -> str:
        """Fill of a baseline's bar behind the bar of now."""
        return mix(self.card, self.quiet, 0.32)

    @property
    def tint(self) -> str:
        """Ground of the row or the cell that is marked as chosen."""
        return mix(self.card, self.accent, 0.08)


LIGHT = Theme(
    name="light",
    dark=False,
    window="#F4F5F7",
    card="#FFFFFF",
    line="#E3E6EA",
    field_line="#C2C9D1",
    hover="#EDEFF2",
    text="#16191D",
    quiet="#606A76",
    grid="#E9ECEF",
    accent="#3B4A5A",
    on_accent="#FFFFFF",
    limit="#B34700",
)

DARK = Theme(
    name="dark",
    dark=True,
    window="#14171B",
    card="#1C2026",
    line="#2B313A",
    field_line="#48525E",
    hover="#262B33",
    text="#ECEFF3",
    quiet="#9AA5B1",
    grid="#2A3038",
    accent="#C7D2DD",
    on_accent="#14171B",
    limit="#FF9A4D",
)

THEMES: Mapping[str, Theme] = MappingProxyType({LIGHT.name: LIGHT, DARK.name: DARK})


def theme(name: str) -> Theme:
    """The theme of that name. Raises ValueError with the names that exist."""
    try:
        return THEMES[name]
    except KeyError:
        raise ValueError(f"no theme is called {name!r}; there are {' and '.join(THEMES)}") from None


@lru_cache(maxsize=256)
def mix(colour: str, other: str, share: float) -> str:
    """`colour` with `share` (0 to 1) of `other` in it, as #RRGGBB."""
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * share):02X}" for one, two in pairs)


def contrast(one: str, two: str) -> float:
    """Contrast ratio of two colours, 1 to 21, by WCAG 2.1's definition of relative luminance."""
    dim, bright = sorted((_luminance(one), _luminance(two)))
    return (bright + 0.05) / (dim + 0.05)


def palette(theme: Theme) -> QPalette:
    """Qt's palette in this theme, for whatever no style sheet names."""
    result = QPalette()
    role = QPalette.ColorRole
    table = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.card,
        role.AlternateBase: theme.window,
        role.Text: theme.text,
        role.PlaceholderText: theme.quiet,
        role.Button: theme.card,
        role.ButtonText: theme.text,
        role.BrightText: theme.limit,
        role.ToolTipBase: theme.text,
        role.ToolTipText: theme.card,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Link: theme.text,
        role.LinkVisited: theme.text,
        role.Light: theme.card,
        role.Midlight: theme.line,
        role.Mid: theme.line,
        role.Dark: theme.field_line,
        role.Shadow: theme.field_line,
        role.Accent: theme.accent,
    }
    for key, colour in table.items():
        result.setColor(key, QColor(colour))
    for key in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, key, QColor(theme.quiet))
    return result


def style_sheet(theme: Theme, zoom: float = 1.0) -> str:
    """The application's style sheet in this theme, every length times `zoom`. Needs a QGuiApplication."""
    from gui.style_sheet import build

    return build(theme, zoom)


def prepare(app: QApplication, theme: Theme, zoom: float = 1.0) -> None:
    """Style, palette and font: what widgets had better be born in. They change nothing that is there already."""
    from gui import fonts

    # A style under a style sheet has no name, and setting it again would dress everything once more.
    if not app.styleSheet() and app.style().name() != "fusion":
        app.setStyle("Fusion")
    app.setPalette(palette(theme))
    app.setFont(fonts.font(max(1, round(BASE * zoom))))


def apply(app: QApplication, theme: Theme, zoom: float = 1.0) -> None:
    """Dresses the whole application: style, palette, font and style sheet."""
    prepare(app, theme, zoom)
    app.setStyleSheet(style_sheet(theme, zoom))


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = map(linear, _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
