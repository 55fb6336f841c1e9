"""Stochastic problems as the checker reads games of chance."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ..errors import ProblemError
from ..model.belief import no_tick
from ..model.checked import (
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
    checked_utility,
)
from ..model.exact import exact
from ..model.values import is_exact
from .checker import MOST_DIGITS, MOST_WEIGHT, ChanceGame
from .numbered import UNLIMITED, NamedGame, too_large

_NOTHING = Fraction(0)
# Of numbers that a file may have: a digit has some more than three bits.
_MOST_BITS = 3 * MOST_DIGITS
_MOST_ARRIVALS = 1 << 14


class AskedChanceGame(NamedGame, ChanceGame):
    """A stochastic problem, in numbers: terminal states are left out, their utilities are in the rewards.

    Probabilities that are floats are the exact numbers that these stand for, divided by their sum. `exact` is whether
    no number is a float; `largest_utility` is that of the states in which the game is over, as an absolute value.
    Raises `ProblemError` if there are more than `most` results, or numbers are longer than a file may have.
    """

    def __init__(self, problem: Any, tick: Callable[[], None] = no_tick, most: int = UNLIMITED) -> None:
        super().__init__(problem)
        self.tick = tick
        self.rows: list[Any] = []  # by action
        self.able = defaultdict(list)
        self.discount = Fraction(checked_discount(problem))
        self.improper = problem.allows_improper()
        self.exact = is_exact(problem.discount())
        self.largest_utility = Fraction(0)
        self._utilities: dict[Any, Fraction | None] = {}
        self._known: dict[tuple[Any, ...], tuple[int, list[int]]] = {}  # most actions have the same few probabilities

        self.seen = problem.sees_state()
        nothing = self.named_percepts.number(None) if self.seen else 0
        number = self.named_states.number
        seen_on_arrival = lru_cache(_MOST_ARRIVALS)(self._seen)  # by many ways

        def row(state: Any, action: Any) -> tuple[Any, int, list[tuple[int, int, int]]]:
            total, going_on, utility = self._split(checked_outcomes(problem, state, action))
            if self.seen:
                triples = [(number(result), nothing, weight) for result, weight in going_on.items()]
            else:
                seen = [seen_on_arrival(result, action) for result in going_on]
                unit = math.lcm(1, *(of for of, _ in seen))
                triples = []
                for (result, weight), (of, weights) in zip(going_on.items(), seen, strict=True):
                    to, share = number(result), weight * (unit // of)
                    triples += [(to, percept, share * chance) for percept, chance in weights.items()]
                total *= unit
            shared = math.gcd(total, *(weight for _, _, weight in triples))
            if shared > 1:
                triples = [(to, percept, weight // shared) for to, percept, weight in triples]
            reward = checked_reward(problem, state, action)
            self.exact = self.exact and is_exact(reward)
            if utility:
                reward = Fraction(reward) + self.discount * utility
            return exact(reward), total // shared, triples

        of, going_on, self.start_value = self._split(checked_initial_distribution(problem))
        self._walk(going_on, row, most)
        self.start = [(self.named_states.number(s), Fraction(weight, of)) for s, weight in going_on.items()]
        self.states, self.percepts = len(self.named_states.items), max(1, len(self.named_percepts.items))
        if not self.seen:  # there are not so very many states, then
            self.rows = [[rows[s] for s in range(self.states)] for rows in self.rows]
        self.number_all()

    def _walk(self, starts: Iterable[Any], row: Callable[[Any, Any], Any], most: int) -> None:
        """Ask for the row of every action in every state that can come up."""
        size, long_discount = 0, _is_long(self.discount)
        for state in starts:
            self.named_states.number(state)
        for s, state in enumerate(self.named_states.items):  # grows while it is walked
            for action in dict.fromkeys(self.problem.actions(state)):
                self.tick()
                a = self.named_actions.number(action)
                if a == len(self.rows):
                    self.rows.append(_Rows())
                reward, total, triples = self.rows[a][s] = row(state, action)
                self.able[s].append(a)
                if total >= MOST_WEIGHT or long_discount or _is_long(reward):
                    where = self.named(f"action {a} in state {s}")
                    raise ProblemError(f"the numbers of the problem are too long to be checked: {where}")
                size += 1 + len(triples)
                if size > most:
                    raise too_large(f"more than {most:,} results")
            if s not in self.able:
                raise ProblemError(
                    f"{type(self.problem).__name__}.actions({state!r}) gave none, and it is not terminal"
                )

    def _split(self, pairs: Sequence[tuple[Any, Any]]) -> tuple[int, dict[Any, int], Fraction]:
        """The sum of whole weights, those of the states that go on, and the mean utility of the others."""
        total, weights = self._whole(pairs)
        going_on: dict[Any, int] = {}
        mean: Any = 0
        for weight, (_, state) in zip(weights, pairs, strict=True):
            if state not in self._utilities:
                self._utilities[state] = self._utility(state)
            utility = self._utilities[state]
            if utility is None:
                if weight:
                    going_on[state] = going_on.get(state, 0) + weight
            elif utility:
                mean += weight * utility
        return total, going_on, Fraction(mean, total) if mean else _NOTHING

    def _utility(self, state: Any) -> Fraction | None:
        """The utility of a state in which the game is over; None if it goes on."""
        if not self.problem.is_terminal(state):
            return None
        utility = checked_utility(self.problem, state)
        self.exact = self.exact and is_exact(utility)
        self.largest_utility = max(self.largest_utility, abs(Fraction(utility)))
        return Fraction(utility)

    def _seen(self, state: Any, action: Any) -> tuple[int, dict[int, int]]:
        """The sum of whole weights, and those of the percepts that may come on arriving in a state."""
        pairs = checked_percept_distribution(self.problem, state, action)
        total, weights = self._whole(pairs)
        found: dict[int, int] = {}
        for weight, (_, percept) in zip(weights, pairs, strict=True):
            if weight:
                number = self.named_percepts.number(percept)
                found[number] = found.get(number, 0) + weight
        return total, found

    def _whole(self, pairs: Sequence[tuple[Any, Any]]) -> tuple[int, list[int]]:
        """Whole numbers in the same proportion as probabilities, and their sum."""
        if len(pairs) == 1:
            self.exact = self.exact and is_exact(pairs[0][0])
            return 1, [1]
        key = tuple(chance for chance, _ in pairs)
        self.exact = self.exact and all(map(is_exact, key))
        if key not in self._known:
            shares = list(map(Fraction, key))
            unit = math.lcm(*(share.denominator for share in shares))
            weights = [share.numerator * (unit // share.denominator) for share in shares]
            self._known[key] = sum(weights), weights
        return self._known[key]


class _Rows(dict[int, Any]):
    """Rows by state; None where an action does not apply. Most actions may apply in few of very many states."""

    def __missing__(self, state: int) -> None:
        return None


def _is_long(number: Any) -> bool:
    """Whether a whole number or a fraction is longer than a file may have."""
    return bool(max(number.numerator.bit_length(), number.denominator.bit_length()) > _MOST_BITS)
