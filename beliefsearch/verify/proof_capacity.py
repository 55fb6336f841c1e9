"""Checking proofs by capacity: a plan of d actions can tell only a limited number of states apart.

By the definition alone, as `proof.py`. The file need say nothing but the kind: all is worked out here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..errors import InvalidProofError
from ..model.belief import initial_states, is_goal_belief, perceived, successors
from ..model.checked import checked_cost
from ..model.problem import BeliefProblem, Cost
from .states import States


def check_capacity(states: States, proof: Mapping[str, Any]) -> Cost:
    """The least number of actions that the capacities allow.

    Every belief that can come up before the game is won lies in a set of states, which is found first: with an
    action it falls into parts, by percepts. So a belief that is won within d actions has no more states than the
    parts of some action together, each of which is won by then, or within the d - 1 actions that are left; and a
    part has as many states as its results, times the most states that lead to one and the same result.
    """
    problem = states.problem
    universe = dict.fromkeys(initial_states(problem))
    size = len(universe)
    if is_goal_belief(problem, frozenset(universe)):
        return 0
    goal_sets = list(problem.goal_sets())
    parts: dict[Any, list[tuple[int, int, int]]] = {}
    grown = True
    while grown:
        parts, met = _parts(problem, list(universe), goal_sets)
        grown = not universe.keys() >= met.keys()
        universe.update(met)
    most, actions = 0, 0
    while most < size:
        larger = max(
            (sum(min(count, merging * max(most, won)) for count, merging, won in row) for row in parts.values()),
            default=0,
        )
        if larger <= most:
            return math.inf
        most = larger
        actions += 1
    return actions


def _parts(
    problem: BeliefProblem[Any, Any, Any], universe: list[Any], goal_sets: list[Any]
) -> tuple[dict[Any, list[tuple[int, int, int]]], dict[Any, None]]:
    """By action, its parts, and all results in parts that are not won.

    A part is: its states; the most of them that lead to one result; and the most of its results that are won
    together, which in a part that is won is as good as all its states.
    """
    by_action: dict[Any, dict[Any, tuple[int, Counter[Any]]]] = {}
    for state in universe:
        for action in problem.actions(state):
            if checked_cost(problem, state, action) != 1:
                raise InvalidProofError("capacities are for problems in which every action costs 1")
            by_percept = by_action.setdefault(action, {})
            follow: dict[Any, set[Any]] = {}
            for result in successors(problem, state, action):
                for percept in perceived(problem, result, action):
                    follow.setdefault(percept, set()).add(result)
            for percept, results in follow.items():
                count, leading_to = by_percept.get(percept, (0, Counter()))
                leading_to.update(results)
                by_percept[percept] = count + 1, leading_to
    found: dict[Any, list[tuple[int, int, int]]] = {}
    met: dict[Any, None] = {}
    for action, by_percept in by_action.items():
        found[action] = []
        for count, leading_to in by_percept.values():
            won = max((sum(result in goals for result in leading_to) for goals in goal_sets), default=0)
            if won == len(leading_to):
                found[action].append((count, count, 1))
            else:
                found[action].append((count, max(leading_to.values()), won))
                met.update(dict.fromkeys(leading_to))
    return found, met
