"""Regression, dead ends and what gets stuck: random rules, against all states."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch.belief_space.dead_ends import DeadEnds
from beliefsearch.hooks import StateRules
from beliefsearch.model.partial_states import Agreement, PartialStates, all_hold

from ..examples import examples

COUNT = 4
STATES = range(2**COUNT)
LITERAL = st.integers(0, 2 * COUNT - 1)
CLAUSES = st.lists(st.lists(LITERAL, min_size=1, max_size=2), max_size=2)
EFFECTS = st.lists(st.tuples(st.lists(LITERAL, max_size=1), LITERAL), max_size=3)


@st.composite
def rules(draw: st.DrawFn) -> StateRules[int]:
    """Rules of three actions about four variables."""
    outcomes = {action: draw(st.lists(EFFECTS, min_size=1, max_size=2)) for action in range(3)}
    told = {action: draw(st.integers(0, 2**COUNT - 1)) for action in range(3)}
    needs = {action: draw(CLAUSES) for action in range(3)}
    return StateRules("abcd", int, needs, draw(CLAUSES), outcomes, told)


def results(rules: StateRules[int], state: int, action: int) -> list[int]:
    """What follows each outcome, by the definition."""
    found = []
    for effects in rules.outcomes[action]:
        done = {lit for when, lit in effects if all(state >> (one >> 1) & 1 != one & 1 for one in when)}
        after = state
        for n in range(COUNT):
            if 2 * n in done or 2 * n + 1 in done:
                after = after & ~(1 << n) | (2 * n in done) << n
        found.append(after)
    return found


@given(rules(), st.lists(st.integers(0, 2**COUNT - 1), min_size=2**COUNT, max_size=2**COUNT))
@settings(max_examples=examples(20))
def test_what_agrees_before_agrees_afterwards(rules: StateRules[int], wanted: list[int]) -> None:
    partial = PartialStates(rules)
    for action, state in product(range(3), STATES):
        after = results(rules, state, action)
        assert partial.results(state, action) == after
        if not all_hold(state, rules.needs[action]):
            continue
        parts = partial.before(state, action, {result: wanted[result] for result in after})
        for other in STATES:
            if not (other ^ state) & parts:
                assert all_hold(other, rules.needs[action])
                for one, same in zip(after, results(rules, other, action), strict=True):
                    assert not (one ^ same) & (wanted[one] | rules.told[action])


@given(rules())
@settings(max_examples=examples(20))
def test_what_agrees_with_a_dead_end_never_comes_to_the_goal(rules: StateRules[int]) -> None:
    won = {state for state in STATES if all_hold(state, rules.goal)}
    before: set[int] | None = None
    while won != before:
        before = {*won}
        for action, state in product(range(3), STATES):
            if all_hold(state, rules.needs[action]) and not won.isdisjoint(results(rules, state, action)):
                won.add(state)
    partial = PartialStates(rules)
    dead_ends = DeadEnds(partial)
    for state in STATES:
        parts = dead_ends.parts_lost(state)
        if parts is not None:
            assert won.isdisjoint(other for other in STATES if not (other ^ state) & parts)
        goal = all_hold(state, rules.goal)
        parts = partial.in_goal(state) if goal else partial.not_won(state)
        assert all(all_hold(other, rules.goal) == goal for other in STATES if not (other ^ state) & parts)


@given(rules())
@settings(max_examples=examples(20))
def test_what_is_forbidden_is_of_no_use_to_any_strong_cyclic_plan(rules: StateRules[int]) -> None:
    kept = set(STATES)
    while True:
        won = {state for state in kept if all_hold(state, rules.goal)}
        before: set[int] | None = None
        while won != before:
            before = {*won}
            for action, state in product(range(3), kept - won):
                after = results(rules, state, action)
                if all_hold(state, rules.needs[action]) and kept.issuperset(after) and not won.isdisjoint(after):
                    won.add(state)
        if won == kept:
            break
        kept = won
    dead_ends = DeadEnds(PartialStates(rules))
    for action in [*range(3), *range(3)]:  # once more when others are forbidden
        if dead_ends.forbids(action):
            for state in STATES:
                applies = all_hold(state, rules.needs[action])
                assert not applies or not kept.issuperset(results(rules, state, action))
    for state in STATES:
        parts = dead_ends.parts_lost(state)
        if parts is not None:
            assert kept.isdisjoint(other for other in STATES if not (other ^ state) & parts)


def test_an_action_is_forbidden_that_may_lead_to_a_dead_end_wherever_it_applies() -> None:
    # a: alive, b: rich; work makes rich, a jump may kill first, a swim where one is not rich kills.
    outcomes: dict[str, list[list[tuple[list[int], int]]]]
    outcomes = {"work": [[([], 2)]], "jump": [[([], 1)], [([], 2)]], "swim": [[([3], 1)]]}
    needs = {action: [[0]] for action in outcomes}
    dead_ends = DeadEnds(PartialStates(StateRules("ab", int, needs, [[0], [2]], outcomes, dict.fromkeys(outcomes, 3))))
    assert [action for action in outcomes if dead_ends.forbids(action)] == ["jump"]
    assert dead_ends.parts_lost(0b10) == 0b01
    rules = StateRules("ab", int, {"jump": [[0]]}, [[0], [2]], {"jump": outcomes["jump"]}, {"jump": 3})
    only = DeadEnds(PartialStates(rules))
    assert only.parts_lost(0b01) is None
    assert only.forbids("jump")
    assert only.parts_lost(0b01) == 0b10


def test_nodes_are_found_by_what_matters_and_no_longer_once_taken_out() -> None:
    known: Agreement[Any] = Agreement(lambda node, parts: node & parts)
    known.add(0b101, 0b001)
    known.add(0b111, 0b110)
    assert [*known.like(0b011)] == [0b101]
    assert [*known.like(0b111)] == [0b101, 0b111]
    known.remove(0b101, 0b001)
    assert not [*known.like(0b011)]
    known.add(0b011, -1)  # all of it
    assert ([*known.like(0b011)], [*known.like(0b001)]) == ([0b011], [])
