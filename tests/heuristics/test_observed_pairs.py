"""The values of pairs of states where something is perceived: exact, or bounds; and the arrays that hold them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings

from beliefsearch import BeliefSearchError, Limits, solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.heuristics.pairwise_table import ObservedPairs, PairTable
from beliefsearch.running.limits import Budget, LimitReached, TooDear

from ..contingent_problems import (
    Belief,
    SightedTable,
    is_won,
    outcomes,
    price,
    shared_actions,
    sighted_problems,
    worst_costs,
)
from ..examples import examples
from ..random_problems import least_costs

FEW = 10_000


def pairs_of(belief: Belief) -> list[Belief]:
    """The beliefs of two states in a belief, or itself if it has only one."""
    return [belief] if len(belief) == 1 else [frozenset(pair) for pair in combinations(sorted(belief), 2)]


def by_definition(problem: SightedTable) -> dict[Belief, Any]:
    """The plain form: the least solution over the pairs that can come up, a pair being won or left no more."""

    def ways(pair: Belief) -> Iterator[tuple[Any, list[Belief]]]:
        for action in shared_actions(problem, pair):
            parts = [part for after in outcomes(problem, pair, action).values() for part in pairs_of(after)]
            yield price(problem, pair, action), parts

    return least_costs(pairs_of(frozenset(problem.starts)), ways, partial(is_won, problem))


def estimates_of(problem: SightedTable) -> tuple[ObservedPairs, BitsetContingentView[int, str]]:
    view: BitsetContingentView[int, str] = BitsetContingentView(problem)
    return ObservedPairs(view, None), view


def assert_exact(estimate: ObservedPairs, view: Any, pair: Belief, value: float | Fraction) -> None:
    """The estimate of a pair is its value; but nothing may be known of states with the same future by themselves.

    That is so where they come up only together with others.
    """
    numbers = [view.model.number(state) for state in pair]
    found = estimate(sum(1 << number for number in numbers))
    first = estimate._table._first
    alike = len(set(first[numbers].tolist())) == 1 < (first == first[numbers[0]]).sum()
    assert found == value or (alike and found == 0)


@given(problem=sighted_problems())
@settings(max_examples=examples(30))
def test_values_of_pairs_are_those_of_the_definition_and_bound_every_plan(problem: SightedTable) -> None:
    problem = evolve(problem, twins=0)
    estimate, view = estimates_of(problem)
    true = worst_costs(problem)
    plain = by_definition(problem)
    certain = all(len(after) == 1 for row in problem.table for after in row.values())
    for pair, value in plain.items():
        assert_exact(estimate, view, pair, value)
        assert value <= true[pair]
        if certain:
            assert value == true[pair], "no pair ever becomes a belief of three states"
    initial = view.initial_node()
    largest, pair_mask = estimate.with_pair(initial)
    assert largest == estimate(initial) == max(plain[pair] for pair in pairs_of(frozenset(problem.starts)))
    if largest:
        assert not pair_mask & ~initial
        assert estimate(pair_mask) == largest


def doubled(problem: SightedTable) -> SightedTable:
    """The problem with a copy of every state, which comes up now and then in place of it."""
    states = len(problem.table)
    copies = range(2 * states)

    def either(result: int, state: int) -> int:
        return result + states if (result * 7 + state * 3) % 2 else result

    return evolve(
        problem,
        starts=(*problem.starts, problem.starts[0] + states),
        table=tuple(
            {action: tuple(either(r, copy) for r in after) for action, after in problem.table[copy % states].items()}
            for copy in copies
        ),
        goals=tuple(frozenset(copy for copy in copies if copy % states in goals) for goals in problem.goals),
        sights={(a, r + copy): seen for (a, r), seen in problem.sights.items() for copy in (0, states)},
        costs=problem.costs and {(s + copy, a): cost for (s, a), cost in problem.costs.items() for copy in (0, states)},
        twins=0,
        estimates=None,
    )


@given(problem=sighted_problems())
@settings(max_examples=examples(30))
def test_of_states_with_the_same_future_one_stands_for_all(problem: SightedTable) -> None:
    problem = evolve(problem, twins=0)
    twice = doubled(problem)
    estimate, view = estimates_of(twice)
    for pair, value in by_definition(twice).items():
        assert_exact(estimate, view, pair, value)
    for belief in (view.initial_node(), *(1 << start for start in range(len(twice.starts)))):
        value, pair_mask = estimate.with_pair(belief)
        assert value == estimate(belief) == estimate(pair_mask)
        assert not pair_mask & ~belief
    if all(len(after) == 1 for row in problem.table for after in row.values()):
        assert len(estimate._table.values) == len(estimates_of(problem)[0]._table.values)


def test_states_that_differ_late_have_different_futures() -> None:
    length = 70  # so many rounds are not taken, and all states are kept
    cells = range(2 * length)
    table: Any = tuple({"on": (here if here % length == length - 1 else here + 1,)} for here in cells)
    sights = {("on", here): ("wall" if here == length - 1 else "",) for here in cells}  # the other way has none
    ways = frozenset(cells[:length]), frozenset(cells[length:])
    for start in (0, length - 30):
        estimate, view = estimates_of(SightedTable((start, start + length), table, ways, sights))
        assert estimate(view.initial_node()) == length - 1 - start


def line(cells: int, **changes: Any) -> SightedTable:
    """Cells in a row; each step goes left, and only at the left wall something is felt. To be known: the cell."""
    table: Any = tuple({"left": (max(here - 1, 0),)} for here in range(cells))
    sights = {("left", here): ("wall" if here == 0 else "",) for here in range(cells)}
    known = tuple(frozenset((here,)) for here in range(cells))
    return evolve(SightedTable(tuple(range(cells)), table, known, sights), **changes)


def test_many_pairs_are_found_again_in_a_table_that_has_grown() -> None:
    cells = 120  # 7,140 pairs, more than there is room for at first
    estimate, _ = estimates_of(line(cells))
    for one in range(0, cells, 7):
        for other in range(one + 1, cells, 5):
            # The left one comes to the wall first; from there, one step tells.
            assert estimate(1 << one | 1 << other) == max(one, 1)
    assert estimate((1 << cells) - 1) == cells - 2, "of many members the most distant pairs are tried"
    assert estimate(((1 << 60) - 1) << 30) == 30 + 60 - 2
    assert estimate(1 << 5) == 0
    assert solve(line(cells), heuristic="pairwise", solver="and-or").stats.expanded == cells - 2
    assert solve(line(cells), heuristic="none", solver="and-or").stats.expanded > cells, "of many bounds each is tried"


def test_costs_are_added_up_exactly_or_not_at_all() -> None:
    thirds = line(5, costs={(here, "left"): Fraction(here + 1, 3) for here in range(5)})
    estimate, _ = estimates_of(thirds)
    assert estimate(0b11000) == Fraction(5 + 4 + 3, 3) == worst_costs(thirds)[frozenset((3, 4))]
    awkward = line(5, costs={(here, "left"): Fraction(1, 2**20 + here) for here in range(5)})
    with pytest.raises(BeliefSearchError, match="common denominator"):
        solve(awkward, heuristic="pairwise", solver="and-or")
    assert solve(awkward, solver="and-or").cost == worst_costs(awkward)[frozenset(range(5))]
    still = SightedTable(
        (0, 1), ({"look": (0,)}, {"look": (1,)}), line(2).goals, {("look", 0): ("a",), ("look", 1): ("b",)}
    )
    with pytest.raises(BeliefSearchError, match="worst-case"):
        solve(still, heuristic="pairwise", objective="expected")


def test_a_table_that_takes_too_much_is_not_made() -> None:
    view: BitsetContingentView[int, str] = BitsetContingentView(line(40))
    with pytest.raises(TooDear):
        ObservedPairs(view, 39)  # pairs of a state and an action
    model = ObservedPairs(view, 40)._model
    with pytest.raises(TooDear):
        PairTable.of_model(model, view.tick, 700)  # the initial pairs alone are 780
    with pytest.raises(TooDear):
        PairTable.of_model(model, view.tick, 790)  # and all pairs 820
    budget = Budget(Limits(seconds=1e-9))
    with pytest.raises(LimitReached):
        PairTable.of_model(model, budget.tick, FEW)


def test_without_any_action_there_is_nothing_to_explore() -> None:
    stuck = SightedTable((0, 1), ({}, {}), (frozenset((0,)), frozenset((1,))), {})
    estimate, _ = estimates_of(stuck)
    assert (estimate(0b11), estimate(0b01)) == (math.inf, 0)
