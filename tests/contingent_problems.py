"""Random small problems with percepts as tables; their answers by brute force that shares no code with the package."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from typing import Any, TypeAlias

from attrs import evolve, frozen
from hypothesis import strategies as st

from .random_problems import (
    ACTIONS,
    APPLICABLE,
    BOOLEANS,
    Price,
    TableBeliefProblem,
    all_beliefs,
    least_costs,
    some_states,
)

Belief: TypeAlias = frozenset[Any]
ActionsOf: TypeAlias = Callable[[Belief], Iterable[Any] | None]
Weights: TypeAlias = frozenset[tuple[int, int]]
"""States with how many starts have led to each; every start counts for itself."""

SIGHTS = "xyz"


@frozen
class SightedTable(TableBeliefProblem):
    """A problem with percepts given by tables."""

    sights: Mapping[tuple[str, int], tuple[str, ...]]
    """By action and the state it has led to: the percepts."""
    costs: Mapping[tuple[int, str], Price] | None = None
    adversary: bool = False
    twins: int = 0
    """So many of the last states are copies of the first ones."""
    estimates: tuple[float | Fraction, ...] | None = None

    def percepts(self, state: int, action: str) -> tuple[str, ...]:
        return self.sights[action, state]

    def canonical(self, state: int) -> int:
        originals = len(self.table) - self.twins
        return state if state < originals else state - originals

    def has_adversary(self) -> bool:
        return self.adversary


# Beliefs by definition.


def is_won(problem: Any, belief: Belief) -> bool:
    return any(all(state in goals for state in belief) for goals in problem.goal_sets())


def shared_actions(problem: Any, belief: Belief) -> list[Any]:
    """The actions that apply in every state."""
    first, *others = (problem.actions(state) for state in belief)
    return [action for action in first if all(action in actions for actions in others)]


def moves(problem: Any, state: Any, action: Any) -> Iterator[tuple[Any, Any]]:
    """What may be perceived and what may be the state, together, once the action was done."""
    for result in problem.results(state, action):
        for percept in problem.percepts(result, action):
            yield percept, result


def outcomes(problem: Any, belief: Belief, action: Any) -> dict[Any, Belief]:
    """By percept: what may be the state."""
    after: dict[Any, set[Any]] = {}
    for state in belief:
        for percept, result in moves(problem, state, action):
            after.setdefault(percept, set()).add(result)
    return {percept: frozenset(states) for percept, states in after.items()}


def price(problem: Any, belief: Belief, action: Any) -> Any:
    return max(problem.action_cost(state, action) for state in belief)


def worst_costs(
    problem: Any, begin: Iterable[Belief] | None = None, actions_of: ActionsOf = lambda belief: None
) -> dict[Belief, Any]:
    """By belief: the least worst-case cost of a plan that comes to an end; infinite if nothing is certain to win.

    Over all that may come up from some beliefs, by default from every set of states of a table. Actions are those that
    the hook names, or all of them.
    """

    def ways(belief: Belief) -> Iterator[tuple[Any, Iterable[Belief]]]:
        named = actions_of(belief)
        for action in shared_actions(problem, belief) if named is None else named:
            yield price(problem, belief, action), outcomes(problem, belief, action).values()

    return least_costs(all_beliefs(problem) if begin is None else begin, ways, partial(is_won, problem))


def wins_in_the_end(problem: Any, *, in_every_state: bool = True) -> bool:
    """Whether some player, who may choose by lot, wins with certainty in the end."""
    return frozenset(problem.initial_states()) in won_in_the_end(problem, in_every_state=in_every_state)


def won_in_the_end(problem: Any, *, in_every_state: bool = True) -> dict[Belief, list[Any]]:
    """The beliefs from which some player does, and what is safe to do in each: the greatest fixpoint.

    Of the beliefs those are crossed out in which, for some state of it, no way to a won belief is left that is made
    of actions all of whose outcomes remain. With `in_every_state` False it is enough if some state has such a way.
    """
    beliefs = [frozenset(problem.initial_states())]
    ways: dict[Belief, list[tuple[Any, list[Belief]]]] = {}
    for belief in beliefs:  # grows while it is walked
        if belief not in ways:
            actions = () if is_won(problem, belief) else shared_actions(problem, belief)
            ways[belief] = [(action, list(outcomes(problem, belief, action).values())) for action in actions]
            beliefs += [other for _, parts in ways[belief] for other in parts]
    remaining = set(ways)
    while True:
        safe = {belief: [a for a, parts in ways[belief] if remaining.issuperset(parts)] for belief in remaining}
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


def cost_of_plan(problem: Any, plan: Any) -> float | Fraction | None:
    """The worst-case cost of a plan, infinite if it keeps trying and wins in the end; None if it is no plan at all."""
    start = 0, frozenset(problem.initial_states())
    following: dict[tuple[int, Belief], dict[Any, tuple[int, Belief]]] = {}
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
    return math.inf if not problem.has_adversary() and _ends_from_everywhere(problem, plan, following) else None


def _ends_from_everywhere(
    problem: Any, plan: Any, following: Mapping[tuple[int, Belief], Mapping[Any, tuple[int, Belief]]]
) -> bool:
    places = {(here, state) for here in following for state in here[1]}
    able = {(here, state) for here, state in places if plan.nodes[here[0]].action is None}
    while True:
        new = {
            (here, state)
            for here, state in places - able
            if any(
                (following[here][sight], result) in able
                for sight, result in moves(problem, state, plan.nodes[here[0]].action)
            )
        }
        if not new:
            return able == places
        able |= new


_NUMBERS_OF_RESULTS = st.sampled_from((1, 2, 3))
_NUMBERS_OF_SIGHTS = st.sampled_from((1, 1, 2))
_ONE_ACTION_OR_NONE = st.sets(st.sampled_from(ACTIONS), max_size=1)
_PRICES: list[st.SearchStrategy[Price]] = [st.integers(0, 3), st.sampled_from([0, Fraction(1, 2), Fraction(1, 3), 1])]
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
