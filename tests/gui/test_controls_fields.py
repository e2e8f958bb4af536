"""Every number of the form, typed as people type it: good, bad, huge, empty; arrows, pages, wheel, Enter, Escape."""

from __future__ import annotations

from fractions import Fraction

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.choice_kinds import Choice, Flag
from core.numbers import Number
from core.scenario import FIELDS, INPUTS, Scenario
from gui.controls.value_box import ValueBox
from tests.gui.hand import Hand, settle

NUMBERS = tuple(name for name in INPUTS if not isinstance(FIELDS[name].kind, Choice | Flag))

# What people say, and what it is, by arithmetic.
GOOD: tuple[tuple[str, str, Number], ...] = (
    ("params", "70B", 70 * 10**9),
    ("params", "30e9", 30 * 10**9),
    ("params", "1.3T", 1_300_000_000_000),
    ("params", "6,738,415,616", 6_738_415_616),
    ("params", " 7 b ", 7 * 10**9),
    ("params", "1", 1),
    ("params", "1e15", 10**15),
    ("card_memory", "80 GB", 80 * 10**9),
    ("card_memory", "80 GiB", 80 * 2**30),
    ("card_memory", "80gib", 80 * 2**30),
    ("card_memory", "81559 MiB", 81559 * 2**20),
    ("card_memory", "1e15", 10**15),
    ("cards", "64", 64),
    ("cards", "1,024", 1024),
    ("cards", "8 GPUs", 8),
    ("cards", "10000000", 10**7),
    ("reserve", "2 GiB", 2 * 2**30),
    ("reserve", "0", 0),
    ("tokens", "1.4T", 1_400_000_000_000),
    ("tokens", "1e18", 10**18),
    ("mfu", "55 %", Fraction(11, 20)),
    ("mfu", "0.385", Fraction(77, 200)),
    ("mfu", "100%", 1),
    ("peak_flops", "989 TFLOP/s", 989 * 10**12),
    ("peak_flops", "312e12", 312 * 10**12),
    ("deadline", "12 weeks", 84),
    ("deadline", "36 h", Fraction(3, 2)),
    ("deadline", "0.1 h", Fraction(1, 240)),
    ("card_price", "$2.50", Fraction(5, 2)),
    ("card_price", "0", 0),
    ("bytes_weights", "2", 2),
    ("bytes_weights", "0.5", Fraction(1, 2)),
    ("bytes_gradients", "4.5 bits", Fraction(9, 16)),
    ("bytes_master", "0", 0),
    ("bytes_momentum", "64", 64),
    ("bytes_variance", "2.03125", Fraction(65, 32)),
    ("bytes_other", "1", 1),
    ("seq_len", "4,096", 4096),
    ("seq_len", "8192 tokens", 8192),
    ("layers", "40", 40),
    ("hidden", "5,120", 5120),
    ("heads", "64", 64),
    ("kv_heads", "16", 16),
    ("head_dim", "128", 128),
    ("mlp", "13824", 13824),
    ("vocabulary", "152,064", 152_064),
)

# What is wrong with a text, in words that the sentence must hold.
BAD: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("params", "70,5 B", ("'70,5 B'", "comma", "write 70B")),
    ("params", "1.5", ("'1.5'", "not a whole number")),
    ("params", "0", ("'0'", "below the least, 1")),
    ("params", "-7B", ("'-7B'", "below the least")),
    ("params", "1000000000000001", ("above the most, 1,000T",)),
    ("params", "70 GB", ("'70 GB'", "'gb'", "no multiple")),
    ("params", "", ("'' is empty", "write 70B")),
    ("params", "9" * 90, ("longer than 80 characters",)),
    ("params", "1e99", ("too large an exponent",)),
    ("params", "7\u0663", ("not a number",)),
    ("card_memory", "80 G", ("leaves the unit open: GB is decimal, GiB is binary",)),
    ("card_memory", "80", ("below the least, 1 MB",)),
    ("card_memory", "80 cm", ("'cm'", "no unit of memory")),
    ("card_memory", "", ("is empty",)),
    ("card_memory", "2e15", ("above the most",)),
    ("card_memory", "no such card", ("'no such card' is no card of the catalogue",)),
    ("cards", "6.5", ("not a whole number",)),
    ("cards", "0", ("below the least, 1",)),
    ("cards", "1e8", ("above the most, 10M",)),
    ("reserve", "", ("is empty",)),
    ("tokens", "many", ("'many'", "not a number", "write 1.4T")),
    ("mfu", "140 %", ("above the most, 100 %",)),
    ("mfu", "0", ("below the least",)),
    ("mfu", "", ("is empty",)),
    ("peak_flops", "312 TB", ("'TB'", "no rate")),
    ("deadline", "3 months", ("'months'", "neither hours, days nor weeks")),
    ("card_price", "2 beers", ("'beers'", "no currency")),
    ("bytes_weights", "65", ("above the most, 64",)),
    ("bytes_weights", "-1", ("below the least, 0",)),
    ("bytes_variance", "4 GB", ("neither bytes nor bits",)),
    ("bytes_other", "NaN", ("not a number",)),
    ("seq_len", "0", ("below the least, 1",)),
    ("seq_len", "", ("is empty",)),
    ("layers", "many", ("'many'", "not a number")),
    ("layers", "0", ("below the least, 1",)),
    ("hidden", "4096.5", ("not a whole number",)),
    ("vocabulary", "1e10", ("above the most",)),
)


