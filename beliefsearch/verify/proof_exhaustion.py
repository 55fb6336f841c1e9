"""Checking proofs by exhaustion: lists of beliefs and of sets that rule out every plan below the bound.

Part of the checker `proof.py`, whose docstring says why this proves what it claims.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.belief import initial_states, successors
from ..model.checked import checked_cost
from ..model.problem import BeliefProblem
from ..model.values import whole
from ..plans.encoding import encode_state
from .proof_fields import limit_of, list_of, valued_sets, whole_number
from .set_columns import SetColumns

if TYPE_CHECKING:
    from .proof_long_lists import Step

# A longer list is looked at on arrays first, which is quicker and takes far less memory, but takes sets as they stand.
_FEW_LISTED = 1 << 16
MOST_FOLLOWED = 1 << 24
"""Sets that are followed beyond the lists: a minute's worth or so."""
MOST_COVERED = 1 << 24
"""Sets in a list of which one may stand for others: an index that tells so takes some gigabytes."""
MOST_LISTED = 1 << 28
"""Sets in a list ahead of which each stands for itself: an hour or two, and eight bytes each where states are few."""


def check_exhaustion(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any]) -> Cost:
    """The bound that the lists in `proof` establish; raises `InvalidProofError` if they establish none."""
    if not problem.is_sensorless():
        raise InvalidProofError(
            "its kind 'exhaustion' is about players who perceive nothing; this problem is contingent"
        )
    _refuse_too_long(proof)
    states = States(problem)
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
    behind = _Cover(list(valued_sets(proof, "behind", len(number_of))), len(number_of), ahead=False)
    if not all(behind.covers(goals, 0) for goals in model.goal_sets):
        raise InvalidProofError("a goal set is not covered")
    for members, value in behind.entries:
        for action in model.actions if value < depth else ():
            before = model.preimage(members, action)
            if before and not behind.covers(before, value + 1):
                raise InvalidProofError(f"a set from which action {model.name(action)} leads on is not covered")
    start = sum(1 << number_of[state] for state in states.starts)
    count = len(list_of(proof, "ahead")) if "ahead" in proof else 0
    if count > _FEW_LISTED and not rest:
        lacking = _lacking(model, proof, start, behind, bound, reach, len(number_of))
        if not lacking:
            return bound if isinstance(bound, float) else whole(bound)
        if count > MOST_COVERED:
            raise InvalidProofError(
                f"{lacking}; and in a list of more than {MOST_COVERED:,} no belief stands for another"
            )
    ahead = _Cover(list(valued_sets(proof, "ahead", len(number_of))), len(number_of), ahead=True)
    if not ahead.covers(start, 0):
        raise InvalidProofError("the initial belief is not covered")
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


class States:
    """The states of a problem by the definition, and their texts and numbers in a certificate."""

    def __init__(self, problem: BeliefProblem[Any, Any, Any]) -> None:
        self.problem = problem
        self.goal_sets = list(problem.goal_sets())
        self.all_cost_one = False
        """Whether every action of every state costs 1: known once all states have been numbered."""

    @cached_property
    def starts(self) -> list[Any]:
        """The possible starts."""
        return list(dict.fromkeys(initial_states(self.problem)))

    def results(self, state: Any, action: Any) -> list[Any]:
        return list(dict.fromkeys(successors(self.problem, state, action)))

    def numbered(self, proof: Mapping[str, Any]) -> dict[Any, int]:
        """Every state that can come up with its number in the proof, which must list exactly these."""
        written = list_of(proof, "states")
        number_of = {json.dumps(entry): number for number, entry in enumerate(written)}
        if len(number_of) < len(written):
            raise InvalidProofError("it lists a state more than once")
        found: dict[Any, int] = {}
        frontier: list[Any] = []

        def meet(states: list[Any]) -> None:
            for state in states:
                if state not in found:
                    number = number_of.pop(json.dumps(encode_state(self.problem, state)), None)
                    if number is None:
                        raise InvalidProofError(
                            f"it lacks the state {self.problem.format_state(state)}, which can come up"
                        )
                    found[state] = number
                    frontier.append(state)

        meet(self.starts)
        all_cost_one = True
        for state in frontier:  # grows while it is walked
            for action in self.problem.actions(state):
                meet(self.results(state, action))
                # Asked of each: what `has_unit_costs` says is the author's word.
                all_cost_one = all_cost_one and checked_cost(self.problem, state, action) == 1
        self.all_cost_one = all_cost_one
        if number_of:
            raise InvalidProofError(f"it lists the state {next(iter(number_of))}, which cannot come up")
        return found


def _refuse_too_long(proof: Mapping[str, Any]) -> None:
    """Refuse lists that would keep us busy for days, before anything is done with them."""
    ahead, behind = (len(list_of(proof, key)) if key in proof else 0 for key in ("ahead", "behind"))
    for thing, count, most in (("beliefs ahead", ahead, MOST_LISTED), ("sets behind", behind, MOST_COVERED)):
        if count > most:
            raise InvalidProofError(f"it lists {count:,} {thing}, and this checker takes at most {most:,}")
    if ahead > MOST_COVERED and whole_number(proof, "rest"):
        raise InvalidProofError(
            f"it lists {ahead:,} beliefs ahead, and this checker follows a rest from at most {MOST_COVERED:,}"
        )


def _lacking(
    model: _SetModel, proof: Mapping[str, Any], start: int, behind: _Cover, bound: Cost, reach: Cost, states: int
) -> str:
    """Return the gap of a long forward list in which each belief stands for itself; empty if there is none."""
    from .proof_long_lists import NotWholeError, SortedSets, what_is_not_listed  # with NumPy

    try:
        listed = SortedSets(valued_sets(proof, "ahead", states), len(list_of(proof, "ahead")), states)
    except NotWholeError as error:
        if model.has_unit_costs():
            raise
        return str(error)  # where costs are fractions or giants, so may be what beliefs cost
    return what_is_not_listed(listed, start, model.steps(), behind, bound, reach, unit_costs=model.has_unit_costs())


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
        if followed > MOST_FOLLOWED:
            raise InvalidProofError(f"more than {MOST_FOLLOWED:,} sets would have to be followed beyond its lists")
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

    def has_unit_costs(self) -> bool:
        return self._all_cost_one

    def steps(self) -> list[Step]:
        """Return the effect of each action, for arrays."""
        from .proof_long_lists import Step

        return [Step(self._domain[action], self._images[action].tables) for action in self.actions]

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
        self.tables = []
        for first in range(0, states, 8):
            table = [0]
            for number in range(first, first + 8):
                row = rows.get(number, 0)
                table += [union | row for union in table]
            self.tables.append(table)

    def of(self, members: int) -> int:
        union = 0
        for table, byte in zip(self.tables, members.to_bytes(len(self.tables), "little"), strict=True):
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
