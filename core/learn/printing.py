"""A Learn page as text and as JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import msgspec

from core.charts.description import Chart
from core.learn.description import Bits, Cells, Drawing, Figure, Loop, Plot, Quiz, Ruler, View
from core.learn.questions import Question
from core.learn.texts import text
from core.lines import Line
from core.report import number


def as_text(view: View) -> str:
    """A page for a terminal: heading, what its drawings say, and its figures with their derivations."""
    out = [view.title, view.lead]
    for drawing in view.drawings:
        heading = drawing.title + (f" ({drawing.caption})" if drawing.caption else "")
        out += ["", *([heading] if heading else []), *(f"  {line}" for line in _lines(drawing))]
    if view.said:
        out += ["", view.said]
    if view.figures:
        width, wide, note = (
            max(len(getattr(figure, name)) for figure in view.figures) for name in ("label", "text", "detail")
        )
        out.append("")
        for figure in view.figures:
            behind = figure.line.text() if figure.line is not None else ""
            line = f"  {figure.label:<{width}}  {figure.text:>{wide}}  {figure.detail:<{note}}"
            out.append(f"{line}  {behind}".rstrip())
    return "\n".join(out)


def _lines(drawing: Drawing) -> list[str]:
    """What a drawing says, a line for each of its rows."""
    if isinstance(drawing, Chart):
        width = max((len(bar.label) for bar in drawing.bars), default=0)
        return [f"{bar.label:<{width}}  {bar.text}{f'  {bar.note}' if bar.note else ''}" for bar in drawing.bars]
    if isinstance(drawing, Loop):
        return [
            f"{stage.label}: "
            + (
                "; ".join(
                    f"{drawing.items[mark.item].label} ({drawing.items[mark.item].note})"
                    + "".join(
                        f", {word} {size}"
                        for word, size in ((drawing.read_word, mark.read), (drawing.write_word, mark.write))
                        if size
                    )
                    for mark in drawing.marks
                    if mark.stage == at
                )
                or stage.text
            )
            for at, stage in enumerate(drawing.stages)
        ]
    if isinstance(drawing, Bits):
        width = max(len(row.label) for row in drawing.rows)
        return [f"{row.label:<{width}}  {row.sign} {row.exponent} {row.fraction}  {row.text}" for row in drawing.rows]
    if isinstance(drawing, Plot):
        return [f"{line.label}: {line.text}" if line.text else line.label for line in drawing.series] + [drawing.spoken]
    if isinstance(drawing, Ruler | Cells):
        return [drawing.spoken]
    assert isinstance(drawing, Quiz)
    return [drawing.question, *(f"{at}. {answer.text}" for at, answer in enumerate(drawing.choices, 1))]


def questions_as_text(every: tuple[Question, ...]) -> str:
    """All questions with their answers and what leads to them."""
    out = [text("questions.title")]
    for at, question in enumerate(every, 1):
        out += ["", f"{at}. {question.question}"]
        for answer in question.answers:
            out.append(f"   {'→' if answer.right else ' '} {answer.text}{f' ({answer.why})' if answer.why else ''}")
        out += [f"     {step}" for step in question.derivation]
    return "\n".join(out)


def to_json(view: View) -> dict[str, object]:
    """A page as JSON values: figures with exact values, and its drawings as they are described."""
    return {
        "page": view.name,
        "title": view.title,
        "lead": view.lead,
        "said": view.said,
        "step": view.step,
        "steps": view.steps,
        "figures": [_figure(figure) for figure in view.figures],
        "drawings": [{"kind": type(drawing).__name__.lower(), **_plain(drawing)} for drawing in view.drawings],
    }


def _figure(figure: Figure) -> dict[str, object]:
    line: Line | None = figure.line
    return {
        "key": figure.key,
        "label": figure.label,
        "value": None if line is None else number(line.value),
        "unit": "" if line is None else line.unit,
        "text": figure.text,
        "detail": figure.detail,
        "derivation": [] if line is None else line.steps(),
    }


def _plain(drawing: Drawing) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(drawing, enc_hook=_number)
    return found


def _number(value: object) -> object:
    """What msgspec has no JSON for: a fraction is a number, infinities do not occur in a description."""
    if isinstance(value, Fraction):
        return number(value)
    raise TypeError(f"{type(value).__name__} is no part of a description")


def questions_as_json(every: tuple[Question, ...]) -> dict[str, object]:
    """All questions as JSON values."""
    return {"page": "questions", "title": text("questions.title"), "questions": msgspec.to_builtins(every)}


def dumps(values: object) -> str:
    """JSON text of such values."""
    return json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False)
