"""Games of so many actions whose beliefs are too many to look at each: bounds on both sides of the value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import Limits, solve
from beliefsearch.errors import ProblemError
from beliefsearch.planner import pomdp
from beliefsearch.plans.policy import PolicyResult
from beliefsearch.plans.result import Status
from beliefsearch.solvers.pomdp import horizon_trials
from beliefsearch_problems.machine_repair import MachineRepairProblem
from beliefsearch_problems.tiger import TigerProblem

from ...random_pomdps import TablePomdp, pomdps
from .policy_trees import best_value


@pytest.fixture(autouse=True)
def _bounds_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pomdp, "_FEW_CHANCES", -1)


def bounds(problem: Any, horizon: int, **options: Any) -> tuple[PolicyResult[Any, Any], Fraction, Fraction]:
    result: PolicyResult[Any, Any] = solve(problem, horizon=horizon, **options)
    assert result.lower_bound is not None
    assert result.upper_bound is not None
    return result, Fraction(result.lower_bound), Fraction(result.upper_bound)


@given(st.booleans().flatmap(lambda discounted: pomdps(discounted, ended=True)), st.integers(1, 2))
def test_the_value_is_between_the_bounds(problem: TablePomdp, horizon: int) -> None:
    """By trying every policy there is."""
    result, lower, upper = bounds(problem, horizon)
    value, rounding = best_value(problem, horizon), Fraction(1, 10**9)
    assert lower <= value <= upper + rounding
    assert result.status is Status.SOLVED
    assert upper - lower <= max(abs(lower), abs(upper)) / 1000 + rounding


@given(pomdps(discounted=True, ended=True), st.integers(1, 2))
def test_bounds_of_the_game_without_a_horizon_hold_with_one(problem: TablePomdp, horizon: int) -> None:
    """By trying every policy there is; where the horizon is short, much is lost after it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(horizon_trials, "_LITTLE_LEFT", 1)
        _, lower, upper = bounds(problem, horizon)
    assert lower <= best_value(problem, horizon) <= upper + Fraction(1, 10**9)


@given(pomdps(discounted=False, everywhere=False), st.integers(2, 4))
def test_both_ways_of_searching_agree(problem: TablePomdp, horizon: int) -> None:
    result, lower, upper = bounds(problem, horizon, precision=1e-6)
    exact: Any = solve(problem, horizon=horizon, engine="naive").value
    rounding = Fraction(1, 10**9)
    assert lower <= exact <= upper + rounding
    graph = result.require_policy_graph()
    assert graph.steps is not None
    assert graph.steps[graph.start] == horizon or not len(graph)


def test_counts() -> None:
    """Exact counts, which guard that equal beliefs of a layer are one."""
    stats = solve(TigerProblem(), horizon=8).stats
    assert (stats.expanded, stats.reached) == (160, 69)


def test_a_limit_leaves_bounds_and_a_policy() -> None:
    result, lower, upper = bounds(TigerProblem(), 30, limits=Limits(expanded=100))
    assert result.status is Status.UNDECIDED
    assert result.reason == "the limit of 100 expanded states was reached"
    assert lower < upper
    assert len(result.require_policy_graph()) > 1


def test_a_horizon_that_is_too_long_is_told() -> None:
    with pytest.raises(ProblemError, match=r"a horizon of 1,000,000 actions is too long.*10,000 at most"):
        solve(TigerProblem(), horizon=10**6)
    assert bounds(MachineRepairProblem(), 50)[2] < 20
