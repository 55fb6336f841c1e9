"""Laws of the searches for conditional plans, on random problems with percepts: all agree with brute force."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import BeliefProblem, Limits, SearchResult, Status, simulate, solve
from beliefsearch.errors import BeliefSearchError
from beliefsearch.heuristics.registry import heuristics_of
from beliefsearch.hooks import BeliefClassHook, DistinctActionsHook
from beliefsearch.kinds import Kind
from beliefsearch.plans.node_plans import GivenPlan
from beliefsearch.plans.plan import ConditionalPlan
from beliefsearch.verify.conditional import check_node_plan
from beliefsearch.verify.plan import check_plan

from ..contingent_problems import (
    SightedTable,
    cost_of_plan,
    is_won,
    least_mean_cost,
    sighted_problems,
    wins_in_the_end,
    worst_costs,
)
from ..examples import examples
from ..random_problems import TableBeliefProblem
from ..toys.contingent import Boxes
from ..toys.made import derived, made

ENOUGH = Limits(expanded=20_000)


def attempts(problem: SightedTable, solver: str, limits: Limits, **options: Any) -> Iterator[SearchResult[str]]:
    """The solver with each engine and each heuristic that goes with them; equal names give equal plans."""
    names = [name for name in heuristics_of(Kind.CONTINGENT) if name != "own" or problem.has_heuristic()]
    plans: dict[str | None, Any] = {}
    prunes = (False, True) if solver in ("auto", "and-or") and not options else (False,)
    for engine, heuristics in (("naive", ["auto", "none"]), ("bits", ["auto", *names])):
        for heuristic, dominance in product(heuristics if solver != "and-or-graph" else ["auto"], prunes):
            chosen = {"solver": solver, "heuristic": heuristic, "dominance": dominance, "engine": engine, **options}
            try:
                result = solve(problem, limits=limits, **chosen)
            except BeliefSearchError:
                refused = ["full-observability", "information-bound", "pairwise"] if options else ["information-bound"]
                assert heuristic in refused, "the others go with every problem"
                continue
            yield result
            if heuristic in ("auto", "none"):
                key = f"{result.solver} {result.heuristic} {dominance}"
                assert plans.setdefault(key, result.plan) == result.plan
    if solver != "and-or" and not options:
        result = solve(problem, limits=limits, solver=solver, engine="compiled")
        assert result.engine == "compiled"
        assert plans.setdefault("and-or-graph None False", result.plan) == result.plan
        yield result


def replayed(problem: SightedTable, result: SearchResult[str]) -> ConditionalPlan[str, Any]:
    """The plan, after it was checked at its cost, and played from every start."""
    plan = result.require_conditional_plan()
    found = check_node_plan(problem, GivenPlan(plan), result.cost, result.objective)
    assert found.holds, found.complaint
    assert found.cyclic == plan.is_cyclic
    games = simulate(problem, plan, games=2, seed=0, every_start=True)
    assert not games.lost_from
    assert max(games.won_after) <= plan.depth
    return plan


@pytest.mark.parametrize("solver", ["auto", "and-or-graph", "and-or"])
@given(problem=sighted_problems())
@settings(max_examples=examples(16))
def test_every_search_finds_the_least_worst_case_cost(solver: str, problem: SightedTable) -> None:
    least = worst_costs(problem)[frozenset(problem.starts)]
    for result in attempts(problem, solver, ENOUGH):
        assert result.lower_bound <= least
        if least < math.inf:
            assert result.status is Status.SOLVED
            assert result.cost == least
            assert result.optimal
            assert cost_of_plan(problem, replayed(problem, result)) == least
        elif result.status is Status.UNSOLVABLE:
            assert problem.adversary or not wins_in_the_end(problem)
        elif result.status is Status.SOLVED:
            assert not problem.adversary
            assert result.cost == math.inf
            assert replayed(problem, result).is_cyclic
        else:
            raise AssertionError(f"undecided: {result.reason}")


class ClassedTable(SightedTable, BeliefClassHook[int]):
    """Beliefs that cost the same to win are of one class, whatever follows from them; won ones are apart."""

    def belief_class(self, belief: frozenset[int]) -> Any:
        costs = worst_costs(self)
        return ("cost", costs[belief], is_won(self, belief)) if belief in costs else belief


@given(problem=sighted_problems(most_states=4))
def test_a_plan_is_found_however_large_the_classes_are(problem: SightedTable) -> None:
    classed = like(problem, ClassedTable)
    least = worst_costs(problem)[frozenset(problem.starts)]
    if least == math.inf:
        return
    result = solve(classed, solver="and-or", heuristic="none")
    assert result.cost == least
    assert check_plan(problem, result.require_conditional_plan(), claimed_cost=least).holds


@given(problem=sighted_problems(most_states=4))
def test_a_plan_keeps_trying_only_where_no_other_wins_and_never_in_vain(problem: SightedTable) -> None:
    problem = evolve(problem, adversary=False)
    if worst_costs(problem)[frozenset(problem.starts)] < math.inf:
        return
    result = solve(problem)
    if result.status is Status.SOLVED:
        assert replayed(problem, result).is_cyclic
        assert cost_of_plan(problem, result.require_conditional_plan()) == math.inf
        assert wins_in_the_end(problem)
    else:
        assert result.status is Status.UNSOLVABLE
        assert not wins_in_the_end(problem)
    assert solve(evolve(problem, adversary=True)).status is Status.UNSOLVABLE


@given(problem=sighted_problems(deterministic=True))
def test_every_search_finds_the_least_expected_cost(problem: SightedTable) -> None:
    least = least_mean_cost(problem)
    for solver in ("auto", "expected-and-or"):
        for result in attempts(problem, solver, ENOUGH, objective="expected"):
            assert result.status is (Status.SOLVED if least < math.inf else Status.UNSOLVABLE)
            assert result.cost == result.lower_bound == least
            if least < math.inf:
                replayed(problem, result)


def like(problem: SightedTable, kind: type[SightedTable]) -> Any:
    """The same tables, as another kind of problem."""
    names = ("starts", "table", "goals", "sights", "costs", "adversary", "twins", "estimates")
    return kind(**{name: getattr(problem, name) for name in names})


@given(problem=sighted_problems())
def test_whoever_always_perceives_the_same_is_blind(problem: SightedTable) -> None:
    # An estimate for those who see more is one for the blind, too.
    one_sight = like(problem, derived(SightedTable, percepts=("x",)))
    blind = TableBeliefProblem(problem.starts, problem.table, problem.goals, problem.costs, problem.estimates)
    assert blind.is_sensorless()
    expected = solve(blind, solver="uniform-cost", engine="naive")
    for result in (solve(one_sight), solve(one_sight, solver="and-or-graph"), solve(blind, solver="and-or-graph")):
        assert (result.status, result.cost) == (expected.status, expected.cost)
    assert solve(blind, solver="and-or-graph").plan is None or isinstance(
        solve(blind, solver="and-or-graph").plan, tuple
    )
    limited = solve(one_sight, solver="and-or", limits=ENOUGH)
    assert (limited.status, limited.cost) == (expected.status, expected.cost)


@given(problem=sighted_problems())
def test_whoever_sees_everything_pays_what_an_adversary_makes_him_pay(problem: SightedTable) -> None:
    states = range(len(problem.table))
    sights = {(action, state): (f"at {state}",) for action in "abc" for state in states}
    seen = evolve(problem, starts=problem.starts[:1], sights=sights, twins=0, estimates=None)
    cost: dict[int, Any] = {state: 0 if seen.is_goal(state) else math.inf for state in states}
    for _ in range(len(states) * len(states)):
        for state in states:
            for action, results in seen.table[state].items():
                worst = max(cost[result] for result in results)
                cost[state] = min(cost[state], seen.action_cost(state, action) + worst)
    least = cost[seen.starts[0]]
    result = solve(seen)
    if least < math.inf:
        assert (result.status, result.cost) == (Status.SOLVED, least)
    else:
        assert result.lower_bound == math.inf
    limited = solve(seen, solver="and-or", heuristic="full-observability", limits=ENOUGH)
    assert (limited.lower_bound, limited.cost) == (result.lower_bound, result.cost)


def hunt(n: int, fee: Any, symmetric: bool = False) -> Any:
    """A hare sits in one of n holes; looking into one costs `fee`; or it says what is alike."""
    prices = {"action_cost": fee, "has_unit_costs": fee == 1}
    if not symmetric:
        return derived(Boxes, **prices)(n)

    def distinct_actions(belief: frozenset[int]) -> list[int]:
        return [max(belief), *[hole for hole in range(n) if hole not in belief][:1]]

    likeness: dict[str, Any] = {"distinct_actions": distinct_actions, "belief_class": lambda b: (len(b), -1 in b)}
    return derived(Boxes, DistinctActionsHook, BeliefClassHook, **prices, **likeness)(n)


@pytest.mark.few(20)
@pytest.mark.parametrize(
    ("solver", "objective"),
    [
        ("auto", "worst"),
        ("and-or", "worst"),
        ("and-or-graph", "worst"),
        ("auto", "expected"),
        ("expected-and-or", "expected"),
    ],
)
@pytest.mark.parametrize("fee", [1, Fraction(5, 2)])
@pytest.mark.parametrize("engine", ["naive", "bits", "compiled"])
@pytest.mark.parametrize("symmetric", [False, True])
def test_symmetry_changes_no_cost(symmetric: bool, engine: str, solver: str, fee: Any, objective: str) -> None:
    problem = hunt(5, fee, symmetric)
    if engine == "compiled" and (solver == "and-or" or objective == "expected"):
        return  # which it has not
    result = solve(problem, solver=solver, engine=engine, objective=objective)
    # The holes are looked into one after the other: 5 in the worst case, (1 + 2 + 3 + 4 + 5) / 5 in the mean.
    assert result.cost == fee * (5 if objective == "worst" else 3)
    plan = result.require_conditional_plan()
    assert check_node_plan(problem, GivenPlan(plan), result.cost, objective).holds


@given(st.data())
def test_symmetric_actions_that_cost_nothing_lead_nowhere_in_circles(data: st.DataObject) -> None:
    """Rooms between which one changes freely, with a dear way out of each, a cheaper one by a hall, in any order."""
    rooms = range(data.draw(st.integers(2, 4)))
    table: dict[Any, dict[str, Any]] = {"start": {"enter": list(rooms)}, "hall": {"leave": ["out"]}, "out": {}}
    costs: dict[tuple[Any, str], int] = {("start", "enter"): 1, ("hall", "leave"): data.draw(st.integers(0, 4))}
    for room in rooms:
        doors = [*(f"to {other}" for other in rooms if other != room), "jump", "walk"]
        for door in data.draw(st.permutations(doors)):
            where = "out" if door == "jump" else "hall" if door == "walk" else int(door.removeprefix("to "))
            table.setdefault(room, {})[door] = [where]
            costs[room, door] = {"jump": 5, "walk": 2}.get(door, 0)

    problem = made(
        BeliefProblem,
        BeliefClassHook,
        initial_states=["start"],
        actions=lambda state: tuple(table[state]),
        results=lambda state, action: table[state][action],
        percepts=lambda state, _: (state,),
        is_goal=lambda state: bool(state == "out"),
        action_cost=lambda state, action: costs[state, action],
        has_unit_costs=False,
        belief_class=lambda belief: "a room" if belief <= set(rooms) else belief,
    )

    for engine in ("naive", "bits"):
        result = solve(problem, solver="and-or", heuristic="none", engine=engine)
        assert result.cost == 1 + min(5, 2 + costs["hall", "leave"])
        assert check_plan(problem, result.require_conditional_plan(), claimed_cost=result.cost).holds


@given(st.lists(st.tuples(*[st.sampled_from([0.1, 0.2, 0.3, 0.7, 1.1])] * 2), min_size=1, max_size=12))
def test_sums_of_floats_do_not_keep_the_bound_from_growing(tolls: list[tuple[float, float]]) -> None:
    size = len(tolls)
    table: Any = (*({"a": (here + 1,), "b": (here + 1,)} for here in range(size)), {})
    costs: Any = {(here, name): toll for here, pair in enumerate(tolls) for name, toll in zip("ab", pair, strict=True)}
    sights = {(name, here): ("x",) for name in "ab" for here in range(size + 1)}
    problem = SightedTable((0,), table, (frozenset((size,)),), sights, costs)
    result = solve(problem, solver="and-or", heuristic="none", limits=ENOUGH)
    assert result.cost == pytest.approx(sum(map(min, tolls)))
    assert result.optimal
