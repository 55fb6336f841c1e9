"""The catalogue: what puzzles say of their answers is what a search finds, and the page in docs is up to date."""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from beliefsearch.model.stochastic import StochasticProblem

from .examples import thorough

DOCS = Path(__file__).parent.parent / "docs"
TOOL = runpy.run_path(str(DOCS / "make_catalogue.py"))
PUZZLES = {name: cls for name, _, cls in TOOL["puzzles"]()}
answers_of = cache(TOOL["computed_answers"])


# To solve all their instances takes seconds.
DEAR = ("egg-drop", "pocket-cube", "wumpus")


@pytest.mark.parametrize("name", [thorough(name) if name in DEAR else name for name in PUZZLES])
def test_known_answers_are_found(name: str) -> None:
    cls = PUZZLES[name]
    assert cls.known_answers, "a puzzle of ours says what is known of it"
    found = answers_of(cls)
    for answer, known in zip(found, cls.known_answers, strict=True):
        if issubclass(cls, StochasticProblem):
            near = known.within + 1e-3 * abs(known.answer or 0) if known.within else 0
            assert answer == pytest.approx(known.answer, rel=1e-12, abs=near)
        else:
            assert answer == known.answer


def test_the_page_is_up_to_date() -> None:
    written = (DOCS / "catalogue.md").read_text(encoding="utf-8")
    dear = [PUZZLES[name] for name in DEAR]

    def answers(cls: Any) -> list[Any]:
        """What was found; or what is said, which the test above compares with what is found."""
        return [known.answer for known in cls.known_answers] if cls in dear else answers_of(cls)

    assert TOOL["catalogue"](answers) == written, "run: python docs/make_catalogue.py"
