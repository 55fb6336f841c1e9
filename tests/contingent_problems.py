"""Random small problems with percepts as tables; their answers by brute force that shares no code with the package."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, TypeAlias

from attrs import evolve, frozen
from hypothesis import strategies as st

from beliefsearch import BeliefProblem
from beliefsearch.plans.plan import ConditionalPlan

from .random_problems import ACTIONS, APPLICABLE, BOOLEANS, some_states

Price: TypeAlias = int | Fraction
Belief: TypeAlias = frozenset[int]
Weights: TypeAlias = frozenset[tuple[int, int]]
"""States with how many starts have led to each; every start counts for itself."""

SIGHTS = "xyz"


@frozen
class SightedTable(BeliefProblem[int, str, str]):
    """A problem with percepts given by tables."""

    starts: tuple[int, ...]
    table: tuple[dict[str, tuple[int, ...]], ...]
    """By state: the applicable actions, each with its results."""
    goals: tuple[frozenset[int], ...]
    """The goal sets."""
    sights: Mapping[tuple[str, int], tuple[str, ...]]
    """By action and the state it has led to: the percepts."""
    costs: Mapping[tuple[int, str], Price] | None = None
    adversary: bool = False
    twins: int = 0
    """So many of the last states are copies of the first ones."""
    estimates: tuple[float | Fraction, ...] | None = None

    def initial_states(self) -> Iterable[int]:
        return self.starts

    def actions(self, state: int) -> tuple[str, ...]:
        return tuple(self.table[state])

    def results(self, state: int, action: str) -> tuple[int, ...]:
        return self.table[state][action]

    def percepts(self, state: int, action: str) -> tuple[str, ...]:
        return self.sights[action, state]

    def is_goal(self, state: int) -> bool:
        return any(state in goals for goals in self.goals)

    def goal_sets(self) -> Iterable[frozenset[int]]:
        return self.goals

    def canonical(self, state: int) -> int:
        originals = len(self.table) - self.twins
        return state if state < originals else state - originals

    def action_cost(self, state: int, action: str) -> Price:
        return 1 if self.costs is None else self.costs[state, action]

    def has_unit_costs(self) -> bool:
        return self.costs is None

    def has_adversary(self) -> bool:
        return self.adversary

    def heuristic(self, state: int) -> Any:
        return 0 if self.estimates is None else self.estimates[state]

    def has_heuristic(self) -> bool:
        return self.estimates is not None


def is_won(problem: SightedTable, belief: Belief) -> bool:
    return any(belief <= goals for goals in problem.goals)


def shared_actions(problem: SightedTable, belief: Belief) -> list[str]:
    """The actions that apply in every state."""
    return sorted(set.intersection(*(set(problem.table[state]) for state in belief)))


def moves(problem: SightedTable, state: int, action: str) -> Iterator[tuple[str, int]]:
    """What may be perceived and what may be the state, together, once the action was done."""
    for result in problem.table[state].get(action, ()):
        for sight in problem.sights[action, result]:
            yield sight, result


def outcomes(problem: SightedTable, belief: Belief, action: str) -> dict[str, Belief]:
    """By percept: what may be the state."""
    pairs = {pair for state in belief for pair in moves(problem, state, action)}
    return {sight: frozenset(state for told, state in pairs if told == sight) for sight, _ in pairs}


def price(problem: SightedTable, belief: Belief, action: str) -> Price:
    return max(problem.action_cost(state, action) for state in belief)


def worst_costs(problem: SightedTable) -> dict[Belief, float | Fraction]:
    """By belief, over all sets of states: the least worst-case cost of a plan that comes to an end.

    Every belief begins at infinity, and Bellman's equation is applied until nothing changes any more.
    """
    states = range(len(problem.table))
    beliefs = [frozenset(chosen) for size in range(1, len(states) + 1) for chosen in combinations(states, size)]
    cost: dict[Belief, float | Fraction] = {b: 0 if is_won(problem, b) else math.inf for b in beliefs}
    ways = {
        belief: [
            (price(problem, belief, action), list(outcomes(problem, belief, action).values()))
            for action in shared_actions(problem, belief)
        ]
        for belief in beliefs
        if cost[belief]
    }
    changed = True
    while changed:
        changed = False
        for belief, options in ways.items():
            for paid, following in options:
                worst = max(cost[other] for other in following)
                if worst < math.inf and paid + worst < cost[belief]:
                    cost[belief] = paid + worst
                    changed = True
    return cost


def wins_in_the_end(problem: SightedTable, *, in_every_state: bool = True) -> bool:
    """Whether some player, who may choose by lot, wins with certainty in the end."""
    return frozenset(problem.starts) in won_in_the_end(problem, in_every_state=in_every_state)


def won_in_the_end(problem: SightedTable, *, in_every_state: bool = True) -> dict[Belief, list[str]]:
    """The beliefs from which some player does, and what is safe to do in each: the greatest fixpoint.

    Of the beliefs those are crossed out in which, for some state of it, no way to a won belief is left that is made
    of actions all of whose outcomes remain. With `in_every_state` False it is enough if some state has such a way.
    """
    start = frozenset(problem.starts)
    beliefs = [start]
    for belief in beliefs:  # grows while it is walked
        for action in () if is_won(problem, belief) else shared_actions(problem, belief):
            beliefs += [other for other in outcomes(problem, belief, action).values() if other not in beliefs]
    remaining = set(beliefs)
    while True:
        safe = {
            belief: []
            if is_won(problem, belief)
            else [a for a in shared_actions(problem, belief) if remaining.issuperset(_after(problem, belief, a))]
            for belief in remaining
        }
        able = {(belief, state) for belief in remaining if is_won(problem, belief) for state in belief}
        grown = True
        while grown:
            new = {
                (belief, state)
                for belief in remaining
                for state in belief
                if (belief, state) not in able
                and any(
                    (outcomes(problem, belief, action)[sight], result) in able
                    for action in safe[belief]
                    for sight, result in moves(problem, state, action)
                )
            }
            able |= new
            grown = bool(new)
        quantifier = all if in_every_state else any
        kept = {belief for belief in remaining if quantifier((belief, state) in able for state in belief)}
        if kept == remaining:
            return safe
        remaining = kept


def _after(problem: SightedTable, belief: Belief, action: str) -> list[Belief]:
    return list(outcomes(problem, belief, action).values())


def least_mean_cost(problem: SightedTable) -> Fraction | float:
    """The least expected cost over equally likely starts, where actions have one result and states one percept."""
    starts = set(problem.starts)
    root: Weights = frozenset((state, 1) for state in starts)
    options: dict[Weights, list[tuple[Price, list[Weights]]]] = {}
    frontier = [root]
    for node in frontier:  # grows while it is walked
        belief = frozenset(state for state, _ in node)
        options[node] = []
        for action in () if is_won(problem, belief) else shared_actions(problem, belief):
            parts: dict[str, dict[int, int]] = {}
            for state, weight in node:
                (sight, result), *others = moves(problem, state, action)
                assert not others, "only the start is uncertain"
                part = parts.setdefault(sight, {})
                part[result] = part.get(result, 0) + weight
            following: list[Weights] = [frozenset(part.items()) for part in parts.values()]
            total_price = sum((Fraction(problem.action_cost(s, action)) * weight for s, weight in node), Fraction(0))
            options[node].append((total_price, following))
            frontier += [other for other in following if other not in options and other not in frontier]
    total: dict[Weights, Fraction | float] = {
        node: Fraction(0) if is_won(problem, frozenset(s for s, _ in node)) else math.inf for node in options
    }
    changed = True
    while changed:
        changed = False
        for node, ways in options.items():
            for paid, following in ways:
                if all(total[other] < math.inf for other in following):
                    found = paid + sum(total[other] for other in following)
                    if found < total[node]:
                        total[node] = found
                        changed = True
    return total[root] / len(starts)


def cost_of_plan(problem: SightedTable, plan: ConditionalPlan[Any, Any]) -> float | Fraction | None:
    """The worst-case cost of a plan, infinite if it keeps trying and wins in the end; None if it is no plan at all."""
    start = 0, frozenset(problem.starts)
    following: dict[tuple[int, Belief], dict[str, tuple[int, Belief]]] = {}
    frontier = [start]
    for here in frontier:  # grows while it is walked
        node, belief = plan.nodes[here[0]], here[1]
        if here in following:
            continue
        following[here] = {}
        if node.action is None:
            if not is_won(problem, belief):
                return None
            continue
        if node.action not in shared_actions(problem, belief):
            return None
        branches = dict(node.branches)
        for sight, after in outcomes(problem, belief, node.action).items():
            if sight not in branches:
                return None
            following[here][sight] = branches[sight], after
            frontier.append(following[here][sight])
    cost: dict[tuple[int, Belief], float | Fraction] = {}
    while True:
        ready = [h for h, to in following.items() if h not in cost and all(other in cost for other in to.values())]
        if not ready:
            break
        for here in ready:
            action = plan.nodes[here[0]].action
            paid = 0 if action is None else price(problem, here[1], action)
            cost[here] = paid + max((cost[other] for other in following[here].values()), default=0)
    if start in cost:
        return cost[start]
    return math.inf if not problem.adversary and _ends_from_everywhere(problem, plan, following) else None


def _ends_from_everywhere(
    problem: SightedTable,
    plan: ConditionalPlan[Any, Any],
    following: Mapping[tuple[int, Belief], Mapping[str, tuple[int, Belief]]],
) -> bool:
    places = {(here, state) for here in following for state in here[1]}
    able = {(here, state) for here, state in places if plan.nodes[here[0]].action is None}
    while True:
        new = {
            (here, state)
            for here, state in places - able
            if any(
                (following[here][sight], result) in able
                for sight, result in moves(problem, state, plan.nodes[here[0]].action or "")
            )
        }
        if not new:
            return able == places
        able |= new


_NUMBERS_OF_RESULTS = st.sampled_from((1, 2, 3))
_NUMBERS_OF_SIGHTS = st.sampled_from((1, 1, 2))
_ONE_ACTION_OR_NONE = st.sets(st.sampled_from(ACTIONS), max_size=1)
_PRICES: list[st.SearchStrategy[Price]] = [
    st.integers(0, 3),
    st.sampled_from([0, Fraction(1, 2), Fraction(1, 3), 1]),
]
_KINDS_OF_PRICES = st.sampled_from(_PRICES)
_SHARES = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)])


@cache
def _some_sights(letters: int, most: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(SIGHTS[:letters]), min_size=1, max_size=most, unique=True).map(tuple)


@cache
def _goals(size: int) -> st.SearchStrategy[list[tuple[int, ...]]]:
    return st.lists(some_states(size, 2), min_size=1, max_size=3)


@st.composite
def sighted_problems(draw: st.DrawFn, *, deterministic: bool = False, most_states: int = 5) -> SightedTable:
    """Random problems: some with costs, some with noisy percepts, some with copies of states, some with estimates."""
    size = draw(st.integers(1, most_states))
    results = some_states(size, 1 if deterministic else draw(_NUMBERS_OF_RESULTS))
    stay = draw(_ONE_ACTION_OR_NONE)  # that only looks
    table = [{a: (here,) if a in stay else draw(results) for a in draw(APPLICABLE)} for here in range(size)]
    letters = draw(st.integers(1, 3))
    some_sights = _some_sights(letters, 1 if deterministic else draw(_NUMBERS_OF_SIGHTS))
    sights = {(action, here): draw(some_sights) for action in ACTIONS for here in range(size)}
    # What is drawn tends to be small, so starts come from one end and goals from the other.
    goals = [{size - 1 - member for member in chosen} for chosen in draw(_goals(size))]
    starts = list(draw(some_states(size, 4)))
    costs: dict[tuple[int, str], Price] | None = None
    if draw(BOOLEANS):
        prices = draw(_KINDS_OF_PRICES)
        costs = {(here, action): draw(prices) for here, row in enumerate(table) for action in row}
    twins = draw(st.integers(0, min(size, 6 - size))) if draw(BOOLEANS) else 0
    for original in range(twins):
        copy = size + original
        table.append({action: _crossed(after, twins, size) for action, after in table[original].items()})
        sights.update({(action, copy): sights[action, original] for action in ACTIONS})
        for goal in goals:
            if original in goal:
                goal.add(copy)
        if original in starts and draw(BOOLEANS):
            starts.append(copy)
        if costs is not None:
            costs.update({(copy, action): costs[original, action] for action in table[original]})
    problem = SightedTable(
        tuple(starts), tuple(table), tuple(map(frozenset, goals)), sights, costs, draw(BOOLEANS), twins
    )
    if draw(BOOLEANS):
        exact = worst_costs(problem)
        least = [exact[frozenset((here,))] for here in range(size)]
        estimates = [cost * share if (share := draw(_SHARES)) else 0 for cost in least]
        problem = evolve(problem, estimates=tuple(estimates + estimates[:twins]))
    return problem


def _crossed(after: tuple[int, ...], twins: int, size: int) -> tuple[int, ...]:
    """Of a copy the results are the copies of results, where there are any."""
    return tuple(size + result if result < twins else result for result in after)
