"""Games of a stochastic problem: a policy, of states or a graph, against chance."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import isclose
from random import Random
from typing import Any, Generic, TypeVar

from ..errors import InvalidPlanError
from ..model.base import Action, Number, State
from ..model.checked import (
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
    checked_utility,
)
from ..model.distribution import Distribution, begin, step
from ..model.stochastic import StochasticProblem
from ..plans.policy import Policy, PolicyGraph
from ..running.alarm import stopped_within
from ..running.limits import Budget
from .game import Game, PolicySimulation, Turn, draw_starts

# A discounted game is over when what may follow counts less than this share of what came first.
_FORGOTTEN = 1e-6
# Sums of floats that differ by less than this share differ by the order of their terms.
_ROUNDING = 1e-12
# Without a discount a game by a policy graph, which may never end, is given up after this many actions.
_MOST_TURNS = 100_000

Drawn = TypeVar("Drawn")


class Dice(Generic[State, Action]):
    """Draws starts, outcomes and percepts; calls the author's methods once for each state and action."""

    def __init__(self, problem: StochasticProblem[State, Action, Any], chance: Random) -> None:
        self._problem = problem
        self._chance = chance
        self._starts: _Sums[State] | None = None
        self._outcomes: dict[tuple[State, Action], _Sums[State]] = {}
        self._percepts: dict[tuple[State, Action], _Sums[Any]] = {}

    def begin(self) -> State:
        """A random start, by its probability; of one start nothing is drawn."""
        if self._starts is None:
            self._starts = _Sums(checked_initial_distribution(self._problem))
        return self._one(self._starts)

    def throw(self, state: State, action: Action) -> State:
        """A random outcome, by its probability."""
        known = self._outcomes.get((state, action))
        if known is None:
            known = self._outcomes[state, action] = _Sums(checked_outcomes(self._problem, state, action))
        return known.values[bisect_right(known.sums, self._chance.random())]

    def perceive(self, state: State, action: Action) -> Any:
        """A random percept on arriving in `state` by `action`, by its probability."""
        known = self._percepts.get((state, action))
        if known is None:
            pairs = checked_percept_distribution(self._problem, state, action)
            known = self._percepts[state, action] = _Sums(pairs)
        return self._one(known)

    def _one(self, sums: _Sums[Drawn]) -> Drawn:
        if len(sums.values) == 1:
            return sums.values[0]
        return sums.values[bisect_right(sums.sums, self._chance.random())]


class _Sums(Generic[Drawn]):
    """Values, and by place the sum of the probabilities up to it; without the last, which may miss 1."""

    def __init__(self, pairs: Sequence[tuple[Number, Drawn]]) -> None:
        self.sums = list(accumulate(float(probability) for probability, _ in pairs))[:-1]
        self.values = [value for _, value in pairs]


class _ByStates(Generic[State, Action]):
    """A policy of states on its way: it remembers the state."""

    sees_percepts = False

    def __init__(self, policy: Policy[State, Action]) -> None:
        self._policy = policy
        self._actions: dict[State, Action] = {}

    def begin(self, state: State) -> Hashable:
        return state

    def action(self, memory: Any) -> Action:
        known = self._actions.get(memory)
        if known is None:
            known = self._actions[memory] = self._policy.action(memory)
        return known

    def after(self, memory: Hashable, state: State, percept: Any) -> Hashable:
        return state


class _ByNodes(Generic[State, Action]):
    """A policy graph on its way: it remembers the node; None once it has come to its end."""

    sees_percepts = True

    def __init__(self, graph: PolicyGraph[State, Action, Any]) -> None:
        self._graph = graph

    def begin(self, state: State) -> Any:
        return self._graph.start if len(self._graph) else None

    def action(self, memory: Any) -> Action:
        return self._graph.action(memory)

    def after(self, memory: Any, state: State, percept: Any) -> Any:
        return self._graph.follow(memory, percept) if self._graph.successors[memory] else None


