"""Actions by which states stay as they are, for problems with many actions: of thousands at once.

In such problems nearly every action is of no use in a small belief: it may leave the belief as it is. To ask for each
of them anew in each belief would take hours. So each state is asked about once, and two states are compared by arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.belief import perceived, successors
from ..model.checked import checked_cost

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Percepts have numbers of two bytes while there are no more; 0 stands for none.
_MOST_PERCEPTS = 2**16 - 1


class Unmoved:
    """The percept, by state and action, under which an action leaves a state as it is, for certain and at a cost of 1.

    `actions` are those of the problem, of which every state that is asked about has all.
    """

    def __init__(self, problem: Any, actions: Sequence[Any]) -> None:
        self._problem, self._actions = problem, actions
        self._numbers: dict[Any, int] = {}  # by tuple of a percept
        self._rows: dict[int, NDArray[Any]] = {}

    def move(self, states: Iterable[tuple[int, Any]]) -> NDArray[np.bool_]:
        """Mark, by place of an action, those that do not leave all these states as they are, under one percept."""
        first, *others = (self._row(number, state) for number, state in states)
        found: NDArray[np.bool_] = first == 0
        for row in others:
            found |= row != first
        return found

    def _row(self, number: int, state: Any) -> NDArray[Any]:
        row = self._rows.get(number)
        if row is None:
            row = np.fromiter(self._percepts(state), np.uint32, len(self._actions))
            if row.max(initial=0) <= _MOST_PERCEPTS:
                row = row.astype(np.uint16)
            self._rows[number] = row
        return row

    def _percepts(self, state: Any) -> Iterable[int]:
        # Local names: this is gone through for every action of every state.
        problem, numbers = self._problem, self._numbers
        results, percepts = problem.results, problem.percepts
        has_costs, blind = problem.overrides("action_cost"), problem.is_sensorless()
        for action in self._actions:
            answer = results(state, action)
            if type(answer) is not tuple or len(answer) != 1:  # else there is nothing to be looked after
                answer = tuple(dict.fromkeys(successors(problem, state, action)))
            if len(answer) > 1 or answer[0] != state or (has_costs and checked_cost(problem, state, action) != 1):
                yield 0
                continue
            try:
                found = 1 if blind else numbers.get(percepts(state, action))
            except TypeError:
                found = None
            yield self._number(perceived(problem, state, action)) if found is None else found

    def _number(self, percepts: tuple[Any, ...]) -> int:
        """The number of the only percept, from 1; or 0 if there are several."""
        found = 0
        if len({*percepts}) == 1:  # perhaps several times
            found = self._numbers.setdefault(percepts[:1], len(self._numbers) + 1)
        return self._numbers.setdefault(percepts, found)
