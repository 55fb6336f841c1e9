"""Brute force for plans that may go round: of all beliefs that can come up, the hopeless are crossed out."""

from __future__ import annotations

from typing import Any

from .contingent_brute_force import Belief, common_actions, is_won, outcomes


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
