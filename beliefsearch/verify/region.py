"""The checker of winning regions: every safe action stays in the region, and from every state a goal stays in reach.

What it proves: who only does safe actions, and each of them now and then, wins with probability 1 from every belief of
the region, where results and percepts come by chance. That nobody wins from other beliefs, or after other actions, it
does not prove.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from ..errors import InvalidPlanError
from ..model.belief import initial_states, perceived, successors
from ..model.problem import BeliefProblem
from ..plans.encoding import encode_action, encode_state
from .verdict import DoesNotHoldError

_Row = Sequence[tuple[Any, int]]
"""What may follow an action in a state: percepts, each with the number of a state."""


def check_region(
    problem: BeliefProblem[Any, Any, Any], written: Mapping[str, Any], tick: Callable[[], None] = lambda: None
) -> tuple[int, bool]:
    """Check a region in a plan file; returns how many beliefs it has, and whether the start is one of them.

    Raises `InvalidPlanError` if it is malformed, and `DoesNotHoldError` if it does not hold.
    """
    return _Check(problem, written, tick).run()


class _Check:
    """The beliefs as bit sets over the listed states, and what may follow by their safe actions."""

    def __init__(
        self, problem: BeliefProblem[Any, Any, Any], written: Mapping[str, Any], tick: Callable[[], None]
    ) -> None:
        self._problem = problem
        self._tick = tick
        self._start = written.get("start")
        texts = _keys(written, "states")
        self._actions = _keys(written, "actions")
        self._beliefs = [_mask(entry, len(texts)) for entry in _list(written, "beliefs")]
        self._safe = [_numbers(entry, len(self._actions)) for entry in _list(written, "safe")]
        if len(self._safe) != len(self._beliefs):
            raise InvalidPlanError(f"it has {len(self._beliefs)} beliefs, but safe actions of {len(self._safe)}")
        self._number_of = {belief: number for number, belief in enumerate(self._beliefs)}
        if len(self._number_of) < len(self._beliefs):
            raise InvalidPlanError("it lists a belief more than once")
        self._states = self._found(texts)
        self._place_of = {state: place for place, state in enumerate(self._states)}
        self._rows: dict[tuple[int, int], _Row | None] = {}
        self._goals = [
            sum(1 << place for place, state in enumerate(self._states) if state in goals)
            for goals in problem.goal_sets()
        ]

    def run(self) -> tuple[int, bool]:
        # By belief, for each safe action: its number, and by percept the belief that follows.
        after = [list(self._follow(number)) for number in range(len(self._beliefs))]
        self._check_reach(after)
        return len(self._beliefs), self._has_start()

    def _found(self, texts: Mapping[str, int]) -> list[Any]:
        """The states with these texts, of all that can come up."""
        problem = self._problem
        found: dict[int, Any] = {}
        met = dict.fromkeys(initial_states(problem, self._tick))
        frontier = list(met)
        for state in frontier:  # grows while it is walked
            place = texts.get(json.dumps(encode_state(problem, state)))
            if place is not None and found.setdefault(place, state) != state:
                raise InvalidPlanError(f"several states are written as {problem.format_state(state)}")
            for action in problem.actions(state):
                for result in successors(problem, state, action, self._tick):
                    if result not in met:
                        met[result] = None
                        frontier.append(result)
        for text, place in texts.items():
            if place not in found:
                raise DoesNotHoldError(f"the state {text} cannot come up")
        return [found[place] for place in range(len(texts))]

    def _follow(self, number: int) -> Iterator[tuple[int, dict[Any, int]]]:
        belief = self._beliefs[number]
        if any(not belief & ~goals for goals in self._goals):
            if self._safe[number]:
                raise DoesNotHoldError(f"{self._text(belief)} is won, but it lists actions there")
            return
        if not self._safe[number]:
            raise DoesNotHoldError(f"{self._text(belief)} is not won, and no action is listed there")
        for action in self._safe[number]:
            self._tick()
            images: dict[Any, int] = {}
            for place in _members(belief):
                row = self._row(place, action)
                if row is None:
                    raise DoesNotHoldError(f"{self._name(action)} does not apply in {self._text(1 << place)}")
                for percept, result in row:
                    if result < 0:
                        raise DoesNotHoldError(
                            f"{self._name(action)} in {self._text(1 << place)} leads to a state that is not listed"
                        )
                    images[percept] = images.get(percept, 0) | 1 << result
            try:
                yield action, {percept: self._number_of[image] for percept, image in images.items()}
            except KeyError as error:
                outside = self._text(error.args[0])
                raise DoesNotHoldError(
                    f"{self._name(action)} in {self._text(belief)} may lead to {outside}, which is not listed"
                ) from None

    def _row(self, place: int, action: int) -> _Row | None:
        """What may follow an action in a state, a place of -1 for a state that is not listed; None: it does not apply.

        All actions of a state are asked for at once.
        """
        if (place, action) not in self._rows:
            problem, state = self._problem, self._states[place]
            for number in range(len(self._actions)):
                self._rows[place, number] = None
            for known in problem.actions(state):
                number = self._actions.get(json.dumps(encode_action(problem, known)), -1)
                if number < 0:
                    continue
                if self._rows[place, number] is not None:
                    raise InvalidPlanError(f"several actions are written as {problem.format_action(known)}")
                self._rows[place, number] = tuple(
                    (percept, self._place_of.get(result, -1))
                    for result in dict.fromkeys(successors(problem, state, known, self._tick))
                    for percept in dict.fromkeys(perceived(problem, result, known))
                )
        return self._rows[place, action]

    def _check_reach(self, after: Sequence[Sequence[tuple[int, Mapping[Any, int]]]]) -> None:
        """Make sure that from each state of each belief safe actions may lead to a won one."""
        able = [belief if not after[number] else 0 for number, belief in enumerate(self._beliefs)]
        waiting = _nearest_first(after)
        while waiting:
            gained = False
            for number in waiting:
                self._tick()
                for place in _members(self._beliefs[number] & ~able[number]):
                    if any(
                        able[children[percept]] >> result & 1
                        for action, children in after[number]
                        for percept, result in self._rows[place, action] or ()
                    ):
                        able[number] |= 1 << place
                        gained = True
            waiting = [number for number in waiting if able[number] != self._beliefs[number]]
            if not gained and waiting:
                stuck = self._beliefs[waiting[0]] & ~able[waiting[0]]
                raise DoesNotHoldError(
                    f"from {self._text(self._beliefs[waiting[0]])} no listed actions lead to a won belief if the state "
                    f"is {self._text(stuck & -stuck)}"
                )

    def _has_start(self) -> bool:
        start = self._start
        if start is None:
            return False
        places = [self._place_of.get(state) for state in initial_states(self._problem, self._tick)]
        belief = sum(1 << place for place in set(places) if place is not None)
        if None in places or self._number_of.get(belief, -1) != start:
            raise DoesNotHoldError(f"its start is said to be belief {start!r:.40}, which it is not")
        return True

    def _name(self, action: int) -> str:
        return next(text for text, number in self._actions.items() if number == action)

    def _text(self, belief: int) -> str:
        """A belief in words: one state of it, and how many others there are."""
        places = _members(belief)
        more = f" or {len(places) - 1} others" if len(places) > 1 else ""
        return f"{self._problem.format_state(self._states[places[0]])}{more}"


def _nearest_first(after: Sequence[Sequence[tuple[int, Mapping[Any, int]]]]) -> list[int]:
    """The beliefs with actions, those first that may be won soonest."""
    before: dict[int, list[int]] = {}
    for number, options in enumerate(after):
        for child in {child for _, children in options for child in children.values()}:
            before.setdefault(child, []).append(number)
    frontier = [number for number, options in enumerate(after) if not options]
    met = set(frontier)
    for number in frontier:  # grows while it is walked
        for origin in before.get(number, ()):
            if origin not in met:
                met.add(origin)
                frontier.append(origin)
    frontier += (number for number in range(len(after)) if number not in met)
    return [number for number in frontier if after[number]]


def _members(belief: int) -> list[int]:
    members = []
    while belief:
        lowest = belief & -belief
        members.append(lowest.bit_length() - 1)
        belief ^= lowest
    return members


def _list(written: Mapping[str, Any], key: str) -> Collection[Any]:
    value = written.get(key)
    if not isinstance(value, list):
        raise InvalidPlanError(f"its plan should have a list {key!r}, but that is {value!r:.40}")
    return value


def _keys(written: Mapping[str, Any], key: str) -> dict[str, int]:
    """The entries of a list, as text, each with its number."""
    entries = _list(written, key)
    keys = {json.dumps(entry): number for number, entry in enumerate(entries)}
    if len(keys) < len(entries):
        raise InvalidPlanError(f"it lists one of the {key} more than once")
    return keys


def _numbers(entry: Any, size: int) -> list[int]:
    """A list of different numbers below `size`."""
    if not isinstance(entry, list) or not all(type(number) is int and 0 <= number < size for number in entry):
        raise InvalidPlanError(f"{entry!r:.40} should be a list of whole numbers from 0 to {size - 1}")
    if len(set(entry)) < len(entry):
        raise InvalidPlanError(f"{entry!r:.40} has a number twice")
    return entry


def _mask(entry: Any, states: int) -> int:
    mask = sum(1 << number for number in _numbers(entry, states))
    if not mask:
        raise InvalidPlanError("a belief has at least one state")
    return mask
