"""Questions made from the current scenario: right answers from the account's lines, wrong ones from real mistakes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import msgspec

from core.account import Account
from core.learn.description import Answer, Part, Quiz, Split, View
from core.learn.state import State
from core.learn.texts import text
from core.lines import Line
from core.quantities import System
from core.scenario import describe as scenario_text

LEAST_WRONG, MOST_WRONG = 2, 3
_MOST_STEPS = 6


class Question(msgspec.Struct, frozen=True):
    """One question: its answers in the order they are shown, and the steps that lead to the right one."""

    kind: str
    question: str
    answers: tuple[Answer, ...]
    derivation: tuple[str, ...]

    @property
    def right(self) -> Answer:
        """The right answer."""
        return next(answer for answer in self.answers if answer.right)


class Asked(msgspec.Struct, frozen=True):
    """What a kind of question makes of an account: the text, the right answer, (wrong answer, mistake) pairs, lines."""

    question: str
    right: str
    wrong: tuple[tuple[str, str], ...]
    lines: tuple[Line | str, ...]


Kind = Callable[[Account, System], Asked | None]


def make(kind: str, ask: Kind, account: Account, system: System) -> Question | None:
    """The question of a kind; None where this scenario has no such question, or too few wrong answers that differ."""
    asked = ask(account, system)
    if asked is None:
        return None
    wrong: dict[str, str] = {}
    for answer, why in asked.wrong:
        if answer != asked.right:
            wrong.setdefault(answer, why)
    if len(wrong) < LEAST_WRONG:
        return None
    answers = [Answer(asked.right, True)]
    answers += [Answer(answer, False, why) for answer, why in list(wrong.items())[:MOST_WRONG]]
    # The same scenario always shows a question's answers in the same order.
    random.Random(f"{kind}: {scenario_text(account.scenario)}").shuffle(answers)
    return Question(kind, asked.question, tuple(answers), tuple(_steps(asked.lines)))


def _steps(lines: Iterable[Line | str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        for step in [line] if isinstance(line, str) else line.steps():
            if step not in found:
                found.append(step)
    return found[-_MOST_STEPS:]


def questions(account: Account, system: System = "decimal") -> tuple[Question, ...]:
    """Every question that the scenario has, in the order of the pages."""
    from core.learn.question_kinds import KINDS

    found = (make(name, ask, account, system) for name, ask in KINDS.items())
    return tuple(question for question in found if question is not None)


def describe(account: Account, system: System, state: State) -> View:
    """One question; the one after the last is the first again."""
    every = questions(account, system)
    title, lead = text("questions.title"), text("questions.lead")
    if not every:
        quiz = Quiz("quiz", "", "", text("questions.none"), (), None, (), "", text("questions.none"))
        return View("questions", title, lead, Split((Part(quiz),)), ())
    place = state.question % len(every)
    found = every[place]
    chosen = state.chosen if state.chosen is not None and state.chosen < len(found.answers) else None
    said = ""
    if chosen is not None:
        taken = found.answers[chosen]
        said = (
            text("questions.right") if taken.right else text("questions.wrong", why=taken.why, right=found.right.text)
        )
    spoken = ". ".join([found.question, *(f"{at}: {answer.text}" for at, answer in enumerate(found.answers, 1)), said])
    quiz = Quiz(
        "quiz",
        text("questions.count", at=place + 1, all=len(every)),
        "",
        found.question,
        found.answers,
        chosen,
        found.derivation if chosen is not None else (),
        said,
        spoken,
    )
    return View("questions", title, lead, Split((Part(quiz),)), (), "", place, len(every))
