"""A problem in which only the start is uncertain, in numbers: what its actions do with what may be the state.

Part of the checker of proofs about expected costs (`proof_mean.py`). The arrays hold what the author's methods said
(see `proof_answers.py`), and no hook has a say.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..model.base import Cost
from ..model.belief import initial_states, no_tick
from ..model.problem import BeliefProblem
from ..model.values import whole
from .proof_answers import MACHINE, Asked, whole_costs

if TYPE_CHECKING:
    from numpy.typing import NDArray

ENDED, BARRED = -1, -2
"""In place of a result: that the game is won then, whatever else is possible; that the action does not apply."""

Weights: TypeAlias = frozenset[tuple[int, int]]
"""A belief: numbers of states, each with how many starts have led to it, without a common divisor."""


class Game:
    """All states that may be possible while the game is not won, all actions, and what the one does to the other.

    An action and a percept make a *part*: the states that may be true once this was perceived. If all that can ever be
    in it lie in one goal set, the game ends there. The states of all other parts, and the starts, are numbered.

    Attributes
    ----------
    states, actions
        By number.
    results
        By state and action: the number of the result, `ENDED` or `BARRED`.
    percepts
        By state and action: a number for each percept of the action after which the game may go on, from 1; else 0.
    costs
        By state and action, in whole numbers; 0 where it does not apply.
    unit
        What a cost of 1 is in these numbers.
    goals
        By goal set and state: whether it is in it.

    Notes
    -----
    Time and memory are linear in states times actions. Raises `InvalidProofError` where an action has several results,
    or a state several percepts.
    """

    def __init__(self, problem: BeliefProblem[Any, Any, Any], tick: Callable[[], None] = no_tick) -> None:
        self.problem = problem
        self.states: list[Any] = list(dict.fromkeys(initial_states(problem)))
        self.start: Weights = frozenset((number, 1) for number in range(len(self.states)))
        goal_sets = list(problem.goal_sets())
        asked = Asked(problem, self.states, goal_sets, tick)
        self.actions = list(asked.number_of_action)
        shape = len(self.states), len(self.actions)
        self.results = np.full(shape, BARRED, np.int32)
        self.percepts = np.zeros(shape, np.int32)
        numbers = np.array(asked.numbers_of_results(ENDED), np.int32)
        is_open = np.array([part.is_open for part in asked.all_parts], np.bool_)
        number_in_action = np.array(asked.numbers_of_open_parts(), np.int32)
        for state, (columns, parts, results) in enumerate(asked.rows):
            self.results[state, columns] = np.where(is_open[parts], numbers[results], ENDED)
            self.percepts[state, columns] = number_in_action[parts]
        self.unit, self.costs = whole_costs(asked, shape, len(self.start))
        goals = {bytes(state in goals for state in self.states) for goals in goal_sets}
        self.goals = np.array([list(row) for row in sorted(goals)], np.bool_).reshape(len(goals), len(self.states))
        self._goal_sets = [frozenset(np.flatnonzero(row).tolist()) for row in self.goals if row.any()]

    # Beliefs.

    def is_won(self, belief: Weights) -> bool:
        return any(all(state in goals for state, _ in belief) for goals in self._goal_sets)

    def applicable(self, belief: Weights, asked: NDArray[Any]) -> list[int]:
        """Those of the actions `asked` (bool, by action) that apply in every state of a belief."""
        if not self._all_apply:
            asked = asked & (self.results[[state for state, _ in belief]] != BARRED).all(axis=0)
        found: list[int] = np.flatnonzero(asked).tolist()
        return found

    @cached_property
    def _all_apply(self) -> bool:
        return not (self.results == BARRED).any()

    def parts(self, belief: Weights, action: int) -> list[tuple[int, Weights]]:
        """Return the beliefs that may follow where the game is not won, each with its count."""
        found: dict[int, dict[int, int]] = {}
        for state, weight in belief:
            result = self.results.item(state, action)
            if result != ENDED:
                part = found.setdefault(self.percepts.item(state, action), {})
                part[result] = part.get(result, 0) + weight
        return [normalised(part) for part in found.values()]

    def cost(self, belief: Weights, action: int) -> int:
        """Return the cost of the action over all starts together."""
        return sum(weight * self.costs.item(state, action) for state, weight in belief)

    def in_costs(self, total: int) -> Cost:
        """A total as a sum of costs."""
        return whole(Fraction(total, self.unit))

    def text(self, belief: Weights) -> str:
        shown = sorted(self.problem.format_state(self.states[state]) for state, _ in belief)
        return "{" + ", ".join(shown[:5]) + (", ..." if len(shown) > 5 else "") + "}"

    # Counting.

    def at_least(self, belief: Weights) -> int:
        """Return the least total cost of the starts in this belief, by their number alone.

        No more than `finished` of them end by the first action, and the others are told apart by no more than `answers`
        percepts; so no more than finished * answers end by the second, and so on. That is, if no two states become one
        before the end; else it is only said that each start costs one action.
        """
        return 0 if self.is_won(belief) else int(self._by_size[sum(weight for _, weight in belief)])

    @cached_property
    def _by_size(self) -> NDArray[Any]:
        """The least cost of so many starts, by their number."""
        count = len(self.start)
        found = np.zeros(count + 1, self.costs.dtype)
        finished, answers = self._capacities
        done, actions, room = 0, 1, finished
        while done < count:
            more = min(room, count - done)
            step = self._cheapest * actions
            found[done + 1 : done + more + 1] = found[done] + np.arange(1, more + 1).astype(found.dtype) * step
            done, actions, room = done + more, actions + 1, room * answers
        return found

    @cached_property
    def is_uniform(self) -> bool:
        """Whether all costs are the same."""
        return not any(self.costs.strides) or bool((self.costs[self.results != BARRED] == self._cheapest).all())

    @cached_property
    def _cheapest(self) -> int:
        if not any(self.costs.strides):  # one number stands for all
            return int(self.costs.item(0)) if self.costs.size else 0
        applies = self.results != BARRED
        return int(self.costs[applies].min()) if applies.any() else 0

    @cached_property
    def _capacities(self) -> tuple[int, int]:
        """Return bounds for any action: the states that end by it, and the percepts after which the game may go on."""
        count = len(self.start)
        if not self.actions:
            return count, 1
        column = np.sort(self.results, axis=0)
        if ((column[1:] == column[:-1]) & (column[1:] >= 0)).any():  # two states become one
            return count, 1
        ended = (self.results == ENDED).sum(axis=0)
        open_parts = np.zeros((len(self.actions), self.width), np.int64)
        for goals in self._open_goals:
            won = np.where(self.results >= 0, goals[self.results], False)
            codes = (self.percepts + np.arange(len(self.actions)) * self.width)[won]
            open_parts = np.maximum(open_parts, np.bincount(codes, minlength=open_parts.size).reshape(open_parts.shape))
        answers = self.percepts.max(axis=0)
        return max(1, int((ended + open_parts.sum(axis=1)).max())), max(1, int(answers.max()))

    @cached_property
    def width(self) -> int:
        """More than the number of any percept."""
        return int(self.percepts.max(initial=0)) + 1

    @cached_property
    def _open_goals(self) -> list[NDArray[Any]]:
        """The goal sets in which something lies that the game may go on from."""
        met = np.zeros(len(self.states), np.bool_)
        met[self.results[self.results >= 0]] = True
        return [goals for goals in self.goals if (goals & met).any()]

    def too_low(self, belief: Weights, total: int, asked: NDArray[Any]) -> list[int]:
        """Those of the actions `asked` (bool, by action) that apply, and by numbers alone cost less than `total`."""
        columns = np.array(self.applicable(belief, asked), np.intp)
        limit = total if self.costs.dtype == np.object_ else min(total, MACHINE)
        found: list[int] = columns[self._by_numbers(belief, columns) < limit].tolist()
        return found

    def _by_numbers(self, belief: Weights, columns: NDArray[Any]) -> NDArray[Any]:
        """Return the least cost of these applicable actions by the sizes of parts."""
        members = np.array([state for state, _ in belief])
        weights = np.array([weight for _, weight in belief])
        percepts = self.percepts[members]
        if len(columns) < len(self.actions):
            percepts = percepts[:, columns]
        codes = (percepts + np.arange(len(columns)) * self.width).ravel()

        def counted(counts: NDArray[Any] | None) -> NDArray[Any]:
            """Count starts by action and percept; a sum of whole numbers below 2^53 is exact."""
            found = np.bincount(codes, weights=counts, minlength=len(columns) * self.width)
            return found.astype(np.int64, copy=False).reshape(len(columns), self.width)

        spread = None if (weights == 1).all() else np.repeat(weights, len(columns))
        sizes = counted(spread)
        least = self._by_size[sizes]
        least[:, 0] = 0
        for goals in self._open_goals:
            rows = self.results[np.ix_(members, columns)]
            inside = np.where(rows >= 0, goals[rows], False).ravel()
            least[counted(inside if spread is None else inside * spread) == sizes] = 0
        if self.is_uniform:
            paid = int(weights.sum()) * self._cheapest
        else:
            paid = weights.astype(self.costs.dtype) @ self.costs[np.ix_(members, columns)]
        total: NDArray[Any] = paid + least.sum(axis=1)
        return total


def normalised(weights: dict[int, int]) -> tuple[int, Weights]:
    """The common divisor of these weights, and the belief without it."""
    divisor = gcd(*weights.values())
    return divisor, frozenset((state, weight // divisor) for state, weight in weights.items())
