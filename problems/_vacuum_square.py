"""One square of a floor as a problem of its own."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from beliefsearch import BeliefProblem

OneSquare: TypeAlias = tuple[int, str]
"""The place of the vacuum, and the dirt of one square."""


class Square(BeliefProblem[OneSquare, Any, None]):
    """The square with a number; `places_after` says where a move may lead."""

    def __init__(
        self, number: int, starts: Sequence[OneSquare], places_after: Callable[[int, Any], tuple[int, ...]]
    ) -> None:
        self._number, self._starts, self._places_after = number, starts, places_after

    def initial_states(self) -> Sequence[OneSquare]:
        return self._starts

    def actions(self, state: OneSquare) -> tuple[str, ...]:
        return ("Left", "Right", "Suck")

    def results(self, state: OneSquare, action: str) -> tuple[OneSquare, ...]:
        place, dirt = state
        if action == "Suck":
            return ((place, "." if place == self._number else dirt),)
        return tuple((after, dirt) for after in self._places_after(place, action))

    def is_goal(self, state: OneSquare) -> bool:
        return state[1] == "."


def with_place(number: int, floor: tuple[int, str]) -> OneSquare:
    """The place of the vacuum, and the dirt of the square with this number."""
    return floor[0], floor[1][number]
