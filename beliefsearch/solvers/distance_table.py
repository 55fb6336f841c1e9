"""A distance table: one search backwards from the goals answers every start."""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Generic

from attrs import frozen

from ..budget import Budget, LimitReached
from ..errors import LimitError, NoSolutionError
from ..observers import Observer
from ..problem import Action, ReversibleProblem, State, checked_cost

if TYPE_CHECKING:
    from ..problem import Cost

__all__ = ["DistanceTable", "distance_table"]


@frozen
class DistanceTable(Generic[State, Action]):
    """The exact cost to a goal from every state that has a way there, and the first action of it.

    Attributes
    ----------
    distances
        By state: the least cost to a goal. States without a way are missing.
    first_steps
        By state that is no goal: a best action and the state it leads to.
    """

    distances: dict[State, Cost]
    first_steps: dict[State, tuple[Action, State]]

    def plan(self, state: State) -> tuple[Action, ...]:
        """A cheapest plan from `state`.

        Raises
        ------
        NoSolutionError
            If there is no way from `state` to a goal.
        """
        if state not in self.distances:
            raise NoSolutionError(f"there is no way from {state!r} to a goal")
        actions = []
        while state in self.first_steps:
            action, state = self.first_steps[state]
            actions.append(action)
        return tuple(actions)

    def histogram(self) -> dict[Cost, int]:
        """How many states there are at each distance, by distance."""
        return dict(sorted(Counter(self.distances.values()).items()))


def distance_table(
    problem: ReversibleProblem[State, Action], *, budget: Budget | None = None, observer: Observer | None = None
) -> DistanceTable[State, Action]:
    """Search once, backwards from all goals, and keep the distance of every state met.

    Parameters
    ----------
    problem
        The problem; its initial state plays no part.
    budget, observer
        As for `breadth_first_search`.

    Raises
    ------
    LimitError
        If the budget runs out: half a table would answer nothing.

    Notes
    -----
    Dijkstra's algorithm on the reversed graph: O(E log V) time, O(V) memory.
    """
    budget = budget or Budget()
    distances: dict[State, Cost] = dict.fromkeys(problem.goal_states(), 0)
    first_steps: dict[State, tuple[Action, State]] = {}
    frontier: list[tuple[Cost, int, State]] = [(0, age, state) for age, state in enumerate(distances)]
    age = len(frontier)
    while frontier:
        distance, _, state = heappop(frontier)
        if distance > distances[state]:
            continue  # overtaken by a cheaper way
        if observer is not None:
            observer.expanded(state, distance)
        try:
            budget.tick()
        except LimitReached as limit:
            raise LimitError(f"{limit} when {len(distances):,} distances were known") from None
        for parent, action in problem.predecessors(state):
            further = distance + checked_cost(problem, parent, action)
            if parent not in distances or further < distances[parent]:
                distances[parent] = further
                first_steps[parent] = (action, state)
                age += 1
                heappush(frontier, (further, age, parent))
    return DistanceTable(distances, first_steps)
