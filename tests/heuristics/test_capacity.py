"""Estimates for problems with percepts: admissible on random problems, and known answers for how much percepts tell."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings

from beliefsearch.engine.bits.contingent import BitsetContingentView, StatesMerge
from beliefsearch.heuristics.contingent import own_estimate, perfect_sight
from beliefsearch.heuristics.information_bound import Part, capacities, plain
from beliefsearch.heuristics.percept_information import capacity
from beliefsearch.running.limits import TooDear

from ..contingent_problems import SightedTable, least_mean_cost, outcomes, shared_actions, sighted_problems, worst_costs
from ..examples import examples

ESTIMATES: list[Callable[[Any, int | None], Callable[[int], Any]]] = [perfect_sight, capacity]


def with_all_actions(problem: SightedTable) -> SightedTable:
    """The same, but what does not apply changes nothing, so that every action applies everywhere."""
    rows = tuple({act: row.get(act, (state,)) for act in "abc"} for state, row in enumerate(problem.table))
    return evolve(problem, table=rows, costs=None, estimates=None)


def beliefs_that_come_up(problem: SightedTable) -> list[frozenset[int]]:
    found = [frozenset(problem.starts)]
    for belief in found:  # grows while it is walked
        if any(belief <= goals for goals in problem.goals):
            continue
        for action in shared_actions(problem, belief):
            found += [after for after in outcomes(problem, belief, action).values() if after not in found]
    return found


def bits(view: BitsetContingentView[int, str], belief: frozenset[int]) -> int:
    return sum({1 << view.model.number(state) for state in belief})


@pytest.mark.parametrize("make", ESTIMATES)
@given(problem=sighted_problems())
@settings(max_examples=examples(40))
def test_no_estimate_is_above_the_least_worst_case_cost(make: Any, problem: SightedTable) -> None:
    for changed in (problem, with_all_actions(problem)):
        exact = worst_costs(changed)
        view: BitsetContingentView[int, str] = BitsetContingentView(changed)
        try:
            estimate = make(view, None)
        except TooDear:
            assert make is capacity
            continue
        for belief in beliefs_that_come_up(changed):
            number = bits(view, belief)
            if not view.is_goal(number):  # for goals nobody asks
                assert estimate(number) <= exact[belief]


@pytest.mark.parametrize("make", ESTIMATES)
@given(problem=sighted_problems(deterministic=True))
@settings(max_examples=examples(40))
def test_no_estimate_is_above_the_least_mean_cost(make: Any, problem: SightedTable) -> None:
    for changed in (problem, with_all_actions(problem)):
        view: BitsetContingentView[int, str] = BitsetContingentView(changed, equally_likely=True)
        try:
            root = view.initial_node()
            estimate = make(view, None)
        except (TooDear, StatesMerge):
            continue
        for size in range(1, len(changed.starts) + 1):
            for starts in combinations(changed.starts, size):
                number = bits(view, frozenset(starts))
                if number & ~root == 0 and number.bit_count() == size and not view.is_goal(number):
                    assert estimate(number) <= least_mean_cost(evolve(changed, starts=starts))


@given(problem=sighted_problems(deterministic=True))
def test_the_authors_own_is_the_largest_or_the_mean(problem: SightedTable) -> None:
    worst: BitsetContingentView[int, str] = BitsetContingentView(problem)
    states = sorted(problem.canonical(state) for state in problem.starts)
    own = [problem.heuristic(state) for state in dict.fromkeys(states)]
    assert own_estimate(worst)(worst.initial_node()) == max(own)
    mean: BitsetContingentView[int, str] = BitsetContingentView(problem, equally_likely=True)
    number = bits(mean, frozenset(problem.starts))
    total = math.inf if math.inf in own else sum(map(Fraction, own))
    assert own_estimate(mean)(number) == total / len(own)


@pytest.mark.parametrize(("size", "weighings"), [(1, 1), (3, 1), (4, 2), (9, 2), (27, 3), (28, 4)])
def test_a_balance_has_three_answers(size: int, weighings: int) -> None:
    # Published: 3**d kinds of fault at the most can be told apart by d weighings.
    found = capacities([[Part(plain(size), size == 1, (plain(1),), 1)] * 3], plain(size))
    assert found.least_actions(plain(size)) == weighings


def test_the_mean_over_a_tree_of_yes_and_no() -> None:
    found = capacities([[Part(plain(5), False, (plain(1),), 1)] * 2], plain(5))
    assert found.most == [0, 2, 4, 8]
    # None of five is told at once, two after one question, four after two: (5 + 3 + 1) / 5.
    assert found.least_mean(5) == Fraction(9, 5)
    assert [found.least_actions(plain(size)) for size in range(1, 6)] == [1, 1, 2, 2, 3]


def test_what_tells_nothing_has_no_capacity() -> None:
    found = capacities([[Part(plain(4), False, (), 1)]], plain(4))
    assert found.most == [0]
    assert found.least_actions(plain(1)) == found.least_mean(1) == math.inf
    assert capacities([], plain(3)).most == [0]


def test_merging_makes_room() -> None:
    assert capacities([[Part(plain(8), False, (plain(1),), 2)]], plain(8)).most == [0, 2, 4, 8]


def test_an_estimate_is_given_up_once_it_asks_for_too_much() -> None:
    size = 60
    rows: Any = (*({"a": (here + 1,)} for here in range(size)), {"a": (size,)})
    chain = SightedTable((0,), rows, (frozenset({size}),), {("a", here): ("x",) for here in range(size + 1)})
    for make in ESTIMATES:
        # Each state comes up after the one before it: what is asked in all the rounds counts.
        with pytest.raises(TooDear):
            make(BitsetContingentView(chain), size - 1)
    assert perfect_sight(BitsetContingentView(chain), size)(1) == size
    with pytest.raises(TooDear):
        capacity(BitsetContingentView(chain), size * 3)
