"""The README's evidence is what the command prints today."""

from __future__ import annotations

from pathlib import Path

import pytest
import readme  # packaging/readme.py

README = Path(__file__).parents[3] / "README.md"


def test_the_readmes_evidence_is_current() -> None:
    text = README.read_text("utf-8")
    assert readme.renewed(text) == text, "run `make evidence`"


def test_the_rest_of_the_readme_stays() -> None:
    text = f"before\n{readme.BEGIN}\nold\n{readme.END}\nafter\n"
    new = readme.renewed(text)
    assert new.startswith(f"before\n{readme.BEGIN}\n")
    assert new.endswith(f"{readme.END}\nafter\n")
    assert "old" not in new
    assert readme.renewed(new) == new


@pytest.mark.parametrize(
    "text", ["", readme.BEGIN, f"{readme.END}\n{readme.BEGIN}", f"{readme.BEGIN}{readme.BEGIN}{readme.END}"]
)
def test_a_readme_without_its_marks_is_left_alone(text: str) -> None:
    with pytest.raises(ValueError, match="holds no"):
        readme.renewed(text)
