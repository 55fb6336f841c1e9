"""Costs of all kinds of numbers, mixed: sums are exact, so bounds meet costs, and proofs are taken by the checker."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import BeliefProblem, Limits, Problem, prove, solve, verify_file

from ..random_problems import TableProblem
from ..toys.made import made

THIRD = Fraction(1, 3)


# Go twice; waiting is free, in another kind of number.
WAIT = made(
    Problem,
    initial_state=0,
    actions=lambda state: ["go", "wait"] if state == 1 else ["go"],
    result=lambda state, action: state + 1 if action == "go" else state,
    is_goal=lambda state: state == 2,
    action_cost=lambda _, action: 0.0 if action == "wait" else THIRD,
)


# `cheap` opens one of two doors, `dear` both.
DOORS = made(
    BeliefProblem,
    initial_states=[1, 0],
    actions=lambda state: ["cheap", "dear"] if state == 1 else ["dear"],
    results=[2],
    is_goal=lambda state: state == 2,
    action_cost=lambda _, action: 1 if action == "cheap" else 3_000_000_000,
)


def proved(problem: Any, folder: Path) -> None:
    proof = prove(problem, limits=Limits(seconds=20))
    assert proof.data is not None, proof.text
    path = folder / "proof.json"
    path.write_text(json.dumps(proof.document(name="x", parameters={})))
    verdict = verify_file(path, problem=problem)
    assert verdict.holds, verdict.complaint


@pytest.mark.parametrize("solver", ["auto", "uniform-cost", "astar", "ida-star", "weighted-astar"])
def test_waiting_for_nothing_in_floats_ends(solver: str) -> None:
    result = solve(WAIT, solver=solver, limits=Limits(seconds=10))
    assert result.status.value == "solved"
    assert result.cost == 2 * THIRD


@pytest.mark.parametrize("heuristic", ["auto", "potential", "pairwise", "best"])
def test_large_whole_costs_do_not_overflow(heuristic: str, tmp_path: Path) -> None:
    assert solve(DOORS, solver="astar", heuristic=heuristic).cost == 3_000_000_000
    proved(DOORS, tmp_path)


def test_floats_are_shown_as_floats() -> None:
    steps: tuple[dict[str, int], ...] = ({"on": 1}, {"on": 2}, {"on": 3}, {})
    costs: Any = {(0, "on"): 0.1, (1, "on"): 0.1, (2, "on"): 0.2}
    result = solve(TableProblem(0, steps, frozenset({3}), costs))
    assert repr(result.cost) == "0.4"
    assert result.exact == (2 * Fraction(0.1) + Fraction(0.2),) * 2


# Two ways to the same state; the estimate is the true cost as a float, which is larger.
ROUNDED = made(
    Problem,
    initial_state=0,
    actions=lambda state: ["dear", "cheap"] if state == 0 else ["on"],
    result=lambda state, _: state + 1,
    is_goal=lambda state: state == 2,
    action_cost=lambda _, action: {"dear": THIRD, "cheap": 1e-15, "on": 2**53 + 1}[action],
    heuristic=lambda state: [2.0**53 + 2, 2.0**53, 0.0][state],
)


@pytest.mark.parametrize("solver", ["astar", "ida-star", "auto"])
def test_estimates_that_are_rounded_up_do_no_harm(solver: str) -> None:
    result = solve(ROUNDED, solver=solver)
    assert result.exact is not None
    assert result.exact[0] == 2**53 + 1 + Fraction(1e-15)
