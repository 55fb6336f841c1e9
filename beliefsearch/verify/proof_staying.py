"""Which actions may leave all states of a listed belief as they are, under one percept: many actions at once.

Part of the check of bounds of beliefs (`proof_beliefs.py`): such an action is of no use to a player who has that
belief, or one that includes it. Only the problem's own methods are asked, state by state.

The percepts of all actions in a state are one large integer, with 16 bits for each action. Two states are compared by
a few operations on such integers.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import combinations
from sys import byteorder
from typing import Any

from ..model.belief import applicable_actions, perceived, successors
from ..model.checked import checked_cost
from ..model.problem import BeliefProblem, Cost
from ..model.values import listed

# Of listed beliefs with no more states all pairs are looked up.
_FEW = 16
# The numbers of percepts, with one bit to spare; 0 stands for none.
_MOST_PERCEPTS = 2**15 - 1
_DIGITS = bytes.maketrans(b"\x00\x80", b"01")


class StayingStates:
    """Actions that may leave listed beliefs as they are.

    Parameters
    ----------
    problem
        Asked for actions, their costs, results and percepts.
    states
        By number: the states that the beliefs consist of. Beliefs with other states are not looked at.
    beliefs
        Beliefs as sets of these numbers, with their bounds.
    """

    def __init__(
        self, problem: BeliefProblem[Any, Any, Any], states: Mapping[int, Any], beliefs: Mapping[frozenset[int], Cost]
    ) -> None:
        self._problem = problem
        self._states = states
        self._beliefs = {numbers: bound for numbers, bound in beliefs.items() if states.keys() >= numbers}
        # The larger ones as bit sets, by bound.
        self._larger: dict[Cost, list[tuple[int, frozenset[int]]]] = {}
        for numbers, bound in self._beliefs.items():
            if len(numbers) > 2:
                self._larger.setdefault(bound, []).append((sum(1 << number for number in numbers), numbers))
        # Actions that only other states have are not looked at.
        self._listed = problem.actions(states[min(states)])
        self._actions = tuple(dict.fromkeys(listed(self._listed)))
        self._place_of = {action: place for place, action in enumerate(self._actions)}
        self._highest = int.from_bytes(b"\x00\x80" * len(self._actions), "little")  # the spare bit of each action
        self._every = (1 << len(self._actions)) - 1
        self._number_of_percept: dict[Any, int] = {}
        self._rows: dict[int, int] = {}
        self._kept_by: dict[frozenset[int], int] = {}

    def __contains__(self, belief: frozenset[int]) -> bool:
        return belief in self._beliefs

    def other_actions(self, belief: frozenset[int], bound: Cost) -> tuple[list[Any], list[frozenset[int]]]:
        """The applicable actions that need not leave a listed part of a belief as it is that has such a bound.

        Also the parts. All the actions that are not given cost 1.
        """
        found = 0
        parts = []
        if len(belief) <= _FEW:
            lanes = 0
            for part in (frozenset(some) for size in (1, 2) for some in combinations(sorted(belief), size)):
                if self._beliefs.get(part, 0) >= bound:
                    parts.append(part)
                    lanes |= self._lanes(part)
            found = self._bits(lanes)
        inside = sum(1 << number for number in belief)
        for known in sorted(self._larger):
            if known >= bound and found != self._every:
                for bits, part in self._larger[known]:
                    if not bits & ~inside:
                        parts.append(part)
                        found |= self._kept(part)
        members = [self._states[number] for number in belief]
        if found == self._every and any(self._problem.actions(state) is self._listed for state in members):
            return [], parts
        useless = {action for place, action in enumerate(self._actions) if found >> place & 1}
        return [action for action in applicable_actions(self._problem, members) if action not in useless], parts

    def _kept(self, numbers: frozenset[int]) -> int:
        """The actions that may leave these states as they are, all under the same percept: a bit for each."""
        if numbers not in self._kept_by:
            self._kept_by[numbers] = self._bits(self._lanes(numbers))
        return self._kept_by[numbers]

    def _lanes(self, numbers: Iterable[int]) -> int:
        """The same, as the spare bits."""
        first, *others = map(self._row, numbers)
        highest = self._highest
        rest = highest - (highest >> 15)  # all but the spare bits
        kept = (first + rest) & highest  # the actions with a percept
        for row in others:
            if not kept:
                break
            kept &= ~((first ^ row) + rest)
        return kept

    def _bits(self, lanes: int) -> int:
        spare = lanes.to_bytes(2 * len(self._actions), "big")[::2]
        return int(spare.translate(_DIGITS), 2)

    def _row(self, number: int) -> int:
        """For each action the number of the percept under which it leaves a state as it is, or 0.

        It is 0 also where there may be several percepts or results, or where the action costs anything but 1.
        """
        row = self._rows.get(number)
        if row is None:
            percepts = array("H", bytes(2 * len(self._actions)))
            problem, state = self._problem, self._states[number]
            has_costs = problem.overrides("action_cost")
            for action in listed(problem.actions(state)):
                results = problem.results(state, action)
                if type(results) is not tuple or len(results) != 1:  # else there is nothing to be looked after
                    results = tuple(successors(problem, state, action))
                if len(results) > 1 or results[0] != state or action not in self._place_of:
                    continue
                seen = perceived(problem, state, action)
                if len(seen) == 1 and not (has_costs and checked_cost(problem, state, action) != 1):
                    known = self._number_of_percept.setdefault(seen[0], len(self._number_of_percept) + 1)
                    if known <= _MOST_PERCEPTS:
                        percepts[self._place_of[action]] = known
            if byteorder == "big":
                percepts.byteswap()
            row = self._rows[number] = int.from_bytes(percepts.tobytes(), "little")
        return row
