"""Every solver against brute force on random problems, and the ways to represent beliefs against each other."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import Limits, SearchResult, Status, check_plan, solve
from beliefsearch.heuristics.registry import heuristics_of
from beliefsearch.kinds import Kind
from beliefsearch.planner import path as solving
from beliefsearch.planner.solver_table import SOLVERS, solvers_of
from beliefsearch.solvers import distance_table

from ..examples import examples, thorough
from ..random_problems import (
    TableBeliefProblem,
    TableProblem,
    belief_problems,
    exact_belief_costs,
    exact_costs,
    large_belief_problem,
    plain_problems,
)

LEAST_COST = ["uniform-cost", "astar", "ida-star"]
FEWEST_ACTIONS = ["breadth-first", "bidirectional", "regression"]
# Solvers whose plans may branch have laws of their own (test_contingent_laws.py).
SENSORLESS = [name for name in solvers_of(Kind.PLAIN, Kind.SENSORLESS) if not SOLVERS[name].factored]
PLAIN = solvers_of(Kind.PLAIN)
LAYERED = [name for name, entry in SOLVERS.items() if entry.layered]
ENGINES = ["naive", "bits", "compiled"]
COUNTS = ("expanded", "generated", "reached", "max_frontier", "max_belief_size")


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


def options_for(solver: str, *heuristics: str) -> st.SearchStrategy[dict[str, Any]]:
    """Everything that goes with this solver: dominance or not, and one of these heuristics."""
    entry = SOLVERS[solver]
    choices: dict[str, st.SearchStrategy[Any]] = {}
    if entry.prunes:
        choices["dominance"] = st.booleans()
    if entry.informed:
        choices["heuristic"] = st.sampled_from(heuristics)
    return st.fixed_dictionaries(choices)


def assert_same_search(one: SearchResult[Any], other: SearchResult[Any]) -> None:
    """The same verdict, plan and bounds by the same work."""
    assert (one.status, one.plan, one.cost) == (other.status, other.plan, other.cost)
    assert one.lower_bound == other.lower_bound
    for count in COUNTS:
        assert getattr(one.stats, count) == getattr(other.stats, count), count


@pytest.mark.parametrize("solver", PLAIN)
@given(problem=plain_problems())
def test_on_plain_problems_every_solver_agrees_with_brute_force(solver: str, problem: TableProblem) -> None:
    result = solve(problem, solver=solver)
    check_against(result, exact_costs(problem)[0], solver, problem.has_unit_costs())
    if result.plan is not None:
        assert check_plan(problem, result.plan, claimed_cost=result.cost).holds


@given(problem=plain_problems())
def test_without_an_estimate_a_star_finds_the_plan_of_uniform_cost_search(problem: TableProblem) -> None:
    # Where every action costs 1 it goes layer by layer, and knows a goal earlier: the other is its oracle.
    one = solve(problem, solver="astar", heuristic="none")
    other = solve(problem, solver="uniform-cost")
    assert (one.status, one.plan, one.cost, one.lower_bound) == (
        other.status,
        other.plan,
        other.cost,
        other.lower_bound,
    )
    for count in COUNTS:
        assert getattr(one.stats, count) <= getattr(other.stats, count), count


@pytest.mark.parametrize("solver", SENSORLESS)
@given(problem=belief_problems(), data=st.data())
def test_on_sensorless_problems_all_solvers_agree(
    solver: str, problem: TableBeliefProblem, data: st.DataObject
) -> None:
    options = data.draw(options_for(solver, "auto", *heuristics_of(Kind.SENSORLESS)))
    engine = data.draw(st.sampled_from(ENGINES))
    result = solve(problem, solver=solver, engine=engine, **options)
    true_cost = exact_belief_costs(problem)[frozenset(problem.starts)]
    check_against(result, true_cost, solver, problem.has_unit_costs())
    if result.plan is not None:
        assert check_plan(problem, result.plan, claimed_cost=result.cost).holds


@given(
    problem=belief_problems(),
    small=st.integers(0, 3000),
    explored=st.sampled_from([0, 10, 10_000]),
    heuristic=st.sampled_from(["auto", *heuristics_of(Kind.SENSORLESS)]),
)
def test_wherever_auto_changes_engines_it_agrees(
    problem: TableBeliefProblem, small: int, explored: int, heuristic: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solving, "_SMALL", small)
        patch.setattr(solving, "_EXPLORED", explored)
        result = solve(problem, heuristic=heuristic)
    true_cost = exact_belief_costs(problem)[frozenset(problem.starts)]
    assert result.cost == true_cost
    assert result.lower_bound == true_cost
    assert result.engine in ("bits", "compiled")
    if result.plan is not None:
        assert check_plan(problem, result.plan, claimed_cost=result.cost).holds


@pytest.mark.parametrize("solver", SENSORLESS)
@given(problem=belief_problems(), data=st.data())
def test_every_engine_gives_the_same_plan_and_counts(
    solver: str, problem: TableBeliefProblem, data: st.DataObject
) -> None:
    options = data.draw(options_for(solver, *heuristics_of(Kind.SENSORLESS)))
    naive, bits, compiled = (solve(problem, solver=solver, engine=engine, **options) for engine in ENGINES)
    assert_same_search(naive, bits)
    assert_same_search(bits, compiled)


# Beliefs of one word, of several under byte tables, and of so many that sparse lists take their place.
@pytest.mark.few(12)
@pytest.mark.parametrize("solver", [name for name in SENSORLESS if name not in ("ida-star", "regression")])
@pytest.mark.parametrize(("size", "most_results"), [(60, 1), (70, 2), (150, 1), (200, 3), (257, 2), (300, 1)])
def test_bit_sets_and_kernels_agree_on_problems_of_several_words(solver: str, size: int, most_results: int) -> None:
    for seed in range(3):
        problem = large_belief_problem(seed, size, most_results=most_results, unit_costs=solver in FEWEST_ACTIONS)
        limits = Limits(expanded=150)
        bits, compiled = (
            solve(problem, solver=solver, engine=engine, limits=limits, **_uninformed(solver))
            for engine in ("bits", "compiled")
        )
        assert_same_search(bits, compiled)
        if bits.plan is not None:
            assert check_plan(problem, bits.plan, claimed_cost=bits.cost).holds


@pytest.mark.parametrize("solver", ["breadth-first", "bidirectional", "regression", thorough("uniform-cost")])
def test_bit_sets_and_kernels_agree_on_problems_of_several_words_to_the_end(solver: str) -> None:
    for seed, size, letters in [
        *((seed, size, 2) for seed in range(2) for size in (66, 129)),
        (3, 260, 2),
        (2, 260, 3),
    ]:
        if solver == "regression" and size > 66:
            continue  # thousands of sets, which plain Python compares pair by pair
        drawn = large_belief_problem(seed, size, letters=letters, goals=3, unit_costs=solver in FEWEST_ACTIONS)
        half = frozenset(range(0, size, 2))  # a goal set that is reached soon
        problem = TableBeliefProblem(drawn.starts, drawn.table, (*drawn.goals, half), drawn.costs)
        bits, compiled = (solve(problem, solver=solver, engine=engine) for engine in ("bits", "compiled"))
        assert_same_search(bits, compiled)
        assert check_plan(problem, bits.require_plan(), claimed_cost=bits.cost).holds


def _uninformed(solver: str) -> dict[str, Any]:
    return {"heuristic": "none"} if SOLVERS[solver].informed else {}


@pytest.mark.parametrize("solver", SENSORLESS)
@settings(max_examples=examples(14))
@given(problem=belief_problems(), engine=st.sampled_from(["bits", "compiled"]))
def test_a_search_stopped_anywhere_claims_nothing_false(solver: str, problem: TableBeliefProblem, engine: str) -> None:
    true_cost = exact_belief_costs(problem)[frozenset(problem.starts)]
    for expanded in range(40):
        result = solve(problem, solver=solver, engine=engine, limits=Limits(expanded=expanded))
        assert result.lower_bound <= true_cost
        if result.status is not Status.UNDECIDED:
            assert (result.status is Status.SOLVED) == (true_cost < math.inf)
            break
        assert result.reason == f"the limit of {expanded} expanded states was reached"
        if solver in LAYERED:  # they expand a layer or nothing
            assert result.stats.expanded <= expanded
        else:
            assert result.stats.expanded == expanded


@pytest.mark.parametrize("solver", ["breadth-first", "astar", "bidirectional"])
@settings(max_examples=examples(20))
@given(problem=belief_problems(), expanded=st.integers(0, 10))
def test_stopped_engines_have_counted_the_same(solver: str, problem: TableBeliefProblem, expanded: int) -> None:
    limits = Limits(expanded=expanded)
    naive, bits, compiled = (
        solve(problem, solver=solver, engine=engine, limits=limits, **_uninformed(solver)) for engine in ENGINES
    )
    assert_same_search(naive, bits)
    assert_same_search(bits, compiled)


@given(problem=plain_problems())
def test_a_distance_table_holds_every_exact_distance(problem: TableProblem) -> None:
    table = distance_table(problem)
    exact = {state: cost for state, cost in exact_costs(problem).items() if cost < math.inf}
    assert table.distances == exact
    for state, cost in exact.items():
        from_here = TableProblem(state, problem.table, problem.goals, problem.costs)
        assert check_plan(from_here, table.plan(state), claimed_cost=int(cost)).holds


NO_ACTIONS = TableBeliefProblem((0, 1), ({}, {}), (frozenset({0}),))
NO_GOAL_COMES_UP = TableBeliefProblem((0, 1), ({"a": (1,)}, {"a": (0,)}, {"a": (2,)}), (frozenset({2}),))
NO_GOAL_SETS = TableBeliefProblem((0, 1), ({"a": (1,)}, {"a": (0,)}), ())


@pytest.mark.few(24)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("solver", SENSORLESS)
@pytest.mark.parametrize("problem", [NO_ACTIONS, NO_GOAL_COMES_UP, NO_GOAL_SETS], ids=["actions", "goals", "goal sets"])
def test_problems_that_lack_something_are_unsolvable(problem: TableBeliefProblem, solver: str, engine: str) -> None:
    for heuristic in tuple(heuristics_of(Kind.SENSORLESS)) if SOLVERS[solver].informed else ("auto",):
        result = solve(problem, solver=solver, engine=engine, heuristic=heuristic)
        assert result.status is Status.UNSOLVABLE
