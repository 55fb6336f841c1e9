"""A partially observable stochastic problem in whole numbers, by asking the problem alone.

States that are not terminal and percepts are numbered as in a file that lists them; actions as they are met. Of
probabilities that are floats the game meant is the one in which each is divided by their sum, exactly: so each row of
probabilities is a row of whole weights with their sum.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import frozen

from ..errors import InvalidPlanError, ProblemError
from ..model.checked import (
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
    checked_utility,
)
from ..model.stochastic import StochasticProblem
from ..model.values import listed
from ..plans.encoding import encode_action, encode_percept, encode_state

# A common denominator of more bits than this is not used; a power of two is, and sums are rounded to the safe side.
_MOST_BITS = 512


@frozen
class Weights:
    """Probabilities as pairs of a number and a whole weight, to be divided by `total`.

    Of outcomes only those are listed that do not end the game, so the weights may sum to less than `total`.
    """

    total: int
    pairs: Sequence[tuple[int, int]]


@frozen(eq=False)
class ValueGame:
    """The problem in numbers.

    `start` has the probabilities of starts that are not terminal, and `start_value` what is expected of the others. By
    action and state: `outcomes`, and `rewards`, to which the discounted mean utility of terminal results has been
    added; None where the action does not apply. By action and state `perceived` on arriving there; None where that
    cannot be.
    """

    problem: StochasticProblem[Any, Any, Any]
    states: Sequence[Any]
    actions: Sequence[Any]
    percepts: Sequence[Any]
    action_texts: Mapping[str, int]
    start: Mapping[int, Fraction]
    start_value: Fraction
    discount: Fraction
    outcomes: Sequence[Sequence[Weights | None]]
    rewards: Sequence[Sequence[Fraction | None]]
    perceived: Sequence[Sequence[Weights | None]]

    def state(self, number: int) -> str:
        """The name of a state."""
        return self.problem.format_state(self.states[number])

    def percept(self, number: int) -> str:
        """The name of a percept."""
        return self.problem.format_percept(self.percepts[number])

    def action(self, number: int) -> str:
        """The name of an action."""
        return self.problem.format_action(self.actions[number])

    def action_number(self, written: Any, where: str) -> int:
        """The number of an action as it stands in a file; raises `InvalidPlanError` if there is none."""
        number = self.action_texts.get(json.dumps(written))
        if number is None:
            raise InvalidPlanError(f"{where} has the action {written!r:.40}, which is none of the problem's")
        return number


def value_game(
    problem: StochasticProblem[Any, Any, Any], plan: Mapping[str, Any], tick: Callable[[], None]
) -> ValueGame:
    """Walk through all states that can come up; `plan` must list them and the percepts, each once and no others.

    Asks the author once for each state and action. Raises `InvalidPlanError` if a list is not right, and `ProblemError`
    if the problem breaks its contract.
    """
    return _Walk(problem, plan, tick).game()


class _Numbers:
    """Values by number, as a file lists their texts."""

    def __init__(self, plan: Mapping[str, Any], key: str, encode: Callable[[Any], Any]) -> None:
        written = plan.get(key)
        if not isinstance(written, list):
            raise InvalidPlanError(f"the field {key!r} of its plan should be a list, but is {written!r:.40}")
        self._what = key[:-1]
        self._encode = encode
        self._left = {json.dumps(entry): number for number, entry in enumerate(written)}
        if len(self._left) < len(written):
            raise InvalidPlanError(f"its plan lists a {self._what} more than once")
        self._number_of: dict[Any, int] = {}
        self.values: list[Any] = [None] * len(written)

    def number(self, value: Any) -> tuple[int, bool]:
        """The number of a value, and whether it is new."""
        found = self._number_of.get(value)
        if found is not None:
            return found, False
        text = json.dumps(self._encode(value))
        found = self._left.pop(text, None)
        if found is None:
            raise InvalidPlanError(
                f"its plan lacks the {self._what} {text:.80}, which can come up, or lists two as one"
            )
        self._number_of[value] = found
        self.values[found] = value
        return found, True

    def refuse_others(self) -> None:
        if self._left:
            raise InvalidPlanError(
                f"its plan lists the {self._what} {next(iter(self._left)):.80}, which cannot come up"
            )


class _Walk:
    def __init__(
        self, problem: StochasticProblem[Any, Any, Any], plan: Mapping[str, Any], tick: Callable[[], None]
    ) -> None:
        self._problem = problem
        self._tick = tick
        self._states = _Numbers(plan, "states", lambda state: encode_state(problem, state))
        self._percepts = _Numbers(plan, "percepts", lambda percept: encode_percept(problem, percept))
        self._discount = Fraction(checked_discount(problem))
        self._waiting: list[tuple[int, Any]] = []
        self._utilities: dict[Any, Fraction] = {}
        self._actions: dict[Any, int] = {}
        self._outcomes: list[list[Weights | None]] = []
        self._rewards: list[list[Fraction | None]] = []
        self._perceived: list[list[Weights | None]] = []

    def game(self) -> ValueGame:
        problem = self._problem
        start, start_value = self._split(checked_initial_distribution(problem))
        for number, state in self._waiting:  # grows while it is walked
            for action in listed(problem.actions(state)):
                self._tick()
                self._look(number, state, action)
            if not any(outcomes[number] for outcomes in self._outcomes):
                raise ProblemError(f"{type(problem).__name__}.actions({state!r}) gave none, and it is not terminal")
        self._states.refuse_others()
        self._percepts.refuse_others()
        texts = {json.dumps(encode_action(problem, action)): number for action, number in self._actions.items()}
        if len(texts) < len(self._actions):
            raise InvalidPlanError("two actions of the problem have the same text, so a file cannot tell them apart")
        return ValueGame(
            problem,
            self._states.values,
            list(self._actions),
            self._percepts.values,
            texts,
            {number: Fraction(weight, start.total) for number, weight in start.pairs},
            start_value,
            self._discount,
            self._outcomes,
            self._rewards,
            self._perceived,
        )

    def _look(self, number: int, state: Any, action: Any) -> None:
        """Note what `action` does in `state`, and what may be perceived then."""
        place = self._actions.setdefault(action, len(self._actions))
        if place == len(self._outcomes):
            for table in (self._outcomes, self._rewards, self._perceived):
                table.append([None] * len(self._states.values))
        outcomes, utility = self._split(checked_outcomes(self._problem, state, action))
        self._outcomes[place][number] = outcomes
        self._rewards[place][number] = Fraction(checked_reward(self._problem, state, action)) + self._discount * utility
        perceived = self._perceived[place]
        for result, _ in outcomes.pairs:
            if perceived[result] is None:
                arrived = self._states.values[result]
                pairs = checked_percept_distribution(self._problem, arrived, action)
                perceived[result] = _weights((chance, self._percepts.number(percept)[0]) for chance, percept in pairs)

    def _split(self, pairs: Iterable[tuple[Any, Any]]) -> tuple[Weights, Fraction]:
        """The states that are not terminal, and the mean utility of the others."""
        numbered = []
        for chance, state in pairs:
            if state not in self._utilities:
                if not self._problem.is_terminal(state):
                    number, new = self._states.number(state)
                    if new:
                        self._waiting.append((number, state))
                    numbered.append((chance, number))
                    continue
                self._utilities[state] = Fraction(checked_utility(self._problem, state))
            numbered.append((chance, -1))
        weights = _weights((chance, place) for place, (chance, _) in enumerate(numbered))
        mean = Fraction(0)
        going_on: dict[int, int] = {}
        states = [state for _, state in pairs]
        for place, weight in weights.pairs:
            number = numbered[place][1]
            if number >= 0:
                going_on[number] = going_on.get(number, 0) + weight
            else:
                mean += weight * self._utilities[states[place]]
        return Weights(weights.total, tuple(going_on.items())), mean / weights.total


def _weights(pairs: Iterable[tuple[Any, int]]) -> Weights:
    """Whole weights in the same proportion as these probabilities, numbers that come twice taken together."""
    chances: dict[int, Fraction] = {}
    for chance, number in pairs:
        chances[number] = chances.get(number, Fraction(0)) + Fraction(chance)
    unit = math.lcm(*(chance.denominator for chance in chances.values()))
    whole = {number: chance.numerator * (unit // chance.denominator) for number, chance in chances.items()}
    shared = math.gcd(*whole.values())
    return Weights(sum(whole.values()) // shared, tuple((number, weight // shared) for number, weight in whole.items()))


def about(number: Fraction) -> str:
    """A number as a float."""
    try:
        return repr(float(number))
    except OverflowError:
        return "a number too large for a float"


def common_denominator(totals: Iterable[int]) -> int:
    """A number that all of these divide; where it would be long, a power of two, and sums must be rounded."""
    unit = 1
    for total in set(totals):
        unit = math.lcm(unit, total)
        if unit.bit_length() > _MOST_BITS:
            return 1 << _MOST_BITS
    return unit
