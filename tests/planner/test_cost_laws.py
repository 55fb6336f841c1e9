"""Law: whatever kinds of numbers costs are, solvers, engines, heuristics, proofs and the checker agree exactly.

Brute force adds up fractions, on the definition of a belief, in this file alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, product
from math import inf
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import BeliefProblem, Limits, Problem, Status, check_plan, check_proof, prove, solve

from ..examples import examples

THIRD = Fraction(1, 3)
FLOATS = (0.0, 0.1, 0.2, 0.3, 0.7, 1.1, 1e-15, 0.5, 3e9, 2.0**53, 1e16)
WHOLE = (0, 1, 2, 3, 2**53 + 1, 3_000_000_000, True)
POOLS = (FLOATS, WHOLE, (0, 1, THIRD, Fraction(2, 7), Fraction(1, 2)), (0.0, 0.1, THIRD, 1, Fraction(10**20, 3)))
EXACT = ("auto", "uniform-cost", "astar", "ida-star")


class Table(BeliefProblem[int, int, int]):
    """A random problem: by state and action the results and the cost, by state what is perceived."""

    starts: Iterable[int]
    goal: int
    rows: dict[tuple[int, int], tuple[list[int], Any]]
    looks: list[int]

    def initial_states(self) -> Iterable[int]:
        return self.starts

    def actions(self, state: int) -> list[int]:
        return [action for action in range(3) if (state, action) in self.rows]

    def results(self, state: int, action: int) -> list[int]:
        return self.rows[state, action][0]

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def action_cost(self, state: int, action: int) -> Any:
        return self.rows[state, action][1]


class Seeing(Table):
    def percepts(self, state: int, action: int) -> list[int]:
        return [self.looks[state]]


class Plain(Problem[int, int]):
    """The same for one state, with the first result."""

    table: Table

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> list[int]:
        return self.table.actions(state)

    def result(self, state: int, action: int) -> int:
        return self.table.results(state, action)[0]

    def is_goal(self, state: int) -> bool:
        return self.table.is_goal(state)

    def action_cost(self, state: int, action: int) -> Any:
        return self.table.action_cost(state, action)


class Estimated(Plain):
    """With estimates that are floats, rounded to the nearest."""

    def heuristic(self, state: int) -> float:
        return float(least(state, self.is_goal, self.steps))

    def steps(self, state: int) -> Iterable[tuple[Fraction, int]]:
        return (
            (Fraction(self.action_cost(state, action)), self.result(state, action)) for action in self.actions(state)
        )


def random_table(seed: int, kind: type[Table]) -> Table:
    random = Random(seed)
    states, pool = random.randint(2, 4), random.choice(POOLS)
    rows = {
        (state, action): (random.sample(range(states), random.randint(1, 2)), random.choice(pool))
        for state in range(states)
        for action in random.sample(range(3), random.randint(1, 3))
    }
    fields = {"rows": rows, "goal": states - 1, "looks": [random.randrange(2) for _ in range(states)]}
    starts = sorted({random.randrange(states) for _ in range(2)})
    made: Table = type(kind.__name__, (kind,), {**fields, "starts": starts})()
    return made


def least(start: Any, is_goal: Callable[[Any], bool], steps: Callable[[Any], Iterable[tuple[Fraction, Any]]]) -> Any:
    """The cost of a cheapest way, by Dijkstra's algorithm."""
    best: dict[Any, Fraction] = {start: Fraction(0)}
    order = count()
    frontier = [(Fraction(0), next(order), start)]
    while frontier:
        cost, _, node = heappop(frontier)
        if cost > best[node]:
            continue
        if is_goal(node):
            return cost
        for price, after in steps(node):
            if after not in best or cost + price < best[after]:
                best[after] = cost + price
                heappush(frontier, (best[after], next(order), after))
    return inf


def belief_steps(table: Table, belief: frozenset[int]) -> list[tuple[Fraction, frozenset[int], int]]:
    common = set.intersection(*(set(table.actions(state)) for state in belief))
    return [
        (
            max(Fraction(table.action_cost(state, action)) for state in belief),
            frozenset(result for state in belief for result in table.results(state, action)),
            action,
        )
        for action in sorted(common)
    ]


