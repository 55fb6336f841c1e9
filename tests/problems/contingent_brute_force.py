"""Brute force for small puzzles with percepts: the oracle, which shares no code with the solvers.

The three stages of a belief transition are written out here once more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeAlias

Belief: TypeAlias = frozenset[Any]
ActionsOf: TypeAlias = Callable[[Belief], Iterable[Any] | None]
ClassOf: TypeAlias = Callable[[Belief], Hashable]


def is_won(problem: Any, belief: Belief) -> bool:
    return any(all(state in goals for state in belief) for goals in problem.goal_sets())


def common_actions(problem: Any, belief: Belief) -> list[Any]:
    """The actions that apply in every state."""
    first, *others = (problem.actions(state) for state in belief)
    return [action for action in first if all(action in actions for actions in others)]


def actions_in(problem: Any, belief: Belief, actions_of: ActionsOf | None) -> list[Any]:
    """Those that the hook names, or all of them."""
    named = None if actions_of is None else actions_of(belief)
    return common_actions(problem, belief) if named is None else list(named)


def outcomes(problem: Any, belief: Belief, action: Any) -> dict[Any, Belief]:
    """By percept: the belief that follows."""
    after: dict[Any, set[Any]] = {}
    for state in belief:
        for result in problem.results(state, action):
            for percept in problem.percepts(result, action):
                after.setdefault(percept, set()).add(result)
    return {percept: frozenset(states) for percept, states in after.items()}


def price(problem: Any, belief: Belief, action: Any) -> Any:
    return max(problem.action_cost(state, action) for state in belief)


def least_worst_cost(problem: Any, belief: Belief | None = None, actions_of: ActionsOf | None = None) -> float:
    """The least cost in the worst case; infinite if nothing is certain to win.

    All beliefs that can come up are listed, and Bellman's equations relaxed from infinity until nothing changes; those
    found last come first, for what is won is mostly among them.
    """
    start = frozenset(problem.initial_states()) if belief is None else belief
    frontier = [start]
    steps: dict[Belief, list[tuple[Any, list[Belief]]]] = {start: []}
    for known in frontier:  # grows while it is walked
        if is_won(problem, known):
            continue
        for action in actions_in(problem, known, actions_of):
            following = list(outcomes(problem, known, action).values())
            steps[known].append((price(problem, known, action), following))
            for other in following:
                if other not in steps:
                    steps[other] = []
                    frontier.append(other)
    costs: dict[Belief, float] = {known: 0 if is_won(problem, known) else math.inf for known in steps}
    changed = True
    while changed:
        changed = False
        for known, ways in reversed(steps.items()):
            least = min((cost + max(costs[other] for other in following) for cost, following in ways), default=math.inf)
            if least < costs[known]:
                costs[known] = least
                changed = True
    return costs[start]


def least_total_cost(problem: Any, actions_of: ActionsOf | None = None, class_of: ClassOf | None = None) -> float:
    """The least sum of the costs over all starts, for problems in which each start leads to one state."""
    known: dict[Hashable, float] = {}

    def total(belief: Belief) -> float:
        key = class_of(belief) if class_of else belief
        if key not in known:
            known[key] = 0 if is_won(problem, belief) else min(map(total_after(belief), ways(belief)))
        return known[key]

    def ways(belief: Belief) -> list[tuple[Any, list[Belief]]]:
        found = [(a, list(outcomes(problem, belief, a).values())) for a in actions_in(problem, belief, actions_of)]
        # What leaves the belief as it is can be left out of a plan.
        return [(action, following) for action, following in found if following != [belief]]

    def total_after(belief: Belief) -> Callable[[tuple[Any, list[Belief]]], float]:
        return lambda way: sum(problem.action_cost(s, way[0]) for s in belief) + sum(map(total, way[1]))

    return total(frozenset(problem.initial_states()))


class WithinCost:
    """Whether the player is certain to win within a cost: depth first, and each answer kept by class of belief."""

    def __init__(self, problem: Any, actions_of: ActionsOf | None = None, class_of: ClassOf | None = None) -> None:
        self.problem = problem
        self.actions_of = actions_of
        self.class_of = class_of or (lambda belief: belief)
        self.enough: dict[Hashable, float] = {}
        self.too_little: dict[Hashable, float] = {}

    def wins(self, belief: Belief, budget: float) -> bool:
        if is_won(self.problem, belief):
            return True
        key = self.class_of(belief)
        if budget >= self.enough.get(key, math.inf):
            return True
        if budget <= self.too_little.get(key, -math.inf):
            return False
        if self._some_action_wins(belief, budget):
            self.enough[key] = budget
            return True
        self.too_little[key] = budget
        return False

    def _some_action_wins(self, belief: Belief, budget: float) -> bool:
        for action in actions_in(self.problem, belief, self.actions_of):
            rest = budget - price(self.problem, belief, action)
            if rest < 0:
                continue
            following = outcomes(self.problem, belief, action).values()
            if all(other != belief and self.wins(other, rest) for other in sorted(following, key=len, reverse=True)):
                return True
        return False

    def least(self, most: int) -> float:
        """The least cost, in whole numbers up to `most`; infinite if that is not enough."""
        start = frozenset(self.problem.initial_states())
        return next((budget for budget in range(most + 1) if self.wins(start, budget)), math.inf)


def with_hooks(problem: Any) -> WithinCost:
    """The same, with the puzzle's own hooks."""
    return WithinCost(problem, getattr(problem, "distinct_actions", None), getattr(problem, "belief_class", None))


