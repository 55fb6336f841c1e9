"""Answers of the author's methods as rows of numbers, for problems in which only the start is uncertain.

Part of the checker of proofs about expected costs: `integer_problem.py` makes arrays of the rows. Everything is asked
as `model/belief.py` asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidProofError
from ..model.belief import perceived, successors
from ..model.checked import checked_cost
from ..model.problem import BeliefProblem
from ..model.values import listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

MACHINE = 2**62
"""Sums below this are left to machine numbers."""


class _Part:
    """The states that an action may lead to with a percept: as long as they lie in one goal set, the game ends."""

    __slots__ = ("action", "goal_sets", "is_open", "waiting")

    def __init__(self, action: int, goal_sets: list[Any]) -> None:
        self.action = action
        self.goal_sets = goal_sets
        self.is_open = False
        self.waiting: list[Any] = []

    def add(self, state: Any) -> Iterable[Any]:
        """Note the states that must be met now that `state` may be in this part, too."""
        if self.is_open:
            return (state,)
        self.waiting.append(state)
        self.goal_sets = [goals for goals in self.goal_sets if state in goals]
        self.is_open = not self.goal_sets
        return self.waiting if self.is_open else ()


class Asked:
    """Answers of the author's methods for every state that is met, row by row; `states` grows."""

    def __init__(
        self,
        problem: BeliefProblem[Any, Any, Any],
        states: list[Any],
        goal_sets: list[Any],
        tick: Callable[[], None],
    ) -> None:
        self.number_of_action: dict[Any, int] = {}
        self.all_parts: list[_Part] = []
        # By state: the numbers of its actions, and in their order those of the parts, and of all results.
        self.rows: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
        self.costs: list[list[Any]] | None = [] if problem.overrides("action_cost") else None
        self._problem = problem
        self._part_of: list[dict[Any, int]] = []  # by action and tuple of a percept
        self._named: dict[Any, int] = {}  # all results, and the starts, in the order in which they come up
        self._number_of = {state: number for number, state in enumerate(states)}
        # Local names: this is gone through for every action of every state.
        results, percepts, named = problem.results, problem.percepts, self._named
        number_of, part_of, all_parts = self._number_of, self._part_of, self.all_parts
        last: Sequence[Any] | None = None
        for state in states:  # grows while it is walked
            tick()
            actions = listed(problem.actions(state))
            if actions is not last or type(actions) is not tuple:  # most give one tuple, which is long to go through
                last = actions
                columns = [self._column(action) for action in actions]
            of_part, of_result = [], []
            for column, action in zip(columns, actions, strict=True):
                # Most give tuples of one state, and of one percept.
                answer = results(state, action)
                if type(answer) is not tuple or len(answer) != 1:
                    answer = self._only(successors(problem, state, action), state, action)
                result = answer[0]
                try:
                    is_met = result in number_of
                    given = percepts(result, action)
                    part = part_of[column].get(given) if type(given) is tuple else None
                except TypeError:  # not hashable: that is said by whoever asks for one after the other
                    self._only(successors(problem, state, action), state, action)
                    part = None
                if part is None:
                    percept = self._only(perceived(problem, result, action), state, action)
                    part = part_of[column].setdefault(percept, len(all_parts))
                    if part == len(all_parts):
                        all_parts.append(_Part(column, goal_sets))
                if not is_met or not all_parts[part].is_open:
                    for met in all_parts[part].add(result):
                        if number_of.setdefault(met, len(states)) == len(states):
                            states.append(met)
                of_part.append(part)
                of_result.append(named.setdefault(result, len(named)))
            row = [np.array(numbers, np.int32) for numbers in (columns, of_part, of_result)]
            self.rows.append((row[0], row[1], row[2]))
            if self.costs is not None:
                self.costs.append([checked_cost(problem, state, action) for action in actions])

    def numbers_of_results(self, ended: int) -> list[int]:
        """Return, by number of a result in the rows, that of the state; `ended` if the game does not go on from it."""
        return [self._number_of.get(result, ended) for result in self._named]

    def _column(self, action: Any) -> int:
        column = self.number_of_action.setdefault(action, len(self._part_of))
        if column == len(self._part_of):
            self._part_of.append({})
        return column

    def numbers_of_open_parts(self) -> list[int]:
        """Number the open parts of each action from 1, by part; 0 if a part is not open."""
        counts = [0] * len(self.number_of_action)
        numbers = []
        for part in self.all_parts:
            counts[part.action] += part.is_open
            numbers.append(counts[part.action] * part.is_open)
        return numbers

    def _only(self, values: Iterable[Any], state: Any, action: Any) -> tuple[Any]:
        """The one of these values."""
        found = set(values)
        if len(found) > 1:
            problem = self._problem
            raise InvalidProofError(
                f"action {problem.format_action(action)} in {problem.format_state(state)} may come out in several "
                "ways; a proof about the mean is for problems in which only the start is uncertain"
            )
        return (found.pop(),)


def whole_costs(asked: Asked, shape: tuple[int, int], starts: int) -> tuple[int, NDArray[Any]]:
    """Return the unit that makes all costs whole numbers, and the costs as such, by state and action."""
    if asked.costs is None:
        return 1, np.broadcast_to(np.int64(1), shape)
    exact = {cost: Fraction(cost) for row in asked.costs for cost in row}
    unit = lcm(*(cost.denominator for cost in exact.values()))
    whole_cost = {cost: int(value * unit) for cost, value in exact.items()}
    fits = 2 * starts * (starts + 1) * max(whole_cost.values(), default=0) < MACHINE
    found = np.zeros(shape, np.int64 if fits else np.object_)
    for state, ((columns, _, _), row) in enumerate(zip(asked.rows, asked.costs, strict=True)):
        found[state, columns] = [whole_cost[cost] for cost in row]
    return unit, found
