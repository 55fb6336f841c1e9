"""Views: one kind of problem seen as another, so that every solver is written once.

- `SensorlessView`: a sensorless belief problem as a plain problem whose states are frozensets. It is
  `belief.py` and nothing else: slow, obvious, and the oracle for `beliefsearch.engine`.
- `Quotient`: a plain problem up to symmetry.
- `Blindfolded`: a plain problem as a sensorless one, which must be won from every possible start.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Container, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import field, frozen

from ..errors import ProblemError
from ..model.belief import (
    Belief,
    applicable_actions,
    belief_cost,
    initial_belief,
    initial_states,
    is_goal_belief,
    merged_order,
    no_tick,
    predict,
    reachable_states,
    successors,
)
from ..model.checked import checked_cost, checked_estimate, checked_potential
from ..model.problem import Action, BeliefProblem, Percept, Problem, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..model.problem import Cost

__all__ = ["BeliefView", "Blindfolded", "Quotient", "SensorlessView", "Unreduced", "combined_estimate"]

_ROUNDING = 1e-6

Node = TypeVar("Node", bound="frozenset[object] | int | bytes")


class BeliefView(Problem[Node, Action], Generic[Node, State, Action]):
    """A sensorless belief problem as a plain problem; how a belief is represented is up to the view.

    Parameters
    ----------
    problem
        The problem to be seen.
    tick
        Called before each piece of work that may take long; raises to stop it (see `Budget.tick`).

    Attributes
    ----------
    max_belief_size
        Members of the largest belief the view has given out.

    Raises
    ------
    ProblemError
        If the problem has percepts: then a plan is no mere sequence of actions.
    """

    def __init__(self, problem: BeliefProblem[State, Action, Percept], tick: Callable[[], None] = no_tick) -> None:
        if not problem.is_sensorless():
            raise ProblemError(
                f"{type(problem).__name__} has percepts, so a plan for it is no mere sequence of actions; "
                "a ContingentView shows such a problem"
            )
        self.problem = problem
        self.max_belief_size = 1
        self._tick = tick

    @abstractmethod
    def members(self, belief: Node) -> list[State]:
        """The states of `belief`, in an order that is the same for every belief of this view."""

    @abstractmethod
    def includes(self, large: Node, small: Node) -> bool:
        """Whether every state of `small` is in `large`."""

    @abstractmethod
    def size(self, belief: Node) -> int:
        """How many states `belief` has."""

    @abstractmethod
    def all_actions(self) -> tuple[Action, ...]:
        """Every action of every state that can come up, in an order that agrees with theirs."""

    @abstractmethod
    def goal_beliefs(self) -> list[Node]:
        """The goal sets, as far as their states can come up; none is empty."""

    @abstractmethod
    def preimage(self, belief: Node, action: Action) -> Node | None:
        """The states in which `action` applies and leads into `belief` for certain; None if there is none.

        The first use of this, of `goal_beliefs` or of `all_actions` explores every state that can come up.
        """

    def has_unit_costs(self) -> bool:
        return self.problem.has_unit_costs()

    def has_heuristic(self) -> bool:
        return self.problem.has_heuristic() or self.problem.has_potential()

    def action_cost(self, belief: Node, action: Action) -> Cost:
        if self.problem.has_unit_costs():
            return 1
        return max(checked_cost(self.problem, state, action) for state in self.members(belief))

    def heuristic(self, belief: Node) -> Cost:
        """The author's estimate: the largest of a member, or the sum of the members' potentials if that is more.

        Knowing the state cannot cost more than not knowing it, so the estimate of a member is one of the belief.
        """
        problem = self.problem
        members = self.members(belief)
        largest = max(checked_estimate(problem, state) for state in members)
        if not problem.has_potential():
            return largest
        total = sum(checked_potential(problem, state) for state in members)
        return combined_estimate(largest, total, problem.has_unit_costs())

    def format_state(self, belief: Node) -> str:
        return "{" + ", ".join(map(self.problem.format_state, self.members(belief))) + "}"

    def format_action(self, action: Action) -> str:
        return self.problem.format_action(action)


def combined_estimate(largest: Cost, total: Cost, unit_costs: bool) -> Cost:
    """The larger of two estimates of a belief: the largest of its states, and the sum of their potentials.

    With unit costs a sum that is no whole number is rounded up, unless it is so close to one that it may be
    an error of floats.
    """
    if unit_costs and total < math.inf:
        total = math.ceil(total - _ROUNDING)
    return max(largest, total)


class SensorlessView(BeliefView[Belief[State], State, Action]):
    """Beliefs as frozensets of representatives: the definition, directly."""

    def initial_state(self) -> Belief[State]:
        return self._representatives(initial_belief(self.problem, self._tick))

    def actions(self, belief: Belief[State]) -> list[Action]:
        return applicable_actions(self.problem, belief, self._tick)

    def result(self, belief: Belief[State], action: Action) -> Belief[State]:
        return self._representatives(predict(self.problem, belief, action, self._tick))

    def is_goal(self, belief: Belief[State]) -> bool:
        return is_goal_belief(self.problem, belief)

    def action_cost(self, belief: Belief[State], action: Action) -> Cost:
        return belief_cost(self.problem, belief, action)

    def members(self, belief: Belief[State]) -> list[State]:
        return sorted(belief, key=repr)

    def includes(self, large: Belief[State], small: Belief[State]) -> bool:
        return small <= large

    def size(self, belief: Belief[State]) -> int:
        return len(belief)

    def all_actions(self) -> tuple[Action, ...]:
        return merged_order(self._all_states.values())

    def goal_beliefs(self) -> list[Belief[State]]:
        sets = (frozenset(s for s in self._all_states if s in goals) for goals in self.problem.goal_sets())
        return [states for states in sets if states]

    def preimage(self, belief: Belief[State], action: Action) -> Belief[State] | None:
        def leads_into(state: State) -> bool:
            results = successors(self.problem, state, action, self._tick)
            return all(self.problem.canonical(result) in belief for result in results)

        applicable = (state for state, actions in self._all_states.items() if action in actions)
        return frozenset(filter(leads_into, applicable)) or None

    @cached_property
    def _all_states(self) -> dict[State, tuple[Action, ...]]:
        return reachable_states(self.problem, self._tick)

    def _representatives(self, belief: Belief[State]) -> Belief[State]:
        representatives = frozenset(map(self.problem.canonical, belief))
        self.max_belief_size = max(self.max_belief_size, len(representatives))
        return representatives


class _SeenOtherwise(BeliefProblem[State, Action, Any]):
    """What a view on the same states leaves as it is: goals, estimates, and how things are written and read."""

    problem: Problem[State, Action]

    def is_goal(self, state: State) -> bool:
        return self.problem.is_goal(state)

    def has_unit_costs(self) -> bool:
        return self.problem.has_unit_costs()

    def heuristic(self, state: State) -> Cost:
        return self.problem.heuristic(state)

    def has_heuristic(self) -> bool:
        return self.problem.has_heuristic()

    def canonical(self, state: State) -> State:
        return self.problem.canonical(state)

    def format_state(self, state: State) -> str:
        return self.problem.format_state(state)

    def format_action(self, action: Action) -> str:
        return self.problem.format_action(action)

    def draw_state(self, state: State) -> str:
        return self.problem.draw_state(state)

    def draw_action(self, action: Action) -> str:
        return self.problem.draw_action(action)

    def node_number(self, state: State) -> int | None:
        return self.problem.node_number(state)

    def describe_step(self, state: State, action: Action, result: State) -> str:
        return self.problem.describe_step(state, action, result)

    def parse_state(self, text: str) -> State:
        return self.problem.parse_state(text)

    def parse_action(self, text: str) -> Action:
        return self.problem.parse_action(text)


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
class Unreduced(BeliefProblem[State, Action, Any]):
    """Any problem as a belief problem without percepts, symmetry and hooks: a proof must not rely on them."""

    problem: BeliefProblem[State, Action, Any]

    def initial_states(self) -> Iterable[State]:
        return self.problem.initial_states()

    def actions(self, state: State) -> Iterable[Action]:
        return self.problem.actions(state)

    def results(self, state: State, action: Action) -> Iterable[State]:
        return self.problem.results(state, action)

    def is_goal(self, state: State) -> bool:
        return self.problem.is_goal(state)

    def goal_sets(self) -> Iterable[Container[State]]:
        return self.problem.goal_sets()

    def action_cost(self, state: State, action: Action) -> Cost:
        return self.problem.action_cost(state, action)

    def has_unit_costs(self) -> bool:
        return self.problem.has_unit_costs()


@frozen
class Blindfolded(_SeenOtherwise[State, Action], BeliefProblem[State, Action, None]):
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

    def has_array_hook(self) -> bool:
        return self.problem.has_array_hook()

    def all_states(self) -> Sequence[State] | None:
        return self.problem.all_states()

    def all_results(self, action: Action) -> NDArray[Any]:
        """The results of the problem itself, but a state in which the action changes nothing leads to itself."""
        import numpy as np

        results = np.array(self.problem.all_results(action))  # a copy, as it is going to be changed
        if results.ndim != 2 or len(results) != len(self._legal):
            return results  # whoever asked will complain
        unchanged = [number for number, legal in enumerate(self._legal) if action not in legal]
        results[unchanged] = [[number] for number in unchanged]
        return results

    @cached_property
    def _legal(self) -> list[frozenset[Action]]:
        """By number of a state in the array hook: the actions that change something there."""
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
