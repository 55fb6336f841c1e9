"""Bounded AND-OR search of a guessing game: sets of starts that can be won within some number of actions.

It is the search of `solvers/contingent/ldfs.py`, depth first and within a bound, but for all actions of a set at once.
It is fast since a set that cannot be won is cut down to a *core*: a small set that cannot be won within the number of
actions either. Whoever cannot win a set cannot win a larger one. So an action that leaves all of a core together, in
one block, is of no use in any set that includes the core: one core rules out many actions in many sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...solvers.trampoline import Calls
from .listed_percepts import most_won_within
from .outcome_table import OutcomeTable
from .ways import distinguishing_action

Starts: TypeAlias = NDArray[np.intp]
"""The numbers of some starts, in ascending order."""

Bits: TypeAlias = NDArray[np.uint64]
"""Flags as 64-bit words."""

# The parts of so many pairs of an action and a start are counted at a time.
_AT_ONCE = 4_000_000
# To ask for the symmetries of a smaller set would take longer than it saves.
_FEW = 32
_WORD = 64
_ROOM = 16  # room for so many cores is made at first
_FEW_CORES = 200  # so many are looked at first when few are to be chosen


class WonWithin:
    """Sets of starts that can be won within some number of actions, and cores, which cannot; and the search for more.

    All actions cost the same, and there is a plan for all starts. `expand` is called before a set is searched, with how
    many actions are allowed, and may raise to stop the work. `distinct` gives the numbers of the actions of which the
    others are images by symmetry, or None. With `by_cores_alone` neither symmetry nor the sizes of sets are an
    argument, so that for every set that cannot be won there are cores that say why.
    """

    def __init__(
        self,
        outcomes: OutcomeTable[Any],
        expand: Callable[[int], None] = lambda actions: None,
        distinct: Callable[[Starts], Starts | None] = lambda members: None,
        *,
        by_cores_alone: bool = False,
    ) -> None:
        self._won = outcomes.won
        self._outcomes = np.ascontiguousarray(np.minimum(outcomes.table, self._won).T, dtype=np.uint16)
        self._expand = expand
        self._distinct = distinct
        self._by_cores_alone = by_cores_alone
        self._starts, self._actions = self._outcomes.shape
        # With so many actions a single start is won, and no two are.
        self._alone = 0 if outcomes.knowing_wins else 1
        self._one_by_one = bool(((self._outcomes == self._won).sum(axis=0) <= 1).all())
        self._cores: dict[int, Cores] = {}
        self._latest: tuple[Starts | None, Any] = None, None  # the latest core, and the actions that leave it together
        self._plan: dict[bytes, tuple[int, int]] = {}  # by set: within how many actions it is won, and the first
        if not self._one_by_one:
            for start in range(self._starts):
                self._add(np.array([start]), 0, ())
        self.generated = 0
        self.capacities = self._find_capacities()

    def __len__(self) -> int:
        """Return the number of sets that are known to be won, or are cores."""
        return len(self._plan) + sum(map(len, self._cores.values()))

    def _find_capacities(self) -> list[int]:
        """Compute, by number of actions, the largest size of a set that is won within them."""
        sizes = self._part_sizes(np.arange(self._starts), np.arange(self._actions))
        most = most_won_within(sizes[:, :-1], sizes[:, -1], self._starts, knowing_wins=not self._alone)
        return [1 - self._alone, *most[1:]]

    def _part_sizes(self, members: Starts, actions: Starts) -> NDArray[np.int64]:
        """Count, by action and outcome, the members that have it; the last column counts those that are won."""
        width = self._won + 1
        sizes = np.zeros((len(actions), width), np.int64)
        rows = max(1, _AT_ONCE // len(members))
        for first in range(0, len(actions), rows):
            some = actions[first : first + rows]
            places = self._outcomes[members[:, np.newaxis], some] + np.arange(len(some)) * width
            sizes[first : first + rows] = np.bincount(places.ravel(), minlength=len(some) * width).reshape(-1, width)
        return sizes

    def _leave_whole(self, members: Starts) -> NDArray[np.bool_]:
        """Return the actions that leave all these starts together, and do not win them."""
        first = self._outcomes[members[0]]
        together: NDArray[np.bool_] = first != self._won
        for member in members[1:]:
            together &= self._outcomes[member] == first
        return together

    def first_action(self, members: Starts) -> int:
        """Return the action to begin with in a set that is known to be won, or is one start."""
        if members.tobytes() in self._plan:
            return self._plan[members.tobytes()][1]
        return int(np.argmax(self._outcomes[members[0]] == self._won))

    def why_lost(self, core: Starts, actions: int) -> dict[tuple[int, ...], int]:
        """Return the sets of starts, each with a lower bound, that prove that a core cannot be won so soon.

        It is itself the first, and must be the latest found; then come those on which the argument rests.
        """
        found = {tuple(core.tolist()): actions + 1}
        needed = {len(self._of(actions)) - 1} if len(self._of(actions)) else set()
        for level in range(actions, -1, -1):
            below: set[int] = set()
            for number in sorted(needed):
                members: list[int] = self._of(level).members(np.array([number])).tolist()
                found[tuple(members)] = level + 1
                below.update(self._of(level).why[number])
                if level == self._alone + 1 and self._one_by_one:
                    found.update(dict.fromkeys(combinations(members, 2), level))
            needed = below
        if self._alone:
            found.update(dict.fromkeys(((member,) for members in list(found) for member in members), 1))
        return found

    def lost(self, members: Starts, actions: int, came_by: int | None = None) -> Calls[Starts | None]:
        """Return starts of the set that together cannot be won within so many actions; None if it is won.

        `came_by` is an action of which the set is a part.
        """
        if len(members) == 1 and actions >= self._alone:
            return None
        if actions < self._alone:
            return members[:1]
        if actions == self._alone and (self._one_by_one or not actions):
            return members[:2]
        known = self._plan.get(members.tobytes())
        if known is not None and known[0] <= actions:
            return None
        if len(members) > self._capacity(actions):
            return members
        self._expand(actions)
        if actions == self._alone + 1 and self._one_by_one:
            return self._not_distinguished(members, actions)
        found: Starts | None = yield self._search(members, actions, came_by)
        return found

    def _capacity(self, actions: int) -> int:
        by_size = actions < len(self.capacities) and not self._by_cores_alone
        return self.capacities[actions] if by_size else self._starts

    def _win(self, members: Starts, actions: int, first: int) -> None:
        self._plan[members.tobytes()] = actions, first

    def _add(self, core: Starts, actions: int, why: Starts | tuple[()]) -> Starts:
        flags = np.zeros(self._starts, np.bool_)
        flags[core] = True
        useless = self._leave_whole(core)
        self._of(actions).add(packed(flags), packed(useless), map(int, why))
        self._latest = core, useless
        return core

    def _of(self, actions: int) -> Cores:
        if actions not in self._cores:
            self._cores[actions] = Cores(self._starts, self._actions)
        return self._cores[actions]

    def _not_distinguished(self, members: Starts, actions: int) -> Starts | None:
        """Return some starts of the set that no action distinguishes; None if one does."""
        chosen = np.zeros(len(members), np.bool_)
        action = distinguishing_action(self._outcomes[members], self._won, chosen)
        self.generated += self._actions
        if action >= 0:
            self._win(members, actions, action)
            return None
        return self._add(members[chosen], actions, ())

    def _search(self, members: Starts, actions: int, came_by: int | None) -> Calls[Starts | None]:
        flags = np.zeros(self._starts, np.bool_)
        flags[members] = True
        belief = packed(flags)

        def inside(cores: Cores) -> NDArray[np.intp]:
            return cores.inside(belief, np.arange(len(cores)) if came_by is None else cores.useless_with(came_by))

        known = inside(self._of(actions))
        if len(known):
            return self._of(actions).members(known[:1])
        cores = self._of(actions - 1)
        untried = ~unpacked(cores.ruled_out(inside(cores)), self._actions)
        distinct = self._distinct(members) if len(members) >= _FEW and not self._by_cores_alone else None
        tried = np.flatnonzero(untried) if distinct is None else distinct[untried[distinct]]
        for action in self._most_promising_first(members, tried, self._capacity(actions - 1)):
            if not untried[action]:
                continue
            self.generated += 1
            core: Starts | None = yield self._lost_part(members, action, actions - 1)
            if core is None:
                self._win(members, actions, action)
                return None
            untried[action] = False
            untried &= ~(self._latest[1] if self._latest[0] is core else self._leave_whole(core))
        ruled_out = unpacked(cores.ruled_out(inside(cores)), self._actions)
        if not (
            ruled_out | self._leave_whole(members)
        ).all():  # other actions make too large parts, or are images of those tried
            return self._add(members, actions, ())
        # What leaves the whole set together leaves every core of it together.
        why = cores.few_that_rule_out(inside(cores), packed(ruled_out))
        return self._add(cores.members(why), actions, why)

    def _most_promising_first(self, members: Starts, actions: Starts, most: int) -> list[int]:
        """Return the actions that split a set into blocks of so many at the most, first those that make most blocks.

        Of those that make as many the one comes first whose largest is the smallest.
        """
        if not len(actions):
            return []
        sizes = self._part_sizes(members, actions)
        largest = sizes[:, :-1].max(axis=1, initial=0)
        order = np.lexsort((largest, -np.count_nonzero(sizes, axis=1)))
        found: list[int] = actions[order[largest[order] <= min(most, len(members) - 1)]].tolist()
        return found

    def _lost_part(self, members: Starts, action: int, actions: int) -> Calls[Starts | None]:
        """Return a block that an action makes of the set, or some of it, that cannot be won; None if all can."""
        outcomes = self._outcomes[members, action]
        sizes = np.bincount(outcomes, minlength=self._won + 1)[: self._won]
        for outcome in np.argsort(-sizes, kind="stable"):
            if not sizes[outcome]:
                break
            core: Starts | None = yield self.lost(members[outcomes == outcome], actions, action)
            if core is not None:
                return core
        return None


def packed(flags: NDArray[np.bool_]) -> Bits:
    """Return flags as bits of 64-bit words, along the last axis."""
    padding = -flags.shape[-1] % _WORD
    if padding:
        flags = np.concatenate([flags, np.zeros((*flags.shape[:-1], padding), np.bool_)], axis=-1)
    return np.packbits(flags, axis=-1, bitorder="little").view(np.uint64)


def unpacked(words: Bits, count: int) -> NDArray[np.bool_]:
    """Return the first `count` flags of words made by `packed`."""
    return np.unpackbits(words.view(np.uint8), axis=-1, count=count, bitorder="little").view(np.bool_)


class Cores:
    """Cores for one number of actions: of each its members, and the actions that leave all of it together.

    `why` has for each core the numbers of those for one action less that rule out all actions in it.
    """

    def __init__(self, starts: int, actions: int) -> None:
        self._starts = starts
        self._members = np.zeros((_ROOM, -(-starts // _WORD)), np.uint64)
        self._useless = np.zeros((_ROOM, -(-actions // _WORD)), np.uint64)
        self._rules_out: list[int] = []  # how many actions
        self.why: list[list[int]] = []

    def __len__(self) -> int:
        return len(self.why)

    def add(self, members: Bits, useless: Bits, why: Iterable[int]) -> None:
        """Add a core."""
        place = len(self.why)
        if place == len(self._members):
            self._members = np.concatenate([self._members, np.zeros_like(self._members)])
            self._useless = np.concatenate([self._useless, np.zeros_like(self._useless)])
        self._members[place] = members
        self._useless[place] = useless
        self._rules_out.append(int(np.bitwise_count(useless).sum()))
        self.why.append(list(why))

    def useless_with(self, action: int) -> NDArray[np.intp]:
        """Return the numbers of the cores that an action leaves together."""
        bits = self._useless[: len(self), action // _WORD] >> np.uint64(action % _WORD)
        return np.flatnonzero(bits & np.uint64(1))

    def inside(self, belief: Bits, among: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return those of the cores with these numbers that a set of starts includes."""
        found: NDArray[np.intp] = among[~np.any(self._members[among] & ~belief, axis=1)]
        return found

    def ruled_out(self, numbers: NDArray[np.intp]) -> Bits:
        """Return the actions that leave one of these cores together."""
        return np.asarray(np.bitwise_or.reduce(self._useless[numbers], axis=0))

    def members(self, numbers: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the starts that lie in any of these cores."""
        return np.flatnonzero(unpacked(np.bitwise_or.reduce(self._members[numbers], axis=0), self._starts))

    def few_that_rule_out(self, numbers: NDArray[np.intp], actions: Bits) -> NDArray[np.intp]:
        """Return some of these cores that together rule out all these actions, greedily chosen to have few members."""
        if len(numbers) > _FEW_CORES:  # mostly those that rule out the most actions do
            some = numbers[np.argsort(-np.array(self._rules_out)[numbers], kind="stable")[:_FEW_CORES]]
            if not (actions & ~self.ruled_out(some)).any():
                numbers = some
        useless, members = self._useless[numbers], self._members[numbers]
        chosen = []
        union = np.zeros_like(self._members[0])
        left = actions.copy()
        while left.any():
            gains = np.bitwise_count(useless & left).sum(axis=1, dtype=np.int64)
            new = np.bitwise_count(members & ~union).sum(axis=1, dtype=np.int64)
            best = np.argmax(gains / (new + 0.3))
            chosen.append(numbers[best])
            union |= members[best]
            left &= ~useless[best]
        return np.array(chosen, dtype=np.intp)
