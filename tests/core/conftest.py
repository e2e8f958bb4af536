"""How the core's tests run: the same examples each time, and none kept between runs."""

from __future__ import annotations

from hypothesis import settings

# Example counts are set where a test needs more; `soak` tests draw their own, anew each time.
settings.register_profile("core", max_examples=40, deadline=None, derandomize=True, database=None)
settings.load_profile("core")
