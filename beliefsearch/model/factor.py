"""Factors: parts of the state that evolve by themselves, for `FactoredHook`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Generic, TypeAlias

from attrs import frozen

from ..errors import ProblemError
from .base import Action, Cost
from .problem import BeliefProblem
from .rules import Rule


@frozen(eq=False)
class Facts(Generic[Action]):
    """The states of a factor as sets of facts, numbered from 0, for relaxed plans: there facts never cease to hold.

    Relaxed plans only guide a search, so what is left out here makes it slower and never wrong.

    Attributes
    ----------
    count
        How many facts there are.
    of
        The facts that hold in a state of the factor.
    effects
        Actions, each with facts under which it brings about another, and that one.
    needs
        By action, clauses of facts: it applies where one of each holds.
    goal
        Clauses of facts: the goal of the factor is reached where one of each holds.
    percepts
        Actions, each with facts under which a percept comes after it, and that one; for facts of the whole problem.
    """

    count: int
    of: Callable[[Any], Iterable[int]]
    effects: Sequence[tuple[Action, Sequence[int], int]]
    needs: Mapping[Action, Sequence[Sequence[int]]]
    goal: Sequence[Sequence[int]]
    percepts: Sequence[tuple[Action, Sequence[int], Any]] = ()


@frozen(eq=False)
class FixedStates(Generic[Action]):
    """States that no action changes, as truth values of variables that keep rules; then beliefs are decision diagrams.

    Attributes
    ----------
    count
        How many variables there are. Diagrams are smaller the nearer those are that stand in one rule.
    starts
        The rules of the starts.
    needs
        By action, the rules of the states in which it applies; others apply in all states.
    goal
        The rules of the states that are won.
    tells
        By action, the rule that decides which of two percepts comes after it; after others None comes.
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
    """A part of the state that evolves by itself, as a problem of its own.

    Attributes
    ----------
    problem
        Its states are those of the factor, and what it tells is what the factor does. An action applies, and leads to
        what it leads to, by what the factor is in; it costs what it costs in the whole problem, wherever it is done.
    actions
        Every action that the factor has to do with: others apply everywhere and leave it as it is.
    of
        The state of the factor in a state of the whole problem.
    facts
        Its states as sets of facts, if they are too many to be a fact each.
    fixed
        Its states by rules, if they are too many to be listed and no action changes them. One factor may have this.
    """

    problem: BeliefProblem[Any, Action, Any]
    actions: Sequence[Action]
    of: Callable[[Any], Hashable]
    facts: Facts[Action] | None = None
    fixed: FixedStates[Action] | None = None


Placed: TypeAlias = "tuple[int, Any]"
"""The place of a factor, and a state of it."""


class FactorSum(BeliefProblem[Placed, Action, None]):
    """The disjoint union of the factors of a sensorless problem: a state is one of some factor.

    A belief holds all that each factor may be in. So it says what a tuple of local beliefs says, and has as many states
    as the factors have together, where the whole has their product. Plans of the whole are plans of this, and the other
    way round; for some of the factors, without the actions that have nothing to do with them.
    """

    def __init__(self, factors: Sequence[Factor[Action]]) -> None:
        self._problems = [factor.problem for factor in factors]
        self._all_actions = tuple(dict.fromkeys(chain.from_iterable(factor.actions for factor in factors)))
        self._own = [frozenset(factor.actions) for factor in factors]
        self._goals = [tuple(problem.goal_sets()) for problem in self._problems]
        if any(len(goals) > 1 for goals in self._goals):
            raise ProblemError("a factor that has several goal sets has no sum with others")
        self._is_unit = all(problem.has_unit_costs() for problem in self._problems)

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
        """The cost in the factor; the belief has states of another one if it has nothing to do with this."""
        place, local = state
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
