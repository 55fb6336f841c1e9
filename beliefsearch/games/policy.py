"""Games of a stochastic problem: a policy against chance."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random
from typing import Any, Generic

from ..model.checked import checked_outcomes, checked_utility
from ..model.problem import Action, Number, State
from ..model.stochastic import StochasticProblem
from ..plans.policy import Policy
from ..running.alarm import stopped_within
from ..running.limits import Budget
from .game import Game, PolicySimulation, Turn, draw_starts


class Dice(Generic[State, Action]):
    """Draws outcomes; calls the author's `outcomes` once for each state and action."""

    def __init__(self, problem: StochasticProblem[State, Action], chance: Random) -> None:
        self._problem = problem
        self._chance = chance
        self._known: dict[tuple[State, Action], tuple[list[float], list[State]]] = {}

    def throw(self, state: State, action: Action) -> State:
        """A random outcome, by its probability."""
        known = self._known.get((state, action))
        if known is None:
            outcomes = checked_outcomes(self._problem, state, action)
            sums = list(accumulate(float(probability) for probability, _ in outcomes))
            known = self._known[state, action] = (sums[:-1], [result for _, result in outcomes])
        return known[1][bisect_right(known[0], self._chance.random())]


def one_start(problem: StochasticProblem[State, Any]) -> list[State]:
    """The initial state, in a list."""
    return [problem.initial_state()]


def play_policy(
    problem: StochasticProblem[State, Action],
    policy: Policy[State, Action],
    start: State | None,
    chance: Random,
    *,
    beliefs: bool = False,
) -> Game[State, Action, Any]:
    """Play `policy` from `start`, by default the initial state; `chance` draws outcomes, and beliefs are states."""
    dice: Dice[State, Action] = Dice(problem, chance)
    start = problem.initial_state() if start is None else start
    state, turns = start, []
    while not problem.is_terminal(state):
        action = policy.action(state)
        state = dice.throw(state, action)
        turns.append(Turn[State, Action, Any](action, state, belief=frozenset((state,)) if beliefs else None))
    return Game(start, tuple(turns), utility=checked_utility(problem, state))


def simulate_policy(
    problem: StochasticProblem[State, Action],
    policy: Policy[State, Action],
    *,
    games: int,
    seed: int | None = None,
    every_start: bool = False,
    starts: Sequence[State] | None = None,
    tell: Callable[[int, int], None] = lambda games, actions: None,
    budget: Budget | None = None,
) -> PolicySimulation:
    """Play `policy` many times; parameters as for `beliefsearch.simulate`."""
    chance = Random(seed)
    dice: Dice[State, Action] = Dice(problem, chance)
    moves: dict[State, tuple[Action, ...]] = {}  # by state met: its action, or nothing if it is terminal
    utilities: Counter[Number] = Counter()
    steps = 0

    def play() -> None:
        nonlocal steps
        begin = one_start(problem) if starts is None else starts
        # Of one start nothing is to be drawn.
        for played, state in enumerate(draw_starts(begin, games, chance, every_start or len(begin) == 1)):
            tell(played, steps)
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
