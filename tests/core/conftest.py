"""How the core's tests run: the same examples each time, and none kept between runs."""

from __future__ import annotations

from hypothesis import Phase, settings

# Example counts are set where a test needs more; `soak` tests draw their own, anew each time.
PHASES = (Phase.explicit, Phase.generate, Phase.target, Phase.shrink)
settings.register_profile("core", max_examples=25, deadline=None, derandomize=True, database=None, phases=PHASES)
settings.load_profile("core")