def least_conditional(table: Table) -> Any:
    """The least worst-case cost where something is perceived: Bellman's equations, improved until nothing changes."""
    start = frozenset(table.starts)
    won = frozenset((table.goal,))
    after: dict[frozenset[int], list[tuple[Fraction, list[frozenset[int]]]]] = {}
    frontier = [start]
    for belief in frontier:  # grows while it is walked
        if belief in after or belief <= won:
            continue
        after[belief] = []
        for price, result, _ in belief_steps(table, belief):
            parts: dict[int, set[int]] = defaultdict(set)
            for state in result:
                parts[table.looks[state]].add(state)
            after[belief].append((price, [frozenset(part) for part in parts.values()]))
            frontier += after[belief][-1][1]
    values: dict[frozenset[int], Any] = dict.fromkeys(after, inf)
    for _ in range(len(after) + 1):  # a cheapest plan comes back to no belief
        for belief, steps in after.items():
            worths = (price + max(values.get(part, 0) for part in parts) for price, parts in steps)
            values[belief] = min([values[belief], *worths])
    return values.get(start, 0)


def assert_same(problem: Any, expected: Any, solvers: Iterable[str], engines: Iterable[str]) -> None:
    for solver, engine in product(solvers, engines):
        result = solve(problem, solver=solver, engine=engine, limits=Limits(expanded=20_000))
        if result.status is Status.UNDECIDED:  # iterative deepening by 1e-15 takes for ever
            assert result.lower_bound <= float(expected)
            continue
        if result.status is Status.SOLVED and result.plan is not None and result.plan.is_cyclic:
            assert expected == inf
            continue
        assert (result.status is Status.UNSOLVABLE) == (expected == inf), (solver, engine)
        if expected == inf:
            continue
        assert result.optimal
        assert (result.cost if result.exact is None else result.exact[0]) == expected, (solver, engine)
        assert result.cost == (float(expected) if isinstance(result.cost, float) else expected)
        assert check_plan(problem, result.plan, claimed_cost=result.cost).holds
    proof = prove(problem, limits=Limits(seconds=20))
    if proof.data is not None:
        assert check_proof(problem, proof.data) >= expected


@given(st.integers(0, 10**9))
@settings(max_examples=examples(40))
@pytest.mark.parametrize("kind", [Plain, Estimated])
def test_plain_problems(kind: type[Plain], seed: int) -> None:
    problem: Any = type(kind.__name__, (kind,), {"table": random_table(seed, Table)})()
    expected = least(0, problem.is_goal, Estimated.steps.__get__(problem))
    assert_same(problem, expected, EXACT, ["auto"])
    for solver in ("weighted-astar", "greedy-best-first", "breadth-first"):
        result = solve(problem, solver=solver)
        assert (result.status is Status.UNSOLVABLE) == (expected == inf)
        assert expected == inf or float(result.lower_bound) <= float(expected) <= float(result.cost)


@given(st.integers(0, 10**9))
@settings(max_examples=examples(40))
def test_sensorless_problems(seed: int) -> None:
    table = random_table(seed, Table)
    won = frozenset((table.goal,))
    steps: Any = lambda belief: ((price, after) for price, after, _ in belief_steps(table, belief))  # noqa: E731
    expected = least(frozenset(table.starts), lambda belief: belief <= won, steps)
    assert_same(table, expected, EXACT, ["auto", "naive", "bits", "compiled"])
    for heuristic in ("pairwise", "potential", "full-observability", "best"):
        result = solve(table, solver="astar", heuristic=heuristic)
        assert (inf if result.cost is None else result.cost if result.exact is None else result.exact[0]) == expected


@given(st.integers(0, 10**9))
@settings(max_examples=examples(40))
def test_contingent_problems(seed: int) -> None:
    table = random_table(seed, Seeing)
    assert_same(table, least_conditional(table), ["auto", "and-or", "and-or-graph"], ["auto", "naive", "bits"])
