"""The order in which a lazy search tries actions: the most often successful first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple

from ...model.base import Action
from ...model.values import listed


class Untried(NamedTuple, Generic[Action]):
    """The actions that are left to try in a state, in the order that was the best when it was expanded.

    `after` is how many successes there had been by then, `last` the action tried last.
    """

    left: Iterator[Action]
    after: int
    last: Action


class ActionOrder(Generic[Action]):
    """Actions ranked by their number of successes; those without keep the author's order."""

    def __init__(self) -> None:
        self.successes: list[Action] = []
        """The actions that succeeded, one after the other."""
        self._ranked: list[Action] = []
        self._times: dict[Action, int] = {}
        self._last_list: Iterable[Action] = ()
        self._last_set: frozenset[Action] = frozenset()

    def __call__(self, actions: Iterable[Action]) -> Iterator[Action]:
        """`actions`, the best first by the current ranks."""
        return self._by(actions, tuple(self._ranked))

    def go_on(self, successes: Sequence[Action], wanted: frozenset[int]) -> Mapping[int, tuple[Action, ...]]:
        """Take up these successes; returns how actions were ranked after so many of them as are `wanted`."""
        ranked = {}
        for action in successes:
            if len(self.successes) in wanted:
                ranked[len(self.successes)] = tuple(self._ranked)
            self.succeeded(action)
        ranked[len(self.successes)] = tuple(self._ranked)
        return ranked

    def untried(
        self, actions: Callable[[], Iterable[Action]], ranked: tuple[Action, ...], after: int, last: Action
    ) -> Untried[Action]:
        """Yield the rest of `actions` after `last`, in their order when they were ranked like this."""

        def rest() -> Iterator[Action]:
            left = self._by(actions(), ranked)
            for action in left:
                if action == last:
                    break
            yield from left

        return Untried(rest(), after, last)

    def _by(self, actions: Iterable[Action], ranked: tuple[Action, ...]) -> Iterator[Action]:
        if not ranked:
            return iter(actions)
        applicable = actions if isinstance(actions, tuple) else tuple(listed(actions))
        return self._in_order(applicable, ranked)

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
        self.successes.append(action)
        times = self._times.get(action, 0) + 1
        self._times[action] = times
        if times == 1:
            self._ranked.append(action)
        place = self._ranked.index(action)
        while place and self._times[self._ranked[place - 1]] < times:
            self._ranked[place], self._ranked[place - 1] = self._ranked[place - 1], self._ranked[place]
            place -= 1
