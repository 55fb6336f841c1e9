"""The catalogue: known answers are those of a search, its list is up to date, and its entries can be made."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from beliefsearch.model.stochastic import StochasticProblem
from beliefsearch.plugins.options import options_of

from .examples import thorough

DOCS = Path(__file__).parent.parent / "docs"
TOOL = runpy.run_path(str(DOCS / "make_catalogue.py"))
PUZZLES = {name: cls for name, _, cls in TOOL["puzzles"]()}


# To solve all their instances takes seconds.
DEAR = ("egg-drop", "pocket-cube", "wumpus")


@pytest.mark.parametrize("name", [thorough(name) if name in DEAR else name for name in PUZZLES])
def test_known_answers_are_found(name: str) -> None:
    cls = PUZZLES[name]
    assert cls.known_answers, "a puzzle of ours says what is known of it"
    found = TOOL["computed_answers"](cls)
    for answer, known in zip(found, cls.known_answers, strict=True):
        if issubclass(cls, StochasticProblem):
            near = known.within + 1e-3 * abs(known.answer or 0) if known.within else 0
            assert answer == pytest.approx(known.answer, rel=1e-12, abs=near)
        else:
            assert answer == known.answer


def test_the_list_is_up_to_date() -> None:
    written = (DOCS / "catalogue.md").read_text(encoding="utf-8")
    assert TOOL["with_list"](written) == written, "run: python docs/make_catalogue.py"


def test_an_entry_has_source_options_and_known_answers() -> None:
    entries = {entry.partition("\n")[0]: entry for entry in TOOL["catalogue"]().removeprefix("## ").split("\n## ")}
    assert entries.keys() == PUZZLES.keys()
    for name, entry in entries.items():
        assert "\nSource: " in entry
        assert all(f"`--{option.name}" in entry for option in options_of(PUZZLES[name]))
        assert entry.count(f"| `beliefsearch run {name}") == len(PUZZLES[name].known_answers)
    assert "| `beliefsearch run devil --n 4` | sensorless | 15 |" in entries["devil"]
