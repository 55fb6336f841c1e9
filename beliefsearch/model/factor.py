"""Factors: parts of the state that evolve independently, for `FactoredHook`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Generic, TypeAlias

from attrs import field, frozen

from ..errors import ProblemError
from .base import Action, Cost
from .diagrams import Rule
from .partial_states import StateRules
from .problem import BeliefProblem


@frozen(eq=False)
class Facts(Generic[Action]):
    """The states of a factor as sets of facts, numbered from 0, for the delete relaxation: there facts stay true.

    Relaxed plans only guide a search: facts that are missing here make it slower, never wrong.

    Attributes
    ----------
    count
        The number of facts.
    of
        The facts that hold in a state of the factor.
    effects
        Conditional effects: an action, the facts that are its condition, and the fact that it adds.
    needs
        Preconditions by action, as clauses of facts: one fact of each clause must hold.
    goal
        The goal of the factor, as clauses of facts: one fact of each clause must hold.
    percepts
        Sensing: an action, the facts that are the condition, and the percept; for facts of the whole problem.
    rules
        Of the whole problem, if the player sees the state: all that actions need and do. What follows of these is never
        wrong, so they must be complete; nothing else is needed then.
    """

    count: int = 0
    of: Callable[[Any], Iterable[int]] = lambda state: ()
    effects: Sequence[tuple[Action, Sequence[int], int]] = ()
    needs: Mapping[Action, Sequence[Sequence[int]]] = field(factory=dict)
    goal: Sequence[Sequence[int]] = ()
    percepts: Sequence[tuple[Action, Sequence[int], Any]] = ()
    rules: StateRules[Action] | None = None


@frozen(eq=False)
class FixedStates(Generic[Action]):
    """States that no action changes, as truth assignments that satisfy rules; beliefs are then decision diagrams.

    Attributes
    ----------
    count
        The number of variables. Diagrams are smaller the nearer the variables of a rule are to each other.
    starts
        The rules that the starts satisfy.
    needs
        Preconditions by action, as rules; other actions apply in all states.
    goal
        The rules that won states satisfy.
    tells
        By action, the rule whose truth decides which of two percepts comes; after other actions None comes.
    state_of
        The state in which these variables are true, and no others.
    true_in
        The variables that are true in a state.
    """

    count: int
    starts: Sequence[Rule]
    needs: Mapping[Action, Sequence[Rule]]
    goal: Sequence[Rule]
    tells: Mapping[Action, Rule]
    state_of: Callable[[Collection[int]], Any]
    true_in: Callable[[Any], frozenset[int]]

    def __attrs_post_init__(self) -> None:
        for kind, members in chain(self.starts, self.goal, *self.needs.values(), self.tells.values()):
            if kind not in ("or", "oneof"):
                raise ProblemError(f"FixedStates: the kind of a rule is or, or oneof, and not {kind!r:.40}")
            if any(not 0 <= literal < 2 * self.count for member in members for literal in member):
                raise ProblemError(
                    f"FixedStates: a literal is from 0 to {2 * self.count - 1}, twice a variable or one more"
                )


@frozen(eq=False)
class Factor(Generic[Action]):
    """A part of the state that evolves independently, as a problem of its own.

    Attributes
    ----------
    problem
        The problem of this factor alone. An action costs in every state of it as much as in the whole problem.
    actions
        Every action that may be inapplicable in the factor or change it; the others leave it as it is.
    of
        The state of the factor in a state of the whole problem.
    facts
        Its states as sets of facts, if there are too many states for one fact each.
    fixed
        Its states by rules, if there are too many to list and no action changes them; for at most one factor.
    """

    problem: BeliefProblem[Any, Action, Any]
    actions: Sequence[Action]
    of: Callable[[Any], Hashable]
    facts: Facts[Action] | None = None
    fixed: FixedStates[Action] | None = None


Placed: TypeAlias = "tuple[int, Any]"
"""The place of a factor, and a state of it."""


class FactorSum(BeliefProblem[Placed, Action, None]):
    """The disjoint union of the factors of a sensorless problem: a state is a factor and a state of it.

    A belief here is the union of one local belief for each factor. So its size is the sum of theirs; in the whole
    problem it may be their product. Both problems have the same plans. With some of the factors only, a plan of the
    whole problem becomes a plan here without the actions that concern none of them. Those that are `free` cost nothing.
    """

    def __init__(self, factors: Sequence[Factor[Action]], free: Collection[Action] = ()) -> None:
        self._problems = [factor.problem for factor in factors]
        self._all_actions = tuple(dict.fromkeys(chain.from_iterable(factor.actions for factor in factors)))
        self._own = [frozenset(factor.actions) for factor in factors]
        self._goals = [tuple(problem.goal_sets()) for problem in self._problems]
        if any(len(goals) > 1 for goals in self._goals):
            raise ProblemError("a factor that has several goal sets has no sum with others")
        self._free = frozenset(free)
        self._is_unit = not free and all(problem.has_unit_costs() for problem in self._problems)

    def initial_states(self) -> Iterator[Placed]:
        return ((place, state) for place, problem in enumerate(self._problems) for state in problem.initial_states())

    def actions(self, state: Placed) -> Sequence[Action]:
        place, local = state
        own, here = self._own[place], frozenset(self._problems[place].actions(local))
        return tuple(action for action in self._all_actions if action in here or action not in own)

    def results(self, state: Placed, action: Action) -> Iterable[Placed]:
        place, local = state
        if action not in self._own[place]:
            return (state,)
        return tuple((place, result) for result in self._problems[place].results(local, action))

    def is_goal(self, state: Placed) -> bool:
        """Whether the factor of a state is won in it."""
        place, local = state
        return any(local in goals for goals in self._goals[place])

    def action_cost(self, state: Placed, action: Action) -> Cost:
        """The cost in the factor; 0 or 1 in a factor that the action does not concern: another one has the cost."""
        place, local = state
        if action in self._free:
            return 0
        if action in self._own[place]:
            return self._problems[place].action_cost(local, action)
        return int(self._is_unit)

    def has_unit_costs(self) -> bool:
        return self._is_unit

    def format_state(self, state: Placed) -> str:
        place, local = state
        return f"{place}: {self._problems[place].format_state(local)}"

    def format_action(self, action: Action) -> str:
        place = next(place for place, own in enumerate(self._own) if action in own)
        return self._problems[place].format_action(action)
