"""Distance tables: one backward search from the goals answers every start, also where actions have several results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import Generic

from attrs import frozen

from ...errors import LimitError, NoSolutionError, ProblemError
from ...model.base import Action, Cost, State
from ...model.checked import checked_cost
from ...model.hooks import ReversibleProblem
from ...running.alarm import stopped_within
from ...running.limits import Budget
from ...running.observer import Observer


@frozen
class DistanceTable(Generic[State, Action]):
    """The exact cost and the first action of a cheapest plan, for every state that can reach a goal.

    Attributes
    ----------
    distances
        By state: the least cost to a goal. States without a way are missing.
    first_steps
        By state that is no goal: a best action and the state it leads to.
    stopped
        What stopped the search early; None if the table is complete. Then the states that are missing are
        further away than all others, or have no way at all.
    """

    distances: dict[State, Cost]
    first_steps: dict[State, tuple[Action, State]]
    stopped: str | None = None

    def plan(self, state: State) -> tuple[Action, ...]:
        """A cheapest plan; `NoSolutionError` if there is none, `LimitError` if the search was stopped too early."""
        if state not in self.distances and self.stopped is not None:
            raise LimitError(f"the distance of {state!r} is not known: {self.stopped}")
        if state not in self.distances:
            raise NoSolutionError(f"there is no way from {state!r} to a goal")
        actions = []
        while state in self.first_steps:
            action, state = self.first_steps[state]
            actions.append(action)
        return tuple(actions)

    def histogram(self) -> dict[Cost, int]:
        """Count the states at each distance, by distance."""
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
        Limits that run already, and who hears of states.

    Raises
    ------
    ProblemError
        If the problem cannot be walked backwards.

    Returns
    -------
    DistanceTable
        After a limit or Ctrl-C: as far as it was known to be right.

    Notes
    -----
    Dijkstra's algorithm on the reversed graph: O(E log V) time, O(V) memory.
    """
    if not isinstance(problem, ReversibleProblem):
        raise ProblemError(f"{type(problem).__name__} cannot be walked backwards; derive it from ReversibleProblem")
    budget = budget or Budget()
    distances: dict[State, Cost] = dict.fromkeys(problem.goal_states(), 0)
    first_steps: dict[State, tuple[Action, State]] = {}
    frontier: list[tuple[Cost, int, State]] = [(0, age, state) for age, state in enumerate(distances)]
    age = len(frontier)
    distance: Cost = 0

    def walk() -> None:
        nonlocal age, distance
        while frontier:
            distance, _, state = heappop(frontier)
            if distance > distances[state]:
                continue  # overtaken by a cheaper way
            if observer is not None:
                observer.expanded(state, distance)
                if not len(first_steps) & 1023:
                    observer.progressed(distance, len(first_steps), len(frontier), len(distances))
            for parent, action in problem.predecessors(state):
                budget.tick()
                further = distance + checked_cost(problem, parent, action)
                if parent not in distances or further < distances[parent]:
                    first_steps[parent] = (action, state)  # first: a limit may come in between
                    distances[parent] = further
                    age += 1
                    heappush(frontier, (further, age, parent))

    stopped = stopped_within(budget, walk)
    if stopped is not None:
        # Dijkstra's invariant: nothing beyond the distance in hand is certain, nothing up to it can change.
        for state in [state for state, known in distances.items() if known > distance]:
            del distances[state]
            first_steps.pop(state, None)
    return DistanceTable(distances, first_steps, stopped)


def costs_to_go(goals: Iterable[int], edges: Iterable[tuple[int, int, object, Cost]]) -> dict[int, Cost]:
    """Return, by node, the least cost in the worst case; nodes from which no plan is sure to win are left out.

    At `goals` nothing more is to be paid. `edges` are: from, to, the action and what it costs; an action that leads
    from a node to several others may lead to any. Dijkstra's algorithm in the form of D. E. Knuth, "A Generalization of
    Dijkstra's Algorithm", Information Processing Letters 6(1), 1977: an action is as dear as its cost and the dearest
    of its results, which is the last one settled. O(edges * log(edges)).
    """
    costs: dict[tuple[int, object], Cost] = {}
    open_results: dict[tuple[int, object], int] = {}
    into: dict[int, list[tuple[int, object]]] = {}
    for tail, head, action, cost in edges:
        choice = tail, action
        costs[choice] = cost
        open_results[choice] = open_results.get(choice, 0) + 1
        into.setdefault(head, []).append(choice)
    waiting: list[tuple[Cost, int]] = [(0, goal) for goal in goals]
    heapify(waiting)
    found: dict[int, Cost] = {}
    while waiting:
        paid, node = heappop(waiting)
        if node in found:
            continue
        found[node] = paid
        for choice in into.get(node, ()):
            open_results[choice] -= 1
            if not open_results[choice]:
                heappush(waiting, (costs[choice] + paid, choice[0]))
    return found
