"""All states of a problem as arrays, without symmetry: the states that proofs list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import Any

from attrs import frozen

from ..engine.compiled.sensorless_view import CompiledView
from ..heuristics.context import BeliefSetting
from ..heuristics.state_graph import StateGraph
from ..model.adapters import SamePlay, handed_on
from ..model.problem import Action, BeliefProblem, State

# With more pairs of a state and an action than this a proof would be too large for any use.
MOST_TRANSITIONS = 10_000_000


def unreduced(
    problem: BeliefProblem[Any, Any, Any],
    tick: Callable[[], None],
    numbered: Callable[[int], None] = lambda states: None,
    most: int = MOST_TRANSITIONS,
    seconds_left: Callable[[], float] = lambda: inf,
) -> tuple[CompiledView[Any, Any], StateGraph]:
    """The problem without `canonical`, as a view and as arrays; raises `Outgrown` beyond `most` transitions."""
    view: CompiledView[Any, Any] = CompiledView(Unreduced(problem), tick, numbered, most_pairs=most)
    return view, BeliefSetting(view, tick, seconds_left).graph(None)


@frozen
class Unreduced(SamePlay[State, Action, Any]):
    """A problem without percepts, symmetry and hooks, on which a proof must not rely."""

    problem: BeliefProblem[State, Action, Any]

    initial_states = handed_on("initial_states")
    goal_sets = handed_on("goal_sets")
    action_cost = handed_on("action_cost")
    has_unit_costs = handed_on("has_unit_costs")


class UnreducedContingent(Unreduced[State, Action]):
    """A contingent problem without symmetry and hooks."""

    def percepts(self, state: State, action: Action) -> Iterable[Any]:
        return self.problem.percepts(state, action)

    is_sensorless = handed_on("is_sensorless")
    format_percept = handed_on("format_percept")
