"""The input of heuristics on physical states: the states of a view by number, and their transitions as arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ..engine.compiled.model import CompiledModel
from ..engine.compiled.sensorless_view import CompiledView
from ..engine.compiled.words import members_of_words, words_of_bytes
from ..model.checked import checked_cost
from ..running.limits import TooDear
from ..views.sensorless import BeliefView
from .state_graph import StateGraph

# Building the arrays asks about each state under each action, which is slower than an elementary step of a kernel.
_STEPS_AN_ENTRY = 100


class BeliefSetting:
    """The setting in which heuristics for a belief problem are made.

    Of any view but a `CompiledView` the states are explored again. `tick` raises to stop the work; `seconds_left` is
    for libraries that cannot call it.
    """

    def __init__(
        self,
        seen: BeliefView[Any, Any, Any],
        tick: Callable[[], None],
        seconds_left: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self.seen = seen
        self._tick = tick
        self._seconds_left = seconds_left

    @cached_property
    def _model(self) -> CompiledModel[Any, Any]:
        return (self._compiled or CompiledView(self.seen.problem, self._tick)).model

    @property
    def _compiled(self) -> CompiledView[Any, Any] | None:
        return self.seen if isinstance(self.seen, CompiledView) else None

    def graph(self, allowance: int | None) -> StateGraph:
        """The graph of physical states; raises `TooDear` if it takes more than the allowed elementary steps."""
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
                    costs[number, state] = float(checked_cost(model.problem, model.states[state], action))
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
        """The members of the initial belief by number."""
        return members_of_words(self._model.initial)

    def numbers(self, belief: Any) -> NDArray[np.intp]:
        """The numbers in the graph of the members of a belief, as the solver sees it."""
        if self._compiled is not None:
            return members_of_words(words_of_bytes(belief))
        return np.array([self._number_of[state] for state in self.seen.members(belief)], dtype=np.intp)

    @cached_property
    def _number_of(self) -> dict[Any, int]:
        return {state: number for number, state in enumerate(self._model.states)}


def _columns(rows: NDArray[np.uint64], states: int) -> NDArray[np.bool_]:
    """Bit sets, a row each, as rows of truth values."""
    return np.unpackbits(rows.view(np.uint8), axis=1, count=states, bitorder="little").astype(np.bool_)