NEEDED = {"model": "Llama 3 8B", "lora_rank": "8", "card": "H100 SXM"}


def ready(hand: Hand, name: str) -> Scenario:
    """Bring about what a field needs to act: a model, another field's value. Returns the scenario then."""
    needed = FIELDS[name].only_with
    if needed:
        ready(hand, needed)
        hand.window.store.apply({needed: FIELDS[needed].read(NEEDED[needed])})
    while_ = FIELDS[name].only_while
    if while_ is not None:
        hand.window.store.apply({while_[0]: while_[1]})
    return hand.scenario


def steps(hand: Hand) -> int:
    """How many steps can be undone; they are redone."""
    count = 0
    while hand.window.store.can_undo:
        hand.window.store.undo()
        count += 1
    for _ in range(count):
        hand.window.store.redo()
    return count


def test_every_number_has_a_spin_box_and_every_kind_of_number_is_tried(hand: Hand) -> None:
    boxes = {name for name, row in hand.window.form.rows.items() if isinstance(row.box, ValueBox)}
    assert boxes == set(NUMBERS)
    assert {type(FIELDS[name].kind) for name in NUMBERS} == {type(FIELDS[name].kind) for name, _, _ in GOOD}


@pytest.mark.parametrize("name", NUMBERS)
def test_both_ends_of_a_range_are_taken_and_what_lies_beyond_is_refused(hand: Hand, name: str) -> None:
    field = FIELDS[name]
    before = ready(hand, name)
    assert field.minimum is not None
    assert field.maximum is not None
    for end in (field.minimum, field.maximum):
        hand.enter(name, field.kind.text(end))
        # What is within the range may still not suit the model: then that is said.
        assert getattr(hand.scenario, name) == end or hand.error(name)
    beyond = field.kind.text(field.maximum * 2)
    hand.enter(name, beyond)
    assert "above the most" in hand.error(name)
    hand.key("Escape")
    while hand.window.store.can_undo and hand.scenario != before:
        hand.key("Ctrl+Z")
    assert hand.scenario == before


@pytest.mark.parametrize(("name", "text", "value"), GOOD, ids=lambda part: str(part)[:20])
def test_what_people_type_is_taken_while_it_is_typed_and_written_back_on_enter(
    hand: Hand, name: str, text: str, value: Number
) -> None:
    ready(hand, name)
    hand.write(name, text)
    QTest.qWait(60)  # what may be the beginning of a longer number waits for the shortened pause
    assert getattr(hand.scenario, name) == value
    assert hand.error(name) == ""
    assert hand.line(name).text() == text, "the text is changed while it is typed"
    hand.key("Return")
    assert getattr(hand.scenario, name) == value
    assert FIELDS[name].read(hand.line(name).text()) == value
    assert hand.line(name).selectedText() == hand.line(name).text()


