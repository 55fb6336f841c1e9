"""The adversary's strategy in a game that the player cannot win.

The adversary's strategy in a game that the player can win: percepts that make it take longest.

This adversary does not fix the state. What may be the state is all there is, as in the definition of the worst
case: he chooses what is perceived, and so which states remain, and makes up the state when the game is over.
Hence nobody wins against him for less than the worst case of the best plan.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic

import numpy as np
from attrs import frozen

from ...belief_space.contingent import FrozensetContingentView
from ...engine.bits.bitset import mask_of
from ...engine.bits.contingent import BitsetContingentView
from ...engine.compiled.bitset_words import members_of_words
from ...heuristics.full_observability import perfect_sight_distances
from ...model.base import Action, Cost, State
from ...model.belief import Belief, initial_belief, outcomes
from ...model.problem import BeliefProblem
from ...planner.contingent import solve_from
from ...running.limits import Budget, EffortExceeded
from ...solvers.contingent.and_or_graph import AndOrGraph
from ..finder import small_trap, unreduced


class Adversary:
    """A strategy that never lets the player win, even one who sees every state: it keeps to the states of a trap."""

    def __init__(self, problem: BeliefProblem[Any, Any, Any], trap: list[Any]) -> None:
        self._problem = problem
        self.trap = dict.fromkeys(trap)

    def answer(self, state: Any, action: Any) -> Any:
        """The result, inside the trap, that the adversary chooses."""
        return next(result for result in self._problem.results(state, action) if result in self.trap)

    def strategy(self) -> Iterator[tuple[Any, list[tuple[Any, Any]]]]:
        """Return, by state of the trap, the adversary's answer to each action."""
        for state in self.trap:
            yield state, [(action, self.answer(state, action)) for action in self._problem.actions(state)]


def find_adversary(problem: BeliefProblem[Any, Any, Any], tick: Callable[[], None], *, small: bool) -> Adversary | None:
    """The adversary's strategy; None if a player who sees all can win. Raises `EffortExceeded` of too many states.

    A `small` one keeps to few states, rather than to all from which the player cannot win.
    """
    view, graph = unreduced(problem, tick)
    hopeless = np.isinf(perfect_sight_distances(graph))
    initial = members_of_words(view.model.initial)
    if not hopeless[initial].any():
        return None
    numbers = small_trap(graph, hopeless, initial) if small else np.flatnonzero(hopeless).tolist()
    return Adversary(problem, [view.model.states[number] for number in numbers])


# Elementary steps, of about a tenth of a microsecond, for the graph of all that can follow, and then for the search
# from each belief: a count and no time, so that the same game is always answered in the same way.
_GRAPH = 5_000_000

_SEARCH = 10_000_000

# The worst of the possible states is determined only if there are at most this many.
_MOST_MADE_UP = 300


@frozen
class DelayingAnswer(Generic[State]):
    """The adversary's answer to an action.

    Attributes
    ----------
    percept
        What is perceived.
    belief
        What may be the state then.
    cost
        What it costs to win from there, in the worst case, which for no other percept is more. None if there was
        no choice, and if that is too much to work out.
    is_guess
        Whether it was too much to work out: then it is the percept that leaves the most states.
    """

    percept: Any
    belief: Belief[State]
    cost: Cost | None
    is_guess: bool


class DelayingAdversary(Generic[State, Action]):
    """An adversary who fixes no state but chooses the worst percept, in a contingent or sensorless game."""

    def __init__(self, problem: BeliefProblem[State, Action, Any]) -> None:
        self._problem = problem
        self._seen = FrozensetContingentView(problem)
        self._view: BitsetContingentView[State, Action] = BitsetContingentView(problem)
        self._costs: dict[int, Cost] = {}

    def answer(self, belief: Belief[State], action: Action) -> DelayingAnswer[State]:
        """The worst percept after `action`, of equally bad ones the one that leaves the most states."""
        options = self._seen.outcomes(belief, action)
        if len(options) == 1:
            return DelayingAnswer(*options[0], None, is_guess=False)
        try:
            costs = self._least_costs([known for _, known in options])
        except EffortExceeded:
            return DelayingAnswer(*max(options, key=lambda option: len(option[1])), None, is_guess=True)
        ranked = zip(options, costs, strict=True)
        (percept, known), cost = max(ranked, key=lambda option: (option[1], len(option[0][1])))
        return DelayingAnswer(percept, known, cost, is_guess=False)

    def made_up_state(self, history: Iterable[tuple[Action, Any]]) -> State:
        """Return the state farthest from a goal among those possible after these actions and percepts.

        It is one of the problem's own, without `canonical`. Where that is too much to work out it is one that is
        not won.
        """
        problem = self._problem
        belief = initial_belief(problem)
        for action, percept in history:
            belief = frozenset(outcomes(problem, belief, action)[percept])
        states = sorted(belief, key=repr)
        unwon = [state for state in states if not problem.is_goal(state)] or states
        if len(unwon) > _MOST_MADE_UP:
            return unwon[0]
        try:
            masks = self._masks([frozenset([problem.canonical(state)]) for state in unwon])
            self._draw_graph(masks)
        except EffortExceeded:
            return unwon[0]
        costs = [self._costs[mask] for mask in masks]
        return unwon[costs.index(max(costs))]

    def _least_costs(self, beliefs: Sequence[Belief[State]]) -> list[Cost]:
        """Return, by belief, the worst-case cost to win; raises `EffortExceeded` if that is too much to work out."""
        masks = self._masks(beliefs)
        try:
            self._draw_graph(masks)
        except EffortExceeded:
            for mask, belief in zip(masks, beliefs, strict=True):
                if mask not in self._costs:
                    result = solve_from(self._problem, belief, Budget(), allowance=_SEARCH)
                    self._costs[mask] = math.inf if result.cost is None else result.cost
        return [self._costs[mask] for mask in masks]

    def _masks(self, beliefs: Sequence[Belief[State]]) -> list[int]:
        return [mask_of(self._view.model.number(state) for state in sorted(belief, key=repr)) for belief in beliefs]

    def _draw_graph(self, masks: list[int]) -> None:
        """Compute the costs of all beliefs that can follow and have none yet; raises `EffortExceeded`."""
        roots = [mask for mask in masks if mask not in self._costs]
        if not roots:
            return
        self._view.set_allowance(_GRAPH)
        graph = AndOrGraph(self._view, roots)
        costs = graph.least_costs()[1]
        self._costs.update((node, costs.get(number, math.inf)) for number, node in enumerate(graph.nodes))
