"""Lower bounds of blind problems by cores: small parts of beliefs from which just as much has to be paid."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..errors import InvalidProofError
from ..verify.checker import Game
from ..verify.numbered import written

MOST_ENTRIES = 1_000_000
"""A table of cores has no more entries."""


def lower_by_cores(game: Game, bound: Any, tick: Callable[[], None]) -> dict[str, Any]:
    """The table `lower` for a true bound of a game in which nothing is perceived and every action costs something.

    Whoever needs v from a belief needs v less the cost of an action from its outcome; an entry inside that outcome is a
    reason. Of the belief those states are kept that lead to the entries, let no other action apply, and leave it open.

    Raises
    ------
    InvalidProofError
        If the bound is not true, or the entries are too many.
    """
    return _Cores(game, tick).table(bound)


class _Frame:
    """A belief whose entry is looked for."""

    def __init__(self, game: Game, belief: frozenset[int], value: Any) -> None:
        self.belief, self.value = belief, value
        members = sorted(belief)
        self.costs = {action: game.cost(action, members) for action in game.applicable(members)}
        needed = (action for action, cost in self.costs.items() if cost < value)
        outcomes = ((action, frozenset(game.outcome(action, members, 0))) for action in needed)
        # The smallest outcome first: its entry is the smallest, and may do for others.
        self.waiting: Iterator[tuple[int, frozenset[int]]] = iter(sorted(outcomes, key=lambda pair: len(pair[1])))
        self.reasons: dict[int, int] = {}
        self.action = -1


class _Cores:
    def __init__(self, game: Game, tick: Callable[[], None]) -> None:
        self.game, self.tick = game, tick
        self.entries: list[tuple[list[int], Any, list[int]]] = []
        # Entries as bits: by state those that have it, and by value those of this one.
        self.with_state = [0] * game.states
        self.with_value: dict[Any, int] = defaultdict(int)

    def table(self, bound: Any) -> dict[str, Any]:
        """The table, whose root is its last entry."""
        stack = [_Frame(self.game, frozenset(self.game.start), bound)]
        while stack:
            frame = stack[-1]
            child = next(frame.waiting, None)
            if child is None:
                stack.pop()
                number = self.add(frame)
                if stack:
                    stack[-1].reasons[stack[-1].action] = number
                continue
            frame.action, outcome = child
            value = frame.value - frame.costs[frame.action]
            known = self.inside(outcome, value)
            if known >= 0:
                frame.reasons[frame.action] = known
            else:
                stack.append(_Frame(self.game, outcome, value))
        return {
            "kind": "lower",
            "root": len(self.entries) - 1,
            "beliefs": [belief for belief, _, _ in self.entries],
            "values": [written(value) for _, value, _ in self.entries],
            "reasons": [reason for _, _, reason in self.entries],
        }

    def inside(self, belief: frozenset[int], value: Any) -> int:
        """An entry that lies in a belief and needs at least as much; -1 if there is none."""
        outside = 0
        for s, entries in enumerate(self.with_state):
            if s not in belief:
                outside |= entries
        for worth, entries in self.with_value.items():
            if worth >= value and (found := entries & ~outside):
                return found.bit_length() - 1
        return -1

    def add(self, frame: _Frame) -> int:
        """Add the entry of a belief all of whose outcomes have one."""
        self.tick()
        belief, value, number = sorted(frame.belief), frame.value, len(self.entries)
        if self.game.is_won(belief):
            raise InvalidProofError("the bound is not true: a belief is won for less")
        if number == MOST_ENTRIES:
            raise InvalidProofError(f"a table would have more than {MOST_ENTRIES:,} entries")
        core: set[int] = set()
        for goal in self.game.goals:
            keep_one(core, (s for s in belief if s not in goal))
        for action, rows in enumerate(self.game.steps):
            if action not in frame.costs:
                keep_one(core, (s for s in belief if rows[s] is None))
            elif (costs := self.game.costs[action]) is not None:
                keep_one(core, (s for s in belief if costs[s] == frame.costs[action]))
        for action, entry in frame.reasons.items():
            before = defaultdict(list)
            for s in belief:
                for _, results in self.game.steps[action][s] or ():
                    for t in results:
                        before[t].append(s)
            for t in self.entries[entry][0]:
                keep_one(core, before[t])
        core = core or {belief[0]}
        reason = [x for action in frame.costs for x in (0, frame.reasons.get(action, -1))]
        self.entries.append((sorted(core), value, reason))
        for s in core:
            self.with_state[s] |= 1 << number
        self.with_value[value] |= 1 << number
        return number


def keep_one(core: set[int], states: Iterable[int]) -> None:
    """Have one of some states in a core, which may have one already."""
    listed = list(states)
    if core.isdisjoint(listed):
        core.add(listed[0])
