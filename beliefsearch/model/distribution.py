"""Beliefs as distributions, and the step from one to the next: the definition that all other code must agree with.

This is the counterpart of `belief.py` for probabilities. A *distribution* gives each state that may be the true one its
probability. An action takes it through prediction, the probabilities of percepts, and conditioning on the percept
(Russell and Norvig, 4th edition, section 17.4). Numbers keep their type, so with fractions all of this is exact.
Nothing here makes use of `canonical`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, Generic

from attrs import frozen

from .base import Action, Number, Percept, State
from .belief import no_tick
from .checked import (
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
    checked_utility,
)
from .stochastic import StochasticProblem
from .values import is_exact, whole


class Distribution(Mapping[State, Number], Hashable):
    """Immutable and hashable map of states to positive probabilities, which sum to 1."""

    __slots__ = ("_hash", "_probabilities")

    def __init__(self, probabilities: Mapping[State, Number]) -> None:
        self._probabilities = dict(probabilities)
        self._hash: int | None = None

    def __getitem__(self, state: State) -> Number:
        return self._probabilities[state]

    def __iter__(self) -> Iterator[State]:
        return iter(self._probabilities)

    def __len__(self) -> int:
        return len(self._probabilities)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distribution) and self._probabilities == other._probabilities

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._probabilities.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"Distribution({self._probabilities!r})"

    def __str__(self) -> str:
        return ", ".join(f"{state}: {probability}" for state, probability in self._probabilities.items())


@frozen
class Step(Generic[State, Percept]):
    """Outcomes of an action in a distribution, or of the beginning of the game.

    The value of the action is `reward + discount * (utility + ...)`.
    """

    reward: Number  # expected for the action; 0 at the beginning
    ended: Number  # the probability that the game is over
    utility: Number  # the sum, over terminal states that may have been reached, of probability times utility
    # For each percept, if the game is not over (None at the beginning): its probability, and the belief after it.
    percepts: Mapping[Percept, tuple[Number, Distribution[State]]]


def begin(problem: StochasticProblem[State, Any, Any], tick: Callable[[], None] = no_tick) -> Step[State, None]:
    """The beginning of the game: the distribution before the first action."""
    ended, utility, going_on = _split(problem, _sums(checked_initial_distribution(problem), tick))
    return Step(0, ended, utility, {None: _normalised(going_on)} if going_on else {})


def step(
    problem: StochasticProblem[State, Action, Percept],
    belief: Mapping[State, Number],
    action: Action,
    tick: Callable[[], None] = no_tick,
) -> Step[State, Percept]:
    """Return the outcomes of `action` in the distribution `belief`.

    O(outcomes * percepts) calls of the author's code. Raises `ProblemError` if that breaks its contract.
    """
    reward: Any = 0
    pairs: list[tuple[Any, State]] = []
    for state, probability in belief.items():
        tick()
        reward += probability * checked_reward(problem, state, action)
        pairs += [(probability * chance, result) for chance, result in checked_outcomes(problem, state, action)]
    ended, utility, going_on = _split(problem, _sums(pairs, tick))
    weights: dict[Percept, dict[State, Number]] = {}
    for state, weight in going_on.items():
        tick()
        for chance, percept in checked_percept_distribution(problem, state, action):
            by_state = weights.setdefault(percept, {})
            by_state[state] = by_state.get(state, 0) + weight * chance
    return Step(whole(reward), ended, utility, {percept: _normalised(weights[percept]) for percept in weights})


def _sums(pairs: Any, tick: Callable[[], None]) -> dict[State, Number]:
    sums: dict[State, Number] = {}
    for probability, state in pairs:
        tick()
        sums[state] = sums.get(state, 0) + probability
    return sums


def _split(
    problem: StochasticProblem[State, Any, Any], weights: Mapping[State, Number]
) -> tuple[Number, Number, dict[State, Number]]:
    """The probability that the game is over, the expected utility of that, and the weights of all other states."""
    ended: Any = 0
    utility: Any = 0
    going_on = {}
    for state, weight in weights.items():
        if problem.is_terminal(state):
            ended += weight
            utility += weight * checked_utility(problem, state)
        else:
            going_on[state] = weight
    return whole(ended), whole(utility), going_on


def _normalised(weights: Mapping[State, Number]) -> tuple[Number, Distribution[State]]:
    """The sum of weights, and their shares of it."""
    total: Any = sum(weights.values())
    if total == 1:
        return 1, Distribution(weights)
    if is_exact(total):
        from fractions import Fraction  # most problems have no use for it

        total = Fraction(total)
    return total, Distribution({state: whole(weight / total) for state, weight in weights.items()})
