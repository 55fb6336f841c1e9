"""Adapters: a problem turned into another problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from .belief import initial_states, no_tick
from .checked import checked_cost
from .hooks import ArrayHook
from .presentation import Presentation
from .problem import Action, BeliefProblem, Cost, Percept, Problem, State

if TYPE_CHECKING:
    from numpy.typing import NDArray


def handed_on(name: str) -> Any:
    """An adapter's method that calls the method of the same name of its `problem`."""

    def method(self: Any, *arguments: Any) -> Any:
        return getattr(self.problem, name)(*arguments)

    return method


class SamePlay(BeliefProblem[State, Action, Percept]):
    """An adapter that hands on the actions, results and goals of its `problem`, and nothing that is optional."""

    problem: BeliefProblem[State, Action, Any]

    def actions(self, state: State) -> Iterable[Action]:
        return self.problem.actions(state)

    def results(self, state: State, action: Action) -> Iterable[State]:
        return self.problem.results(state, action)

    def is_goal(self, state: State) -> bool:
        return self.problem.is_goal(state)


class SameLooks(Presentation[State, Action]):
    """An adapter with the same states and actions: hands on how they are written, read and drawn."""

    problem: Presentation[State, Action]

    format_state = handed_on("format_state")
    format_action = handed_on("format_action")
    draw_state = handed_on("draw_state")
    draw_action = handed_on("draw_action")
    svg_state = handed_on("svg_state")
    svg_action = handed_on("svg_action")
    svg_belief = handed_on("svg_belief")
    describe_action = handed_on("describe_action")
    node_number = handed_on("node_number")
    describe_step = handed_on("describe_step")
    parse_state = handed_on("parse_state")
    parse_action = handed_on("parse_action")


class _SeenOtherwise(SameLooks[State, Action], BeliefProblem[State, Action, Any]):
    """An adapter with the same states: hands on goals, estimates, and how they look."""

    problem: Problem[State, Action]

    def overrides(self, method: str) -> bool:
        return self.problem.overrides(method)

    def is_goal(self, state: State) -> bool:
        return self.problem.is_goal(state)

    def heuristic(self, state: State) -> Cost:
        return self.problem.heuristic(state)

    def canonical(self, state: State) -> State:
        return self.problem.canonical(state)

    has_unit_costs = handed_on("has_unit_costs")
    has_heuristic = handed_on("has_heuristic")


class Quotient(_SeenOtherwise[State, Action], Problem[State, Action]):
    """A plain problem up to symmetry: every state is replaced by its `canonical` representative.

    Equivalent states have the same actions, so a plan found here is a plan of the problem itself.
    """

    def __init__(self, problem: Problem[State, Action]) -> None:
        self.problem = problem

    def initial_state(self) -> State:
        return self.problem.canonical(self.problem.initial_state())

    def actions(self, state: State) -> Iterable[Action]:
        return self.problem.actions(state)

    def result(self, state: State, action: Action) -> State:
        return self.problem.canonical(self.problem.result(state, action))

    def action_cost(self, state: State, action: Action) -> Cost:
        return self.problem.action_cost(state, action)


@frozen
class Blindfolded(_SeenOtherwise[State, Action], BeliefProblem[State, Action, None], ArrayHook[State, Action]):
    """A plain problem played blindfolded, from any of its possible starts, until a bell rings.

    The game stops as soon as it is won: nothing changes a goal state. An action that is illegal in a
    state does nothing there. In a problem of unit costs every turn costs 1; otherwise an action that
    does nothing costs nothing.

    Parameters
    ----------
    problem
        The problem to be played; it must list its `possible_starts`.

    Notes
    -----
    The blindfolded player may try, in any state, every action that is legal in some state that can
    come up. To know these, the first use explores everything reachable from the possible starts.
    """

    problem: Problem[State, Action]
    tick: Callable[[], None] = field(default=no_tick, eq=False, repr=False)

    def initial_states(self) -> Iterable[State]:
        return self.problem.possible_starts()

    def actions(self, state: State) -> Iterable[Action]:
        return self._all_actions

    def results(self, state: State, action: Action) -> Iterable[State]:
        return (self.problem.result(state, action) if self._changes(state, action) else state,)

    def action_cost(self, state: State, action: Action) -> Cost:
        if self.problem.has_unit_costs():
            return 1
        return checked_cost(self.problem, state, action) if self._changes(state, action) else 0

    def _changes(self, state: State, action: Action) -> bool:
        return not self.problem.is_goal(state) and action in self.problem.actions(state)

    def is_sensorless(self) -> bool:
        return True

    def all_states(self) -> Sequence[State] | None:
        return self.problem.all_states() if isinstance(self.problem, ArrayHook) else None

    def all_results(self, action: Action) -> NDArray[Any]:
        """The results of the problem, except that a state in which the action is not legal leads to itself."""
        import numpy as np

        assert isinstance(self.problem, ArrayHook), "it has listed its states"
        results = np.array(self.problem.all_results(action))  # a copy, as it is going to be changed
        if results.ndim != 2 or len(results) != len(self._legal):
            return results  # whoever asked will complain
        unchanged = [number for number, legal in enumerate(self._legal) if action not in legal]
        results[unchanged] = [[number] for number in unchanged]
        return results

    @cached_property
    def _legal(self) -> list[frozenset[Action]]:
        """By number of a state in the array hook: the actions that are legal there."""
        none: frozenset[Action] = frozenset()
        states = self.all_states()
        if states is None:
            return []
        return [none if self.problem.is_goal(state) else frozenset(self.problem.actions(state)) for state in states]

    @cached_property
    def _all_actions(self) -> tuple[Action, ...]:
        """All actions legal in some state that can come up, in the order in which they are met."""
        reached = dict.fromkeys(initial_states(self, self.tick))
        frontier = list(reached)
        actions: dict[Action, None] = {}
        for state in frontier:  # grows while it is walked: breadth-first
            if self.problem.is_goal(state):
                continue
            for action in self.problem.actions(state):
                self.tick()
                actions[action] = None
                child = self.problem.result(state, action)
                if child not in reached:
                    reached[child] = None
                    frontier.append(child)
        return tuple(actions)
