"""The checker's replay of long plans: the belief as an array of numbers, each action as a table of results.

Part of the checker `sequence.py`, which says when. States are numbered as they come up. What an action leads to
is asked of the author's `results`, state by state, when the belief first holds a state there; no other
method of the problem's, and no part of the package that searches, has a say.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic

import numpy as np

from ..model.base import Action, Cost, State
from ..model.belief import successors
from ..model.checked import checked_cost
from ..model.problem import BeliefProblem
from .steps import require_applicable

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Tables of more bytes than this in all are not kept: those that have not been used for longest are dropped.
_MOST_BYTES = 2**29


class NumberedBelief(Collection[State], Generic[State, Action]):
    """The belief while a plan is replayed, as an array of numbers; `asked` are results that are known already."""

    def __init__(
        self,
        problem: BeliefProblem[State, Action, Any],
        belief: Collection[State],
        asked: Mapping[Action, dict[State, frozenset[State]]],
    ) -> None:
        self._problem = problem
        self._asked = asked
        self._states: list[State] = []
        self._number_of: dict[State, int] = {}
        self._tables: dict[Action, _Table] = {}  # the one used last comes last
        self._members = np.array([self._number(state) for state in belief], dtype=np.intp)

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[State]:
        return (self._states[number] for number in self._members)

    def __contains__(self, state: object) -> bool:
        return any(member == state for member in self)

    def advance(self, step: int, action: Action) -> Cost:
        """Do `action`, the step of this number, and return the most that it costs in any of the states.

        Raises `InvalidPlanError` if it does not apply in one of them.
        """
        table = self._tables.pop(action, None) or _Table()
        self._tables[action] = table
        unknown = table.unknown(self._members, len(self._states))
        if len(unknown):
            self._ask(table, step, action, unknown.tolist())
        targets, cost = table.image(self._members)
        possible = np.zeros(len(self._states), dtype=np.bool_)
        possible[targets] = True
        self._members = np.flatnonzero(possible)
        return cost

    def _ask(self, table: _Table, step: int, action: Action, numbers: list[int]) -> None:
        problem = self._problem
        require_applicable(problem, f"step {step}", action, (self._states[number] for number in numbers))
        asked = self._asked.get(action, {})
        for number in numbers:
            state = self._states[number]
            results = asked.pop(state, None) or frozenset(successors(problem, state, action))
            cost = checked_cost(problem, state, action)
            table.add(number, sorted(self._number(result) for result in results), cost)
        table.settle()
        held = sum(kept.size for kept in self._tables.values())
        while held > _MOST_BYTES and len(self._tables) > 1:
            held -= self._tables.pop(next(iter(self._tables))).size

    def _number(self, state: State) -> int:
        number = self._number_of.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
        return number


class _Table:
    """The results and costs of an action; states for which these are equal share a row."""

    def __init__(self) -> None:
        self._row_of = np.empty(0, dtype=np.int32)  # by state; -1 if it has not been asked
        self._rows: dict[tuple[int, bytes], int] = {}
        self._new_rows: list[tuple[int, int]] = []  # state and row
        # Row r leads to targets[offsets[r] : offsets[r + 1]], and costs prices[price_of[r]].
        self._targets = array("i")
        self._offsets = array("q", [0])
        self._price_of = array("i")
        self._prices: dict[Cost, int] = {}

    @property
    def size(self) -> int:
        """The approximate memory in bytes: a row is kept as an array and as a key."""
        return self._row_of.nbytes + 8 * len(self._targets) + 200 * len(self._rows)

    def unknown(self, members: NDArray[np.intp], states: int) -> NDArray[np.intp]:
        """Those of `members` whose results are not known yet; there are `states` states in all."""
        if len(self._row_of) < states:
            grown = np.full(states + states // 2, -1, dtype=np.int32)
            grown[: len(self._row_of)] = self._row_of
            self._row_of = grown
        return members[self._row_of[members] < 0]

    def add(self, state: int, results: list[int], cost: Cost) -> None:
        """Add the results of a state, as sorted numbers; they count as known after `settle`."""
        price = self._prices.setdefault(cost, len(self._prices))
        targets = array("i", results)
        row = self._rows.setdefault((price, targets.tobytes()), len(self._rows))
        if row == len(self._price_of):
            self._targets += targets
            self._offsets.append(len(self._targets))
            self._price_of.append(price)
        self._new_rows.append((state, row))

    def settle(self) -> None:
        states, rows = zip(*self._new_rows, strict=True)
        self._row_of[list(states)] = rows
        self._new_rows.clear()

    def image(self, members: NDArray[np.intp]) -> tuple[NDArray[np.int32], Cost]:
        """The results in all `members`, perhaps with repetitions, and the largest cost in any."""
        met = np.zeros(len(self._rows), dtype=np.bool_)
        met[self._row_of[members]] = True
        rows = np.flatnonzero(met)
        offsets = np.frombuffer(self._offsets, dtype=np.int64)
        begins = offsets[rows]
        lengths = offsets[rows + 1] - begins
        # The places of row after row: each is one more than the place before, but for where a row begins.
        ends = np.cumsum(lengths)
        places = np.arange(ends[-1]) + np.repeat(begins - ends + lengths, lengths)
        targets = np.frombuffer(self._targets, dtype=np.int32)[places]
        prices = list(self._prices)
        if len(prices) == 1:
            return targets, prices[0]
        here = np.unique(np.frombuffer(self._price_of, dtype=np.int32)[rows])
        return targets, max(prices[price] for price in here.tolist())