@pytest.mark.parametrize(("name", "text", "words"), BAD, ids=lambda part: str(part)[:20])
def test_a_bad_entry_is_said_in_words_on_leaving_and_changes_nothing(
    hand: Hand, name: str, text: str, words: tuple[str, ...]
) -> None:
    before = ready(hand, name)
    made = steps(hand)
    hand.go(name)
    charts = hand.charts()
    # Pasted, so that no beginning of the text is taken on the way.
    hand.line(name).selectAll()
    hand.line(name).insert(text)
    hand.line(name).textEdited.emit(text)
    assert hand.error(name) == ""
    hand.leave()
    sentence = hand.error(name)
    for word in words:
        assert word in sentence, sentence
    assert sentence.endswith(".")
    assert hand.echo(name) == ""
    assert hand.scenario == before
    assert hand.charts() == charts
    assert hand.line(name).text() == text, "what was typed is kept, to be mended"
    assert hand.box(name).accessibleDescription() == sentence
    assert steps(hand) == made


@pytest.mark.parametrize("name", NUMBERS)
def test_escape_brings_back_the_value_before_typing(hand: Hand, name: str) -> None:
    before = ready(hand, name)
    made = steps(hand)
    hand.go(name)
    text = hand.line(name).text()
    hand.write(name, "1")
    QTest.qWait(60)
    hand.key("Escape")
    assert hand.line(name).text() == text
    assert hand.scenario == before
    assert hand.error(name) == ""
    assert steps(hand) == made


@pytest.mark.parametrize("name", [name for name in NUMBERS if FIELDS[name].automatic])
def test_clearing_an_automatic_field_leaves_it_open(hand: Hand, name: str) -> None:
    ready(hand, name)
    hand.enter(name, {"peak_flops": "5e6", "hidden": "8,192", "heads": "64"}.get(name, "4"))
    assert getattr(hand.scenario, name) is not None
    hand.enter(name, "")
    assert getattr(hand.scenario, name) is None
    assert hand.error(name) == ""
    assert hand.line(name).text() == ""
    assert hand.line(name).placeholderText() != ""


# One arrow is about a tenth of the leading digit, a page ten arrows; memory goes by whole GB, shares by hundredths.
STEPS: tuple[tuple[str, str, Number], ...] = (
    ("params", "Up", 31 * 10**9),
    ("params", "Down", 29 * 10**9),
    ("params", "PgUp", 40 * 10**9),
    ("params", "PgDown", 20 * 10**9),
    ("card_memory", "Up", 81 * 10**9),
    ("card_memory", "PgDown", 70 * 10**9),
    ("cards", "Up", 7),
    ("cards", "Down", 5),
    ("cards", "PgDown", 1),
    ("reserve", "Up", 10**9),
    ("reserve", "Down", 0),
    ("mfu", "Up", Fraction(41, 100)),
    ("mfu", "PgUp", Fraction(1, 2)),
    ("bytes_weights", "Up", 3),
    ("bytes_master", "Down", 3),
    ("bytes_other", "Down", 0),
    ("peak_flops", "Up", 313 * 10**12),
)


@pytest.mark.parametrize(("name", "key", "value"), STEPS)
def test_arrows_and_pages_step_from_what_is_shown_and_are_one_step_to_undo(
    hand: Hand, name: str, key: str, value: Number
) -> None:
    hand.go(name)
    hand.key(key)
    assert getattr(hand.scenario, name) == value
    assert FIELDS[name].read(hand.line(name).text()) == value
    if hand.window.store.can_undo:
        hand.key("Ctrl+Z")
    assert hand.scenario == Scenario()


def test_steps_stop_at_both_ends(hand: Hand) -> None:
    hand.enter("params", "1e15")
    hand.key("PgUp")
    assert hand.scenario.params == 10**15
    hand.enter("params", "3")
    hand.key("PgDown")
    assert hand.scenario.params == 1
    hand.key("Down")
    assert hand.scenario.params == 1


def test_the_buttons_of_a_box_step_and_give_it_the_focus(hand: Hand) -> None:
    box = hand.box("params")
    hand.leave()
    hand.click(box, box.rect().topRight() + QPoint(-10, 8))
    assert (hand.scenario.params, box.hasFocus()) == (31 * 10**9, True)
    hand.click(box, box.rect().bottomRight() + QPoint(-10, -8))
    assert hand.scenario.params == 30 * 10**9


