"""Checking proofs that list beliefs of contingent problems: bounds of beliefs, and lost beliefs.

By the definition alone, as `proof.py`, which describes these kinds with the others. Only what the proof
needs is followed: from the initial belief through every action to the outcomes that its argument rests on.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..errors import InvalidProofError
from ..model.belief import (
    Belief,
    applicable_actions,
    belief_cost,
    initial_belief,
    is_goal_belief,
    perceived,
    successors,
)
from ..model.problem import BeliefProblem, Cost
from ..model.values import whole
from .reading import fraction, list_of
from .states import States


class _Listing:
    """The beliefs that a proof lists, each with a value."""

    def __init__(self, states: States, proof: Mapping[str, Any]) -> None:
        self.problem: BeliefProblem[Any, Any, Any] = states.problem
        self._states = states
        self._number_of: dict[str, int] = {}
        for number, entry in enumerate(list_of(proof, "states")):
            if self._number_of.setdefault(json.dumps(entry), number) != number:
                raise InvalidProofError("it lists a state more than once")
        self._state_of: dict[int, Any] = {}
        self._known: dict[Any, int | None] = {}
        self._follow: dict[Any, dict[Any, list[tuple[Any, Any]]]] = {}  # by action and state: percepts and results
        self._values: dict[frozenset[int], Cost] = {}
        self._partners: dict[int, list[tuple[int, Cost]]] = {}  # by state: the beliefs of it and one more, or none
        for entry in list_of(proof, "beliefs"):
            if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], list):
                raise InvalidProofError(
                    f"an entry of 'beliefs' should be a list of states and a value, not {entry!r:.40}"
                )
            value = math.inf if entry[1] is None else whole(fraction(entry[1]))
            self._values[frozenset(map(_number, entry[0]))] = value
        for members, value in self._values.items():
            if 0 < len(members) <= 2:
                self._partners.setdefault(min(members), []).append((max(members), value))

    def value(self, belief: Belief[Any]) -> Cost | None:
        """The value of a belief; None if it is not listed."""
        numbers = self._numbers(belief)
        return self._values.get(numbers) if len(numbers) == len(belief) else None

    def bound(self, belief: Belief[Any]) -> tuple[Cost, Belief[Any]]:
        """The largest value of the belief itself or of a listed one of at most two of its states; and which that is.

        0 if none is listed.
        """
        numbers = self._numbers(belief)
        found: Cost = self._values.get(numbers, 0) if len(numbers) == len(belief) else 0
        which = numbers
        for one in numbers:
            for other, value in self._partners.get(one, ()):
                if value > found and other in numbers:
                    found, which = value, frozenset((one, other))
        return found, belief if which is numbers else frozenset(map(self._state_of.__getitem__, which))

    def _numbers(self, belief: Belief[Any]) -> frozenset[int]:
        """The numbers of the states that are listed."""
        looked_up = (self._known[state] if state in self._known else self._look_up(state) for state in belief)
        return frozenset(number for number in looked_up if number is not None)

    def _look_up(self, state: Any) -> int | None:
        """The number of a state, looked up by its text; None if it is not listed."""
        text = self._states.text(state)
        number = self._known[state] = self._number_of.get(text)
        if number is not None and self._state_of.setdefault(number, state) != state:
            raise InvalidProofError(f"two states have the same text {text}")
        return number

    def outcomes(self, belief: Belief[Any], action: Any) -> list[Belief[Any]]:
        """The beliefs that may follow `action`, one for each percept, in a fixed order."""
        found: dict[Any, set[Any]] = {}
        follow = self._follow.setdefault(action, {})
        for state in belief:
            if state not in follow:
                follow[state] = [
                    (percept, result)
                    for result in successors(self.problem, state, action)
                    for percept in perceived(self.problem, result, action)
                ]
            for percept, result in follow[state]:
                found.setdefault(percept, set()).add(result)
        ordered = sorted(found.items(), key=lambda outcome: self.problem.format_percept(outcome[0]))
        return [frozenset(states) for _, states in ordered]

    def text(self, belief: Belief[Any]) -> str:
        shown = sorted(map(self.problem.format_state, belief))
        return "{" + ", ".join(shown[:5]) + (", ..." if len(shown) > 5 else "") + "}"


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidProofError(f"{value!r:.40} is not the number of a state")
    return value


def check_belief_bounds(states: States, proof: Mapping[str, Any]) -> Cost:
    """Check every bound that the bound of the initial belief rests on, and return that bound.

    A belief of one or two states bounds all that include it, whose plans work for it, too, and cost no less.
    """
    listing = _Listing(states, proof)
    problem = listing.problem
    proved, start = listing.bound(initial_belief(problem))
    frontier = [start]
    met = {start}
    for belief in frontier:  # grows while it is walked
        bound = listing.value(belief) or 0
        if not bound:
            continue
        if is_goal_belief(problem, belief):
            raise InvalidProofError(f"the belief {listing.text(belief)} is won, but has a bound")
        for action in applicable_actions(problem, belief):
            most, rests_on = max(map(listing.bound, listing.outcomes(belief, action)), key=lambda found: found[0])
            cost = Fraction(belief_cost(problem, belief, action))
            if bound > (most if most == math.inf else most + cost):
                raise InvalidProofError(
                    f"the belief {listing.text(belief)} has the bound {bound}, but action "
                    f"{problem.format_action(action)} costs {cost} and leads to bounds of at most {most}"
                )
            if rests_on not in met:
                met.add(rests_on)
                frontier.append(rests_on)
    return proved


def check_lost_beliefs(states: States, proof: Mapping[str, Any]) -> Cost:
    """Check that the player can be kept from the goal for ever from the initial belief, and return infinity."""
    listing = _Listing(states, proof)
    problem = listing.problem
    start = initial_belief(problem)
    frontier = [start]
    met = {start}

    def rank(belief: Belief[Any]) -> Cost:
        found = listing.value(belief)
        return math.inf if found is None else found

    if rank(start) == math.inf:
        raise InvalidProofError("the initial belief is not listed")
    for belief in frontier:  # grows while it is walked
        if is_goal_belief(problem, belief):
            raise InvalidProofError(f"the belief {listing.text(belief)} is listed as lost, but it is won")
        for action in applicable_actions(problem, belief):
            outcomes = listing.outcomes(belief, action)
            lowest = min(outcomes, key=rank)
            needed = [lowest] if rank(lowest) < rank(belief) else outcomes
            for outcome in needed:
                if rank(outcome) > rank(belief):
                    raise InvalidProofError(
                        f"from the belief {listing.text(belief)} action {problem.format_action(action)} may lead to "
                        f"{listing.text(outcome)}, which is not shown to be lost"
                    )
                if outcome not in met:
                    met.add(outcome)
                    frontier.append(outcome)
    return math.inf
