"""Solvers on small known problems: exact counts, so that a loss of strength is seen without a clock."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from beliefsearch import BeliefSearchError, Observer, ProblemError, Status, check_plan, search, solve
from beliefsearch.kinds import Kind
from beliefsearch.planner.solver_table import ALIASES, SOLVERS, solvers_of
from beliefsearch.solvers.path.astar import weighted_astar_search
from beliefsearch.solvers.path.ida_star import iterative_deepening_astar_search
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.lights_out import LightsOutProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.romania import RomaniaProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..benchmarks.reference import canonical_belief, update
from ..examples import thorough
from ..random_problems import TableProblem
from ..toys.made import derived, made
from .test_stopped_searches import ENDLESS

# A single way, longer than Python's recursion limit.
LENGTH = sys.getrecursionlimit() + 200
LONG_WALK = made(type(ENDLESS), is_goal=lambda state: state == LENGTH)
DEVIL = DevilProblem(n=2)
# The solvers of plain problems, and those of them that need no predecessors.
PLAIN = solvers_of(Kind.PLAIN)
FORWARD = [name for name in PLAIN if not SOLVERS[name].backwards]


@pytest.mark.parametrize("solver", FORWARD)
def test_plans_may_be_longer_than_the_recursion_limit(solver: str) -> None:
    if solver == "ida-star":
        plan = iterative_deepening_astar_search(LONG_WALK, lambda state: LENGTH - state).plan
    else:
        plan = solve(LONG_WALK, solver=solver).plan
    assert plan == ("next",) * LENGTH


def counts_of_the_devil(n: int) -> tuple[int, int, int]:
    """Expanded, generated and reached, by a breadth-first search on the plain reference's beliefs."""
    start = canonical_belief(map("".join, product("HT", repeat=n)))
    moves = [frozenset(i for i in range(n) if coins[i] == "H") for coins in sorted(start)]
    reached, queue = {start}, [start]
    generated = 0
    for expanded, belief in enumerate(queue, 1):
        for move in moves:
            generated += 1
            following = update(belief, move)
            if following == {"H" * n}:
                return expanded, generated, len(reached) + 1
            if following not in reached:
                reached.add(following)
                queue.append(following)
    return len(queue), generated, len(reached)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_the_counts_of_the_devil(n: int) -> None:
    stats = solve(DevilProblem(n=n), solver="breadth-first").stats
    assert (stats.expanded, stats.generated, stats.reached) == counts_of_the_devil(n)
    assert n != 4 or (stats.expanded, stats.generated, stats.reached, stats.max_belief_size) == (19, 109, 20, 6)


@pytest.mark.parametrize("n", [3, 5, 6, 7, 9, 10, thorough(11), thorough(12)])
def test_perfect_sight_sees_that_a_losing_devil_wins_before_anything_is_expanded(n: int) -> None:
    result = solve(DevilProblem(n=n), heuristic="full-observability")
    assert result.status is Status.UNSOLVABLE
    assert (result.stats.expanded, result.stats.generated) == (0, 0)


def test_an_exact_heuristic_leads_astar_along_one_plan_or_proves_that_there_is_none() -> None:
    result = solve(LightsOutProblem())
    assert result.cost == 15
    assert result.stats.expanded == 15
    result = solve(LightsOutProblem(rows=2, cols=3, start="100000"))
    assert result.status is Status.UNSOLVABLE
    assert result.stats.expanded == 0


def test_the_default_solver_follows_from_what_the_problem_offers() -> None:
    board = "HHHTTTHHH"
    assert solve(VacuumProblem()).solver == "breadth-first"
    assert solve(VacuumProblem(), engine="compiled").solver == "bidirectional"
    assert solve(VacuumProblem(), dominance=True).solver == "breadth-first"
    assert solve(VacuumProblem(), engine="compiled", dominance=True).solver == "astar"
    assert solve(DevilProblem(n=2)).solver == "astar"  # it has a potential
    assert solve(LightsOutProblem(rows=2, cols=2)).solver == "astar"
    assert solve(NineTailsProblem(board)).solver == "bidirectional"
    assert solve(NineTailsProblem(board, weights="flips")).solver == "uniform-cost"
    assert solve(VacuumProblem(), heuristic="none").solver == "astar"


