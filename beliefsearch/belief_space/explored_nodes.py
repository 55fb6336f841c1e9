"""Nodes of an exploration: the states of a problem, or its beliefs if the player does not see the state.

Every applicable action is followed; `distinct_actions` and `belief_class` have no effect. Equivalent states
(`canonical`) are one node. Goals are expanded like other nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from attrs import evolve, frozen

from ..kinds import is_plain, is_stochastic, possible_game
from ..model.adapters import Blindfolded
from ..model.base import State
from ..model.belief import Belief, initial_states, is_goal_belief, no_tick, successors
from ..model.checked import asked_of_codes
from ..model.hooks import ReversibleCodeHook, ReversibleProblem
from ..model.problem import BeliefProblem
from ..model.stochastic import AnyProblem
from ..model.values import listed
from .contingent import FrozensetContingentView

Node = TypeVar("Node", bound=Hashable)

REVERSIBLE = (ReversibleProblem, ReversibleCodeHook)
"""The classes of problems that can be explored backwards from their goals."""


@frozen
class Nodes(Generic[Node]):
    """Nodes of an exploration: states of the problem, or beliefs, which are frozensets of these."""

    name: str  # "states" or "beliefs"
    starts: Callable[[], Iterable[Node]]
    moves: Callable[[Node], Iterable[Iterable[Node]]]  # the successors of a node, action by action
    is_goal: Callable[[Node], bool]
    counted_as: Callable[[Node], Node] = lambda node: node  # nodes with the same representative are counted once


def shows_states(problem: AnyProblem[Any, Any]) -> bool:
    """Whether the player knows the state from the start on, so that states are explored and not beliefs."""
    if is_plain(problem) or is_stochastic(problem) or not problem.sees_state():
        return problem.sees_state()
    seen: BeliefProblem[Any, Any, Any] = problem  # type: ignore[assignment]  # as the kind says
    return len(set(islice(initial_states(seen), 2))) == 1


def nodes_of(problem: AnyProblem[Any, Any], tick: Callable[[], None] = no_tick) -> Nodes[Any]:
    """Return the nodes reachable from the start of a problem of any kind; probabilities are ignored.

    `tick` is called before each piece of work that may take long, and raises to stop it.
    """
    if isinstance(problem, Blindfolded):
        problem = evolve(problem, tick=tick)
    possible = possible_game(problem)
    if shows_states(problem):
        return _states(possible, tick)
    return _beliefs(possible, tick)


def nodes_behind(problem: Any, tick: Callable[[], None] = no_tick) -> Nodes[Any]:
    """Return the nodes from which a goal of a reversible problem can be reached; its start is ignored.

    All of several equivalent states are walked over, since `predecessors` are those of one state; one is counted.
    """

    def before(state: Any) -> Iterator[list[Any]]:
        for origin, _ in problem.predecessors(state):
            tick()
            yield [origin]

    def before_by_codes(state: Any) -> Iterator[list[Any]]:
        codes = problem.codes([state])
        for action in problem.all_actions():
            tick()
            yield list(problem.states_of(asked_of_codes(problem, "origins_of", codes, action)))

    if isinstance(problem, ReversibleProblem):
        return Nodes("states", problem.goal_states, before, problem.is_goal, problem.canonical)
    goals = problem.states_of(problem.goal_codes())
    return Nodes("states", lambda: goals, before_by_codes, problem.is_goal)


def _states(problem: BeliefProblem[State, Any, Any], tick: Callable[[], None]) -> Nodes[State]:
    def starts() -> Iterator[State]:
        return (problem.canonical(state) for state in initial_states(problem, tick))

    def moves(state: State) -> Iterator[list[State]]:
        for action in listed(problem.actions(state)):
            yield [problem.canonical(result) for result in successors(problem, state, action, tick)]

    return Nodes("states", starts, moves, lambda state: is_goal_belief(problem, frozenset((state,))))


class _WithEveryAction(FrozensetContingentView[State, Any]):
    """The view without the reduction of equivalent actions."""

    def _distinct_actions(self, belief: Belief[State]) -> None:
        return None


def _beliefs(problem: BeliefProblem[State, Any, Any], tick: Callable[[], None]) -> Nodes[Belief[State]]:
    view = _WithEveryAction(problem, tick)

    def moves(belief: Belief[State]) -> Iterator[list[Belief[State]]]:
        for action in view.actions(belief):
            yield [after for _, after in view.outcomes(belief, action)]

    return Nodes("beliefs", lambda: [view.initial_node()], moves, view.is_goal)
