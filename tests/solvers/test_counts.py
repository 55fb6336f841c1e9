"""Exact counts of known searches: a loss of strength is seen without a clock.

Where nothing else is said the numbers are what the search was when they were written down; they guard its
strength and are no truth about the puzzle. Costs are published, or proved by brute force elsewhere.
"""

from __future__ import annotations

from typing import Any

import pytest

from beliefsearch import check_plan, solve
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.lost_robot import LostRobotProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.reset_word import ResetWordProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..examples import thorough


def counts(problem: Any, cost: float, **options: Any) -> tuple[int, int, int]:
    """Expanded, generated and reached, once the plan is known to win at its published cost."""
    result = solve(problem, **options)
    assert result.cost == result.lower_bound == cost
    if result.plan is not None:
        assert check_plan(problem, result.plan, claimed_cost=result.cost).holds
    return result.stats.expanded, result.stats.generated, result.stats.reached


def counts_of_a_queue(table: Any) -> tuple[int, int, int]:
    """What breadth-first search for a reset word does, on frozensets, by definition."""
    start = frozenset(range(len(table)))
    met, queue = {start}, [start]
    generated = 0
    for expanded, states in enumerate(queue, 1):
        for letter in range(len(table[0])):
            generated += 1
            after = frozenset(table[state][letter] for state in states)
            if after not in met:
                met.add(after)
                queue.append(after)
                if len(after) == 1:
                    return expanded, generated, len(met)
    return len(queue), generated, len(met)


@pytest.mark.parametrize("solver", ["breadth-first", "astar"])
def test_without_an_estimate_a_star_goes_layer_by_layer(solver: str) -> None:
    assert counts(NineTailsProblem("HHTTHTTTT"), 10, solver=solver) == (404, 1808, 467)


# Derived: a word of least length for Cerny's automaton goes through all sets of two or more states, as its
# inventor's proof shows for pairs and counting shows here, and ends in a single one; all are expanded but that
# one, and the last expansion ends with the second letter.
@pytest.mark.parametrize("engine", ["bits", "compiled"])
@pytest.mark.parametrize("size", [4, 8, 12, thorough(16)])
def test_breadth_first_meets_every_large_set_of_cerny_s_automaton(size: int, engine: str) -> None:
    found = counts(ResetWordProblem(cerny=size), (size - 1) ** 2, solver="breadth-first", engine=engine)
    sets = 2**size - size - 1
    assert found == (sets, 2 * sets, sets + 1)


# Derived from a queue of frozensets.
@pytest.mark.parametrize("engine", ["bits", "compiled"])
@pytest.mark.parametrize(("size", "letters", "seed"), [(40, 2, 0), (20, 3, 1), (66, 2, 0)])
def test_breadth_first_does_what_a_queue_does(size: int, letters: int, seed: int, engine: str) -> None:
    problem = ResetWordProblem(random=size, letters=letters, seed=seed)
    result = solve(problem, solver="breadth-first", engine=engine)
    found = (result.stats.expanded, result.stats.generated, result.stats.reached)
    assert found == counts_of_a_queue(problem.table)


# Derived: the plan alone is expanded, so as many beliefs as it has moves, and one more is reached.
@pytest.mark.parametrize("engine", ["bits", "compiled"])
@pytest.mark.parametrize(
    ("options", "length"),
    [({"n": 4}, 15), ({"n": 8}, 255), ({"n": 4, "goal": "all-same"}, 7), ({"n": 2, "faces": 4}, 15)],
)
def test_with_the_potential_astar_expands_one_plan(options: dict[str, Any], length: int, engine: str) -> None:
    expanded, _, reached = counts(DevilProblem(**options), length, solver="astar", heuristic="own", engine=engine)
    assert (expanded, reached) == (length, length + 1)


# Guards of strength.
@pytest.mark.parametrize(
    ("problem", "cost", "options", "expected"),
    [
        (DevilProblem(n=8), 255, {"solver": "breadth-first"}, (2621, 94321, 2704)),
        (DevilProblem(n=8), 255, {"solver": "astar", "heuristic": "own"}, (255, 568, 256)),
        (DevilProblem(n=8), 255, {"solver": "bidirectional"}, (1747, 62892, 1807)),
        (VacuumProblem(squares=4), 10, {"solver": "bidirectional"}, (51, 153, 78)),
        (VacuumProblem(squares=6), 16, {"solver": "bidirectional"}, (322, 966, 492)),
        (VacuumProblem(squares=8), 22, {"solver": "bidirectional"}, (1937, 5811, 2862)),
        (LostRobotProblem(rows=16, cols=16), 44, {"solver": "bidirectional"}, (2001, 7828, 2129)),
        thorough(LostRobotProblem(rows=32, cols=32), 92, {"solver": "bidirectional"}, (9134, 36168, 9486)),
        (ResetWordProblem(cerny=30), 841, {"solver": "bidirectional"}, (919, 1837, 948)),
        # Derived: each of n * (n - 1) sets is expanded once. 30 single states are the goal sets, and a layer lies
        # between each two of 841 letters: 30 + 841 + 1 sets are reached.
        (ResetWordProblem(cerny=30), 841, {"solver": "regression"}, (870, 1739, 872)),
        (ResetWordProblem(random=40), 14, {"solver": "bidirectional"}, (313, 586, 444)),
        (ResetWordProblem(random=40), 14, {"solver": "astar", "heuristic": "pairwise"}, (166, 325, 297)),
    ],
    ids=lambda value: f"{value['solver']}" if isinstance(value, dict) else None,
)
def test_searches_stay_as_strong_as_they_were(
    problem: Any, cost: float, options: dict[str, Any], expected: tuple[int, int, int]
) -> None:
    assert counts(problem, cost, engine="compiled", **options) == expected
