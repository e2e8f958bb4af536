"""Questions: at least twelve kinds, one right answer each, wrong ones that differ and say why."""

from __future__ import annotations

import pytest
from hypothesis import given

from core.account import Account, account
from core.learn.pages import describe
from core.learn.question_kinds import KINDS
from core.learn.questions import questions
from core.learn.state import State
from core.quantities import bytes_text
from core.scenario import Scenario, from_texts
from tests.core.strategies import any_scenarios


def _account(**texts: str) -> Account:
    return account(from_texts(texts))


def _right(kind: str, **texts: str) -> str:
    return next(question.right.text for question in questions(_account(**texts)) if question.kind == kind)


# By hand from the lesson: 30 × 10⁹ parameters, 2 + 2 + 12 B, cards of 80 GB, six of them.
@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("dominates", "Optimizer states"),
        ("inference", "60 GB"),
        ("weights_share", "one eighth"),
        ("gradient_width", "18 B"),
        ("moved_bytes", "1.14 TB"),
        ("vanishes", "Nowhere"),
        ("other_optimizer", "120 GB"),
        ("gib", "447 GiB"),
        ("mixed_units", "Nothing: the units do not cancel"),
        ("cards", "6 cards"),
        ("stage_1_saves", "300 GB"),
        ("stage_3", "80 GB"),
        ("doubled", "150 GB"),
        ("first_that_fits", "Stage 3"),
        ("stage_3_sends", "1.5 times as much"),
        ("operations", "1.08 × 10²³ FLOP"),
        ("in_time", "112 cards"),
    ],
)
def test_the_lessons_answers(kind: str, answer: str) -> None:
    assert _right(kind) == answer


def test_a_named_card_asks_what_it_reports() -> None:
    assert _right("sold_and_reported", card="H100 SXM") == "79.6 GiB"  # 81,559 MiB


def test_the_lesson_has_at_least_twelve_kinds_and_the_mistakes_of_the_lesson() -> None:
    found = questions(_account())
    assert len({question.kind for question in found}) == len(found) >= 12
    by_kind = {question.kind: [answer.text for answer in question.answers] for question in found}
    assert "7 cards" in by_kind["cards"]  # 480 GB ÷ 74.5 GiB, rounded up
    assert "480 GiB" in by_kind["gib"]
    assert "20 B" in by_kind["gradient_width"]  # both gradients kept
    assert "360 GB" in by_kind["stage_1_saves"]  # the own shard forgotten


def test_every_kind_is_asked_somewhere() -> None:
    asked = {question.kind for texts in ({}, {"card": "H100 SXM"}) for question in questions(_account(**texts))}
    assert asked == set(KINDS)


@given(any_scenarios())
def test_one_answer_is_right_and_all_differ(scenario: Scenario) -> None:
    for question in questions(account(scenario)):
        texts = [answer.text for answer in question.answers]
        assert sum(answer.right for answer in question.answers) == 1, question
        assert len(set(texts)) == len(texts) >= 3, question
        assert all(answer.why for answer in question.answers if not answer.right), question
        assert question.derivation, question
        assert question.question.endswith("?")


@given(any_scenarios())
def test_answers_keep_their_order(scenario: Scenario) -> None:
    assert questions(account(scenario)) == questions(account(scenario))


@given(any_scenarios())
def test_right_answers_agree_with_the_account(scenario: Scenario) -> None:
    found = account(scenario)
    right = {question.kind: question.right.text for question in questions(found)}
    if "inference" in right:
        assert right["inference"] == bytes_text(found.inference.count)
    if "stage_3" in right:
        assert right["stage_3"] == bytes_text(found.stages[3].per_card.count)
    if "stage_1_saves" in right:
        saved = found.stages[0].per_card.count - found.stages[1].per_card.count
        assert right["stage_1_saves"] == bytes_text(saved)


def test_the_right_answer_does_not_always_stand_at_one_place() -> None:
    places = {[answer.right for answer in question.answers].index(True) for question in questions(_account())}
    assert len(places) >= 3


def test_an_answer_is_judged_and_derived() -> None:
    found = questions(_account())[0]
    wrong = next(at for at, answer in enumerate(found.answers) if not answer.right)
    before = describe("questions", _account(), "decimal", State()).drawings[0]
    after = describe("questions", _account(), "decimal", State(chosen=wrong)).drawings[0]
    assert before.derivation == ()  # type: ignore[union-attr]
    assert after.derivation == found.derivation  # type: ignore[union-attr]
    assert after.said.startswith("No: ")  # type: ignore[union-attr]
    assert found.right.text in after.said  # type: ignore[union-attr]


def test_after_the_last_question_comes_the_first() -> None:
    count = len(questions(_account()))
    first, again = (describe("questions", _account(), "decimal", State(question=at)) for at in (0, count))
    assert first == again
