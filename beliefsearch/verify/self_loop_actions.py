"""Actions that may leave all states of a listed belief as they are, under one percept: many actions at once.

Part of the check of bounds of beliefs (`proof_beliefs.py`): such an action is of no use to a player who has that
belief, or one that includes it. Only the problem's own methods are asked, state by state.

The percepts of all actions in a state are one large integer, with 16 bits for each action. Two states are compared by
a few operations on such integers.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from sys import byteorder
from typing import Any

from ..model.base import Cost
from ..model.belief import applicable_actions, perceived, successors
from ..model.checked import checked_cost
from ..model.problem import BeliefProblem
from ..model.values import listed

# A part of so many states is compared each time; of others it is kept which actions leave them as they are.
_PAIR = 2
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
        # By bound: the beliefs, each by that of its states which the fewest others have.
        self._filed: dict[Cost, dict[int, list[frozenset[int]]]] = {}
        count = Counter(number for numbers in self._beliefs for number in numbers)
        for numbers, bound in self._beliefs.items():
            if numbers:
                rarest = min(numbers, key=lambda number: (count[number], number))
                self._filed.setdefault(bound, {}).setdefault(rarest, []).append(numbers)
        # Actions that only other states have are not looked at.
        self._listed = problem.actions(states[min(states)])
        self._actions = tuple(dict.fromkeys(listed(self._listed)))
        self._place_of = {action: place for place, action in enumerate(self._actions)}
        self._highest = int.from_bytes(b"\x00\x80" * len(self._actions), "little")  # the spare bit of each action
        self._rest = self._highest - (self._highest >> 15)  # all but the spare bits
        self._every = (1 << len(self._actions)) - 1
        self._number_of_percept: dict[Any, int] = {}  # by tuple of a percept
        self._rows: dict[int, tuple[int, int]] = {}
        self._kept_by: dict[frozenset[int], int] = {}

    def __contains__(self, belief: frozenset[int]) -> bool:
        return belief in self._beliefs

    def other_actions(self, belief: frozenset[int], bound: Cost) -> tuple[list[Any], list[frozenset[int]]]:
        """The applicable actions that need not leave a listed part of a belief as it is that has such a bound.

        Also the parts. All the actions that are not given cost 1.
        """
        found = 0
        apart = self._highest
        parts = []
        for known in sorted(self._filed):
            if known < bound:
                continue
            filed = self._filed[known]
            for part in (part for number in belief for part in filed.get(number, ()) if part <= belief):
                parts.append(part)
                if len(part) == _PAIR:
                    apart &= self._apart(part)
                    continue
                found |= self._kept(part)
                if found == self._every:
                    break
            if apart != self._highest:
                found |= self._bits(~apart)
            if found == self._every:
                break
        members = [self._states[number] for number in belief]
        actions = self._numbered(~found & self._every)
        if any(self._problem.actions(state) is not self._listed for state in members):
            rest = frozenset(actions)
            applicable = applicable_actions(self._problem, members)
            actions = [action for action in applicable if action in rest or action not in self._place_of]
        return actions, parts

    def _numbered(self, bits: int) -> list[Any]:
        """The actions with these bits."""
        found = []
        while bits:
            lowest = bits & -bits
            found.append(self._actions[lowest.bit_length() - 1])
            bits ^= lowest
        return found

    def _kept(self, numbers: frozenset[int]) -> int:
        """The actions that may leave these states as they are, all under the same percept: a bit for each."""
        if numbers not in self._kept_by:
            self._kept_by[numbers] = self._bits(~self._apart(numbers))
        return self._kept_by[numbers]

    def _apart(self, numbers: Iterable[int]) -> int:
        """The other actions, as spare bits; what stands in the other bits is of no account."""
        (first, found), *others = (self._row(number) for number in numbers)
        for row, _ in others:
            found |= (first ^ row) + self._rest
        return found

    def _bits(self, lanes: int) -> int:
        """The actions whose spare bit is set: a bit for each."""
        spare = (lanes & self._highest).to_bytes(2 * len(self._actions), "big")[::2]
        return int(spare.translate(_DIGITS), 2)

    def _row(self, number: int) -> tuple[int, int]:
        """For each action the number of the percept under which it leaves a state as it is, or 0; and spare bits for 0.

        It is 0 also where there may be several percepts or results, or where the action costs anything but 1.
        """
        row = self._rows.get(number)
        if row is None:
            numbers = array("H", bytes(2 * len(self._actions)))
            problem, state, place_of = self._problem, self._states[number], self._place_of
            # Local names: this is gone through for every action of every state.
            results, percepts, number_of = problem.results, problem.percepts, self._number_of_percept
            has_costs = problem.overrides("action_cost")
            for action in listed(problem.actions(state)):
                answer = results(state, action)
                if type(answer) is not tuple or len(answer) != 1:  # else there is nothing to be looked after
                    answer = tuple(successors(problem, state, action))
                if len(answer) > 1 or answer[0] != state or action not in place_of:
                    continue
                try:
                    known = number_of.get(percepts(state, action))
                except TypeError:
                    known = None
                if known is None:
                    known = self._number_of(perceived(problem, state, action))
                if not (has_costs and checked_cost(problem, state, action) != 1):
                    numbers[place_of[action]] = known
            if byteorder == "big":
                numbers.byteswap()
            lanes = int.from_bytes(numbers.tobytes(), "little")
            row = self._rows[number] = lanes, ~(lanes + self._rest) & self._highest
        return row

    def _number_of(self, percepts: tuple[Any, ...]) -> int:
        """The number of the only percept, from 1; or 0 if there are several, or too many have a number."""
        known = len(self._number_of_percept) + 1 if len(percepts) == 1 else 0
        return self._number_of_percept.setdefault(percepts, known if known <= _MOST_PERCEPTS else 0)
