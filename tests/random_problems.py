"""Random small problems as tables, and their answers by brute force that shares no code with the package."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any, TypeAlias, TypeVar

from attrs import frozen
from hypothesis import strategies as st

from beliefsearch import BeliefProblem
from beliefsearch.hooks import PotentialHook, ReversibleProblem

Key = TypeVar("Key")
Way: TypeAlias = tuple[Any, Iterable[Key]]

Price: TypeAlias = int | Fraction
"""What an action costs; where it is no whole number, a float can still hold it exactly."""


class _Priced:
    """What actions cost, and how much is estimated; where nothing is given, 1 and nothing."""

    costs: Any
    estimates: Any

    def action_cost(self, state: int, action: str) -> Any:
        return 1 if self.costs is None else self.costs[state, action]

    def has_unit_costs(self) -> bool:
        return self.costs is None

    def heuristic(self, state: int) -> Any:
        return 0 if self.estimates is None else self.estimates[state]

    def has_heuristic(self) -> bool:
        return self.estimates is not None


@frozen
class TableBeliefProblem(_Priced, BeliefProblem[int, str, Any]):
    """A nondeterministic sensorless problem given by tables."""

    starts: tuple[int, ...]
    table: tuple[dict[str, tuple[int, ...]], ...]
    """By state: the applicable actions, each with its results."""
    goals: tuple[frozenset[int], ...]
    """The goal sets."""
    costs: Mapping[tuple[int, str], Price] | None = None
    estimates: tuple[float | Fraction, ...] | None = None

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


@frozen
class TableWithPotentials(TableBeliefProblem, PotentialHook[int]):
    """The same with a potential."""

    potentials: tuple[Fraction, ...] = ()

    def potential(self, state: int) -> Fraction:
        return self.potentials[state]


@frozen
class TableProblem(_Priced, ReversibleProblem[int, str]):
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


def least_costs(
    begin: Iterable[Key], ways_of: Callable[[Key], Iterable[Way[Key]]], won: Callable[[Key], bool]
) -> dict[Key, Any]:
    """By node, over all that may come up from some: the least cost in the worst case; infinite if nothing wins.

    A way costs something and leads to one of several nodes. Every node begins at infinity, and Bellman's equation is
    applied until nothing changes; those found last come first, for what is won is mostly among them.
    """
    frontier = list(begin)
    ways: dict[Key, list[tuple[Any, list[Key]]]] = {}
    for node in frontier:  # grows while it is walked
        if node not in ways:
            ways[node] = [] if won(node) else [(paid, list(after)) for paid, after in ways_of(node)]
            frontier += [other for _, after in ways[node] for other in after]
    cost: dict[Key, Any] = {node: 0 if won(node) else math.inf for node in ways}
    changed = True
    while changed:
        changed = False
        for node, options in reversed(ways.items()):
            least = min((paid + max(cost[other] for other in after) for paid, after in options), default=math.inf)
            if least < cost[node]:
                cost[node], changed = least, True
    return cost


def exact_belief_costs(problem: TableBeliefProblem) -> dict[frozenset[int], float]:
    """By belief, over all beliefs there are: the least cost to a goal."""
    ways: dict[frozenset[int], list[Way[frozenset[int]]]] = {belief: [] for belief in all_beliefs(problem)}
    for belief, _, following, price in belief_steps(problem):
        ways[belief].append((price, [following]))
    return least_costs(ways, ways.__getitem__, lambda belief: any(belief <= goals for goals in problem.goals))


def all_beliefs(problem: TableBeliefProblem) -> list[frozenset[int]]:
    """Every set of states that is not empty, whether or not it can come up."""
    states = range(len(problem.table))
    beliefs = [frozenset(s for s in states if bits[s]) for bits in product((False, True), repeat=len(states))]
    return [belief for belief in beliefs if belief]


def belief_steps(problem: TableBeliefProblem) -> Iterator[tuple[frozenset[int], str, frozenset[int], Price]]:
    """Every belief with every action that applies in it, what follows, and what that costs."""
    for belief in all_beliefs(problem):
        for action in sorted(set.intersection(*(set(problem.table[s]) for s in belief))):
            following = frozenset(result for s in belief for result in problem.table[s][action])
            yield belief, action, following, max(problem.action_cost(s, action) for s in belief)


def states_that_come_up(problem: TableBeliefProblem) -> set[int]:
    """The starts and whatever they lead to."""
    found = set(problem.starts)
    frontier = list(found)
    for state in frontier:
        for results in problem.table[state].values():
            frontier += [result for result in results if result not in found]
            found.update(results)
    return found


def exact_costs(problem: TableProblem) -> dict[int, float]:
    """By state: the least cost to a goal."""

    def ways(state: int) -> list[Way[int]]:
        return [(problem.action_cost(state, action), [after]) for action, after in problem.table[state].items()]

    return least_costs(range(len(problem.table)), ways, problem.goals.__contains__)


ACTIONS = "abc"

# Strategies are made once: to make one and to look through it takes as long as to draw from it.
# Mostly every action applies, so that beliefs of several states can move.
_SOME_ACTIONS = st.sets(st.sampled_from(ACTIONS))
APPLICABLE = (_SOME_ACTIONS | st.just(set(ACTIONS))).map(sorted)
BOOLEANS = st.booleans()
_WHOLE_PRICES = st.integers(0, 3)
_PRICES: list[st.SearchStrategy[Price]] = [_WHOLE_PRICES, st.sampled_from([0, Fraction(1, 2), 1])]
_KINDS_OF_PRICES = st.sampled_from(_PRICES)
_SHARES = st.sampled_from([0.0, 0.5, 1.0])


@cache
def some_states(size: int, most: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Different states of a problem with so many, at least one and at most so many."""
    return st.lists(st.integers(0, size - 1), min_size=1, max_size=most, unique=True).map(tuple)


