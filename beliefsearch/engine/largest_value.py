"""The largest value of a belief's states, each state asked once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..errors import ProblemError
from ..problem import Action, BeliefProblem, State, checked_cost
from .bitset import bit_numbers, mask_of

if TYPE_CHECKING:
    from ..problem import Cost

__all__ = ["LargestValue", "largest_cost", "largest_estimate"]

Value = TypeVar("Value", bound="Cost")


class LargestValue(Generic[Value]):
    """A function from beliefs, as bit sets, to the largest value of a member.

    States are filed by their values, so that a belief is compared with a few masks and not walked.

    Parameters
    ----------
    ask
        The value of the state of this number; called once for each.
    """

    __slots__ = ("_ask", "_by_value", "_known")

    def __init__(self, ask: Callable[[int], Value]) -> None:
        self._ask = ask
        self._known = 0
        self._by_value: dict[Value, int] = {}  # the states with this value, the largest first

    def __call__(self, belief: int) -> Value:
        """The largest value of a member. O(width) for each value there is."""
        unknown = belief & ~self._known
        if unknown:
            self._learn(unknown)
        return next(value for value, states in self._by_value.items() if belief & states)

    def _learn(self, unknown: int) -> None:
        numbers_of: dict[Value, list[int]] = {}
        for number in bit_numbers(unknown):
            numbers_of.setdefault(self._ask(number), []).append(number)
        for value, numbers in numbers_of.items():
            self._by_value[value] = self._by_value.get(value, 0) | mask_of(numbers)
        self._by_value = dict(sorted(self._by_value.items(), reverse=True))
        self._known |= unknown


def largest_estimate(
    problem: BeliefProblem[State, Any, Any], states: Sequence[State], tick: Callable[[], None]
) -> LargestValue[float]:
    """The largest of the author's estimates.

    Raises
    ------
    ProblemError
        When called, if an estimate is negative or NaN; names the state.
    """

    def estimate(number: int) -> float:
        tick()
        state = states[number]
        estimate = problem.heuristic(state)
        if not estimate >= 0:
            raise ProblemError(
                f"{type(problem).__name__}.heuristic({state!r}) gave {estimate!r}; "
                "an estimate must be a number that is not negative"
            )
        return estimate

    return LargestValue(estimate)


def largest_cost(
    problem: BeliefProblem[State, Action, Any], states: Sequence[State], action: Action
) -> LargestValue[Cost]:
    """The most that `action` costs, by the author's costs; raises `ProblemError` if one is no cost."""
    return LargestValue(lambda number: checked_cost(problem, states[number], action))
