"""What the graph of many states says about reaching a goal: as `Survey` defines it, by arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from .expressions import State
from .listing import Listing
from .tables import spread

if TYPE_CHECKING:
    from numpy.typing import NDArray


@frozen(eq=False)
class ArraySurvey:
    """The states of a listing, with all that a `Survey` has."""

    listing: Listing

    @property
    def goals(self) -> NDArray[Any]:
        """Marks of the states in which the goal is reached."""
        return self.listing.goals

    @property
    def moves(self) -> NDArray[Any]:
        return self.listing.moves

    def number(self, state: State) -> int | None:
        return self.listing.number(state)

    def states(self, numbers: Sequence[int]) -> list[State]:
        return self.listing.states(np.array(numbers, np.int64))

    @cached_property
    def hopeful(self) -> NDArray[Any]:
        return self.reaching(self.goals)

    @cached_property
    def avoidable(self) -> NDArray[Any]:
        lost, barred = self.goals.copy(), np.zeros(len(self._owners), bool)
        self._give_up(lost, barred, np.diff(self.moves), np.flatnonzero(lost))
        return ~lost

    @cached_property
    def inevitable(self) -> NDArray[Any]:
        return ~self.reaching(self.avoidable)

    @property
    def sure(self) -> NDArray[Any]:
        return self._sure[0]

    @property
    def sure_moves(self) -> NDArray[Any]:
        return self._sure[1]

    @cached_property
    def _sure(self) -> tuple[NDArray[Any], NDArray[Any]]:
        lost, barred, choices = np.zeros(len(self.goals), bool), np.zeros(len(self._owners), bool), np.diff(self.moves)
        while (more := ~self.reaching(self.goals, barred) & ~lost).any():
            lost |= more
            self._give_up(lost, barred, choices, np.flatnonzero(more))
        return ~lost, ~barred & ~lost[self._owners]

    def _give_up(self, lost: NDArray[Any], barred: NDArray[Any], choices: NDArray[Any], frontier: NDArray[Any]) -> None:
        while len(frontier):
            moves = np.unique(self._into(frontier))
            moves = moves[~barred[moves]]
            barred[moves] = True
            states, fewer = np.unique(self._owners[moves], return_counts=True)
            choices[states] -= fewer
            frontier = states[(choices[states] == 0) & ~lost[states]]
            lost[frontier] = True

    def reaching(self, marks: Sequence[bool] | NDArray[Any], barred: NDArray[Any] | None = None) -> NDArray[Any]:
        reached = np.array(marks, bool)
        frontier = np.flatnonzero(reached)
        while len(frontier):
            moves = self._into(frontier)
            states = self._owners[moves if barred is None else moves[~barred[moves]]]
            frontier = np.unique(states[~reached[states]])
            reached[frontier] = True
        return reached

    def _into(self, states: NDArray[Any]) -> NDArray[Any]:
        """The moves by which the game may come to some states."""
        moves, begins, counts = self._reverse
        into: NDArray[Any] = moves[spread(begins[states], counts[states])[1]]
        return into

    @cached_property
    def _reverse(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The moves of all outcomes in the order of their results; by state, its first one and how many it has."""
        results = self.listing.results
        counts = np.bincount(results, minlength=len(self.goals))
        movers = np.repeat(np.arange(len(self._owners)), np.diff(self.listing.outcomes))
        return movers[np.argsort(results, kind="stable")], np.cumsum(counts) - counts, counts

    @property
    def _owners(self) -> NDArray[Any]:
        return self.listing.owners
