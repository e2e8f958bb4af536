"""The README's pictures: the window as it is, so that the README shows no other program than this one.

`make shots` draws them anew; look at what changed before committing it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from core.scenario import from_texts
from tests.gui.hand import Hand, settle
from tests.gui.looked_at import LLAMA_ON_EIGHT, compare

FOLDER = Path(__file__).parent / "shots"
SHOTS: tuple[tuple[str, dict[str, str], str, str], ...] = (
    ("lesson", {}, "why", "light"),
    ("cards", LLAMA_ON_EIGHT, "cards", "light"),
    ("cards", LLAMA_ON_EIGHT, "cards", "dark"),
    ("step", LLAMA_ON_EIGHT, "step", "light"),
    ("step", LLAMA_ON_EIGHT, "step", "dark"),
)


@pytest.mark.parametrize(("shot", "texts", "page", "theme"), SHOTS)
def test_the_window_is_the_one_that_the_readme_shows(
    hand: Hand, shot: str, texts: dict[str, str], page: str, theme: str, tmp_path: Path
) -> None:
    window = hand.window
    window.look.choose_motion("none")
    window.store.put(from_texts(texts))
    window.look.choose(theme)
    window.show_page(page)
    window.say("")
    # No bar moves, no cursor blinks and nothing is pointed at.
    if (focused := window.focusWidget()) is not None:
        focused.clearFocus()
    settle()
    settle()
    assert (window.width(), window.height()) == (1280, 800)
    compare(window.grab().toImage(), FOLDER / f"{shot}-{theme}.png", tmp_path)
