"""Every kind of question by name, in the order they are asked."""

from __future__ import annotations

from core.learn import asking_run as run
from core.learn import asking_state as state
from core.learn.questions import Kind

KINDS: dict[str, Kind] = {
    ask.__name__: ask
    for ask in (
        state.dominates,
        state.inference,
        state.weights_share,
        state.gradient_width,
        run.moved_bytes,
        run.vanishes,
        state.other_optimizer,
        run.gib,
        run.mixed_units,
        run.cards,
        run.sold_and_reported,
        state.stage_1_saves,
        state.stage_3,
        state.doubled,
        state.first_that_fits,
        state.stage_3_sends,
        run.operations,
        run.in_time,
    )
}
