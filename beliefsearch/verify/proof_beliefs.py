"""Checking proofs that list beliefs of contingent problems: bounds of beliefs, and lost beliefs.

By the definition alone, as `proof.py`, which describes these kinds with the others. Only what the proof
needs is followed: from the initial belief through every action to the outcomes that its argument rests on.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.belief import (
    Belief,
    applicable_actions,
    belief_cost,
    initial_belief,
    is_goal_belief,
    perceived,
    successors,
)
from ..model.problem import BeliefProblem
from ..model.values import whole
from .proof_fields import fraction, list_of
from .proof_states import States
from .self_loop_actions import StayingStates

# With so many pairs of a listed belief and an action many actions are looked at at once.
_MANY = 100_000


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
        for entry in list_of(proof, "beliefs"):
            if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], list):
                raise InvalidProofError(
                    f"an entry of 'beliefs' should be a list of states and a value, not {entry!r:.40}"
                )
            value = math.inf if entry[1] is None else whole(fraction(entry[1]))
            self._values[frozenset(map(_number, entry[0]))] = value

    def value(self, belief: Belief[Any]) -> Cost | None:
        """The value of a belief; None if it is not listed."""
        numbers = set()
        for state in belief:
            number = self._known[state] if state in self._known else self._look_up(state)
            if number is None:
                return None
            numbers.add(number)
        return self._values.get(frozenset(numbers))

    def numbers(self, belief: Belief[Any]) -> frozenset[int]:
        """The numbers of the states of a belief that are listed."""
        known = (self._known[state] if state in self._known else self._look_up(state) for state in belief)
        return frozenset(number for number in known if number is not None)

    def belief(self, numbers: frozenset[int]) -> Belief[Any]:
        """The belief of states that have been met, by their numbers."""
        return frozenset(self._state_of[number] for number in numbers)

    def largest_part(self, belief: Belief[Any]) -> tuple[Cost, Belief[Any] | None]:
        """The largest value of a listed belief all of whose states are in this one, with that belief."""
        numbers = self.numbers(belief)
        best: Cost = 0
        found = None
        for number in numbers:
            for part in self._filed.get(number, ()):
                if self._values[part] > best and part <= numbers:
                    best, found = self._values[part], part
        return best, None if found is None else self.belief(found)

    @cached_property
    def _filed(self) -> dict[int, list[frozenset[int]]]:
        """The listed beliefs, each by that of its states which the fewest others have."""
        count = Counter(number for part in self._values for number in part)
        found: dict[int, list[frozenset[int]]] = {}
        for part in self._values:
            if part:
                found.setdefault(min(part, key=lambda number: (count[number], number)), []).append(part)
        return found

    def staying_states(self, belief: Belief[Any]) -> StayingStates | None:
        """Return the actions that may leave parts of a belief as they are, where there is enough to look at."""
        numbers = self.numbers(belief)
        actions = self.problem.actions(next(iter(belief)))
        if not numbers or len(self._values) * sum(1 for _ in actions) < _MANY:
            return None
        return StayingStates(self.problem, {number: self._state_of[number] for number in numbers}, self._values)

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
        shown = sorted(self.problem.format_state(state) for state in belief)
        return "{" + ", ".join(shown[:5]) + (", ..." if len(shown) > 5 else "") + "}"


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidProofError(f"{value!r:.40} is not the number of a state")
    return value


def check_belief_bounds(states: States, proof: Mapping[str, Any]) -> Cost:
    """Check every bound that the bound of the initial belief rests on, and return that bound."""
    listing = _Listing(states, proof)
    problem = listing.problem
    start = initial_belief(problem)
    value, root = listing.largest_part(start)
    if root is None:
        return 0
    staying = listing.staying_states(start)
    frontier = [root]
    met = {root}
    for belief in frontier:  # grows while it is walked
        bound = listing.value(belief) or 0
        if not bound:
            continue
        if is_goal_belief(problem, belief):
            raise InvalidProofError(f"the belief {listing.text(belief)} is won, but has a bound")
        needed: list[Belief[Any]] = []
        if staying is None or (numbers := listing.numbers(belief)) not in staying:
            actions = applicable_actions(problem, belief)
        else:
            actions, parts = staying.other_actions(numbers, bound - 1)
            needed += map(listing.belief, parts)
        for action in actions:
            needed += _worst_outcome(listing, belief, bound, action)
        for part in needed:
            if part not in met:
                met.add(part)
                frontier.append(part)
    return value


def _worst_outcome(listing: _Listing, belief: Belief[Any], bound: Cost, action: Any) -> list[Belief[Any]]:
    """A listed belief that makes an action dear enough, if one is needed: an outcome, or a part of one."""
    outcomes = listing.outcomes(belief, action)
    cost = Fraction(belief_cost(listing.problem, belief, action))
    worst = max(outcomes, key=lambda outcome: listing.value(outcome) or 0)
    most = listing.value(worst) or 0
    if bound > (most if most == math.inf else most + cost):
        found = [listing.largest_part(outcome) for outcome in outcomes]
        most, part = max(found, key=lambda pair: pair[0])
        if bound > (most if most == math.inf else most + cost):
            raise InvalidProofError(
                f"the belief {listing.text(belief)} has the bound {bound}, but action "
                f"{listing.problem.format_action(action)} costs {cost} and leads to bounds of at most {most}"
            )
        worst = belief if part is None else part
    return [worst]


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
