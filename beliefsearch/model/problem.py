"""The three kinds of problem without probabilities, as an author writes them.

There is one transition model: a `Problem` is a `BeliefProblem` with one start and one result of each action. Required
methods are abstract, optional ones have a default. States and actions are hashable values of the author's own types.

Semantics, the same for every kind:

- An action is applicable in a belief when it is applicable in every state of it.
- Goal states are not absorbing. A game that stops when it is won says so in its own results.
- An applicable action has at least one result; none at all is a `ProblemError`.
- The order of actions is significant and deterministic, and states that share actions list them in
  the same relative order; so the same call always gives the same answer.
- Costs are not negative.

The words are those of Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th ed., chapters 3, 4, 16.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Iterable
from typing import Generic

from ..errors import ProblemError
from .base import Action, BaseProblem, Cost, Percept, State, StatesWhere
from .values import stable_text


class BeliefProblem(BaseProblem[State, Action], Generic[State, Action, Percept]):
    """A problem whose player may not know the state: nondeterministic, partially observable, or both.

    Required: `initial_states`, `actions`, `results`, `is_goal` or `goal_sets`; and `percepts`, if there are some.
    Optional: what follows these here, and the hooks in `beliefsearch.model.hooks`.
    """

    @abstractmethod
    def initial_states(self) -> Iterable[State]:
        """Return the initial belief: every state that may be the true one at the start (at least one)."""

    @abstractmethod
    def results(self, state: State, action: Action) -> Iterable[State]:
        """Return every state that may follow when `action` is done in `state`: at least one.

        In simulated games each listed result is equally likely, so one listed twice is twice as likely.
        """

    def is_goal(self, state: State) -> bool:
        """Whether a player who knows that the state is `state` has won.

        Required, unless `goal_sets` says it (default: whether one of these contains `state`), and ignored then.
        """
        if not self.overrides("goal_sets"):
            raise ProblemError(f"{type(self).__name__} lacks is_goal(state): whether the player has won there")
        return any(state in goals for goals in self.goal_sets())

    def percepts(self, state: State, action: Action) -> Iterable[Percept | None]:
        """Return the possible percepts on arriving in `state` by `action`: at least one, several if sensing is noisy.

        The default is the single percept None: the problem is *sensorless*.
        """
        return (None,)

    def has_adversary(self) -> bool:
        """Whether an adversary chooses the results (default: no, chance does).

        Against chance a plan that keeps trying wins in the end; against an adversary it may never do so, and is no plan
        at all. Where a plan is sure to win within a certain number of actions, this makes no difference.
        """
        return False

    def format_percept(self, percept: Percept | None) -> str:
        """Write `percept` as a line, different for different ones (default: `stable_text`; None is "nothing")."""
        return "nothing" if percept is None else stable_text(percept)

    def is_sensorless(self) -> bool:
        """Whether the player perceives nothing (default: `percepts` is not overridden)."""
        return not self.overrides("percepts")

    def sees_state(self) -> bool:
        """Whether the player always knows the state, by the kind of problem (default: no)."""
        return False

    def goal_sets(self) -> Iterable[Container[State]]:
        """Return the maximal sets of states in which the player has won.

        A belief is a goal when it lies inside one of them; so is each of its subsets, then. By default there is one
        set, the states for which `is_goal` holds; "know which state it is" would be one singleton a state. Many sets
        are asked soonest as frozensets, or as `StatesWith` of `beliefsearch.hooks` where they are large.
        """
        return (StatesWhere(self),)

    def action_cost(self, state: State, action: Action) -> Cost:
        """Return the cost of `action` in `state`: a finite number, not negative (default: 1)."""
        return 1

    def has_unit_costs(self) -> bool:
        """Whether every action costs 1 (default: whether `action_cost` is not overridden)."""
        return not self.overrides("action_cost")

    def heuristic(self, state: State) -> Cost:
        """Return a lower bound on the cost from `state` to a goal; infinite if there is no way (default: 0).

        In a belief problem: on what it costs a player who *knows* that the state is `state`.
        """
        return 0

    def has_heuristic(self) -> bool:
        """Whether there is a `heuristic` (default: whether it is overridden)."""
        return self.overrides("heuristic")


class ObservableProblem(BeliefProblem[State, Action, State]):
    """A nondeterministic problem whose player sees every state: the percept is the state.

    Required: `initial_state`, `actions`, `results`, `is_goal`. Optional: as for `BeliefProblem`.
    """

    @abstractmethod
    def initial_state(self) -> State:
        """Return the state in which the game begins."""

    def initial_states(self) -> Iterable[State]:
        return (self.initial_state(),)

    def percepts(self, state: State, action: Action) -> Iterable[State | None]:
        return (state,)

    def sees_state(self) -> bool:
        return True

    def format_percept(self, percept: State | None) -> str:
        return "nothing" if percept is None else self.format_state(percept)


class Problem(BeliefProblem[State, Action, None]):
    """A deterministic, fully observable problem: a shortest-path problem on a graph that is not listed.

    Required: `initial_state`, `actions`, `result`, `is_goal`. Optional: as for `BeliefProblem`, and
    `possible_starts`. It is the belief problem with one start and one result of each action: its belief always
    has one state, and nothing is left to perceive.
    """

    @abstractmethod
    def initial_state(self) -> State:
        """Return the state in which the search begins."""

    @abstractmethod
    def result(self, state: State, action: Action) -> State:
        """Return the state that follows when `action` is done in `state`."""

    def initial_states(self) -> Iterable[State]:
        return (self.initial_state(),)

    def results(self, state: State, action: Action) -> Iterable[State]:
        return (self.result(state, action),)

    def is_sensorless(self) -> bool:
        return True

    def sees_state(self) -> bool:
        return True

    def possible_starts(self) -> Iterable[State]:
        """Return every state the game may start from, to play it blindfolded; raises `ProblemError` by default."""
        raise ProblemError(
            f"{type(self).__name__} does not list its possible starts, so it cannot be played "
            "blindfolded; define possible_starts()"
        )
