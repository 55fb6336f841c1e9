"""The view that solvers search when beliefs are bit sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..belief import no_tick
from ..errors import ProblemError
from ..problem import Action, BeliefProblem, Percept, State
from ..views import BeliefView
from .bitset import bit_numbers, mask_of
from .numbered_model import NumberedModel

__all__ = ["BitsetView"]


class BitsetView(BeliefView[int, State, Action]):
    """A sensorless belief problem as a plain problem whose states are ints (see `NumberedModel`).

    Parameters
    ----------
    problem, tick
        As for `BeliefView`.
    numbered
        Told how many states have been numbered, now and then.
    """

    def __init__(
        self,
        problem: BeliefProblem[State, Action, Percept],
        tick: Callable[[], None] = no_tick,
        numbered: Callable[[int], None] = lambda states: None,
    ) -> None:
        super().__init__(problem, tick)
        self.model = NumberedModel[State, Action](problem, tick, numbered)
        self._transitions: dict[Action, Callable[[int], int]] = {}
        self._estimated = 0  # the states whose estimate is known
        self._by_estimate: dict[float, int] = {}  # the states with this estimate, the largest first

    def initial_state(self) -> int:
        return self._measured(self.model.initial_belief())

    def actions(self, belief: int) -> Sequence[Action]:
        return self.model.actions(belief)

    def result(self, belief: int, action: Action) -> int:
        transition = self._transitions.get(action)
        if transition is None:
            transition = self._transitions[action] = self.model.transition(action)
        return self._measured(transition(belief))

    def _measured(self, belief: int) -> int:
        size = belief.bit_count()
        if size > self.max_belief_size:
            self.max_belief_size = size
        return belief

    def is_goal(self, belief: int) -> bool:
        return self.model.is_goal(belief)

    def heuristic(self, belief: int) -> float:
        """The largest estimate of a member; each state is estimated once."""
        unknown = belief & ~self._estimated
        if unknown:
            self._estimate(unknown)
        return next(estimate for estimate, states in self._by_estimate.items() if belief & states)

    def _estimate(self, unknown: int) -> None:
        numbers_of: dict[float, list[int]] = {}
        for number in bit_numbers(unknown):
            self._tick()
            state = self.model.states[number]
            estimate = self.problem.heuristic(state)
            if not estimate >= 0:
                raise ProblemError(
                    f"{type(self.problem).__name__}.heuristic({state!r}) gave {estimate!r}; "
                    "an estimate must be a number that is not negative"
                )
            numbers_of.setdefault(estimate, []).append(number)
        for estimate, numbers in numbers_of.items():
            self._by_estimate[estimate] = self._by_estimate.get(estimate, 0) | mask_of(numbers)
        self._by_estimate = dict(sorted(self._by_estimate.items(), reverse=True))
        self._estimated |= unknown

    def members(self, belief: int) -> list[State]:
        states = self.model.states
        return [states[number] for number in bit_numbers(belief)]
