"""The checker of winning regions: every safe action stays in the region, and from every state a goal stays in reach.

What it proves: who only does safe actions, and each of them now and then, wins with probability 1 from every belief of
the region, where results and percepts come by chance. That nobody wins from other beliefs, or after other actions, it
does not prove.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

from ..errors import InvalidPlanError
from ..model.belief import initial_states, perceived, successors
from ..model.problem import BeliefProblem
from ..plans.encoding import encode_action, encode_state
from .verdict import DoesNotHoldError

_Row: TypeAlias = "tuple[tuple[Any, int], ...]"
"""What may follow an action in a state: percepts, each with the states that may come with it as a bit set."""

_Options: TypeAlias = "list[tuple[int, dict[Any, int]]]"
"""The safe actions of a belief: the number of each, and by percept the number of the belief that follows."""


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
        self._members = [_numbers(entry, len(texts)) for entry in _list(written, "beliefs")]
        self._beliefs = list(map(_mask, self._members))
        self._safe = [_numbers(entry, len(self._actions)) for entry in _list(written, "safe")]
        if len(self._safe) != len(self._beliefs):
            raise InvalidPlanError(f"it has {len(self._beliefs)} beliefs, but safe actions of {len(self._safe)}")
        self._number_of = {belief: number for number, belief in enumerate(self._beliefs)}
        if len(self._number_of) < len(self._beliefs):
            raise InvalidPlanError("it lists a belief more than once")
        self._states = self._found(texts)
        self._place_of = {state: place for place, state in enumerate(self._states)}
        # By state, once it was asked for its actions: what may follow each of them, None where it does not apply.
        self._rows: list[list[_Row | None]] = [[] for _ in self._states]
        self._goals = [
            sum(1 << place for place, state in enumerate(self._states) if state in goals)
            for goals in problem.goal_sets()
        ]

    def run(self) -> tuple[int, bool]:
        self._check_reach([self._follow(number) for number in range(len(self._beliefs))])
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

    def _follow(self, number: int) -> _Options:
        """Do each safe action in every state of a belief."""
        belief = self._beliefs[number]
        if any(not belief & ~goals for goals in self._goals):
            if self._safe[number]:
                raise DoesNotHoldError(f"{self._text(belief)} is won, but it lists actions there")
            return []
        if not self._safe[number]:
            raise DoesNotHoldError(f"{self._text(belief)} is not won, and no action is listed there")
        self._tick()
        rows = [self._rows[place] or self._ask(place) for place in self._members[number]]
        options: _Options = []
        for action in self._safe[number]:
            images: dict[Any, int] = {}
            for place, row in zip(self._members[number], rows, strict=True):
                may_follow = row[action]
                if may_follow is None:
                    raise DoesNotHoldError(f"{self._name(action)} does not apply in {self._text(1 << place)}")
                for percept, mask in may_follow:
                    images[percept] = images[percept] | mask if percept in images else mask
            for percept, image in images.items():
                if image not in self._number_of:
                    outside = "a state" if image >> len(self._states) else self._text(image)
                    where = f"{self._name(action)} in {self._text(belief)}"
                    raise DoesNotHoldError(f"{where} may lead to {outside}, which is not listed")
                images[percept] = self._number_of[image]
            options.append((action, images))
        return options

    def _ask(self, place: int) -> list[_Row | None]:
        """Ask what may follow in a state. Beside the listed states there is one more bit, for all others."""
        problem, state = self._problem, self._states[place]
        row: list[_Row | None] = [None] * len(self._actions)
        for known in problem.actions(state):
            number = self._actions.get(json.dumps(encode_action(problem, known)))
            if number is None:
                continue
            if row[number] is not None:
                raise InvalidPlanError(f"several actions are written as {problem.format_action(known)}")
            masks: dict[Any, int] = {}
            for result in successors(problem, state, known, self._tick):
                bit = 1 << self._place_of.get(result, len(self._states))
                for percept in perceived(problem, result, known):
                    masks[percept] = masks.get(percept, 0) | bit
            row[number] = tuple(masks.items())
        self._rows[place] = row
        return row

    def _check_reach(self, after: Sequence[_Options]) -> None:
        """Make sure that from each state of each belief safe actions may lead to a won one."""
        able = [0 if options else belief for belief, options in zip(self._beliefs, after, strict=True)]
        waiting = _nearest_first(after)
        while waiting:
            gained = False
            for number in waiting:
                self._tick()
                found = sum(1 << place for place in self._members[number] if self._leads_on(place, after[number], able))
                gained = gained or found != able[number]
                able[number] = found
            waiting = [number for number in waiting if able[number] != self._beliefs[number]]
            if not gained and waiting:
                stuck = self._beliefs[waiting[0]] & ~able[waiting[0]]
                raise DoesNotHoldError(
                    f"from {self._text(self._beliefs[waiting[0]])} no listed actions lead to a won belief if the state "
                    f"is {self._text(stuck & -stuck)}"
                )

    def _leads_on(self, place: int, options: _Options, able: Sequence[int]) -> bool:
        """Whether one of the options may lead from a state to one that is known to be able to go on."""
        rows = self._rows[place]
        for action, children in options:
            for percept, mask in rows[action] or ():
                if able[children[percept]] & mask:
                    return True
        return False

    def _has_start(self) -> bool:
        start = self._start
        if start is None:
            return False
        places = [self._place_of.get(state) for state in initial_states(self._problem, self._tick)]
        belief = sum(1 << place for place in set(places) if place is not None)
        if None in places or type(start) is not int or self._number_of.get(belief) != start:
            raise DoesNotHoldError(f"its start is said to be belief {start!r:.40}, which it is not")
        return True

    def _name(self, action: int) -> str:
        return next(text for text, number in self._actions.items() if number == action)

    def _text(self, belief: int) -> str:
        """A belief in words: one state of it, and how many others there are."""
        first = (belief & -belief).bit_length() - 1
        others = belief.bit_count() - 1
        more = f" or {others} others" if others else ""
        return f"{self._problem.format_state(self._states[first])}{more}"


def _nearest_first(after: Sequence[_Options]) -> list[int]:
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


def _mask(places: list[int]) -> int:
    if not places:
        raise InvalidPlanError("a belief has at least one state")
    return sum(1 << place for place in places)
