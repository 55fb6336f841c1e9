"""Random small problems as tables, and their answers by brute force that shares no code with the package."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product
from typing import TypeVar

from attrs import frozen
from hypothesis import strategies as st

from beliefsearch import BeliefProblem, ReversibleProblem

Key = TypeVar("Key")


@frozen
class TableBeliefProblem(BeliefProblem[int, str, None]):
    """A nondeterministic sensorless problem given by tables."""

    starts: tuple[int, ...]
    table: tuple[dict[str, tuple[int, ...]], ...]
    """By state: the applicable actions, each with its results."""
    goals: tuple[frozenset[int], ...]
    """The goal sets."""
    costs: dict[tuple[int, str], int] | None = None
    estimates: tuple[float, ...] | None = None

    def initial_states(self) -> Iterable[int]:
        return self.starts

    def actions(self, state: int) -> Iterable[str]:
        return list(self.table[state])

    def results(self, state: int, action: str) -> Iterable[int]:
        return self.table[state][action]

    def is_goal(self, state: int) -> bool:
        return any(state in goals for goals in self.goals)

    def goal_sets(self) -> Iterable[frozenset[int]]:
        return self.goals

    def action_cost(self, state: int, action: str) -> int:
        return 1 if self.costs is None else self.costs[state, action]

    def has_unit_costs(self) -> bool:
        return self.costs is None

    def heuristic(self, state: int) -> float:
        return 0 if self.estimates is None else self.estimates[state]

    def has_heuristic(self) -> bool:
        return self.estimates is not None


@frozen
class TableProblem(ReversibleProblem[int, str]):
    """A plain problem given by tables; it can be walked backwards."""

    start: int
    table: tuple[dict[str, int], ...]
    goals: frozenset[int]
    costs: dict[tuple[int, str], int] | None = None
    estimates: tuple[float, ...] | None = None

    def initial_state(self) -> int:
        return self.start

    def possible_starts(self) -> Iterable[int]:
        return range(len(self.table))

    def actions(self, state: int) -> Iterable[str]:
        return list(self.table[state])

    def result(self, state: int, action: str) -> int:
        return self.table[state][action]

    def is_goal(self, state: int) -> bool:
        return state in self.goals

    def goal_states(self) -> Iterable[int]:
        return sorted(self.goals)

    def predecessors(self, state: int) -> Iterable[tuple[int, str]]:
        return [(s, a) for s, row in enumerate(self.table) for a, result in row.items() if result == state]

    def action_cost(self, state: int, action: str) -> int:
        return 1 if self.costs is None else self.costs[state, action]

    def has_unit_costs(self) -> bool:
        return self.costs is None

    def heuristic(self, state: int) -> float:
        return 0 if self.estimates is None else self.estimates[state]

    def has_heuristic(self) -> bool:
        return self.estimates is not None


def exact_belief_costs(problem: TableBeliefProblem) -> dict[frozenset[int], float]:
    """By belief, over all beliefs there are: the least cost to a goal. Bellman-Ford on every subset of the states."""
    states = range(len(problem.table))
    beliefs = [frozenset(s for s in states if bits[s]) for bits in product((False, True), repeat=len(states))]
    beliefs = [belief for belief in beliefs if belief]
    cost = {belief: 0.0 if any(belief <= goals for goals in problem.goals) else math.inf for belief in beliefs}
    edges = []
    for belief in beliefs:
        for action in set.intersection(*(set(problem.table[s]) for s in belief)):
            following = frozenset(result for s in belief for result in problem.table[s][action])
            price = max(problem.action_cost(s, action) for s in belief)
            edges.append((belief, following, price))
    return _bellman_ford(cost, edges)


def exact_costs(problem: TableProblem) -> dict[int, float]:
    """By state: the least cost to a goal."""
    cost = {state: 0.0 if state in problem.goals else math.inf for state in range(len(problem.table))}
    edges = [
        (state, result, problem.action_cost(state, action))
        for state, row in enumerate(problem.table)
        for action, result in row.items()
    ]
    return _bellman_ford(cost, edges)


def _bellman_ford(cost: dict[Key, float], edges: list[tuple[Key, Key, int]]) -> dict[Key, float]:
    changed = True
    while changed:
        changed = False
        for tail, head, price in edges:
            if price + cost[head] < cost[tail]:
                cost[tail] = price + cost[head]
                changed = True
    return cost


ACTIONS = "abc"


@st.composite
def belief_problems(draw: st.DrawFn) -> TableBeliefProblem:
    """Random nondeterministic problems, some with costs, some with admissible estimates."""
    size = draw(st.integers(1, 6))
    some_states = st.lists(st.integers(0, size - 1), min_size=1, max_size=3, unique=True).map(tuple)
    # Mostly every action applies, so that beliefs of several states can move.
    applicable = st.sets(st.sampled_from(ACTIONS)) | st.just(set(ACTIONS))
    table = tuple(
        {action: draw(some_states) for action in sorted(draw(applicable), key=ACTIONS.index)} for _ in range(size)
    )
    goals = tuple(draw(st.lists(some_states.map(frozenset), min_size=1, max_size=2)))
    starts = draw(some_states)
    costs = None
    if draw(st.booleans()):
        costs = {(state, action): draw(st.integers(0, 3)) for state, row in enumerate(table) for action in row}
    problem = TableBeliefProblem(starts, table, goals, costs)
    if draw(st.booleans()):
        exact = exact_belief_costs(problem)
        # Anything from nothing to the truth is admissible; it need not be consistent.
        share = st.sampled_from([0.0, 0.5, 1.0])
        estimates = tuple(_share(exact[frozenset((s,))], draw(share)) for s in range(size))
        problem = TableBeliefProblem(starts, table, goals, costs, estimates)
    return problem


@st.composite
def plain_problems(draw: st.DrawFn) -> TableProblem:
    """Random graphs, some with costs, some with admissible estimates."""
    size = draw(st.integers(1, 9))
    state = st.integers(0, size - 1)
    table = tuple(
        {action: draw(state) for action in sorted(draw(st.sets(st.sampled_from(ACTIONS))))} for _ in range(size)
    )
    goals = frozenset(draw(st.sets(state, max_size=2)))
    costs = None
    if draw(st.booleans()):
        costs = {(s, action): draw(st.integers(0, 3)) for s, row in enumerate(table) for action in row}
    problem = TableProblem(0, table, goals, costs)
    if draw(st.booleans()):
        exact = exact_costs(problem)
        estimates = tuple(_share(exact[s], draw(st.sampled_from([0.0, 0.5, 1.0]))) for s in range(size))
        problem = TableProblem(0, table, goals, costs, estimates)
    return problem


def _share(exact: float, share: float) -> float:
    return exact * share if share else 0.0
