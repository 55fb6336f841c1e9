"""Check of a strong cyclic plan by partial states, where the player sees the state and the states are very many.

In each place of its course (`plans/partial_courses.py`, which need not be trusted) the action applies and leads, by
every outcome, to what entails the partial state of another place, or the plan ends with the goal; this holds for all
states that entail a place's, since these are closed under regression. And each place leads to an end. That the rules
say the same as the problem is the author's claim, which `check` tests.
"""

from __future__ import annotations

import math
from graphlib import CycleError
from typing import Any

from ..model.base import Cost
from ..model.belief import initial_states
from ..model.checked import checked_cost
from ..model.partial_states import StateRules
from ..model.reachability import costs_to_ends, reaching
from ..plans.partial_courses import PartialCourse
from .checker import require


def check_course(problem: Any, rules: StateRules[Any], course: PartialCourse) -> tuple[str, Cost]:
    """Return what is not won, empty if nothing is, and the most that is paid, infinite if the plan keeps trying.

    Raises `WrongError` where the course itself is wrong.
    """
    places = course.places
    begins = places[0].node == 0 and all(start == places[0].state for start in initial_states(problem))
    require(begins, "the course does not begin with all starts")
    for place in places:
        won = bool(place.then) or problem.is_goal(place.state)
        require(won or bool(course.complaint), f"the course ends in node {place.node}, which is not won")
        require(not course.parts_before(place) & ~place.parts, f"more matters in node {place.node} than is said")
        if place.then:
            results = {*course.partial.results(rules.bits(place.state), place.action)}
            met = {rules.bits(result) for _, result in place.then}
            require(met == results, f"the rules have other results in node {place.node}")
        agree = all(course.agrees(result, then) for (_, result), then in place.then.items())
        require(agree, f"a result in node {place.node} leads to another state than is said")
    if course.complaint:
        return course.complaint, math.inf
    ends = (place for place in places if not place.then)
    able = reaching(ends, ((place, then) for place in places for then in place.then.values()))
    stuck = next((place for place in places if place not in able), None)
    if stuck is not None:
        state = problem.format_state(stuck.state)
        circle = f"the plan goes round in circles: from node {stuck.node}, if the state is {state}, it never ends"
        return circle, math.inf
    after = {place: [*place.then.values()] for place in places}
    try:
        costs = costs_to_ends(after, lambda place: checked_cost(problem, place.state, place.action))
    except CycleError:
        keeps_on = "the plan keeps trying, and an adversary can make it do so for ever"
        return keeps_on if problem.has_adversary() else "", math.inf
    return "", costs[places[0]]
