"""A sensorless problem as a plain problem whose states are beliefs, so that solvers are written once.

The beliefs of `SensorlessView` are frozensets. It uses `model/belief.py` and nothing else: slow, obvious, and the
oracle for the engine, whose views share the base `BeliefView`. `contingent.py` shares `FrozensetBeliefs`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Generic, TypeVar

from ..errors import ProblemError
from ..model.base import Action, Cost, Percept, State
from ..model.belief import (
    Belief,
    applicable_actions,
    belief_cost,
    initial_belief,
    is_goal_belief,
    no_tick,
    predict,
    successors,
)
from ..model.checked import checked_cost, checked_estimate, checked_potential, combined_estimate
from ..model.hooks import PotentialHook
from ..model.problem import BeliefProblem, Problem
from ..model.reachability import merged_order, reachable_states

Node = TypeVar("Node", bound="frozenset[object] | int | bytes")


class BeliefView(Problem[Node, Action], Generic[Node, State, Action]):
    """A sensorless problem as a plain problem; subclasses choose how to represent beliefs.

    `tick` is called before each piece of work that may take long, and raises to stop it (see `Budget.tick`).
    `max_belief_size` is the size of the largest belief so far. Raises `ProblemError` if the problem has percepts, since
    a plan is no mere sequence of actions then.
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
        """List the states of `belief`, in an order that is the same for every belief of this view."""

    @abstractmethod
    def includes(self, large: Node, small: Node) -> bool:
        """Whether every state of `small` is in `large`."""

    @abstractmethod
    def size(self, belief: Node) -> int:
        """Count the states of `belief`."""

    @abstractmethod
    def all_actions(self) -> tuple[Action, ...]:
        """Return every action of every reachable state, in an order that agrees with theirs."""

    @abstractmethod
    def goal_beliefs(self) -> list[Node]:
        """Return the goal sets, restricted to reachable states; none is empty."""

    @abstractmethod
    def preimage(self, belief: Node, action: Action) -> Node | None:
        """Return the states in which `action` applies and always leads into `belief`; None if there is none.

        The first use of this, of `goal_beliefs` or of `all_actions` explores every state that can come up.
        """

    def has_unit_costs(self) -> bool:
        return self.problem.has_unit_costs()

    def has_heuristic(self) -> bool:
        return self.problem.has_heuristic() or isinstance(self.problem, PotentialHook)

    def action_cost(self, belief: Node, action: Action) -> Cost:
        if self.problem.has_unit_costs():
            return 1
        return max(checked_cost(self.problem, state, action) for state in self.members(belief))

    def heuristic(self, belief: Node) -> Cost:
        """Return the author's estimate: the largest heuristic of a member, or the sum of their potentials if larger.

        Knowing the state cannot cost more than not knowing it, so the estimate of a member is one of the belief.
        """
        problem = self.problem
        members = self.members(belief)
        largest = max(checked_estimate(problem, state) for state in members)
        if not isinstance(problem, PotentialHook):
            return largest
        total = sum(checked_potential(problem, state) for state in members)
        return combined_estimate(largest, total, problem.has_unit_costs())

    def format_state(self, belief: Node) -> str:
        return "{" + ", ".join(self.problem.format_state(state) for state in self.members(belief)) + "}"

    def format_action(self, action: Action) -> str:
        return self.problem.format_action(action)


class FrozensetBeliefs(Generic[State, Action]):
    """Base of views whose beliefs are frozensets of representatives: the definition, directly."""

    problem: BeliefProblem[State, Action, Any]
    max_belief_size: int

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

    def _representatives(self, states: Iterable[State]) -> Belief[State]:
        representatives = frozenset(self.problem.canonical(state) for state in states)
        self.max_belief_size = max(self.max_belief_size, len(representatives))
        return representatives


class SensorlessView(FrozensetBeliefs[State, Action], BeliefView[Belief[State], State, Action]):
    """A sensorless problem on frozensets."""

    def initial_state(self) -> Belief[State]:
        return self._representatives(initial_belief(self.problem, self._tick))

    def actions(self, belief: Belief[State]) -> list[Action]:
        return applicable_actions(self.problem, belief, self._tick)

    def result(self, belief: Belief[State], action: Action) -> Belief[State]:
        return self._representatives(predict(self.problem, belief, action, self._tick))

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
        return frozenset(state for state in applicable if leads_into(state)) or None

    @cached_property
    def _all_states(self) -> dict[State, tuple[Action, ...]]:
        return reachable_states(self.problem, self._tick)
