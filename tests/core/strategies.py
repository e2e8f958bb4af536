"""What tests draw from: values of every field, and scenarios."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from core.cards import capacity, card
from core.choice_kinds import Choice, Flag
from core.fields import Field
from core.kinds import BytesEach, Count, Days, Memory, Money, Rate, Share
from core.models.catalogue import model
from core.numbers import Number, ceil, narrow
from core.scenario import FIELDS, Scenario, change

WHOLE = (Count, Memory, Rate)
PLACES = 30  # what the reader of numbers takes after the point

# Texts that lie near numbers, and texts that do not.
ALMOST_NUMBERS = st.text("0123456789.,+-−eE _%\u00a0\u202f'BGMTKibkgµ$×²½٣", max_size=24)
ANY_TEXT = st.one_of(ALMOST_NUMBERS, st.text(max_size=90))


def _whole(least: int, most: int) -> st.SearchStrategy[int]:
    """Whole numbers of every size, round ones often: a uniform draw would hardly ever give a small one."""
    sized = st.integers(0, len(str(most))).flatmap(lambda digits: st.integers(0, min(10**digits, most)))
    round_ones = st.builds(lambda figure, power: figure * 10**power, st.integers(1, 999), st.integers(0, 15))
    binary = st.builds(lambda figure, power: figure << power, st.integers(1, 99), st.integers(0, 50))
    return st.one_of(sized, round_ones, binary, st.just(least), st.just(most)).filter(lambda x: least <= x <= most)


def _decimals(least: Number, most: Number) -> st.SearchStrategy[Number]:
    """Decimals with up to PLACES places after the point, few places as often as many."""

    def scaled(places: int) -> st.SearchStrategy[Number]:
        size = 10**places
        low, high = ceil(Fraction(least) * size), int(Fraction(most) * size)
        return st.integers(low, max(low, high)).map(lambda figure: narrow(Fraction(figure, size)))

    return st.integers(0, PLACES).flatmap(scaled).filter(lambda value: least <= value <= most)


def values(field: Field) -> st.SearchStrategy[object]:
    """Every value that a field takes, None included where it may be left open."""
    kind = field.kind
    if isinstance(kind, Choice):
        names = [option.name for option in kind.options()]
        some: st.SearchStrategy[object] = st.sampled_from([int(name) if kind.whole else name for name in names])
    elif isinstance(kind, Flag):
        some = st.booleans()
    else:
        assert field.minimum is not None
        assert field.maximum is not None
        if isinstance(kind, WHOLE):
            some = _whole(int(field.minimum), int(field.maximum))
        else:
            assert isinstance(kind, BytesEach | Share | Days | Money)
            some = _decimals(field.minimum, field.maximum)
            if isinstance(kind, Days):
                hours = _decimals(field.minimum * 24, field.maximum * 24).map(lambda hour: narrow(Fraction(hour) / 24))
                some = st.one_of(some, hours)
    return st.one_of(st.none(), some) if field.automatic else some


# Without the model and its dimensions, which the strategies below choose whole.
DRAWN = tuple(name for name, field in FIELDS.items() if name != "model" and field.group != "model")
# A dense model, one with shared embeddings, two mixtures of experts, one that reads and writes, one that sees.
MODELS = tuple(
    model(name).architecture for name in ("Llama 2 7B", "GPT-2", "Mixtral 8x7B", "DeepSeek V3", "T5 3B", "ViT-B/16")
)
_VALUES = {name: values(FIELDS[name]) for name in DRAWN}
_CHOSEN = st.lists(st.sampled_from(DRAWN), max_size=7, unique=True)


@st.composite
def scenarios(draw: st.DrawFn, /, **fixed: object) -> Scenario:
    """Scenarios in which up to seven fields are set, and those in `fixed`; their card has the figure that counts."""
    scenario = change(Scenario(), {name: draw(_VALUES[name]) for name in draw(_CHOSEN)} | fixed)
    if scenario.card and capacity(card(scenario.card), scenario.card_capacity) is None:  # type: ignore[arg-type]
        return change(scenario, {"card_capacity": "marketed"})
    return scenario


def any_scenarios() -> st.SearchStrategy[Scenario]:
    """Scenarios with a model and without."""
    return st.one_of(scenarios(), st.sampled_from(MODELS).flatmap(lambda chosen: scenarios(model=chosen)))
