"""The adversary's strategy in a game that the player cannot win."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled.words import members_of_words
from ..heuristics.perfect_sight import perfect_sight_distances
from ..heuristics.state_graph import StateGraph
from ..model.problem import BeliefProblem
from .unreduced import unreduced


class Adversary:
    """A strategy that never lets the player win, even one who sees every state: it keeps to the states of a trap."""

    def __init__(self, problem: BeliefProblem[Any, Any, Any], trap: list[Any]) -> None:
        self._problem = problem
        self.trap = dict.fromkeys(trap)

    def answer(self, state: Any, action: Any) -> Any:
        """The result, inside the trap, that the adversary chooses."""
        return next(result for result in self._problem.results(state, action) if result in self.trap)

    def strategy(self) -> Iterator[tuple[Any, list[tuple[Any, Any]]]]:
        """By state of the trap: the adversary's answer to each action."""
        for state in self.trap:
            yield state, [(action, self.answer(state, action)) for action in self._problem.actions(state)]


def find_adversary(problem: BeliefProblem[Any, Any, Any], tick: Callable[[], None], *, small: bool) -> Adversary | None:
    """The adversary's strategy; None if a player who sees everything can win. Raises `Outgrown` of too many states.

    A `small` one keeps to few states, rather than to all from which the player cannot win.
    """
    view, graph = unreduced(problem, tick)
    hopeless = np.isinf(perfect_sight_distances(graph))
    initial = members_of_words(view.model.initial)
    if not hopeless[initial].any():
        return None
    numbers = small_trap(graph, hopeless, initial) if small else np.flatnonzero(hopeless).tolist()
    return Adversary(problem, [view.model.states[number] for number in numbers])


def small_trap(graph: StateGraph, hopeless: NDArray[np.bool_], initial: NDArray[np.intp]) -> list[int]:
    """A small part of the greatest trap that is a trap itself and contains a possible start, one of `initial`.

    The greatest trap are the `hopeless` states, whose perfect-sight distance is infinite. Greedy: a state is kept, and
    for each action a result that is kept already, or else the first hopeless one. To find the smallest trap is hard.
    """
    start = next(int(state) for state in initial if hopeless[state])
    kept = {start: None}
    frontier = [start]
    for state in frontier:  # grows while it is walked
        graph.tick()
        for action in np.flatnonzero(graph.applies[:, state]).tolist():
            results = graph.targets[graph.offsets[action, state] : graph.offsets[action, state + 1]].tolist()
            if not any(result in kept for result in results):
                chosen = next(result for result in results if hopeless[result])
                kept[chosen] = None
                frontier.append(chosen)
    return sorted(kept)