@cache
def _goal_sets(size: int) -> st.SearchStrategy[tuple[frozenset[int], ...]]:
    return st.lists(some_states(size, 3).map(frozenset), min_size=1, max_size=3).map(tuple)


@cache
def _weights(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 3), min_size=size, max_size=size)


@st.composite
def belief_problems(draw: st.DrawFn, *, most_results: int = 3) -> TableBeliefProblem:
    """Random problems, some with costs, some with admissible estimates, some with valid potentials."""
    size = draw(st.integers(1, 6))
    results = some_states(size, most_results)
    table = tuple({action: draw(results) for action in draw(APPLICABLE)} for _ in range(size))
    goals = draw(_goal_sets(size))
    starts = draw(some_states(size, 3))
    costs: dict[tuple[int, str], Price] | None = None
    if draw(BOOLEANS):
        prices = draw(_KINDS_OF_PRICES)
        costs = {(state, action): draw(prices) for state, row in enumerate(table) for action in row}
    problem = TableBeliefProblem(starts, table, goals, costs)
    estimates = None
    if draw(BOOLEANS):
        exact = exact_belief_costs(problem)
        # Anything from nothing to the truth is admissible; it need not be consistent.
        estimates = tuple(_share(exact[frozenset((s,))], draw(_SHARES)) for s in range(size))
    if not draw(BOOLEANS):
        return TableBeliefProblem(starts, table, goals, costs, estimates)
    potentials = _scaled_to_a_potential(problem, draw(_weights(size)))
    return TableWithPotentials(starts, table, goals, costs, estimates, potentials)


def _scaled_to_a_potential(problem: TableBeliefProblem, weights: list[int]) -> tuple[Fraction, ...]:
    """These weights, 0 in goals, times the largest number for which no action lowers a sum by more than it costs."""
    won = frozenset().union(*problem.goals)
    weights = [0 if state in won else weight for state, weight in enumerate(weights)]
    largest = Fraction(4)
    for belief, _, following, price in belief_steps(problem):
        drop = sum(weights[s] for s in belief) - sum(weights[s] for s in following)
        if drop > 0:
            largest = min(largest, Fraction(price) / drop)
    return tuple(largest * weight for weight in weights)


def large_belief_problem(
    seed: int, size: int, *, letters: int = 4, most_results: int = 1, goals: int = 5, unit_costs: bool = True
) -> TableBeliefProblem:
    """A problem of many states, too large for brute force; every third state may be the first.

    Three quarters of the results lie in the lower half, so that beliefs shrink; an action is missing in a few states.
    """
    chance = Random(seed)
    names = [chr(ord("a") + letter) for letter in range(letters)]

    def target() -> int:
        return chance.randrange(size if chance.random() < 0.25 else max(1, size // 2))

    def row(state: int) -> dict[str, tuple[int, ...]]:
        here = [name for name in names if name == "a" or state % 7 or chance.random() < 0.9]
        return {name: tuple({target() for _ in range(chance.randint(1, most_results))}) for name in here}

    table = tuple(row(state) for state in range(size))
    sets = tuple(frozenset(chance.sample(range(size // 2), max(1, size // 12))) for _ in range(goals))
    costs: dict[tuple[int, str], Price] | None = None
    if not unit_costs:
        costs = {(state, name): chance.randint(0, 3) for state, actions in enumerate(table) for name in actions}
    return TableBeliefProblem(tuple(range(0, size, 3)), table, sets, costs)


@st.composite
def plain_problems(draw: st.DrawFn) -> TableProblem:
    """Random graphs, some with costs, some with admissible estimates."""
    size = draw(st.integers(1, 9))
    state = st.integers(0, size - 1)
    table = tuple({action: draw(state) for action in sorted(draw(_SOME_ACTIONS))} for _ in range(size))
    goals = frozenset(draw(st.sets(state, max_size=2)))
    costs = None
    if draw(BOOLEANS):
        costs = {(s, action): draw(_WHOLE_PRICES) for s, row in enumerate(table) for action in row}
    problem = TableProblem(0, table, goals, costs)
    if draw(BOOLEANS):
        exact = exact_costs(problem)
        estimates = tuple(_share(exact[s], draw(_SHARES)) for s in range(size))
        problem = TableProblem(0, table, goals, costs, estimates)
    return problem


def _share(exact: float, share: float) -> float:
    return exact * share if share else 0.0
