"""Games in which only the start is uncertain, in numbers, for the finder of proofs about the least mean.

All stands on what the checker has asked and counted (`verify/checker.py`), so that both say the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidProofError
from ..model.belief import no_tick
from ..model.problem import BeliefProblem
from ..running.limits import EffortExceeded
from ..verify.asked_game import AskedGame
from ..verify.checker import OVER, WrongError
from ..verify.mean_bits import BitCounting
from .hints.mean_table import Belief, normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray


class _Asked(AskedGame):
    """A game that asks no more than so many pairs of a state and an action."""

    pairs_left = math.inf

    def ways(self, state: int) -> tuple[list[int], list[int]]:
        found = super().ways(state)
        self.pairs_left -= len(self.steps)
        if self.pairs_left < 0:
            raise EffortExceeded
        return found


class Game:
    """All states that may be possible while the game is not over, all actions, and what the one does to the other.

    Attributes
    ----------
    states, actions
        By number; states have the numbers of their places in `counting`.
    asked, counting
        What the checker knows.
    unit
        What a cost of 1 is in the totals, which are whole numbers.

    Notes
    -----
    Time and memory are linear in states times actions. Raises `InvalidProofError` where an action has several results,
    or a state several percepts, and `EffortExceeded` if there are more than `most_pairs` of a state and an action.
    """

    def __init__(
        self,
        problem: BeliefProblem[Any, Any, Any],
        tick: Callable[[], None] = no_tick,
        most_pairs: float = math.inf,
    ) -> None:
        self.problem = problem
        self.asked = _Asked(problem, tick=tick)
        self.asked.pairs_left = most_pairs
        try:
            self.counting = BitCounting(self.asked)
        except WrongError as error:
            raise InvalidProofError(self.asked.named(error)) from None
        self.states = [self.asked.named_states.met(s) for s in self.counting.place]
        self.actions = list(self.asked.named_actions.items)
        self.start: Belief = frozenset((self.counting.place[s], 1) for s in self.asked.start)
        costs = {cost for row in self.counting.costs for cost in row or () if cost is not None}
        self.unit = math.lcm(*(cost.denominator for cost in costs))

    def is_won(self, belief: Belief) -> bool:
        return self.counting.is_won(state for state, _ in belief)

    def applicable(self, belief: Belief, among: NDArray[Any]) -> list[int]:
        """Those of the actions `among` (bool, by action) that apply in every state of a belief."""
        barred = 0
        for state, _ in belief:
            barred |= self.counting.barred(state)
        found: list[int] = np.flatnonzero(among).tolist()
        return [action for action in found if not barred >> action & 1] if barred else found

    def parts(self, belief: Belief, action: int) -> Iterator[tuple[int, int, Belief]]:
        """The beliefs that may follow while the game goes on: the percept, the count, and the belief."""
        see, to = self.counting.see[action], self.counting.to[action]
        found: dict[int, dict[int, int]] = {}
        for state, weight in belief:
            if see[state] != OVER:
                part = found.setdefault(see[state], {})
                part[to[state]] = part.get(to[state], 0) + weight
        return ((percept, *normalised(part)) for percept, part in found.items())

    def ending(self, belief: Belief, action: int) -> int:
        """The number of starts with which the game is over after an action."""
        see = self.counting.see[action]
        return sum(weight for state, weight in belief if see[state] == OVER)

    def cost(self, belief: Belief, action: int) -> int:
        """The cost of the action over all starts together."""
        costs = self.counting.costs[action]
        return int(self.unit * sum(weight if costs is None else weight * costs[state] for state, weight in belief))

    def in_costs(self, total: int) -> Fraction:
        """A total as a sum of costs."""
        return Fraction(total, self.unit)

    def at_least(self, belief: Belief) -> int:
        """The least total cost of the starts in this belief, by their number alone."""
        least = self.counting.least[sum(weight for _, weight in belief)]
        return 0 if self.is_won(belief) else int(self.unit * self.counting.cheapest * least)

    def too_low(self, belief: Belief, total: int, among: NDArray[Any]) -> list[int]:
        """Those of the actions `among` (bool, by action) that apply, and by numbers alone cost less than `total`."""
        cheap = self.counting.cheap(dict(belief), Fraction(total, self.unit))
        return [action for action in cheap if among[action] and self._by_numbers(belief, action) < total]

    def _by_numbers(self, belief: Belief, action: int) -> int:
        paid, parts = self.counting.after(action, dict(belief))
        least = sum(self.counting.least[sum(part.values())] for part in parts.values())
        return int(self.unit * (paid + self.counting.cheapest * least))