CHANCE = {Kind.STOCHASTIC, Kind.POMDP}


@pytest.mark.parametrize(
    ("alias", "name"), [pair for pair in ALIASES.items() if SOLVERS[pair[1]].functions.keys().isdisjoint(CHANCE)]
)
def test_an_alias_is_the_solver_it_stands_for(alias: str, name: str) -> None:
    problem = NineTailsProblem("HHHTTTHHH") if name in PLAIN else VacuumProblem()
    assert solve(problem, solver=alias.upper()).solver == name


NONE = "for sensorless problems, and Made is none"


@pytest.mark.parametrize(
    ("problem", "options", "complaint"),
    [
        (DEVIL, {"solver": "magic"}, "no solver called 'magic'"),
        (DEVIL, {"heuristic": "magic"}, "no heuristic called 'magic'"),
        (DEVIL, {"engine": "magic"}, "no engine called 'magic'"),
        (DEVIL, {"solver": "breadth-first", "heuristic": "own"}, "breadth-first takes no heuristic"),
        (DEVIL, {"solver": "astar", "weight": 2}, "astar takes no weight"),
        (DEVIL, {"solver": "regression", "heuristic": "pairwise"}, "regression takes no heuristic.*astar"),
        (DEVIL, {"solver": "ida-star", "dominance": True}, "ida-star takes no dominance.*breadth-first"),
        (LONG_WALK, {"solver": "bidirectional"}, "walked backwards.*Made cannot"),
        (LONG_WALK, {"solver": "regression"}, NONE),
        *((LONG_WALK, {"heuristic": name}, NONE) for name in ("best", "pairwise", "full-observability")),
        (LONG_WALK, {"dominance": True}, NONE),
    ],
)
def test_what_does_not_exist_or_go_together_is_refused(problem: Any, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BeliefSearchError, match=complaint) as error:
        solve(problem, **options)
    assert "\n" not in str(error.value)


def test_a_weight_is_finite_and_at_least_one() -> None:
    for weight in (0.5, math.inf, math.nan):
        with pytest.raises(BeliefSearchError, match="weight"):
            weighted_astar_search(LONG_WALK, lambda state: 0, weight=weight)


def test_breadth_first_search_claims_nothing_about_costs_that_differ() -> None:
    # Two steps of cost 1 are cheaper than one of cost 5.
    table: tuple[dict[str, int], ...] = ({"long": 2, "short": 1}, {"short": 2}, {})
    costs = {(0, "long"): 5, (0, "short"): 1, (1, "short"): 1}
    problem = TableProblem(0, table, frozenset({2}), costs)
    for solver in ("breadth-first", "bidirectional"):
        result = solve(problem, solver=solver)
        assert (result.require_plan(), result.cost, result.optimal) == (("long",), 5, False)
    assert solve(problem).plan == ("short", "short")


def test_costs_may_be_exact_fractions() -> None:
    result = search(
        start=0, goal=3, actions=["a"], result=lambda state, action: state + 1, cost=lambda s, a: Fraction(1, 3)
    )
    assert result.cost == 1
    assert isinstance(result.cost, int)  # as it is whole


def test_observers_hear_of_every_event() -> None:
    class Listener(Observer):
        def __init__(self) -> None:
            self.heard: dict[str, int] = {"expanded": 0, "generated": 0, "layers": 0, "numbered": 0}

        def numbered(self, states: int) -> None:
            self.heard["numbered"] += 1

        def expanded(self, state: int, g: int) -> None:
            self.heard["expanded"] += 1

        def generated(self, state: int, action: object, child: int, g: int) -> None:
            self.heard["generated"] += 1

        def layer_finished(self, bound: int, frontier: int, reached: int) -> None:
            self.heard["layers"] += 1

    first = Listener()
    result = solve(DevilProblem(n=4), solver="breadth-first", observer=first)
    assert first.heard["expanded"] == result.stats.expanded
    assert first.heard["generated"] == result.stats.generated
    assert first.heard["layers"] == 15
    assert first.heard["numbered"] > 0


