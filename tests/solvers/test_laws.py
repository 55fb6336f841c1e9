"""Every solver against brute force on random problems, and the two ways to represent beliefs against each other."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings

from beliefsearch import Limits, SearchResult, Status, check_plan, distance_table, solve
from beliefsearch.solvers import SOLVERS

from ..random_problems import (
    TableBeliefProblem,
    TableProblem,
    belief_problems,
    exact_belief_costs,
    exact_costs,
    plain_problems,
)

LEAST_COST = ["uniform-cost", "astar", "ida-star"]
FEWEST_ACTIONS = ["breadth-first", "bidirectional"]
FORWARD = [name for name in SOLVERS if name != "bidirectional"]


def check_against(result: SearchResult[str], true_cost: float, solver: str, unit_costs: bool) -> None:
    """The verdict and the bound are right, and the plan is as good as the solver promises."""
    assert result.status is (Status.SOLVED if true_cost < math.inf else Status.UNSOLVABLE)
    if result.status is Status.SOLVED:
        assert result.cost is not None
        assert result.lower_bound <= true_cost <= result.cost
        if solver in LEAST_COST or (solver in FEWEST_ACTIONS and unit_costs):
            assert result.cost == true_cost
            assert result.optimal
        if solver == "weighted-astar":
            assert result.cost <= 2 * true_cost


@pytest.mark.parametrize("solver", list(SOLVERS))
@given(problem=plain_problems())
def test_on_plain_problems_every_solver_agrees_with_brute_force(solver: str, problem: TableProblem) -> None:
    result = solve(problem, solver=solver)
    check_against(result, exact_costs(problem)[0], solver, problem.has_unit_costs())
    if result.plan is not None:
        assert check_plan(problem, result.plan, claimed_cost=result.cost).holds


@pytest.mark.parametrize("engine", ["naive", "bits"])
@pytest.mark.parametrize("solver", FORWARD)
@given(problem=belief_problems())
def test_on_sensorless_problems_every_solver_agrees_with_brute_force(
    solver: str, engine: str, problem: TableBeliefProblem
) -> None:
    result = solve(problem, solver=solver, engine=engine)
    true_cost = exact_belief_costs(problem)[frozenset(problem.starts)]
    check_against(result, true_cost, solver, problem.has_unit_costs())
    if result.plan is not None:
        assert check_plan(problem, result.plan, claimed_cost=result.cost).holds


@pytest.mark.parametrize("solver", FORWARD)
@given(problem=belief_problems())
def test_bit_sets_give_the_same_plan_and_the_same_counts_as_frozensets(
    solver: str, problem: TableBeliefProblem
) -> None:
    naive, bits = (solve(problem, solver=solver, engine=engine) for engine in ("naive", "bits"))
    assert naive.plan == bits.plan
    assert naive.cost == bits.cost
    assert naive.lower_bound == bits.lower_bound
    for count in ("expanded", "generated", "reached", "max_frontier", "max_belief_size"):
        assert getattr(naive.stats, count) == getattr(bits.stats, count)


@pytest.mark.parametrize("solver", FORWARD)
@settings(max_examples=30)
@given(problem=belief_problems())
def test_a_search_stopped_at_any_moment_claims_nothing_false(solver: str, problem: TableBeliefProblem) -> None:
    true_cost = exact_belief_costs(problem)[frozenset(problem.starts)]
    for expanded in range(40):
        result = solve(problem, solver=solver, limits=Limits(expanded=expanded))
        assert result.lower_bound <= true_cost
        if result.status is not Status.UNDECIDED:
            assert (result.status is Status.SOLVED) == (true_cost < math.inf)
            break
        assert result.reason == f"the limit of {expanded} expanded states was reached"
        assert result.stats.expanded == expanded


@given(problem=plain_problems())
def test_a_distance_table_holds_every_exact_distance(problem: TableProblem) -> None:
    table = distance_table(problem)
    exact = {state: cost for state, cost in exact_costs(problem).items() if cost < math.inf}
    assert table.distances == exact
    for state, cost in exact.items():
        from_here = TableProblem(state, problem.table, problem.goals, problem.costs)
        assert check_plan(from_here, table.plan(state), claimed_cost=int(cost)).holds
