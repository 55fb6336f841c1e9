"""Every search that can end, ends: with the verdict of brute force, where there is no plan or only a cyclic one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from beliefsearch import BeliefProblem, Limits, SearchResult, Status, solve
from beliefsearch.errors import BeliefSearchError
from beliefsearch.heuristics.registry import HEURISTICS, heuristics_of
from beliefsearch.hooks import BeliefClassHook, DistinctActionsHook
from beliefsearch.kinds import Kind, kind_of
from beliefsearch.model.adapters import Blindfolded
from beliefsearch.planner import contingent as contingent_solving
from beliefsearch.planner.options import ENGINES, OBJECTIVES
from beliefsearch.planner.solver_table import solvers_of
from beliefsearch.solvers.path.heuristic import no_estimate
from beliefsearch.solvers.path.ida_star import iterative_deepening_astar_search
from beliefsearch.verify.plan import check_plan

from ..contingent_problems import (
    SightedTable,
    cost_of_plan,
    least_mean_cost,
    sighted_problems,
    wins_in_the_end,
    worst_costs,
)
from ..examples import examples, thorough
from ..random_problems import (
    TableBeliefProblem,
    TableProblem,
    belief_problems,
    exact_belief_costs,
    exact_costs,
    plain_problems,
)
from ..toys.made import derived, made

ENOUGH = Limits(expanded=20_000)


def all_searches(problem: Any, engines: tuple[str, ...] = ENGINES) -> Iterator[tuple[str, SearchResult[Any]]]:
    """Every combination of names that `solve` accepts, of those that are there for the kind of problem."""
    kind = kind_of(problem)
    kinds = (kind, Kind.CONTINGENT) if kind is Kind.SENSORLESS else (kind,)  # as without percepts, so with none
    named = ("auto", *solvers_of(*kinds)), ("auto", *heuristics_of(*kinds))
    for names in product(*named, (False, True), engines, OBJECTIVES):
        solver, heuristic, dominance, engine, objective = names
        asked: dict[str, Any] = {"solver": solver, "heuristic": heuristic, "dominance": dominance, "engine": engine}
        try:
            found = solve(problem, objective=objective, limits=ENOUGH, **asked)
        except BeliefSearchError:
            continue  # these names do not go together
        yield " ".join(map(str, names)), found


def circle(size: int, **others: Any) -> SightedTable:
    """States in a circle, one action that goes on, and a goal outside."""
    table: Any = (*({"a": ((here + 1) % size,)} for here in range(size)), {})
    sights = {("a", here): (f"at {here}",) for here in range(size + 1)}
    return SightedTable((0,), table, (frozenset({size}),), sights, **others)


@pytest.mark.parametrize("costs", [None, {(0, "a"): 0, (1, "a"): 1}])
def test_two_states_without_a_plan_keep_no_search_busy(costs: Any) -> None:
    verdicts = {names: found.status for names, found in all_searches(circle(2, costs=costs))}
    assert len(verdicts) > 10
    assert set(verdicts.values()) == {Status.UNSOLVABLE}


@pytest.mark.parametrize("options", [{"heuristic": "none"}, {"dominance": True}, {"solver": "and-or"}])
def test_a_long_circle_is_given_up_soon(options: Any) -> None:
    found = solve(circle(60), limits=Limits(expanded=5_000), **options)
    assert found.status is Status.UNSOLVABLE


@given(problem=sighted_problems(most_states=4))
@settings(max_examples=examples(6))
def test_every_search_with_percepts_ends(problem: SightedTable) -> None:
    least = worst_costs(problem)[frozenset(problem.starts)]
    assume(least == math.inf)
    keeps_trying = not problem.adversary and wins_in_the_end(problem)
    for names, found in all_searches(problem):
        if not keeps_trying or found.objective == "expected":
            assert found.status is Status.UNSOLVABLE, names
        else:
            assert (found.status, found.cost) == (Status.SOLVED, math.inf), names
            assert cost_of_plan(problem, found.require_conditional_plan()) == math.inf, names


# All engines do the same (test_laws.py), so here the definition and the one that "auto" takes first are left out.
@pytest.mark.parametrize("engine", ["auto", "compiled", thorough("naive"), thorough("bits")])
@given(problem=belief_problems())
@settings(max_examples=examples(2))
def test_every_sensorless_search_ends(problem: TableBeliefProblem, engine: str) -> None:
    assume(exact_belief_costs(problem)[frozenset(problem.starts)] == math.inf)
    for names, found in all_searches(problem, (engine,)):
        assert found.status is Status.UNSOLVABLE, names


@given(problem=plain_problems())
def test_every_plain_search_ends(problem: TableProblem) -> None:
    assume(exact_costs(problem)[problem.start] == math.inf)
    for names, found in all_searches(problem, ("auto",)):
        assert found.status is Status.UNSOLVABLE, names
    blind = Blindfolded(problem)
    assert solve(blind, solver="ida-star", limits=ENOUGH).status is Status.UNSOLVABLE


@pytest.mark.parametrize(
    "heuristic", [name for name in heuristics_of(Kind.CONTINGENT) if Kind.SENSORLESS not in HEURISTICS[name]]
)
def test_a_heuristic_for_percepts_is_refused_where_all_is_seen(heuristic: str) -> None:
    with pytest.raises(BeliefSearchError, match=f"the heuristic {heuristic} is for contingent problems"):
        solve(TableProblem(0, ({},), frozenset()), heuristic=heuristic)


def grid(size: int, walls: bool) -> TableProblem:
    """A square of cells with four moves and a goal outside, behind the last cell unless there are walls."""
    moves = {"a": (1, 0), "b": (0, 1), "c": (-1, 0), "d": (0, -1)}
    table = []
    for here in range(size * size):
        row = {}
        for name, (across, up) in moves.items():
            x, y = here % size + across, here // size + up
            if 0 <= x < size and 0 <= y < size:
                row[name] = x + size * y
        table.append(row)
    if not walls:
        table[-1]["a"] = size * size
    return TableProblem(0, (*table, {}), frozenset({size * size}))


@pytest.mark.parametrize("walls", [False, True])
def test_iterative_deepening_does_not_try_longer_and_longer_ways_round(walls: bool) -> None:
    found = iterative_deepening_astar_search(grid(6, walls), no_estimate)
    # The goal is 11 actions away; a way that comes back to no cell may have 35.
    assert found.cost == (math.inf if walls else 11)
    assert found.stats.expanded < 3_000


@given(problem=plain_problems(), table_size=st.integers(0, 5))
def test_iterative_deepening_ends_with_any_table(problem: TableProblem, table_size: int) -> None:
    found = iterative_deepening_astar_search(problem, no_estimate, table_size=table_size)
    assert found.cost == exact_costs(problem)[problem.start]


def test_where_classes_tell_too_much_the_bound_ends_and_the_graph_decides() -> None:
    """Beliefs are in a class of their own but for all that are lost, whatever follows from them."""
    classed = derived(
        SightedTable, BeliefClassHook, belief_class=lambda belief: "lost" if belief <= {0, 1, 2, 3} else belief
    )
    base = circle(4)
    problem = classed(base.starts, base.table, base.goals, base.sights)
    for engine in ("naive", "bits"):
        for dominance in (False, True):
            found = solve(problem, solver="and-or", heuristic="none", engine=engine, dominance=dominance, limits=ENOUGH)
            assert found.status is Status.UNSOLVABLE


@given(problem=sighted_problems(deterministic=True))
def test_the_least_mean_is_found_or_known_not_to_be_however_little_room_there_is(problem: SightedTable) -> None:
    allowances = contingent_solving._SMALL, contingent_solving._MEDIUM
    contingent_solving._SMALL, contingent_solving._MEDIUM = 20, 40
    try:
        found = solve(problem, objective="expected", limits=ENOUGH)
    finally:
        contingent_solving._SMALL, contingent_solving._MEDIUM = allowances
    assert found.cost == least_mean_cost(problem)


def test_a_start_that_is_a_dead_end_for_those_who_see_is_no_open_question() -> None:
    # From 0 a push may open the door; from 1 nothing ever does, and the player cannot tell which it is.
    doors: Any = ({"push": (0, 2)}, {"push": (1,)}, {"push": (2,)})
    sights = {("push", here): ("open" if here == 2 else "shut",) for here in range(3)}
    problem = SightedTable((0, 1), doors, (frozenset({2}),), sights)
    for solver in ("auto", "and-or", "and-or-graph"):
        for engine in ("naive", "bits"):
            found = solve(problem, solver=solver, engine=engine)
            assert (found.status, found.lower_bound) == (Status.UNSOLVABLE, math.inf)
    assert solve(evolve(problem, starts=(0,))).status is Status.SOLVED


# A hare in one of two holes, which may slip away from a hand into the same hole; holes are alike.
SHY = made(
    BeliefProblem,
    DistinctActionsHook,
    initial_states=(0, 1),
    actions=(0, 1),
    results=lambda state, action: (state, 2) if action == state else (state,),
    percepts=lambda state, _: ("caught" if state == 2 else "empty",),
    is_goal=lambda state: state == 2,
    distinct_actions=lambda belief: (0,) if belief == {0, 1} else None,
)


@pytest.mark.parametrize("solver", ["auto", "and-or", "and-or-graph"])
@pytest.mark.parametrize("engine", ["naive", "bits"])
def test_a_plan_tries_what_is_alike_in_turn(solver: str, engine: str) -> None:
    # Nothing is ever learned but that the hare is still there, so a plan must try both holes again and again.
    found = solve(SHY, solver=solver, engine=engine)
    assert (found.status, found.cost) == (Status.SOLVED, math.inf)
    plan = found.require_conditional_plan()
    assert {node.action for node in plan.nodes} == {0, 1, None}
    assert check_plan(SHY, plan).holds
