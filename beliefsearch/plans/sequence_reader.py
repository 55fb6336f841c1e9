"""Reading a sequence of actions from a plan file without following every belief on the way.

What an entry means can be seen in any one state that is possible where it stands, so that reading is quick
however long the plan is and however large its beliefs are. Whether an action applies in all of them is found
out by whoever does it there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Generic

from ..errors import InvalidPlanError
from ..model.base import Action, State
from ..model.belief import initial_states, successors
from ..model.problem import BeliefProblem
from .encoding import ActionReader, Json


def read_sequence(problem: BeliefProblem[State, Action, Any], entries: Iterable[Json]) -> tuple[Action, ...]:
    """The actions that `entries` stand for; raises `InvalidPlanError`, which names the step, if one is no action there.

    As long as only one state is possible, as in a plain problem, each is read where it stands. From there on, since
    actions are mostly the same in all states, one is read in a state that was possible before, and only if that has no
    such action, along one course that the game may take.
    """
    reader = _Reader(problem)
    return tuple(reader.read(entry) for entry in entries)


class _Reader(Generic[State, Action]):
    """Reads one entry after the other."""

    def __init__(self, problem: BeliefProblem[State, Action, Any]) -> None:
        self._problem = problem
        self._reader: ActionReader[State, Action] = ActionReader(problem)
        self._read: list[Action] = []
        self._meanings: dict[str, Action] = {}
        # One course of the game, as far as it had to be followed: a state, and the actions done until then.
        self._done = 0
        self._certain = True  # whether there is no other
        self._come_to(initial_states(problem))

    def read(self, entry: Json) -> Action:
        if self._certain:
            self._follow()
        if self._certain:
            action = self._read_here(entry)
        else:
            key = repr(entry)
            if key not in self._meanings:
                self._meanings[key] = self._read_somewhere(entry)
            action = self._meanings[key]
        self._read.append(action)
        return action

    def _read_somewhere(self, entry: Json) -> Action:
        try:
            return self._read_here(entry)
        except InvalidPlanError:
            if self._done == len(self._read):
                raise
        self._follow()
        return self._read_here(entry)

    def _read_here(self, entry: Json) -> Action:
        try:
            return self._reader.read(entry, [self._state])
        except InvalidPlanError as error:
            raise InvalidPlanError(f"step {len(self._read) + 1}: {error} that applies here") from None

    def _follow(self) -> None:
        """Follow the belief up to the entry that is to be read."""
        for action in islice(self._read, self._done, len(self._read)):
            problem = self._problem
            if action not in problem.actions(self._state):
                text, where = problem.format_action(action), problem.format_state(self._state)
                raise InvalidPlanError(f"step {self._done + 1}: the action {text} does not apply to {where}")
            self._come_to(successors(problem, self._state, action))
            self._done += 1

    def _come_to(self, states: Iterator[State]) -> None:
        self._state, *others = islice(states, 2)
        self._certain = self._certain and not others
