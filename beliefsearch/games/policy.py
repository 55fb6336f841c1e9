"""Games of a stochastic problem: a policy against chance."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Generic

from attrs import frozen

from ..model.checked import checked_outcomes, checked_utility
from ..model.problem import Action, State
from ..model.stochastic import StochasticProblem
from ..plans.policy import Policy
from ..running.alarm import stopped_within
from ..running.limits import Budget

if TYPE_CHECKING:
    from ..model.problem import Number

__all__ = ["Dice", "PolicySimulation", "play_policy", "simulate_policy"]


@frozen
class PolicySimulation:
    """What many games showed.

    Attributes
    ----------
    utilities
        How many games ended with each utility, in ascending order.
    steps
        Actions done in all games together.
    stopped
        Why there are not as many games as were asked for; None if there are.
    """

    utilities: Mapping[Number, int]
    steps: int
    stopped: str | None = None

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(self.utilities.values())

    @property
    def mean(self) -> float:
        """The mean utility; not a number if no game was played."""
        if not self.games:
            return math.nan
        return sum(float(utility) * count for utility, count in self.utilities.items()) / self.games

    @property
    def standard_error(self) -> float:
        """How far the mean typically is from the true value."""
        mean, games = self.mean, self.games
        if not games:
            return math.nan
        squares = sum((float(utility) - mean) ** 2 * count for utility, count in self.utilities.items())
        return float((squares / games / games) ** 0.5)


class Dice(Generic[State, Action]):
    """Draws outcomes; asks the author once for each state and action."""

    def __init__(self, problem: StochasticProblem[State, Action], chance: Random) -> None:
        self._problem = problem
        self._chance = chance
        self._known: dict[tuple[State, Action], tuple[list[float], list[State]]] = {}

    def throw(self, state: State, action: Action) -> State:
        """A state that follows, by its probability."""
        known = self._known.get((state, action))
        if known is None:
            outcomes = checked_outcomes(self._problem, state, action)
            sums = list(accumulate(float(probability) for probability, _ in outcomes))
            known = self._known[state, action] = (sums[:-1], [result for _, result in outcomes])
        return known[1][bisect_right(known[0], self._chance.random())]


def play_policy(
    problem: StochasticProblem[State, Action], policy: Policy[State, Action], chance: Random
) -> Iterator[tuple[State, Action, State]]:
    """One game, step by step: the state, the action, and the state that followed."""
    dice: Dice[State, Action] = Dice(problem, chance)
    state = problem.initial_state()
    while not problem.is_terminal(state):
        action = policy.action(state)
        result = dice.throw(state, action)
        yield state, action, result
        state = result


def simulate_policy(
    problem: StochasticProblem[State, Action],
    policy: Policy[State, Action],
    *,
    games: int,
    seed: int | None = None,
    tell: Callable[[int, int], None] = lambda games, actions: None,
    budget: Budget | None = None,
) -> PolicySimulation:
    """Play a policy many times.

    Parameters
    ----------
    problem, policy
        What to play, and how.
    games
        How many games.
    seed
        Makes the games repeatable.
    tell
        Told how many games are finished, and how many actions have been done in all.
    budget
        Limits; None for none.

    Returns
    -------
    PolicySimulation
        Of all games; after a limit or Ctrl-C, of those that were played until then.
    """
    dice: Dice[State, Action] = Dice(problem, Random(seed))
    start = problem.initial_state()
    moves: dict[State, tuple[Action, ...]] = {}  # by state met: its action, or nothing if it is terminal
    utilities: Counter[Number] = Counter()
    steps = 0

    def play() -> None:
        nonlocal steps
        for played in range(games):
            tell(played, steps)
            state = start
            while True:
                move = moves.get(state)
                if move is None:
                    move = moves[state] = () if problem.is_terminal(state) else (policy.action(state),)
                if not move:
                    break
                state = dice.throw(state, move[0])
                steps += 1
            utilities[checked_utility(problem, state)] += 1

    stopped = stopped_within(budget or Budget(), play)
    return PolicySimulation(dict(sorted(utilities.items())), steps, stopped)
