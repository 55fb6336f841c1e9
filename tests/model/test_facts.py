"""How large an instance is: counts against published numbers and against walks by the definition."""

from __future__ import annotations

from typing import Any

import pytest

from beliefsearch import Limits, ProblemError
from beliefsearch.model.adapters import Blindfolded, Unreduced
from beliefsearch.model.reachability import reachable_states
from beliefsearch.plugins.options import make_problem
from beliefsearch.tools import Count, describe, load_problem_class
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.nim import NimProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..problems.test_devil import CANONICAL_SEQUENCES


@pytest.mark.parametrize(("n", "count"), CANONICAL_SEQUENCES.items())
def test_the_devils_states_up_to_symmetry(n: int, count: int) -> None:
    facts = describe(DevilProblem(n=n), unreduced=False)
    assert (facts.starts, facts.canonical_starts, facts.states) == (Count(2**n), count, Count(count))
    assert facts.unreduced_states is None


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("devil", {"n": 5}),
        ("devil", {"n": 3, "faces": 3, "table": "dihedral"}),
        ("devil", {"n": 4, "table": "symmetric"}),
        ("lost-robot", {}),
        ("vacuum", {"squares": 3}),
        ("four-glasses", {}),
        ("counterfeit-coin", {"coins": 3}),
        ("wumpus", {"rows": 2, "cols": 3, "pits": 1}),
        ("reset-word", {}),
    ],
)
def test_states_are_those_of_a_walk_by_the_definition(name: str, options: dict[str, Any]) -> None:
    problem: Any = make_problem(load_problem_class(name), options)
    facts = describe(problem)
    assert facts.states == Count(len(reachable_states(problem)))
    assert facts.unreduced_states == Count(len(reachable_states(Unreduced(problem))))


def test_a_plain_problem_is_counted_from_its_start_or_from_all_possible_starts() -> None:
    tiles = describe(SlidingTilesProblem(rows=2, cols=2))
    assert tiles.states == Count(12)
    assert "say --start" in str(tiles.no_start)
    solved = describe(NineTailsProblem("TTTTTTTTT"))
    assert (solved.states, solved.actions, solved.first_start) == (Count(1), Count(0), "TTTTTTTTT")
    assert describe(Blindfolded(NineTailsProblem(rows=2, cols=2))).states == Count(16)


def test_counts_that_were_stopped_say_so() -> None:
    late = describe(DevilProblem(n=8), limits=Limits(seconds=1e-9))
    assert late.starts is not None
    assert not late.starts.complete
    assert "time limit" in str(late.stopped)
    few = describe(NineTailsProblem(), most=20)
    assert few.states is not None
    assert (few.states.complete, few.states.number <= 512) == (False, True)
    assert "20 pairs" in str(few.stopped)
    few = describe(DevilProblem(n=8), most=20)
    assert (few.starts, few.stopped) == (Count(20, complete=False), "more than 20 starts")


def test_a_game_of_chance_is_counted_too() -> None:
    # Nothing and the goal end it; between them a stake of 1 leads back and forth.
    facts = describe(GamblerProblem(goal=4, capital=2))
    assert (facts.kind, facts.states, facts.terminal, facts.recurring) == ("stochastic", Count(5), 2, 3)
    assert (facts.actions, facts.first_start) == (Count(2), "2")
    late = describe(GamblerProblem(goal=1000, capital=500), limits=Limits(seconds=1e-9))
    assert (late.states is None or not late.states.complete, "time limit" in str(late.stopped)) == (True, True)


def test_a_problem_whose_player_perceives_something_is_contingent_also_if_that_is_the_whole_state() -> None:
    problems = [VacuumProblem(sensing="local"), VacuumProblem(sensing="full"), NimProblem(heaps=(1, 2))]
    assert [describe(problem).kind for problem in problems] == ["contingent"] * 3
    assert describe(problems[2], limits=Limits(seconds=1e-9)).kind == "contingent"


def test_what_is_no_problem_is_refused() -> None:
    with pytest.raises(ProblemError, match="is no problem"):
        describe("devil")  # type: ignore[call-overload, arg-type, unused-ignore]
