"""The transitions of a belief problem as arrays: the input of heuristics on physical states."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from ..belief_space.sensorless import BeliefView
from ..engine.compiled.array_model import CompiledModel
from ..engine.compiled.bitset_words import members_of_words, words_of_bytes
from ..engine.compiled.sensorless import CompiledView
from ..model.checked import checked_cost
from ..running.limits import TooDear


@frozen(eq=False)
class StateGraph:
    """The states of a belief problem by number, with the results and costs of each action.

    The results of action a in state s are `targets[offsets[a, s] : offsets[a, s + 1]]`; `applies` and `costs` have the
    shape (actions, states), `goals` has (goal sets, states). `tick` is called between two stretches of work, and raises
    to stop; `seconds_left` is for libraries that cannot call it. A heuristic may take `allowance` elementary steps.
    """

    offsets: NDArray[np.int64]
    targets: NDArray[Any]
    applies: NDArray[np.bool_]
    costs: NDArray[np.float64]
    goals: NDArray[np.bool_]
    tick: Callable[[], None]
    seconds_left: Callable[[], float]
    allowance: int | None = None

    @property
    def states(self) -> int:
        """The number of states."""
        return int(self.applies.shape[1])


# The arrays are built by the author's code: a state and an action take as long as so many elementary steps.
_STEPS_AN_ENTRY = 100
# Larger costs are replaced by this one, so that sums of them are finite.
_LARGEST = 2**900


class BeliefSetting:
    """The input of heuristics for a belief problem: a view of it, and limits as in `StateGraph`.

    The states of a view that is no `CompiledView` are explored again.
    """

    def __init__(
        self,
        seen: BeliefView[Any, Any, Any],
        tick: Callable[[], None],
        seconds_left: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self.seen = seen
        self._compiled = seen if isinstance(seen, CompiledView) else None
        self._tick = tick
        self._seconds_left = seconds_left

    @cached_property
    def _model(self) -> CompiledModel[Any, Any]:
        return (self._compiled or CompiledView(self.seen.problem, self._tick)).model

    def graph(self, allowance: int | None) -> StateGraph:
        """Return the graph of physical states; raises `TooDear` if that takes more elementary steps than allowed."""
        model = self._model
        if allowance is not None and _STEPS_AN_ENTRY * len(model.states) * len(model.actions) > allowance:
            raise TooDear
        return evolve(self._arrays, allowance=allowance)

    @cached_property
    def _arrays(self) -> StateGraph:
        model = self._model
        applies = _columns(model.applicable, len(model.states))
        costs = np.ones(applies.shape)
        if not model.problem.has_unit_costs():
            for number, action in enumerate(model.actions):
                self._tick()
                for state in map(int, np.flatnonzero(applies[number])):
                    costs[number, state] = _rounded_down(checked_cost(model.problem, model.states[state], action))
        return StateGraph(
            offsets=model.forward.offsets,
            targets=model.forward.targets,
            applies=applies,
            costs=costs,
            goals=_columns(model.goals, len(model.states)),
            tick=self._tick,
            seconds_left=self._seconds_left,
        )

    def initial(self) -> NDArray[np.intp]:
        """Return the members of the initial belief by number."""
        return members_of_words(self._model.initial)

    def numbers(self, belief: Any) -> NDArray[np.intp]:
        """Return the numbers in the graph of the members of a belief of the solver."""
        if self._compiled is not None:
            return members_of_words(words_of_bytes(belief))
        return np.array([self._number_of[state] for state in self.seen.members(belief)], dtype=np.intp)

    @cached_property
    def _number_of(self) -> dict[Any, int]:
        return {state: number for number, state in enumerate(self._model.states)}


def _rounded_down(cost: Any) -> float:
    """Return the cost as a float that is not larger, and at most `_LARGEST`."""
    found = float(min(cost, _LARGEST))
    return found if found <= cost else math.nextafter(found, 0)


def _columns(rows: NDArray[np.uint64], states: int) -> NDArray[np.bool_]:
    """Return bit sets, a row each, as rows of truth values."""
    return np.unpackbits(rows.view(np.uint8), axis=1, count=states, bitorder="little").astype(np.bool_)
