"""A row that becomes several where it has no room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Flow(QLayout):
    """Items from left to right, on as many lines as their usual widths need; lines are `spacing` pixels apart.

    What is left of a line goes to the items on it that want to expand, or else stays empty at its right. Lines that
    `fill` share it out among all their items, which are then as high as the highest of them.
    """

    def __init__(self, parent: QWidget | None = None, spacing: int = 0, fill: bool = False) -> None:
        super().__init__(parent)
        self._fill = fill
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines in pixels, where they may be `width` pixels long."""
        return self._place(QRect(0, 0, width, 0), False)

    def setGeometry(self, rect: QRect) -> None:
        """Place the items within a rectangle."""
        super().setGeometry(rect)
        self._place(rect, True)

    def sizeHint(self) -> QSize:
        """All items on one line."""
        margins = self.contentsMargins()
        hints = [item.sizeHint() for item in self._shown()]
        width = sum(hint.width() for hint in hints) + self.spacing() * max(0, len(hints) - 1)
        height = max((hint.height() for hint in hints), default=0)
        return QSize(width + margins.left() + margins.right(), height + margins.top() + margins.bottom())

    def minimumSize(self) -> QSize:
        """The widest item alone."""
        margins = self.contentsMargins()
        sizes = [item.minimumSize() for item in self._shown()]
        width = max((size.width() for size in sizes), default=0)
        height = max((size.height() for size in sizes), default=0)
        return QSize(width + margins.left() + margins.right(), height + margins.top() + margins.bottom())

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _place(self, rect: QRect, apply: bool) -> int:
        margins = self.contentsMargins()
        inner = rect.marginsRemoved(margins)
        lines: list[list[tuple[QLayoutItem, int]]] = [[]]
        used = 0
        for item in self._shown():
            width = min(item.sizeHint().width(), max(inner.width(), item.minimumSize().width()))
            if lines[-1] and used + self.spacing() + width > inner.width():
                lines.append([])
                used = 0
            used += width + (self.spacing() if lines[-1] else 0)
            lines[-1].append((item, width))
        y = inner.top()
        for line in lines:
            y += self._place_line(line, inner, y, apply) + self.spacing()
        return max(0, y - self.spacing() - inner.top()) + margins.top() + margins.bottom()

    def _place_line(self, line: list[tuple[QLayoutItem, int]], inner: QRect, y: int, apply: bool) -> int:
        rest = inner.width() - sum(width for _, width in line) - self.spacing() * max(0, len(line) - 1)
        growing = [item for item, _ in line if self._fill or item.expandingDirections() & Qt.Orientation.Horizontal]
        widths = [width + (max(0, rest) // len(growing) if item in growing else 0) for item, width in line]
        heights = [
            item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
            for (item, _), width in zip(line, widths, strict=True)
        ]
        height = max(heights, default=0)
        x = inner.left()
        if apply:
            for (item, _), width, usual in zip(line, widths, heights, strict=True):
                own = height if self._fill else usual
                item.setGeometry(QRect(QPoint(x, y + (height - own) // 2), QSize(width, own)))
                x += width + self.spacing()
        return height
