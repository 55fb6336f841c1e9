"""Costs of all kinds of numbers, mixed: sums are exact, so bounds meet costs, and proofs are taken by the checker."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import BeliefProblem, Limits, Problem, prove, solve, verify_file

THIRD = Fraction(1, 3)


class Walk(BeliefProblem[int, str, int]):
    """Three costs in a row; one plan."""

    costs: tuple[Any, ...] = (0.1, 0.1, 0.2)

    def least(self) -> Fraction:
        """By hand: whether two steps are left or three is seen after the first one."""
        first, second, third = map(Fraction, self.costs)
        return max(first, second) + second + third

    def initial_states(self) -> list[int]:
        return [2, 3]

    def actions(self, state: int) -> list[str]:
        return ["on"] if state else []

    def results(self, state: int, action: str) -> list[int]:
        return [state - 1]

    def percepts(self, state: int, action: str) -> list[int]:
        return [state]

    def is_goal(self, state: int) -> bool:
        return state == 0

    def action_cost(self, state: int, action: str) -> Any:
        return self.costs[3 - state]


class Blind(Walk):
    """The same in the dark: at the goal one may go on."""

    def least(self) -> Fraction:
        first, second, third = map(Fraction, self.costs)
        return max(first, second) + max(second, third) + third

    def actions(self, state: int) -> list[str]:
        return ["on"]

    def results(self, state: int, action: str) -> list[int]:
        return [max(state - 1, 0)]

    def percepts(self, state: int, action: str) -> list[int]:
        return [0]

    def is_sensorless(self) -> bool:
        return True

    def action_cost(self, state: int, action: str) -> Any:
        return self.costs[max(3 - state, 0)] if state else 0


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


KINDS = (0.1, 0.2, 0.7, 1, THIRD, 1e-15, 2**53 + 1, 3e9, 0.0)


@pytest.mark.parametrize("kind", [Walk, Blind])
@pytest.mark.parametrize("first", KINDS)
def test_sums_do_not_depend_on_their_order(kind: type[Walk], first: Any, tmp_path: Path) -> None:
    for second in KINDS:
        for third in KINDS:
            costs = first, second, third
            problem: Any = type("Costs", (kind,), {"costs": costs})()
            least = problem.least()
            for engine in ("auto", "naive", "bits"):
                result = solve(problem, engine=engine)
                assert result.optimal
                assert (result.cost if result.exact is None else result.exact[0]) == least
                assert result.cost == (float(least) if isinstance(result.cost, float) else least)
    proved(problem, tmp_path)


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
    result = solve(Walk())
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
