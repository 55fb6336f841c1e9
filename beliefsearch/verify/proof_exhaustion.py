"""Checking proofs by exhaustion: lists of beliefs and of sets that rule out every plan below the bound.

Part of the checker `proof.py`, whose docstring says why this proves what it claims.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from ..errors import InvalidProofError
from ..model.checked import checked_cost
from ..model.problem import Cost
from ..model.values import whole
from .reading import limit_of, valued_sets, whole_number
from .set_columns import SetColumns
from .states import States

# Sets that are followed beyond the lists, at most: a minute's worth or so.
_MOST_FOLLOWED = 1 << 24


def check_exhaustion(states: States, proof: Mapping[str, Any]) -> Cost:
    """The bound that the lists in `proof` establish; raises `InvalidProofError` if they establish none."""
    number_of = states.numbered(proof)
    model = _SetModel(states, number_of)
    bound, reach, depth = (limit_of(proof, key) for key in ("bound", "reach", "depth"))
    rest, steps_behind = (whole_number(proof, key) for key in ("rest", "rest_behind"))
    together = math.inf if math.inf in (reach, depth) else reach + depth + rest
    if together < bound:
        and_rest = f" and a rest of {rest}" if rest else ""
        raise InvalidProofError(f"a reach of {reach}, a depth of {depth}{and_rest} do not make the bound {bound}")
    if (depth or rest) and not states.all_cost_one:
        raise InvalidProofError("it lists sets behind, which is for problems whose costs are 1")
    ahead = _Cover(valued_sets(proof, "ahead", len(number_of)), len(number_of), ahead=True)
    behind = _Cover(valued_sets(proof, "behind", len(number_of)), len(number_of), ahead=False)
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
    if bound > reach + depth:
        values = (bound, reach, depth, *(value for cover in (ahead, behind) for _, value in cover.entries))
        if not all(isinstance(value, Fraction) and value.denominator == 1 for value in values):
            raise InvalidProofError("where some actions are in no list, all its numbers should be whole")
        last_ahead = {members for members, value in ahead.entries if value >= reach}
        last_behind = {members for members, value in behind.entries if value >= depth}
        _follow(model, last_ahead, last_behind, int(bound - reach - depth) - 1, steps_behind, len(number_of))
    return bound if isinstance(bound, float) else whole(bound)


def _follow(model: _SetModel, ahead: set[int], behind: set[int], most: int, steps_behind: int, states: int) -> None:
    """Check that no more than `most` actions lead from a belief ahead into a set behind, by doing all of them.

    The last `steps_behind` of them are undone behind, the others are done ahead.
    """
    followed = 0
    for step in range(most + 1):
        if 0 < step <= steps_behind:
            behind = {
                before for members in behind for action in model.actions if (before := model.preimage(members, action))
            }
        elif step:
            ahead = {model.image(members, action) for members in ahead for action in model.applicable(members)}
        if step <= steps_behind:
            index = SetColumns(sorted(behind, key=int.bit_count, reverse=True), states)
            followed += states
        if not ahead or not behind:
            return
        # A step takes time by the actions, and columns by the states, however few sets there are.
        followed += len(ahead) + len(behind) + len(model.actions)
        if followed > _MOST_FOLLOWED:
            raise InvalidProofError(f"more than {_MOST_FOLLOWED:,} sets would have to be followed beyond its lists")
        if index.include_some(ahead):
            raise InvalidProofError("a belief ahead leads into a set behind by too few actions")


class _Cover:
    """Sets with costs: tells whether one of them covers a given set at no more than a given cost."""

    def __init__(self, entries: list[tuple[int, Fraction]], states: int, *, ahead: bool) -> None:
        self.entries = entries
        self._everything = (1 << states) - 1
        self._ahead = ahead
        self._exact: dict[int, Fraction] = {}
        for members, value in entries:
            self._exact[members] = min(value, self._exact.get(members, value))
        # The cheapest first: so those that are cheap enough are the first so many.
        cheapest = sorted(self._exact.items(), key=lambda entry: entry[1])
        self._values = [value for _, value in cheapest]
        # What lies inside a set has a complement that includes the set's complement.
        self._index = SetColumns([self._turned(members) for members, _ in cheapest], states)

    def covers(self, members: int, cost: Cost, *, strictly: bool = False) -> bool:
        exact = self._exact.get(members)
        if exact is not None and (exact < cost or (exact == cost and not strictly)):
            return True
        count = (bisect_left if strictly else bisect_right)(self._values, cost)
        return self._index.includes(self._turned(members), count)

    def _turned(self, members: int) -> int:
        return self._everything & ~members if self._ahead else members


class _SetModel:
    """Sets of numbered states as bit sets, and their images under actions."""

    def __init__(self, states: States, number_of: Mapping[Any, int]) -> None:
        problem = states.problem
        self.actions: list[Any] = []
        self._problem = problem
        self._all_cost_one = states.all_cost_one
        self._state = {number: state for state, number in number_of.items()}
        images: dict[Any, dict[int, int]] = {}
        for state, number in number_of.items():
            for action in problem.actions(state):
                rows = images.setdefault(action, {})
                rows[number] = sum(1 << number_of[result] for result in states.results(state, action))
        self.actions = list(images)
        self._domain = {action: sum(1 << number for number in rows) for action, rows in images.items()}
        self._images = {action: _Unions(rows, len(number_of)) for action, rows in images.items()}
        self._sources = {action: _Unions(_inverse(rows), len(number_of)) for action, rows in images.items()}
        self._everything = (1 << len(number_of)) - 1
        masks = [
            sum(1 << number for state, number in number_of.items() if state in goals) for goals in states.goal_sets
        ]
        self.goal_sets = [mask for mask in masks if mask]

    def name(self, action: Any) -> str:
        return self._problem.format_action(action)

    def applicable(self, members: int) -> list[Any]:
        return [action for action in self.actions if not members & ~self._domain[action]]

    def image(self, members: int, action: Any) -> int:
        return self._images[action].of(members)

    def preimage(self, members: int, action: Any) -> int:
        # Those left out are the states that may lead to one that is not among the members.
        return self._domain[action] & ~self._sources[action].of(self._everything & ~members)

    def cost(self, members: int, action: Any) -> Cost:
        if self._all_cost_one:
            return 1
        return max(checked_cost(self._problem, self._state[number], action) for number in _bits(members))


class _Unions:
    """The unions of the rows of any members: of eight members at a time, looked up in tables."""

    def __init__(self, rows: Mapping[int, int], states: int) -> None:
        self._tables = []
        for first in range(0, states, 8):
            table = [0]
            for number in range(first, first + 8):
                row = rows.get(number, 0)
                table += [union | row for union in table]
            self._tables.append(table)

    def of(self, members: int) -> int:
        union = 0
        for table, byte in zip(self._tables, members.to_bytes(len(self._tables), "little"), strict=True):
            union |= table[byte]
        return union


def _inverse(rows: Mapping[int, int]) -> dict[int, int]:
    sources: dict[int, int] = {}
    for number, image in rows.items():
        for result in _bits(image):
            sources[result] = sources.get(result, 0) | 1 << number
    return sources


def _bits(members: int) -> Iterator[int]:
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
