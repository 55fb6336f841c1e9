"""Costs of all kinds of numbers, mixed: sums are exact, so bounds meet costs, and proofs are taken by the checker."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import BeliefProblem, Limits, Problem, prove, solve, verify_file

from ..random_problems import TableProblem

THIRD = Fraction(1, 3)


class Wait(Problem[int, str]):
    """Go twice; waiting is free, in another kind of number."""

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> list[str]:
        return ["go", "wait"] if state == 1 else ["go"]

    def result(self, state: int, action: str) -> int:
        return state + 1 if action == "go" else state

    def is_goal(self, state: int) -> bool:
        return state == 2

    def action_cost(self, state: int, action: str) -> Any:
        return 0.0 if action == "wait" else THIRD


class Doors(BeliefProblem[int, str, None]):
    """`cheap` opens one of two doors, `dear` both."""

    def initial_states(self) -> list[int]:
        return [1, 0]

    def actions(self, state: int) -> list[str]:
        return ["cheap", "dear"] if state == 1 else ["dear"]

    def results(self, state: int, action: str) -> list[int]:
        return [2]

    def is_goal(self, state: int) -> bool:
        return state == 2

    def action_cost(self, state: int, action: str) -> int:
        return 1 if action == "cheap" else 3_000_000_000


def proved(problem: Any, folder: Path) -> None:
    proof = prove(problem, limits=Limits(seconds=20))
    assert proof.data is not None, proof.text
    path = folder / "proof.json"
    path.write_text(json.dumps(proof.document(name="x", parameters={})))
    verdict = verify_file(path, problem=problem)
    assert verdict.holds, verdict.complaint


@pytest.mark.parametrize("solver", ["auto", "uniform-cost", "astar", "ida-star", "weighted-astar"])
def test_waiting_for_nothing_in_floats_ends(solver: str) -> None:
    result = solve(Wait(), solver=solver, limits=Limits(seconds=10))
    assert result.status.value == "solved"
    assert result.cost == 2 * THIRD


@pytest.mark.parametrize("heuristic", ["auto", "potential", "pairwise", "best"])
def test_large_whole_costs_do_not_overflow(heuristic: str, tmp_path: Path) -> None:
    assert solve(Doors(), solver="astar", heuristic=heuristic).cost == 3_000_000_000
    proved(Doors(), tmp_path)


def test_floats_are_shown_as_floats() -> None:
    steps: tuple[dict[str, int], ...] = ({"on": 1}, {"on": 2}, {"on": 3}, {})
    costs: Any = {(0, "on"): 0.1, (1, "on"): 0.1, (2, "on"): 0.2}
    result = solve(TableProblem(0, steps, frozenset({3}), costs))
    assert repr(result.cost) == "0.4"
    assert result.exact == (2 * Fraction(0.1) + Fraction(0.2),) * 2


class Rounded(Problem[int, str]):
    """Two ways to the same state; the estimate is the true cost as a float, which is larger."""

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> list[str]:
        return ["dear", "cheap"] if state == 0 else ["on"]

    def result(self, state: int, action: str) -> int:
        return state + 1

    def is_goal(self, state: int) -> bool:
        return state == 2

    def action_cost(self, state: int, action: str) -> Any:
        return {"dear": THIRD, "cheap": 1e-15, "on": 2**53 + 1}[action]

    def heuristic(self, state: int) -> float:
        return [2.0**53 + 2, 2.0**53, 0.0][state]


@pytest.mark.parametrize("solver", ["astar", "ida-star", "auto"])
def test_estimates_that_are_rounded_up_do_no_harm(solver: str) -> None:
    result = solve(Rounded(), solver=solver)
    assert result.exact is not None
    assert result.exact[0] == 2**53 + 1 + Fraction(1e-15)
