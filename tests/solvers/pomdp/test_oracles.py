"""The exact solver of partially observable problems agrees with trying every policy."""

from __future__ import annotations

import pytest
from hypothesis import given

from beliefsearch import BeliefSearchError, Limits, Status, simulate, solve
from beliefsearch.model.distribution import begin
from beliefsearch_problems.machine_repair import MachineRepairProblem
from beliefsearch_problems.rock_sample import RockSampleProblem
from beliefsearch_problems.tiger import TigerProblem

from ...random_pomdps import TablePomdp, pomdps
from .policy_trees import best_value


@given(pomdps())
def test_the_finite_horizon_is_the_best_of_all_policies(problem: TablePomdp) -> None:
    for horizon in range(3):
        assert solve(problem, horizon=horizon).value == best_value(problem, horizon)


@given(pomdps(discounted=False, everywhere=False))
def test_the_value_is_that_of_the_policy_graph_state_by_state(problem: TablePomdp) -> None:
    result = solve(problem, horizon=3)
    graph = result.require_policy_graph()
    first = begin(problem)
    ((_, likely),) = first.percepts.values()
    assert graph.value(graph.start, likely) == result.value


def test_counts_of_the_finite_horizon() -> None:
    """Exact counts, which guard that equal beliefs are one: nine after two actions, and not 81."""
    stats = solve(TigerProblem(), horizon=3).stats
    assert (stats.expanded, stats.generated) == (9, 54)


def test_a_game_without_an_end_needs_a_horizon_for_the_exact_solver() -> None:
    with pytest.raises(BeliefSearchError, match="give a horizon"):
        solve(TigerProblem(), solver="finite-horizon")


def test_limits_are_heard() -> None:
    result = solve(RockSampleProblem(), horizon=8, limits=Limits(seconds=0.2))
    assert result.status is Status.UNDECIDED
    assert "time limit" in (result.reason or "")
    result = solve(MachineRepairProblem(), horizon=8, limits=Limits(expanded=3))
    assert result.reason == "the limit of 3 expanded states was reached"


def test_a_limit_leaves_a_policy_within_the_bounds() -> None:
    result = solve(TigerProblem(), limits=Limits(expanded=30))
    graph = result.require_policy_graph()
    assert result.status is Status.UNDECIDED
    assert result.lower_bound is not None
    assert result.upper_bound is not None
    mean = simulate(TigerProblem(), graph, games=300, seed=1)
    assert result.lower_bound - 4 * mean.standard_error <= mean.mean <= result.upper_bound + 4 * mean.standard_error
    with pytest.raises(BeliefSearchError, match="is a policy graph"):
        result.require_policy()
