"""Over the registry: every installed puzzle keeps the contract, and every solver solves each small one."""

from __future__ import annotations

import math
from typing import Any

import pytest

from beliefsearch import Blindfolded, Status, check_plan, check_problem, load_problem_class, solve
from beliefsearch.plugins import list_problems
from beliefsearch.problem import BeliefProblem, ReversibleProblem
from beliefsearch.solvers import SOLVERS

# Small instances, with their published or brute-forced costs (see tests/problems).
SMALL: dict[str, list[tuple[dict[str, Any], float]]] = {
    "devil": [({"n": 2}, 3), ({"n": 3}, math.inf), ({"n": 4}, 15), ({"n": 2, "faces": 4}, 15)],
    "lights-out": [({"rows": 2, "cols": 2, "start": "1111"}, 4), ({"rows": 2, "cols": 3, "start": "100000"}, math.inf)],
    "lost-robot": [({"rows": 4, "cols": 4}, 8), ({"rows": 8, "cols": 8}, 20)],
    "nine-tails": [({"start": "HHHTTTHHH"}, 2), ({"start": "TTTTTTTTT"}, 0)],
    "reset-word": [({"cerny": 4}, 9), ({"cerny": 6}, 25)],
    "vacuum": [({"squares": 2}, 4), ({"squares": 3}, 7)],
}
CASES = [(name, options, cost) for name, cases in SMALL.items() for options, cost in cases]
OPTIMAL = {"breadth-first", "uniform-cost", "astar", "ida-star", "bidirectional", "regression"}


def goes_with(solver: str, kind: type[Any]) -> bool:
    if issubclass(kind, BeliefProblem):
        return True
    entry = SOLVERS[solver]
    return entry.function is not None and (not entry.backwards or issubclass(kind, ReversibleProblem))


def test_every_installed_puzzle_of_ours_has_small_instances_here() -> None:
    assert {item.name for item in list_problems() if item.distribution.startswith("beliefsearch ")} == set(SMALL)


@pytest.mark.parametrize(("name", "options", "cost"), CASES)
def test_every_puzzle_keeps_the_contract(name: str, options: dict[str, Any], cost: float) -> None:
    report = check_problem(load_problem_class(name)(**options))
    assert report.passed, report.violations
    assert report.complete


@pytest.mark.parametrize(
    ("name", "options", "cost", "solver"),
    [(*case, solver) for case in CASES for solver in SOLVERS if goes_with(solver, load_problem_class(case[0]))],
)
def test_every_solver_on_every_small_puzzle(name: str, options: dict[str, Any], cost: float, solver: str) -> None:
    problem: Any = load_problem_class(name)(**options)
    result = solve(problem, solver=solver)
    assert result.status is (Status.SOLVED if cost < math.inf else Status.UNSOLVABLE)
    if solver in OPTIMAL:
        assert result.cost == cost
    if result.plan is not None:
        assert result.cost is not None
        assert result.lower_bound <= cost <= result.cost
        assert check_plan(problem, result.plan, claimed_cost=result.cost).holds


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("name", "options"), [("nine-tails", {"rows": 2, "cols": 2}), ("lights-out", {"rows": 1, "cols": 3})]
)
def test_every_solver_on_every_small_puzzle_blindfolded(name: str, options: dict[str, Any], solver: str) -> None:
    problem: Blindfolded[Any, Any] = Blindfolded(load_problem_class(name)(**options))  # type: ignore[arg-type]
    result = solve(problem, solver=solver)
    assert check_plan(problem, result.require_plan(), claimed_cost=result.cost).holds
    if solver in OPTIMAL:
        assert result.cost == solve(problem, solver="breadth-first", engine="naive").cost
