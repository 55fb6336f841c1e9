"""Adapters between problems with and without probabilities: `Possible` drops them, `Uniform` supposes equal ones."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable
from enum import Enum
from functools import cached_property
from typing import Any

from attrs import field, frozen

from .adapters import SameLooks, handed_on
from .base import Action, Number, Percept, Presentation, State
from .belief import initial_states, perceived, successors
from .checked import checked_initial_distribution, checked_outcomes, checked_percept_distribution, written_cost
from .problem import BeliefProblem
from .stochastic import StochasticProblem


class Over(Enum):
    """Percepts for the end of the game."""

    WON = "won"
    LOST = "lost"


class Possible(SameLooks[State, Action], BeliefProblem[State, Action, Any]):
    """A stochastic problem without its probabilities: a nondeterministic problem, for winning with probability 1.

    Initial states, results and percepts are those of positive probability. A percept of `Over` tells the player that
    the game is over. That does not change who can win, since a player who is not told may act as if the game went on;
    for the same reason won initial states are left out, unless all are won. A lost state has no actions, so it is a
    dead end, also at the start. Every action costs 1.

    Parameters
    ----------
    problem
        The stochastic problem; it is won in the states for which its `is_goal` holds.

    Notes
    -----
    A strong cyclic plan of the adapted problem wins with probability 1, and there is one if any strategy does: whether
    the player can win with probability 1 depends only on which states are possible (Chatterjee, Doyen, Henzinger,
    *Qualitative analysis of partially-observable Markov decision processes*, 2010).
    """

    problem: StochasticProblem[State, Action, Any]

    def __init__(self, problem: StochasticProblem[State, Action, Any], *, going_on: bool = False) -> None:
        self.problem = problem
        self._going_on = going_on

    def initial_states(self) -> Iterable[State]:
        """The initial states that are not won; if the game is `going_on`, also not lost."""
        starts = [state for _, state in checked_initial_distribution(self.problem)]
        over = (self.problem.is_terminal(state) and (self._going_on or self.is_goal(state)) for state in starts)
        return [state for state, is_over in zip(starts, over, strict=True) if not is_over] or starts

    def actions(self, state: State) -> Iterable[Action]:
        return () if self.problem.is_terminal(state) else self.problem.actions(state)

    def results(self, state: State, action: Action) -> Iterable[State]:
        return [result for _, result in checked_outcomes(self.problem, state, action)]

    def percepts(self, state: State, action: Action) -> Iterable[Any]:
        if self.problem.is_terminal(state):
            return (Over.WON if self.problem.is_goal(state) else Over.LOST,)
        return [percept for _, percept in checked_percept_distribution(self.problem, state, action)]

    def is_sensorless(self) -> bool:
        return False

    def is_goal(self, state: State) -> bool:
        return self.problem.is_goal(state)

    def format_percept(self, percept: Any) -> str:
        return f"the game is {percept.value}" if isinstance(percept, Over) else self.problem.format_percept(percept)

    def overrides(self, method: str) -> bool:
        own = method == "canonical" or hasattr(Presentation, method)
        return self.problem.overrides(method) if own else super().overrides(method)

    canonical = handed_on("canonical")


def without_chance(
    problem: StochasticProblem[State, Action, Any], *, going_on: bool = False
) -> Possible[State, Action]:
    """A stochastic problem as a `Possible` problem, whose class has the name of the author's, for messages."""
    made: type[Possible[State, Action]] = type(type(problem).__name__, (Possible,), {})
    return made(problem, going_on=going_on)


@frozen
class Stop:
    """The action of `Uniform` by which the player declares that the state is in this goal set, and so the game won."""

    goal_set: int

    def __str__(self) -> str:
        return "stop" if self.goal_set == 0 else f"stop in goal set {self.goal_set + 1}"


@frozen
class Stopped:
    """The terminal state of `Uniform`."""

    def __str__(self) -> str:
        return "stopped"


@frozen
class Uniform(StochasticProblem[Hashable, Hashable, Any]):
    """A problem without probabilities as a stochastic one: starts, results and percepts are equally likely.

    What the author lists twice is twice as likely. A cost is a negative reward.

    Parameters
    ----------
    problem
        A plain, sensorless or contingent problem.
    until
        "known": the game goes on until the player knows that he has won, as for plans. Each goal set has an action
        `Stop`, which applies in its states, ends the game and costs nothing. "won": the game ends in the first goal
        state, whether the player knows or not, as in `simulate` and `play`; not for problems with `goal_sets`.

    Raises
    ------
    ValueError
        If `until` is "won" and the problem has `goal_sets`, or `until` is neither of the two.
    """

    problem: BeliefProblem[Any, Any, Any]
    until: str = field(default="known")

    @until.validator
    def _may_end_so(self, _: object, until: str) -> None:
        if until not in ("known", "won"):
            raise ValueError(f"until: {until!r} is not one of known, won")
        if until == "won" and self.problem.overrides("goal_sets"):
            raise ValueError("until: the game is won by knowing, so no state ends it; say 'known'")

    def initial_distribution(self) -> Iterable[tuple[Number, Hashable]]:
        return _equally_likely(initial_states(self.problem))

    def actions(self, state: Hashable) -> Iterable[Hashable]:
        stops = [
            Stop(number) for number, goals in enumerate(self._goal_sets) if state in goals and self.until == "known"
        ]
        return [*stops, *self.problem.actions(state)]

    def outcomes(self, state: Hashable, action: Hashable) -> Iterable[tuple[Number, Hashable]]:
        if isinstance(action, Stop):
            return ((1, Stopped()),)
        return _equally_likely(successors(self.problem, state, action))

    def percept_distribution(self, state: Hashable, action: Hashable) -> Iterable[tuple[Number, Any]]:
        if self.sees_state() or isinstance(state, Stopped):
            return ((1, state),)
        return _equally_likely(perceived(self.problem, state, action))

    def sees_state(self) -> bool:
        return self.problem.sees_state()

    def reward(self, state: Hashable, action: Hashable) -> Number:
        return 0 if isinstance(action, Stop) else -written_cost(self.problem, state, action)

    def is_terminal(self, state: Hashable) -> bool:
        return isinstance(state, Stopped) or (self.until == "won" and self.problem.is_goal(state))

    def canonical(self, state: Hashable) -> Hashable:
        return state if isinstance(state, Stopped) else self.problem.canonical(state)

    def format_state(self, state: Hashable) -> str:
        return str(state) if isinstance(state, Stopped) else self.problem.format_state(state)

    def format_action(self, action: Hashable) -> str:
        return str(action) if isinstance(action, Stop) else self.problem.format_action(action)

    format_percept = handed_on("format_percept")

    @cached_property
    def _goal_sets(self) -> list[Container[Any]]:
        return list(self.problem.goal_sets())


def _equally_likely(values: Iterable[Percept]) -> list[tuple[Number, Percept]]:
    """Each of the values with its share of all, so that a repeated value has a larger one."""
    from fractions import Fraction  # imported late: most problems have none

    shares: dict[Percept, int] = {}
    for value in values:
        shares[value] = shares.get(value, 0) + 1
    total = sum(shares.values())
    return [(share if total == 1 else Fraction(share, total), value) for value, share in shares.items()]