# Plans that may go round: of all beliefs that can come up, the hopeless are crossed out.


def belief_graph(problem: Any) -> dict[Belief, list[set[Belief]]]:
    """By belief: for each action the beliefs among which the percept chooses; won beliefs have no actions."""
    frontier = [frozenset(problem.initial_states())]
    graph: dict[Belief, list[set[Belief]]] = {}
    while frontier:
        belief = frontier.pop()
        if belief not in graph:
            actions = [] if is_won(problem, belief) else common_actions(problem, belief)
            graph[belief] = [set(outcomes(problem, belief, action).values()) for action in actions]
            frontier += [after for group in graph[belief] for after in group]
    return graph


def cyclic_plan_exists(problem: Any) -> bool:
    """Whether under some plan the goal can always still be reached, however often the plan goes round."""
    graph = belief_graph(problem)
    alive = set(graph)
    while True:
        able = {belief for belief in alive if is_won(problem, belief)}
        grown = True
        while grown:
            new = {b for b in alive - able if any(group <= alive and group & able for group in graph[b])}
            able |= new
            grown = bool(new)
        if able == alive:
            return frozenset(problem.initial_states()) in alive
        alive = able


# What a conditional plan does, followed by definition through every result and every percept.


def most_actions(problem: Any, plan: Any) -> float:
    """The most actions that the plan takes from the initial belief; infinite if it may go round.

    Asserts that every action applies, every percept has a branch and every end is won, and that from wherever the
    plan may lead some end can be reached.
    """
    start = (frozenset(problem.initial_states()), 0)
    frontier = [start]
    following: dict[Any, list[Any]] = {}
    for place in frontier:  # grows while it is walked
        if place in following:
            continue
        belief, number = place
        node = plan.nodes[number]
        if node.is_end:
            assert is_won(problem, belief)
            following[place] = []
            continue
        assert node.action in common_actions(problem, belief)
        targets = dict(node.branches)
        after = outcomes(problem, belief, node.action)
        following[place] = [(other, targets[percept]) for percept, other in after.items()]
        frontier += following[place]
    most: dict[Any, float] = {place: 0 for place, others in following.items() if not others}
    ending = set(most)
    for _ in following:
        ending |= {place for place, others in following.items() if any(other in ending for other in others)}
        most |= {
            place: 1 + max(most[other] for other in others)
            for place, others in following.items()
            if others and all(other in most for other in others)
        }
    assert ending == set(following)
    return most.get(start, math.inf)
