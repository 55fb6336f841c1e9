"""What the graph of the states of a model alone says about reaching a goal, as marks by state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from .tables import spread

if TYPE_CHECKING:
    from numpy.typing import NDArray


@frozen(eq=False)
class Survey:
    """States, their moves and what may follow, as in a `Listing`, of which some are goals; nothing follows these."""

    moves: NDArray[Any]
    outcomes: NDArray[Any]
    results: NDArray[Any]
    goals: NDArray[Any]

    @cached_property
    def hopeful(self) -> NDArray[Any]:
        """The states from which a goal can be reached, goals included."""
        return self.reaching(self.goals)

    @cached_property
    def avoidable(self) -> NDArray[Any]:
        """The states from which some strategy, of a player who sees everything, keeps from goals with certainty.

        C. Baier and J.-P. Katoen, "Principles of Model Checking" (2008), 10.6.1. From the others every strategy comes
        to a goal with a positive probability: none stays among them for ever.
        """
        lost, barred = self.goals.copy(), np.zeros(len(self.outcomes) - 1, bool)
        self._give_up(lost, barred, np.diff(self.moves), np.flatnonzero(lost))
        return ~lost

    @cached_property
    def inevitable(self) -> NDArray[Any]:
        """The states from which every strategy comes to a goal with certainty."""
        return ~self.reaching(self.avoidable)

    @cached_property
    def sure(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The states from which a player who sees everything can reach a goal with certainty, goals included.

        And the moves after which he still can.
        """
        lost = np.zeros(len(self.goals), bool)
        barred = np.zeros(len(self.outcomes) - 1, bool)
        choices = np.diff(self.moves)
        while (more := ~self.reaching(self.goals, barred) & ~lost).any():
            lost |= more
            self._give_up(lost, barred, choices, np.flatnonzero(more))
        return ~lost, ~barred & ~lost[self._owners]

    def _give_up(self, lost: NDArray[Any], barred: NDArray[Any], choices: NDArray[Any], frontier: NDArray[Any]) -> None:
        """Bar the moves that may lead to a lost state, and lose the states where none is left, until no more are."""
        while len(frontier):
            moves = np.unique(self._into(frontier))
            moves = moves[~barred[moves]]
            barred[moves] = True
            states, fewer = np.unique(self._owners[moves], return_counts=True)
            choices[states] -= fewer
            frontier = states[(choices[states] == 0) & ~lost[states]]
            lost[frontier] = True

    def reaching(self, reached: NDArray[Any], barred: NDArray[Any] | None = None) -> NDArray[Any]:
        """The states from which one of `reached` can be reached without the barred moves, and these."""
        reached = reached.copy()
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
        counts = np.bincount(self.results, minlength=len(self.goals))
        movers = np.repeat(np.arange(len(self.outcomes) - 1), np.diff(self.outcomes))
        return movers[np.argsort(self.results, kind="stable")], np.cumsum(counts) - counts, counts

    @cached_property
    def _owners(self) -> NDArray[Any]:
        """By move: its state."""
        return np.repeat(np.arange(len(self.goals)), np.diff(self.moves))


def walked(
    moves_of: Callable[[Any], Iterable[Iterable[Any]]], is_goal: Callable[[Any], bool], starts: Iterable[Any]
) -> Survey:
    """Find what can come up from some states, which are numbered first; `moves_of` lists what may follow each move."""
    number_of = {state: number for number, state in enumerate(starts)}
    moves, outcomes, results, goals = [0], [0], list[int](), list[bool]()
    states = list(number_of)
    for state in states:  # grows while it is walked
        goals.append(is_goal(state))
        for after in moves_of(state) if not goals[-1] else ():
            for result in after:
                if result not in number_of:
                    number_of[result] = len(states)
                    states.append(result)
                results.append(number_of[result])
            outcomes.append(len(results))
        moves.append(len(outcomes) - 1)
    return Survey(np.array(moves), np.array(outcomes), np.array(results, np.int64), np.array(goals, bool))
