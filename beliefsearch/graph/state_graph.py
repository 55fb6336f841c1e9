"""The true states of a belief problem as a graph, whatever the player knows of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..model.belief import initial_states, is_goal_belief, perceived, successors
from ..model.checked import checked_cost
from ..model.problem import BeliefProblem
from ..running.limits import Budget
from .and_or_graph import outcome_edge
from .stream import Row
from .walk import Walk, states_node


def true_state_walk(
    problem: BeliefProblem[Any, Any, Any], *, max_nodes: int | None = None, budget: Budget
) -> Walk[Any]:
    """A node for each possible state, and an edge for each result of an action and each percept.

    Goals are left again: a player who does not know that the state is a goal goes on. Nodes are numbered breadth-first
    from the possible starts, whose `g` is 0, and are states up to `canonical`. A node carries `members` (the one state,
    as text), `size`, `g` (the fewest actions to there), `goal` and `label`; an edge carries `action`, `percept`, `cost`
    and `label`. The graph carries `complete` and `stopped`, as that of `belief_graph`.
    """

    def starts() -> Iterator[Any]:
        return (problem.canonical(state) for state in initial_states(problem, budget.tick))

    def describe(state: Any, depth: Any, goal: bool) -> Row:
        return states_node([problem.format_state(state)], depth, goal)

    def is_goal(state: Any) -> bool:
        return is_goal_belief(problem, frozenset((state,)))

    def follow(state: Any, _: bool) -> Iterator[tuple[Any, int, Row]]:
        for action in problem.actions(state):
            cost = checked_cost(problem, state, action)
            for result in successors(problem, state, action, budget.tick):
                for percept in perceived(problem, result, action):
                    yield problem.canonical(result), 1, outcome_edge(problem, action, percept, cost)

    return Walk(starts, is_goal, describe, follow, max_nodes=max_nodes, budget=budget)
