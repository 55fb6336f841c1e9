"""The least expected cost by dividing sets of starts: laws on random problems, known answers, counts, and limits."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import BeliefProblem, BeliefSearchError, Limits, solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.guessing import branch_and_bound, divisions
from beliefsearch.engine.guessing import small_sets as small_totals
from beliefsearch.engine.guessing.branch_and_bound import LeastTotals
from beliefsearch.engine.guessing.divisions import Divisions
from beliefsearch.engine.guessing.outcome_table import GuessingGame, game_of
from beliefsearch.heuristics.percept_information import capacity
from beliefsearch.model.belief import no_tick
from beliefsearch.planner import expected_cost as least_mean
from beliefsearch.plans.node_plans import GivenPlan
from beliefsearch.plans.result import SearchResult, Status
from beliefsearch.plans.verdict import result_verdict
from beliefsearch.running.limits import resident_memory
from beliefsearch.running.run import Record
from beliefsearch.verify.conditional import check_node_plan
from beliefsearch_problems.battleship import BattleshipProblem
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.mastermind import MastermindProblem

from ..contingent_problems import SightedTable, least_mean_cost
from ..examples import examples
from .test_contingent_laws import hunt

SOLVER = "expected-partitions"
LITTLE = Limits(expanded=200)
SMALL = st.sampled_from([0, 3, small_totals.MOST])
"""Sets of so many starts are searched by one kernel."""


def by_partitions(problem: BeliefProblem[Any, Any, Any], **options: Any) -> SearchResult[Any]:
    return solve(problem, solver=SOLVER, objective="expected", **options)


def view_of(problem: BeliefProblem[Any, Any, Any]) -> GuessingGame[Any, Any]:
    found = game_of(BitsetContingentView(problem), no_tick, None)
    assert found is not None
    return found


@st.composite
def dividing_problems(draw: st.DrawFn, most_starts: int = 7, most_actions: int = 5) -> SightedTable:
    """Random problems whose actions tell starts apart and win some; or in which one has to know the start."""
    starts = draw(st.integers(1, most_starts))
    won = starts
    knowing = draw(st.booleans())
    actions = "abcdefghijkl"[: draw(st.integers(1, most_actions))]
    sights: dict[tuple[str, int], tuple[str, ...]] = {(action, won): ("won",) for action in actions}
    table: list[dict[str, tuple[int, ...]]] = [{} for _ in range(starts)]
    for action in actions:
        wins = set() if knowing else draw(st.sets(st.integers(0, starts - 1), max_size=2))
        for start in range(starts):
            sights[action, start] = (draw(st.sampled_from("xyz")),)
            table[start][action] = (won if start in wins else start,)
    goals = tuple(frozenset({start}) for start in range(starts)) if knowing else (frozenset({won}),)
    costs: Any = None
    if draw(st.booleans()):
        price = {action: draw(st.integers(0, 3)) for action in actions}
        costs = {(state, action): price[action] for state in range(starts + 1) for action in actions}
    at_won: dict[str, tuple[int, ...]] = dict.fromkeys(actions, (won,))
    return SightedTable(tuple(range(starts)), (*table, at_won), goals, sights, costs)


def closing_in(problem: BeliefProblem[Any, Any, Any], **options: Any) -> SearchResult[Any]:
    """As large problems are searched, whatever the size of this one."""
    with patch.object(branch_and_bound, "_LARGE", -1):
        return by_partitions(problem, **options)


@pytest.mark.parametrize("search", [by_partitions, closing_in])
@given(problem=dividing_problems(), small=SMALL)
def test_the_least_expected_cost_is_found(search: Any, problem: SightedTable, small: int) -> None:
    least = least_mean_cost(problem)
    with patch.object(divisions, "MOST", small):
        result = search(problem)
    assert result.cost == result.lower_bound == least
    assert result.status is (Status.SOLVED if least < math.inf else Status.UNSOLVABLE)
    if least < math.inf:
        plan = result.require_conditional_plan()
        assert check_node_plan(problem, GivenPlan(plan), least, "expected").holds


@given(
    problem=dividing_problems(most_starts=9, most_actions=9),
    widths=st.lists(st.integers(1, 4), max_size=3),
    small=SMALL,
)
def test_plans_get_no_worse_and_their_totals_are_known(problem: SightedTable, widths: list[int], small: int) -> None:
    with patch.object(divisions, "MOST", small):
        _look_at_plans(problem, widths)


def _look_at_plans(problem: SightedTable, widths: list[int]) -> None:
    view = view_of(problem)
    root = view.initial_node()
    if not view.table.can_be_won() or view.is_goal(root):
        return
    totals: LeastTotals[str] = LeastTotals(view, Record(SOLVER, view))
    totals.find_first_plan()
    for width in widths:
        before = totals.upper.copy()
        assert totals.upper[root] >= totals.total_of_plan()
        totals.improve(width)
        assert all(totals.upper[node] <= total for node, total in before.items())
    for node, total in totals.upper.items():
        starts = tuple(view.table.places(node).tolist())
        assert total >= least_mean_cost(evolve(problem, starts=starts)) * len(starts)


def test_what_a_few_actions_come_to_is_no_lower_bound() -> None:
    problem = MastermindProblem(4, 4)
    view = view_of(problem)
    totals: LeastTotals[Any] = LeastTotals(view, Record(SOLVER, view))
    totals.find_first_plan()
    found = [totals.total_of_plan()]
    for width in (1, 4, 16):
        totals.improve(width)
        found.append(totals.total_of_plan())
    assert found[0] > found[-1] == 905


@pytest.mark.parametrize(("small", "counts"), [(0, (30, 558, 97)), (small_totals.MOST, (16, 371, 80))])
def test_closing_in_agrees_on_a_known_answer(small: int, counts: tuple[int, int, int]) -> None:
    with patch.object(divisions, "MOST", small):
        result = closing_in(MastermindProblem(4, 4))
    assert result.cost == result.lower_bound == Fraction(905, 256)
    assert (result.stats.expanded, result.stats.generated, result.stats.reached) == counts
    stopped = closing_in(MastermindProblem(4, 4), limits=Limits(expanded=2))
    assert stopped.cost is not None
    assert stopped.lower_bound <= Fraction(905, 256) <= stopped.cost


@given(problem=dividing_problems(), data=st.data())
def test_bounds_of_sets_are_bounds_whatever_was_searched(problem: SightedTable, data: st.DataObject) -> None:
    view = view_of(problem)
    if not view.table.can_be_won() or len(problem.starts) == 1:
        return
    totals: LeastTotals[str] = LeastTotals(view, Record(SOLVER, view))
    for _ in range(3):
        members = sorted(data.draw(st.sets(st.sampled_from(problem.starts), min_size=2)))
        asked = view.table.node(np.array(members))
        totals.find(asked, data.draw(st.integers(0, 20)))
    for node, bound in totals.lower.items():
        starts = tuple(view.table.places(node).tolist())
        least = least_mean_cost(evolve(problem, starts=starts)) * len(starts)
        assert bound <= least
        assert node not in totals.settled or bound == least


@given(
    problem=dividing_problems(most_starts=9, most_actions=9),
    limit=st.integers(-1, 30),
    most=st.sampled_from([3, 10_000]),
)
def test_small_sets_are_searched_as_far_as_is_asked(problem: SightedTable, limit: int, most: int) -> None:
    view = view_of(problem)
    root = view.initial_node()
    if not view.table.can_be_won() or view.table.size(root) <= view.table.most_obvious:
        return
    with patch.object(small_totals, "_MOST_WORK", most):
        found = Divisions.of_all(view.table).small_total(root, limit)
    if found is None:
        assert most == 3
        return
    total, plan = found
    least = least_mean_cost(problem) * len(problem.starts)
    assert total == least if least <= limit else limit < total <= least
    assert bool(plan) == (least <= limit)
    for node, of_node, action in plan:
        starts = tuple(view.table.places(node).tolist())
        assert of_node == least_mean_cost(evolve(problem, starts=starts)) * len(starts)
        assert of_node >= view.table.costs[action] * len(starts)


def test_sizes_that_take_too_long_are_not_tried_for_ever() -> None:
    view = view_of(MastermindProblem(3, 3))
    divided, root = Divisions.of_all(view.table), view.initial_node()
    with patch.object(small_totals, "_MOST_WORK", 1):
        assert [divided.small_total(root, 99) for _ in range(9)] == [None] * 9
    assert divided.small_total(root, 99) is None
    part = view.parts(root, 0)[0]
    assert divided.small_total(part, 99) is not None


@given(problem=dividing_problems(most_starts=12, most_actions=12), data=st.data())
def test_looking_ahead_leaves_out_no_action_that_could_be_better(problem: SightedTable, data: st.DataObject) -> None:
    view = view_of(problem)
    if not view.table.can_be_won() or len(problem.starts) == 1:
        return
    divided = Divisions.of_all(view.table)
    part = np.array(sorted(data.draw(st.sets(st.sampled_from(problem.starts), min_size=2))))
    found = []
    for action in range(len(view.table.actions)):
        parts = view.table.split(part, action)
        left = [len(each) for outcome, each in parts if outcome < view.table.won]
        if left != [len(part)]:
            found.append(view.table.costs[action] * len(part) + sum(int(divided.by_size[size]) for size in left))
    assert divided.look_ahead(view.table.node(part))[0] == min(found)


@pytest.mark.parametrize("search", [by_partitions, closing_in])
@given(problem=dividing_problems(), most=st.integers(0, 6))
@settings(max_examples=examples(100))
def test_a_stopped_search_gives_bounds_and_its_best_plan(search: Any, problem: SightedTable, most: int) -> None:
    least = least_mean_cost(problem)
    result = search(problem, limits=Limits(expanded=most))
    if least == math.inf:
        assert result.status is Status.UNSOLVABLE
        return
    assert result.cost is not None
    assert result.lower_bound <= least <= result.cost
    plan = result.require_conditional_plan()
    assert check_node_plan(problem, GivenPlan(plan), result.cost, "expected").holds
    assert result.optimal or result.reason == f"the limit of {most} expanded states was reached"


@pytest.mark.parametrize(
    "problem",
    [
        MastermindProblem(2, 6),
        MastermindProblem(3, 3),
        MastermindProblem(3, 4, distinct=True),
        BattleshipProblem(cells=9, ship=2, goal="locate"),
        CounterfeitCoinProblem(6, find="coin-and-kind"),
    ],
    ids=str,
)
def test_known_searches_agree(problem: BeliefProblem[Any, Any, Any]) -> None:
    assert by_partitions(problem).cost == solve(problem, solver="expected-and-or", objective="expected").cost


@pytest.mark.parametrize(("small", "counts"), [(0, (16, 384, 111)), (small_totals.MOST, (16, 265, 80))])
def test_the_counts_are_the_same_every_time(small: int, counts: tuple[int, int, int]) -> None:
    # The total of 905 is that of the published tables, and of the other search (docs/figures.md).
    with patch.object(divisions, "MOST", small):
        result = by_partitions(MastermindProblem(4, 4))
    assert result.cost == result.lower_bound == Fraction(905, 256)
    assert result.engine == "compiled"
    assert (result.stats.expanded, result.stats.generated, result.stats.reached) == counts


def test_a_first_plan_is_known_soon() -> None:
    problem = MastermindProblem(4, 4)
    result = by_partitions(problem, limits=Limits(expanded=2))
    assert result.status is Status.SOLVED
    assert result.reason == "the limit of 2 expanded states was reached"
    assert result.cost is not None
    assert result.lower_bound < Fraction(905, 256) < result.cost < 4
    stopped = "not proved optimal, since the limit of 2 expanded states was reached: no plan costs less than"
    assert stopped in result_verdict(result, plain=False)
    plan = result.require_conditional_plan()
    assert check_node_plan(problem, GivenPlan(plan), result.cost, "expected").holds


@pytest.mark.parametrize("problem", [MastermindProblem(2, 4), CounterfeitCoinProblem(4, find="coin-and-kind")], ids=str)
def test_bounds_by_size_are_those_of_capacity(problem: BeliefProblem[Any, Any, Any]) -> None:
    divided = view_of(problem)
    bits: Any = BitsetContingentView(problem, equally_likely=True)
    everything = bits.initial_node()
    by_size = Divisions.of_all(divided.table).by_size
    size = divided.table.size(divided.initial_node())
    assert Fraction(int(by_size[size]), size) == capacity(bits, None)(everything)


def test_where_memory_is_scarce_the_other_search_is_taken() -> None:
    problem: Any = MastermindProblem(2, 8)
    for memory, engine in ((resident_memory() + 2**27, "bits"), (resident_memory() + 2**31, "compiled")):
        limits = Limits(memory=memory, expanded=1)
        with patch.object(least_mean, "_SMALL", 20_000):  # so that this problem is not a small one
            assert solve(problem, objective="expected", limits=limits).engine == engine


def test_however_deep_a_plan_is_it_is_found() -> None:
    # One hole after the other: (1 + 2 + ... + 150) / 150.
    assert by_partitions(hunt(150, 1)).cost == Fraction(151, 2)


def test_other_problems_are_refused() -> None:
    with pytest.raises(BeliefSearchError, match="only tell equally likely starts apart"):
        by_partitions(FourGlassesProblem())


def test_symmetries_of_a_set_are_not_those_of_its_parts() -> None:
    """Trying in parts only the actions that are distinct in the whole, as it would save work, loses plans."""
    problem = MastermindProblem(2, 3)
    whole = problem.distinct_actions(frozenset(problem.initial_states()))
    assert whole is not None

    class Inherited(MastermindProblem):  # type: ignore[misc]  # as it is installed without a stub
        def distinct_actions(self, belief: Any) -> Any:
            return whole

    assert by_partitions(problem).cost == Fraction(21, 9)
    inherited: Any = Inherited(2, 3)
    result: SearchResult[Any] = solve(inherited, solver="expected-and-or", objective="expected", limits=LITTLE)
    assert result.cost is None or result.cost > Fraction(21, 9)


def test_of_ways_with_parts_of_the_same_sizes_one_is_promising() -> None:
    view = view_of(MastermindProblem(pegs=3, colours=4))
    node = max(view.parts(view.initial_node(), 1), key=view.table.size)
    divisions = Divisions.of_all(view.table).divide(node)
    usual = [2.0 * size for size in range(65)]

    def kind(way: int) -> tuple[int, ...]:
        return tuple(sorted(map(view.table.size, view.parts(node, divisions.action(way)))))

    ways = [way for _, way in divisions.ways(1 << 40)]
    kinds = {kind(way) for way in ways}
    assert 4 < len(kinds) < len(ways) / 2
    assert {kind(way) for _, way in divisions.promising(usual, len(ways))} == kinds
    few = divisions.promising(usual, 4)
    assert few == divisions.promising(usual, len(ways))[:4]
    assert len({kind(way) for _, way in few}) == 4
