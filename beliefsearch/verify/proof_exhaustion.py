"""Checking proofs by exhaustion: lists of beliefs and of sets that rule out every plan below the bound.

Part of the checker `proof.py`, whose docstring says why this proves what it claims.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from ..errors import InvalidProofError
from ..model.checked import checked_cost
from ..model.problem import Cost
from ..model.values import whole
from .reading import limit_of, valued_sets
from .states import States


def check_exhaustion(states: States, proof: Mapping[str, Any]) -> Cost:
    """The bound that the lists in `proof` establish; raises `InvalidProofError` if they establish none."""
    number_of = states.numbered(proof)
    model = _SetModel(states, number_of)
    bound, reach, depth = (limit_of(proof, key) for key in ("bound", "reach", "depth"))
    together = math.inf if math.inf in (reach, depth) else reach + depth
    if together < bound:
        raise InvalidProofError(f"a reach of {reach} and a depth of {depth} do not make the bound {bound}")
    if depth and not states.all_cost_one:
        raise InvalidProofError("it lists sets behind, which is for problems whose costs are 1")
    ahead = _Cover(valued_sets(proof, "ahead", len(number_of)), ahead=True)
    behind = _Cover(valued_sets(proof, "behind", len(number_of)), ahead=False)
    if not ahead.covers(sum(1 << number_of[state] for state in states.starts), 0):
        raise InvalidProofError("the initial belief is not covered")
    if not all(behind.covers(goals, 0) for goals in model.goal_sets):
        raise InvalidProofError("a goal set is not covered")
    for members, value in behind.entries:
        for action in model.actions if value < depth else ():
            before = model.preimage(members, action)
            if before and not behind.covers(before, value + 1):
                raise InvalidProofError(f"a set from which action {model.name(action)} leads on is not covered")
    for members, value in ahead.entries:
        # Infinity less a giant is more than floats can say, but it is infinity all the same.
        left = math.inf if bound == math.inf else bound - value
        if behind.covers(members, left, strictly=True):
            raise InvalidProofError(f"a belief reached at a cost of {value} may be won for less than {bound} in all")
        for action in model.applicable(members) if value < reach else ():
            price = value + Fraction(model.cost(members, action))
            if price < bound and not ahead.covers(model.image(members, action), price):
                raise InvalidProofError(f"a belief that action {model.name(action)} leads to is not covered")
    return bound if isinstance(bound, float) else whole(bound)


class _Cover:
    """Sets with costs: tells whether one of them covers a given set at no more than a given cost."""

    def __init__(self, entries: list[tuple[int, Fraction]], *, ahead: bool) -> None:
        self.entries = entries
        self._ahead = ahead
        self._exact: dict[int, Fraction] = {}
        for members, value in entries:
            self._exact[members] = min(value, self._exact.get(members, value))

    def covers(self, members: int, cost: Cost, *, strictly: bool = False) -> bool:
        exact = self._exact.get(members)
        if exact is not None and (exact < cost or (exact == cost and not strictly)):
            return True
        for other, value in self.entries:
            outside = other & ~members if self._ahead else members & ~other
            if not outside and (value < cost or (value == cost and not strictly)):
                return True
        return False


class _SetModel:
    """Sets of numbered states as bit sets, and their images under actions."""

    def __init__(self, states: States, number_of: Mapping[Any, int]) -> None:
        problem = states.problem
        self.actions: list[Any] = []
        self._problem = problem
        self._all_cost_one = states.all_cost_one
        self._state = {number: state for state, number in number_of.items()}
        self._images: dict[Any, dict[int, int]] = {}
        for state, number in number_of.items():
            for action in problem.actions(state):
                rows = self._images.setdefault(action, {})
                rows[number] = sum(1 << number_of[result] for result in states.results(state, action))
        self.actions = list(self._images)
        self._domain = {action: sum(1 << number for number in rows) for action, rows in self._images.items()}
        masks = [
            sum(1 << number for state, number in number_of.items() if state in goals) for goals in states.goal_sets
        ]
        self.goal_sets = [mask for mask in masks if mask]

    def name(self, action: Any) -> str:
        return self._problem.format_action(action)

    def applicable(self, members: int) -> list[Any]:
        return [action for action in self.actions if not members & ~self._domain[action]]

    def image(self, members: int, action: Any) -> int:
        rows = self._images[action]
        image = 0
        for number in _bits(members):
            image |= rows[number]
        return image

    def preimage(self, members: int, action: Any) -> int:
        return sum(1 << number for number, image in self._images[action].items() if not image & ~members)

    def cost(self, members: int, action: Any) -> Cost:
        if self._all_cost_one:
            return 1
        return max(checked_cost(self._problem, self._state[number], action) for number in _bits(members))


def _bits(members: int) -> Iterator[int]:
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
