"""The profile of a search: how many states waited and how many were reached, layer by layer or as it went on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from .observer import Observer

_MOST_MOMENTS = 2_000
_FEW_LAYERS = 4


@frozen
class Layer:
    """A finished layer of a search.

    Attributes
    ----------
    bound
        No plan costs less than this, it was known then.
    frontier
        How many states waited to be expanded.
    reached
        How many different states had been seen.
    """

    bound: Any
    frontier: int
    reached: int


@frozen
class Moment:
    """A moment of a search: how many states were expanded, waited to be, and had been seen."""

    expanded: int
    frontier: int
    reached: int


class Profile(Observer):
    """An observer that takes down how a search goes; `profile_picture` draws it.

    Attributes
    ----------
    layers
        The layers of the search, in order; few or none if the solver does not go through layers.
    moments
        Moments of the search, in order, at most 2,000 and about equally far apart; none if the solver does not tell.

    Examples
    --------
    >>> from beliefsearch import solve
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> profile = Profile()
    >>> result = solve(DevilProblem(n=2), solver="bfs", observer=profile)
    >>> [(layer.bound, layer.frontier, layer.reached) for layer in profile.layers]
    [(1, 1, 1), (2, 1, 2), (3, 1, 3)]
    """

    def __init__(self) -> None:
        self.layers: list[Layer] = []
        self.moments: list[Moment] = []
        self._apart = 1  # of so many reports one is kept
        self._reports = 0

    def numbered(self, states: int) -> None:
        if states == 0:  # the first of all: another engine may have begun anew
            self.layers.clear()
            self.moments.clear()
            self._apart, self._reports = 1, 0

    @property
    def points(self) -> Sequence[Layer | Moment]:
        """The layers; the moments if there are hardly any layers; nothing if there are not two of either."""
        found: Sequence[Layer | Moment] = self.layers if len(self.layers) >= _FEW_LAYERS else self.moments
        found = found if len(found) > 1 else self.layers
        return found if len(found) > 1 else ()

    def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
        self.layers.append(Layer(bound, frontier, reached))

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        if self._reports % self._apart == 0:
            self.moments.append(Moment(expanded, frontier, reached))
            if len(self.moments) > _MOST_MOMENTS:
                del self.moments[1::2]
                self._apart *= 2
        self._reports += 1
