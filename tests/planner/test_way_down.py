"""The way down from `solve` to the loop of a search is short, and few files take part."""

from __future__ import annotations

import subprocess
import sys
from types import FrameType
from typing import Any

import pytest

from beliefsearch import solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.vacuum import VacuumProblem

# From `solve` to the loop of a search, with both.
MOST_FRAMES = 7
# Files of ours with a function that is called by `run devil --n 4`.
MOST_FILES = 60

PROFILE = """
import sys
files = set()
def heard(frame, event, argument):
    # Bodies of modules and classes are no functions.
    if event == "call" and frame.f_code.co_flags & 2:
        files.add(frame.f_code.co_filename)
from beliefsearch.cli import main
sys.setprofile(heard)
try:
    main(["run", "devil", "--n", "4", "--quiet"])
finally:
    sys.setprofile(None)
    print(sum("beliefsearch" in file.replace(chr(92), "/").split("/")[:-1] for file in files), file=sys.stderr)
"""


def names_from_solve(frame: FrameType | None) -> list[str]:
    """The functions from `solve` to a frame; none if `solve` did not lead there."""
    names: list[str] = []
    while frame is not None:
        names.append(frame.f_code.co_name)
        if frame.f_globals.get("__name__") == "beliefsearch.planner.solve" and names[-1] == "solve":
            return names[::-1]
        frame = frame.f_back
    return []


@pytest.mark.parametrize(
    ("problem", "options", "method", "loop"),
    [
        (NineTailsProblem("HHTT", rows=2, cols=2), {}, "result", "bidirectional_search"),
        (NineTailsProblem("HHTT", rows=2, cols=2), {"solver": "astar"}, "result", "search_by_layers"),
        (DevilProblem(n=2), {}, "results", "best_first_search"),
        (VacuumProblem(squares=2), {"engine": "bits"}, "results", "search_by_layers"),
        (VacuumProblem(squares=2, sensing="local"), {}, "actions", "_decided"),
        (GamblerProblem(goal=4, capital=2), {}, "outcomes", "explore"),
        (TigerProblem(discounted=0.75), {}, "outcomes", "explore"),
        (TigerProblem(), {"horizon": 2}, "outcomes", "run"),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "format_action") else str(value),
)
def test_solving_takes_few_frames(
    problem: Any, options: dict[str, Any], method: str, loop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a conditional plan needs of the author is all known before its loop begins, by the estimate.
    owner: Any = BitsetContingentView if loop == "_decided" else type(problem)
    given = getattr(owner, method)
    found: set[tuple[str, ...]] = set()

    def heard(self: Any, *arguments: Any) -> Any:
        found.add(tuple(names_from_solve(sys._getframe(1))))
        return given(self, *arguments)

    monkeypatch.setattr(owner, method, heard)
    solve(problem, **options)
    ways = [names[: names.index(loop) + 1] for names in found if loop in names]
    assert ways
    assert max(map(len, ways)) <= MOST_FRAMES, ways


def test_few_files_take_part_in_a_small_run() -> None:
    run = subprocess.run([sys.executable, "-c", PROFILE], capture_output=True, text=True, check=True)
    assert int(run.stderr.splitlines()[-1]) <= MOST_FILES