class _Chances(Generic[State, Action]):
    """A policy and the chances that it plays against."""

    def __init__(
        self,
        problem: StochasticProblem[State, Action, Any],
        policy: Policy[State, Action] | PolicyGraph[State, Action, Any],
        chance: Random,
    ) -> None:
        self.dice: Dice[State, Action] = Dice(problem, chance)
        self._problem = problem
        self._walker: Any = _ByNodes(policy) if isinstance(policy, PolicyGraph) else _ByStates(policy)
        discount = checked_discount(problem)
        # Its powers are floats: as fractions they would grow without bound.
        self._discount: Any = 1 if discount == 1 else float(discount)
        self._pays = problem.overrides("reward")

    def turns(self, state: State) -> Iterator[tuple[Action | None, State, Any, Any]]:
        """One game from `state`: by turn the action, the state that follows, its percept, and what was paid.

        At its end, without an action, the last state and what that pays. What comes later counts less by the discount.
        """
        problem, walker, dice, weight = self._problem, self._walker, self.dice, 1
        memory, percept, played = walker.begin(state), None, 0
        while not problem.is_terminal(state):
            played += 1
            forgotten = weight < _FORGOTTEN if self._discount < 1 else walker.sees_percepts and played > _MOST_TURNS
            if memory is None or forgotten:
                return
            action = walker.action(memory)
            paid = weight * checked_reward(problem, state, action) if self._pays else 0
            state = dice.throw(state, action)
            weight *= self._discount
            if walker.sees_percepts and not problem.is_terminal(state):
                percept = dice.perceive(state, action)
                memory = walker.after(memory, state, percept)
            else:
                memory, percept = walker.after(memory, state, None) if not walker.sees_percepts else memory, None
            yield action, state, percept, paid
        yield None, state, None, weight * checked_utility(problem, state)


def possible_beginnings(problem: StochasticProblem[State, Any, Any]) -> list[State]:
    """Every state in which the game may begin."""
    return list(dict.fromkeys(state for _, state in checked_initial_distribution(problem)))


def play_policy(
    problem: StochasticProblem[State, Action, Any],
    policy: Policy[State, Action] | PolicyGraph[State, Action, Any],
    start: State | None,
    chance: Random,
    *,
    beliefs: bool = False,
) -> Game[State, Action, Any]:
    """Play `policy` from `start`, by default one that is drawn; `chance` draws all else, too."""
    chances = _Chances(problem, policy, chance)
    start = chances.dice.begin() if start is None else start
    turns: list[Turn[State, Action, Any]] = []
    utility: Any = 0
    likely = begin(problem).percepts.get(None, (0, None))[1] if beliefs and isinstance(policy, PolicyGraph) else None
    for action, state, percept, paid in chances.turns(start):
        utility += paid
        if action is None:
            break
        if likely is not None:
            likely = _likely_after(problem, likely, action, state, percept)
        known = None if not beliefs else frozenset((state,) if likely is None else likely)
        turns.append(Turn(action, state, percept, known, likely))
    return Game(start, tuple(turns), utility=utility)


def _likely_after(
    problem: StochasticProblem[State, Action, Any],
    likely: Distribution[State],
    action: Action,
    state: State,
    percept: Any,
) -> Distribution[State]:
    """Return the distribution after `percept`; of the end of the game the player is told."""
    if problem.is_terminal(state):
        return Distribution({state: 1})
    percepts = step(problem, likely, action).percepts
    if percept not in percepts:  # the true start was none of the possible ones
        raise InvalidPlanError(f"the percept {problem.format_percept(percept)} was not possible")
    return percepts[percept][1]


def simulate_policy(
    problem: StochasticProblem[State, Action, Any],
    policy: Policy[State, Action] | PolicyGraph[State, Action, Any],
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
    chances = _Chances(problem, policy, chance)
    utilities: Counter[Number] = Counter()
    steps = 0

    def all_starts() -> Iterator[State]:
        if starts is None and not every_start:
            return (chances.dice.begin() for _ in range(games))
        listed = possible_beginnings(problem) if starts is None else starts
        # Of one start nothing is to be drawn.
        return draw_starts(listed, games, chance, every_start or len(listed) == 1)

    def play() -> None:
        nonlocal steps
        for played, start in enumerate(all_starts()):
            tell(played, steps)
            utility: Any = 0
            for action, _, _, paid in chances.turns(start):
                utility += paid
                steps += action is not None
            utilities[utility] += 1

    stopped = stopped_within(budget or Budget(), play)
    return PolicySimulation(_without_rounding(utilities), steps, stopped)


def _without_rounding(utilities: Mapping[Number, int]) -> dict[Number, int]:
    """Return the counts in order; sums of floats that differ by rounding only count as one, the shortest of them."""
    found: dict[Number, int] = {}
    last: Any = None
    for utility, count in sorted(utilities.items()):
        if isinstance(utility, float) and isinstance(last, float) and isclose(utility, last, rel_tol=_ROUNDING):
            count += found.pop(last)
            utility = min(last, utility, key=lambda number: len(repr(number)))
        found[utility] = count
        last = utility
    return found