def test_the_wheel_steps_the_field_that_has_the_focus(hand: Hand) -> None:
    hand.go("params")
    hand.wheel(hand.box("params"), 1)
    assert hand.scenario.params == 31 * 10**9
    hand.wheel(hand.box("params"), -2)
    assert hand.scenario.params == 29 * 10**9


@pytest.mark.parametrize("name", ["params", "card_memory", "cards", "precision", "optimizer", "zero"])
def test_the_wheel_over_a_field_without_the_focus_changes_nothing_and_scrolls_the_form(hand: Hand, name: str) -> None:
    hand.window.form.folds["items"].open()
    settle()
    hand.leave()
    hand.window.form.ensureWidgetVisible(hand.row(name))
    before = hand.window.form.verticalScrollBar().value()
    hand.wheel(hand.box(name), -1)
    assert hand.scenario == Scenario()
    assert hand.window.form.verticalScrollBar().value() > before


def test_exact_values_are_echoed_beneath(hand: Hand) -> None:
    hand.write("params", "70B")
    assert hand.echo("params") == "70,000,000,000 parameters"
    hand.write("card_memory", "80 GiB")
    # 80 × 2³⁰ = 85,899,345,920.
    assert hand.echo("card_memory") == "85,899,345,920 B = 85.9 GB (80 GiB)"
    hand.write("bytes_weights", "4.5 bits")
    assert hand.echo("bytes_weights") == "0.5625 B = 4.5 bits"


def test_bytes_set_by_hand_make_a_custom_recipe_and_say_so(hand: Hand) -> None:
    hand.enter("bytes_master", "0")
    # 2 + 2 + 0 + 4 + 4 = 12 B; 30 B × 12 B = 360 GB; ⌈360 ÷ 80⌉ = 5.
    assert hand.echo("precision").startswith("Custom, 12 B = 2 + 2 + 4 + 4")
    assert hand.charts()["footprint"].bars[0].text == "360 GB"
    assert hand.window.summary.verdict.headline.text() == "5 cards"
    hand.window.form.folds["items"].heading.setChecked(False)
    assert hand.window.form.folds["items"].state.whole == "master 0 B"
    hand.enter("bytes_master", "")
    assert hand.echo("precision") == "2 + 2 + 4 + 4 + 4 = 16 B a parameter"
    assert hand.scenario == Scenario()


def test_bytes_set_to_what_the_recipe_has_are_no_custom_recipe(hand: Hand) -> None:
    hand.enter("bytes_master", "4")
    assert hand.echo("precision") == "2 + 2 + 4 + 4 + 4 = 16 B a parameter"


def test_a_reserve_that_leaves_nothing_is_said_and_nothing_breaks(hand: Hand) -> None:
    hand.enter("reserve", "80 GB")
    assert hand.window.summary.verdict.headline.text() == "No card"
    for page in ("cards", "ledger", "why"):
        hand.window.show_page(page)
        settle()
    hand.enter("reserve", "0")
    assert hand.window.summary.verdict.headline.text() == "6 cards"


def test_huge_scenarios_stay_exact(hand: Hand) -> None:
    hand.enter("params", "999,999,999,999,999")
    hand.enter("card_memory", "1 MB")
    assert hand.echo("params") == "999,999,999,999,999 parameters"
    training = hand.charts()["footprint"].bars[0]
    assert training.total == 15_999_999_999_999_984
    # ⌈15,999,999,999,999,984 ÷ 10⁶⌉ cards: more than a field takes, yet what it comes to.
    assert hand.window.summary.verdict.headline.text() == "16,000,000,000 cards"
    hand.window.show_page("cards")
    assert hand.charts()["cards"].bars[-1].total > 0


def parent_chain(widget: QWidget) -> list[QWidget]:
    """A widget and everything it stands in."""
    chain = [widget]
    while (parent := chain[-1].parentWidget()) is not None:
        chain.append(parent)
    return chain


@pytest.mark.parametrize("name", NUMBERS)
def test_going_to_a_field_opens_its_fold_and_brings_it_into_view(hand: Hand, name: str) -> None:
    ready(hand, name)
    hand.window.resize(1024, 700)
    box = hand.go(name)
    settle()
    assert box.hasFocus()
    assert box.visibleRegion().boundingRect().size() == box.size(), "the field is not wholly seen"
    assert hand.window.form in parent_chain(box)
