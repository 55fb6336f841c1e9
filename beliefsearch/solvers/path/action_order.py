"""The order in which a lazy search tries actions: the most often successful first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic

from ...model.problem import Action
from ...model.values import listed


class ActionOrder(Generic[Action]):
    """Actions ranked by their number of successes; those without keep the author's order."""

    def __init__(self) -> None:
        self._ranked: list[Action] = []
        self._times: dict[Action, int] = {}
        self._last_list: Iterable[Action] = ()
        self._last_set: frozenset[Action] = frozenset()

    def __call__(self, actions: Iterable[Action]) -> Iterator[Action]:
        """`actions`, the best first by the current ranks."""
        if not self._ranked:
            return iter(actions)
        applicable = actions if isinstance(actions, tuple) else tuple(listed(actions))
        return self._in_order(applicable, tuple(self._ranked))

    def _in_order(self, applicable: Sequence[Action], ranked: tuple[Action, ...]) -> Iterator[Action]:
        if applicable is not self._last_list:  # most problems give one and the same tuple again and again
            self._last_list, self._last_set = applicable, frozenset(applicable)
        members = self._last_set
        for action in ranked:
            if action in members:
                yield action
        tried = frozenset(ranked)
        for action in applicable:
            if action not in tried:
                yield action

    def succeeded(self, action: Action) -> None:
        """Count a success of `action`."""
        times = self._times.get(action, 0) + 1
        self._times[action] = times
        if times == 1:
            self._ranked.append(action)
        place = self._ranked.index(action)
        while place and self._times[self._ranked[place - 1]] < times:
            self._ranked[place], self._ranked[place - 1] = self._ranked[place - 1], self._ranked[place]
            place -= 1
