"""A question as a drawing, for pictures; the window has buttons."""

from __future__ import annotations

from core.learn.description import Quiz
from gui.charts.parts import Label
from gui.charts.text import Typesetter, wrapped
from gui.learn.frame import finished, heading
from gui.learn.sketch import Sketch

RIGHT, WRONG = "✓", "✗"


def lay_out(quiz: Quiz, width: float, height: float, scale: float) -> Sketch:
    """The question, its choices with the one that was taken marked, and the derivation once it was."""
    type_ = Typesetter(1.35 * scale)  # a question is read from afar, and has the page to itself
    labels, area = heading(quiz.title, quiz.caption, type_, width, height, scale)
    y = area.top()

    def lines(kind: str, text: str, ink: str = "", indent: float = 0.0) -> None:
        nonlocal y
        label = type_.label(kind, "x", 0, 0)
        for line in wrapped(text, label.px, label.weight, area.width() - indent):
            if y + type_.height(kind) > height:
                return
            one = type_.label(kind, line, area.left() + indent, y)
            labels.append(Label(kind, line, text, one.rect, one.px, one.weight, ink or one.ink))
            y += type_.height(kind) + 2 * scale

    lines("title", quiz.question)
    y += 6 * scale
    for at, answer in enumerate(quiz.choices):
        taken = quiz.chosen is not None
        mark = RIGHT if taken and answer.right else WRONG if at == quiz.chosen else ""
        kind = "chosen" if mark else "name"
        lines(kind, f"{at + 1}   {answer.text}   {mark}", "limit" if mark == WRONG else "", 8 * scale)
        y += 4 * scale
    if quiz.said:
        y += 4 * scale
        lines("name", quiz.said)
    for step in quiz.derivation:
        lines("note", step)
    return finished(width, height, scale, (), labels)