@pytest.mark.parametrize("solver", PLAIN)
def test_an_unhashable_result_is_named_with_its_state_and_action(solver: str) -> None:
    lists = derived(TableProblem, result=lambda state, _: [state])
    problem = lists(0, ({"go": 1}, {}), frozenset({1}))
    with pytest.raises(ProblemError, match=r"Made\.result\(0, 'go'\).*not hashable"):
        solve(problem, solver=solver)


@pytest.mark.parametrize("cost", [-1, math.nan, math.inf, "much", None])
def test_an_impossible_cost_is_named_with_its_state_and_action(cost: object) -> None:
    costly = derived(TableProblem, action_cost=cost, has_unit_costs=False)
    problem = costly(0, ({"go": 1}, {}), frozenset({1}))
    for solver in PLAIN:
        with pytest.raises(ProblemError, match=r"Made\.action_cost\(0, 'go'\) gave"):
            solve(problem, solver=solver)


@pytest.mark.parametrize("estimate", [-1.0, math.nan])
def test_an_impossible_estimate_is_refused(estimate: float) -> None:
    problem = TableProblem(0, ({"go": 1}, {}), frozenset({1}), None, (estimate, 0))
    for solver in ("astar", "weighted-astar", "greedy-best-first", "ida-star"):
        with pytest.raises(ProblemError, match="estimate"):
            solve(problem, solver=solver)


def test_a_heuristic_that_is_not_admissible_is_found_out_by_the_plan() -> None:
    problem = TableProblem(0, ({"a": 1}, {"a": 2}, {}), frozenset({2}), None, (10, 5, 0))
    for solver in ("astar", "weighted-astar", "greedy-best-first", "ida-star"):
        with pytest.raises(ProblemError, match=r"not admissible: .* less than 10, .* costs 2"):
            solve(problem, solver=solver)


def test_greedy_search_expands_no_state_twice() -> None:
    # There are 2^12 boards; a search that reopens states expands some of them again and again.
    result = solve(LightsOutProblem(3, 4, "1" * 12), solver="greedy-best-first", heuristic="none")
    assert result.status is Status.SOLVED
    assert result.stats.expanded <= result.stats.reached <= 2**12


def test_plain_problems_are_searched_up_to_symmetry() -> None:
    folded = derived(TableProblem, canonical=lambda state: 1 if state == 2 else state)
    table: tuple[dict[str, int], ...] = ({"a": 2, "b": 1}, {"a": 3}, {"a": 3}, {})
    problem = folded(0, table, frozenset({3}))
    result = solve(problem, solver="breadth-first")
    assert result.stats.reached == 3
    assert result.plan is not None
    assert check_plan(problem, result.plan, claimed_cost=2).holds
    assert solve(problem, solver="bidirectional").cost == 2


def test_romania_as_in_the_textbook() -> None:
    """Russell and Norvig, 4th edition, section 3.4 and 3.5: the ways, and what greedy search and A* expand."""
    for solver, cost, expanded in (
        ("breadth-first", 450, None),
        ("depth-first", 450, None),
        ("greedy-best-first", 450, 3),
        ("uniform-cost", 418, None),
        ("iterative-deepening", 418, None),
        ("astar", 418, 5),
    ):
        found = solve(RomaniaProblem(), solver=solver)
        assert found.cost == cost
        assert expanded in (None, found.stats.expanded)


def test_depth_first_search_goes_down_one_way_and_ends_where_states_do() -> None:
    line = TableProblem(start=0, table=({"a": 1, "b": 3}, {"a": 2, "b": 0}, {"a": 1}, {}), goals=frozenset({3}))
    found = solve(line, solver="depth-first")
    assert (list(found.require_plan()), found.stats.expanded, found.optimal) == (["b"], 3, False)
    lost = TableProblem(start=0, table=({"a": 1}, {"a": 0}), goals=frozenset())
    assert solve(lost, solver="dfs").status is Status.UNSOLVABLE
    assert solve(lost, solver="ids").status is Status.UNSOLVABLE
