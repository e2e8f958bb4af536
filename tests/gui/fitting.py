"""What does not fit in a window: cut texts, widgets that leave their parent or lie over a neighbour."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollBar,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from gui.panels.labels import ElidedLabel


def faults_at_rest(window: QWidget) -> list[str]:
    """What is cut or overlaps once layouts have come to rest, as a person sees it: a second is time enough."""
    for _ in range(40):
        found = faults(window)
        if not found:
            break
        QTest.qWait(25)
    return found


def faults(window: QWidget) -> list[str]:
    """Everything in sight that is cut, outside its parent or over a neighbour, in words."""
    return [*_cut(window), *_outside(window), *_over(window)]


def _visible(window: QWidget, kind: type[QWidget] = QWidget) -> Iterator[QWidget]:
    for widget in window.findChildren(kind):
        if widget.isVisible() and widget.window() is window and widget.width() and widget.height():
            yield widget


def _name(widget: QWidget) -> str:
    text = widget.property("text") or widget.property("currentText") or widget.accessibleName()
    return f"{type(widget).__name__} {str(text)[:50]!r}"


def _cut(window: QWidget) -> Iterator[str]:
    for widget in _visible(window):
        if isinstance(widget, ElidedLabel):
            if "…" in widget.text() and widget.toolTip() != widget.whole:
                yield f"{_name(widget)} is cut and its tooltip does not say the rest"
        elif isinstance(widget, QLabel) and widget.text():
            yield from _cut_label(widget)
        elif isinstance(widget, QAbstractButton) and widget.property("text"):
            need = widget.sizeHint()
            if need.width() > widget.width() or need.height() > widget.height():
                yield f"{_name(widget)} needs {need.width()}x{need.height()}, has {widget.width()}x{widget.height()}"
        elif isinstance(widget, QTabBar):
            for place in range(widget.count()):
                need_width = widget.fontMetrics().horizontalAdvance(widget.tabText(place))
                if widget.elideMode() != Qt.TextElideMode.ElideNone or need_width > widget.tabRect(place).width() - 4:
                    yield f"tab {widget.tabText(place)!r} is cut"
        elif isinstance(widget, QComboBox):
            need_width = widget.fontMetrics().horizontalAdvance(widget.currentText()) + 44
            if need_width > widget.width():
                yield f"{_name(widget)} needs {need_width} px, has {widget.width()}"
        elif isinstance(widget, QLineEdit) and not _being_mended(widget):
            room = widget.width() - widget.textMargins().left() - widget.textMargins().right()
            need_width = widget.fontMetrics().horizontalAdvance(widget.displayText() or widget.placeholderText())
            if need_width > room:
                yield f"{_name(widget)} needs {need_width} px, has {room}"


def _being_mended(line: QLineEdit) -> bool:
    """A text that is wrong is as long as its writer made it; one in a list is the list's."""
    parent = line.parentWidget()
    return isinstance(parent, QComboBox) or bool(parent is not None and parent.property("error"))


def _cut_label(label: QLabel) -> Iterator[str]:
    room = label.contentsRect()
    if label.wordWrap():
        need = label.heightForWidth(label.width())
        if need > label.height():
            yield f"{_name(label)} needs {need} px of height, has {label.height()}"
        return
    lines = label.text().split("\n")
    metrics = label.fontMetrics()
    width = max(metrics.horizontalAdvance(line) for line in lines)
    height = metrics.height() * len(lines)
    if width > room.width() or height > room.height():
        yield f"{_name(label)} needs {width}x{height}, has {room.width()}x{room.height()}"


def _scrolled(widget: QWidget) -> bool:
    """Whether a widget is what a scroll area scrolls, or part of the area's frame."""
    parent = widget.parentWidget()
    grandparent = parent.parentWidget() if parent is not None else None
    return isinstance(parent, QAbstractScrollArea) or isinstance(grandparent, QAbstractScrollArea)


def _outside(window: QWidget) -> Iterator[str]:
    for widget in _visible(window):
        parent = widget.parentWidget()
        if parent is None or widget.isWindow() or _scrolled(widget) or isinstance(parent, QAbstractSpinBox | QComboBox):
            continue
        if not parent.rect().contains(widget.geometry()):
            yield f"{_name(widget)} at {_rect(widget.geometry())} leaves {_name(parent)} {_rect(parent.rect())}"


def _over(window: QWidget) -> Iterator[str]:
    for parent in [window, *_visible(window)]:
        if isinstance(parent, QAbstractScrollArea | QStackedWidget | QAbstractSpinBox | QComboBox):
            continue
        seen: list[QWidget] = []
        for child in parent.children():
            if not isinstance(child, QWidget) or child.isWindow() or not child.isVisible():
                continue
            if isinstance(child, QScrollBar) or child.property("floating"):
                continue
            for other in seen:
                shared = child.geometry() & other.geometry()
                if shared.width() > 0 and shared.height() > 0:
                    yield f"{_name(child)} lies over {_name(other)} by {shared.width()}x{shared.height()}"
            seen.append(child)


def _rect(rect: QRect) -> str:
    at, size = rect.topLeft(), rect.size()
    return f"({at.x()},{at.y()}) {size.width()}x{size.height()}"


def place_in(window: QWidget, widget: QWidget) -> QRect:
    """Where a widget stands in its window."""
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
