"""Percepts of states that stay as they are, by the author's arrays, where these are too large for an outcome table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from ...model.base import Action, State
from ...model.hooks import ArrayHook, states_in_arrays
from ..bits.bitset import bit_numbers
from ..bits.contingent import BitsetContingentView
from ..compiled.array_hook_model import all_percepts, all_results, compare_outcomes, number_listed

# So few percepts are counted one by one, which bytes are quickest for.
_FEW = 8


class ListedParts(Generic[State, Action]):
    """Blocks, by percept, of all states that stay as they are, one action after the other; nothing is stored.

    Raises `ProblemError` if the hook breaks its contract. Of each action one start is compared with the definition.
    """

    def __init__(self, view: BitsetContingentView[State, Action], tick: Callable[[], None]) -> None:
        listed = states_in_arrays(view.problem)
        assert listed is not None, "the caller has asked"
        self._view = view
        self._tick = tick
        self._count = len(listed)
        self._number_of = number_listed(view.problem, view.model, listed, tick)  # by place in the list
        place_of = np.empty(len(view.model.states), dtype=np.intp)
        place_of[self._number_of] = np.arange(self._count)
        self._starts = place_of[list(bit_numbers(view.initial_node()))]
        self.apart = view.initial_node() if view.equally_likely else view.model.apart(view.initial_node())
        self._apart = place_of[list(bit_numbers(self.apart))]
        self._latest: tuple[Any, NDArray[np.bool_]] = None, np.zeros(0, dtype=np.bool_)
        self._asked = 0

    def of(self, action: Action) -> list[tuple[Any, int]]:
        """Return, by percept, the states that stay as they are, as a bit set; the action must apply to all starts."""
        stays, values, places = self._perceived(action)
        flags = np.zeros(len(self._view.model.states), dtype=np.bool_)
        found = []
        for place, percept in enumerate(values):
            flags[self._number_of] = stays & (places == place)
            found.append((percept, int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")))
        return [(percept, states) for percept, states in found if states]

    @cached_property
    def capacities(self) -> list[int] | None:
        """Return, by number of actions, the most starts `apart` that can be known by then; None as for `sizes`."""
        if self.sizes is None:
            return None
        return most_won_within(self.sizes, np.zeros(1, dtype=np.int64), len(self._apart), knowing_wins=True)

    @cached_property
    def sizes(self) -> NDArray[np.int64] | None:
        """The number of starts `apart` for each percept, a row for each action; None if an action changes some start.

        O(actions * starts), and only the counts are held in memory.
        """
        problem, states = self._view.problem, self._view.model.states
        first, *others = self._number_of[self._starts].tolist()
        actions = problem.actions(states[first])
        if not all(self._stay(self._perceived(action, starts=1)[0]) for action in islice(actions, 1)):
            return None  # so most problems of other kinds are recognised
        for number in others:
            self._tick()
            same = problem.actions(states[number])
            if same is not actions and same != actions:
                return None
        rows: list[list[int]] = []
        for action in actions:
            self._tick()
            stays, values, places = self._perceived(action)
            if not self._stay(stays):
                return None
            seen = places if len(self._apart) == self._count else places[self._apart]
            if len(values) <= _FEW:
                rows.append([int(np.count_nonzero(seen == place)) for place in range(len(values))])
            else:
                rows.append(np.bincount(seen, minlength=len(values)).tolist())
        found = np.zeros((len(rows), max(map(len, rows), default=0)), dtype=np.int64)
        for row, counts in enumerate(rows):
            found[row, : len(counts)] = counts
        return found

    def _stay(self, stays: NDArray[np.bool_]) -> bool:
        """Whether all starts are among the states that stay."""
        return bool(stays.all() or stays[self._starts].all())

    def _perceived(
        self, action: Action, starts: int | None = None
    ) -> tuple[NDArray[np.bool_], Sequence[Any], NDArray[Any]]:
        """Return whether each listed state stays as it is and gives one percept; the percepts; and the place of each.

        The author's methods are asked in one of the starts, by turns: in all, or the first so many, as the action may
        not apply to the others.
        """
        problem = self._view.problem
        assert isinstance(problem, ArrayHook), "it has listed its states"
        answer = problem.all_results(action)
        if answer is not self._latest[0]:  # many authors give the same array for every action
            results = all_results(problem, action, self._count)
            self._latest = answer, (results == np.arange(self._count)[:, np.newaxis]).all(axis=1)
        stays = self._latest[1]
        values, places = all_percepts(problem, action, self._count)
        start = int(self._starts[self._asked % (starts or len(self._starts))])
        self._asked += 1
        if stays[start]:
            state = self._view.model.states[self._number_of[start]]
            given = {state: [values[place] for place in places[start].tolist()]}
            compare_outcomes(problem, state, action, given, self._tick)
        if places.shape[1] > 1:
            stays = stays & (places == places[:, :1]).all(axis=1)
        return stays, values, places[:, 0]


def most_won_within(sizes: NDArray[Any], won: NDArray[Any], members: int, knowing_wins: bool) -> list[int]:
    """Return, by number of actions, the most of so many `members` that can be won within them.

    `sizes` has by action the sizes of the blocks that are not won, `won` the number of starts that are. A set that is
    won within d actions is split by the first of them into blocks that are won within d - 1; so it is the array form of
    the argument of `heuristics/information_bound.py`. It ends with all members, or where further actions help no more.
    """
    found = [0]
    while found[-1] < members:
        most = int((np.minimum(sizes, max(found[-1], int(knowing_wins))).sum(axis=1) + won).max())
        if most <= found[-1]:
            break
        found.append(most)
    return found
