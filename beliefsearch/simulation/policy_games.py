"""Games of a stochastic problem: a policy, of states or a graph, against chance."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from math import isclose
from random import Random
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import evolve

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
from .game import Game, ManyGames, PolicySimulation, Turn

# A discounted game is over when the discount for the next reward is below this.
_FORGOTTEN = 1e-6
# Sums of floats with a smaller relative difference are taken for sums of the same terms in another order.
_ROUNDING = 1e-12
# An undiscounted game of a policy graph, which may never end, is given up after this many actions.
_MOST_TURNS = 100_000

Drawn = TypeVar("Drawn")

_AnyPolicy: TypeAlias = Policy[State, Action] | PolicyGraph[State, Action, Any]


class Dice(Generic[State, Action]):
    """Random starts, outcomes and percepts; the author's methods are called once for each state and action.

    If the problem has a world, the world draws starts and outcomes.
    """

    def __init__(self, problem: StochasticProblem[State, Action, Any], chance: Random) -> None:
        self._chance = chance
        self._world = problem.world(chance)
        self._paid = cache(lambda state, action: checked_reward(problem, state, action))
        self._starts = cache(lambda: _Sums(checked_initial_distribution(problem)))
        self._outcomes = cache(lambda state, action: _Sums(checked_outcomes(problem, state, action)))
        self._percepts = cache(lambda state, action: _Sums(checked_percept_distribution(problem, state, action)))

    def begin(self) -> State:
        """A random start; a single start takes no random number."""
        return self._one(self._starts()) if self._world is None else self._world.begin()

    def throw(self, state: State, action: Action) -> State:
        """A random outcome."""
        return self.do(state, action)[1]

    def do(self, state: State, action: Action) -> tuple[Number, State]:
        """Return the expected reward, or that of the world, and a random outcome."""
        if self._world is not None:
            self._world.begin(state)
            return self._world.do(action)
        known: _Sums[State] = self._outcomes(state, action)
        return self._paid(state, action), known.values[bisect_right(known.sums, self._chance.random())]

    def perceive(self, state: State, action: Action) -> Any:
        """A random percept on arriving in `state` by `action`."""
        return self._one(self._percepts(state, action))

    def _one(self, sums: _Sums[Drawn]) -> Drawn:
        if len(sums.values) == 1:
            return sums.values[0]
        return sums.values[bisect_right(sums.sums, self._chance.random())]


class _Sums(Generic[Drawn]):
    """Values and the cumulative sums of their probabilities, without the last sum, which rounding may keep from 1."""

    def __init__(self, pairs: Sequence[tuple[Number, Drawn]]) -> None:
        self.sums = list(accumulate(float(probability) for probability, _ in pairs))[:-1]
        self.values = [value for _, value in pairs]


class _Chances(Generic[State, Action]):
    """Games of a policy, of states or a graph, against chance."""

    def __init__(
        self, problem: StochasticProblem[State, Action, Any], policy: _AnyPolicy[State, Action], chance: Random
    ) -> None:
        self.dice: Dice[State, Action] = Dice(problem, chance)
        self._problem = problem
        self._graph: Any = policy if isinstance(policy, PolicyGraph) else None
        self._values: Any = () if self._graph is None else self._graph.values
        self._action: Any = cache(policy.action)
        discount = checked_discount(problem)
        # A float, since powers of a fraction grow without bound.
        self._discount: Any = 1 if discount == 1 else float(discount)
        # If all rewards are costs, a node of value 0 pays nothing any more, and the game may never end.
        loses = problem.allows_improper() and not any(value > 0 for known in self._values for value in known.values())
        self._lasts = 0 if loses else None

    def turns(self, state: State) -> Iterator[tuple[Action | None, State, Any, Any]]:
        """One game from `state`: for each turn the action, the next state, its percept, and the discounted reward.

        The last entry has no action: it is the terminal state with its discounted utility.
        """
        problem, graph, dice, weight, played = self._problem, self._graph, self.dice, 1, 0
        node = graph.start if graph else None  # None: the horizon of the graph is over
        while not problem.is_terminal(state):
            played += 1
            forgotten = weight < _FORGOTTEN if self._discount < 1 else graph is not None and played > _MOST_TURNS
            if forgotten or (graph is not None and node is None):
                return
            if node is not None and self._values[node].get(state, 1) == self._lasts:
                return
            action = self._action(state if graph is None else node)
            earned, state = dice.do(state, action)
            paid: Any = weight * earned if earned else 0
            weight *= self._discount
            percept = None
            if graph is not None and not problem.is_terminal(state):
                percept = dice.perceive(state, action)
                node = graph.follow(node, percept) if graph.successors[node] else None
            yield action, state, percept, paid
        yield None, state, None, weight * checked_utility(problem, state)


def possible_beginnings(problem: StochasticProblem[State, Any, Any]) -> list[State]:
    """Every state in which the game may begin."""
    return list(dict.fromkeys(state for _, state in checked_initial_distribution(problem)))


def play_policy(
    problem: StochasticProblem[State, Action, Any],
    policy: _AnyPolicy[State, Action],
    start: State | None,
    chance: Random,
    *,
    beliefs: bool = False,
) -> Game[State, Action, Any]:
    """Play `policy` from `start`, by default a random one; `chance` makes all random numbers."""
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
    """Return the distribution after `percept`; the player is told when the game is over."""
    if problem.is_terminal(state):
        return Distribution({state: 1})
    percepts = step(problem, likely, action).percepts
    if percept not in percepts:  # the game began in a state that the problem excludes
        raise InvalidPlanError(f"the percept {problem.format_percept(percept)} was not possible")
    return percepts[percept][1]


def simulate_policy(
    problem: StochasticProblem[State, Action, Any],
    policy: _AnyPolicy[State, Action],
    many: ManyGames[State],
    budget: Budget,
) -> PolicySimulation:
    """Play `policy` many times."""
    chances = _Chances(problem, policy, many.chance)
    utilities: Counter[Number] = Counter()
    steps = 0

    def all_starts() -> Iterator[State]:
        if many.starts is None and not many.every_start:
            return (chances.dice.begin() for _ in range(many.games))
        starts = possible_beginnings(problem) if many.starts is None else many.starts
        # A single start takes no random number.
        return evolve(many, every_start=many.every_start or len(starts) == 1).begin(starts)

    def play() -> None:
        nonlocal steps
        for played, start in enumerate(all_starts()):
            many.tell(played, steps)
            utility: Any = 0
            for action, _, _, paid in chances.turns(start):
                utility += paid
                steps += action is not None
            utilities[utility] += 1

    stopped = stopped_within(budget, play)
    return PolicySimulation(_without_rounding(utilities), steps, stopped)


def _without_rounding(utilities: Mapping[Number, int]) -> dict[Number, int]:
    """Return the counts in order of utility; float sums that differ only by rounding are merged into the shortest."""
    found: dict[Number, int] = {}
    last: Any = None
    for utility, count in sorted(utilities.items()):
        if isinstance(utility, float) and isinstance(last, float) and isclose(utility, last, rel_tol=_ROUNDING):
            count += found.pop(last)
            utility = min(last, utility, key=lambda number: len(repr(number)))
        found[utility] = count
        last = utility
    return found
