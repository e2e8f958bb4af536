"""The core's properties with many more examples, drawn anew each time, and saving under repeated kills."""

from __future__ import annotations

import importlib
import inspect
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from core.document import load

pytestmark = pytest.mark.soak

HERE = Path(__file__).parent
EXAMPLES = 1500


def _properties() -> Iterator[Callable[[], None]]:
    """The property tests of this folder that take nothing from pytest."""
    for path in sorted(HERE.glob("test_*.py")):
        if path.stem == "test_soak":
            continue
        module = importlib.import_module(f"tests.core.{path.stem}")
        for name, check in vars(module).items():
            if name.startswith("test_") and is_hypothesis_test(check) and not inspect.signature(check).parameters:
                yield check


@pytest.mark.parametrize("check", list(_properties()), ids=lambda check: check.__name__)
def test_a_property_holds_for_many_more_examples(check: Callable[[], None]) -> None:
    more = settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=False,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
    )
    check._hypothesis_internal_use_settings = more  # type: ignore[attr-defined]
    check()


SAVES = """
import itertools, sys
from pathlib import Path
from core.document import save
from core.scenario import Scenario, change
print("ready", flush=True)
for params in itertools.count(1):
    save(Path(sys.argv[1]), change(Scenario(), {"params": params % 10**9 + 1, "cards": params % 1000 + 1}))
"""


def test_a_file_survives_any_number_of_kills_while_it_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "run.memtax"
    chance = random.Random(20_191_004)
    for _ in range(60):
        saving = subprocess.Popen([sys.executable, "-c", SAVES, str(path)], cwd=HERE.parents[1], stdout=subprocess.PIPE)
        assert saving.stdout is not None
        assert saving.stdout.readline() == b"ready\n"
        time.sleep(chance.random() / 10)
        saving.kill()
        saving.wait()
        saving.stdout.close()
        if path.exists():
            assert load(path).params >= 1
