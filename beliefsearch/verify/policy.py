"""The checker of policies: walks every state that can come up, by the problem itself, without `canonical`.

What it proves: the policy attains the value it is said to have, and no policy under which the game ends with certainty
attains more. All numbers are compared exactly, floats too: they are fractions whose denominators are powers of two.

Let v be the values in the file, with the utility for terminal states, and suppose that in every state that can
come up

1. no action is worth more than v(state), when what may follow it is worth v: its reward, and the discounted mean of v;
2. the action in the file is worth v(state);
3. along the actions in the file a terminal state can be reached; or there is a discount below 1.

By 3 the game ends with certainty under the policy: from every state it does so within n steps with at least
some probability, n being the number of states. By 2 what was won so far and the expected v together never change
under the policy, and at the end v is the expected utility; so v is what the policy attains. By 1 they never rise
under any way of playing, so nobody whose game ends with certainty can expect more. With a discount below 1 what is
still to come counts for less and less, and the game need not end.

Values that are floats mostly miss 1 and 2 by a little, and what is missed adds up over the length of the game,
which may be anything. Then two other functions are looked for, one below v and one above, between which the truth is
proved to lie (`policy_bounds.py`); how far v is from them is the proved error. The policy holds if no value is further
off than the claimed precision.

Probabilities that are floats sum to 1 up to rounding only. The game meant is the one in which each is divided by
their sum, exactly.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, Generic

from ..errors import InvalidPlanError
from ..model.base import Action, Number, State
from ..model.checked import (
    checked_discount,
    checked_initial_distribution,
    checked_outcomes,
    checked_reward,
    checked_utility,
)
from ..model.reachability import reaching
from ..model.stochastic import StochasticProblem
from ..model.values import is_exact
from ..plans.encoding import encode_action, encode_state, number_from_json
from .policy_bounds import ExactGame, ProvedBounds, prove_bounds
from .value_bound_search import Row
from .verdict import PolicyVerdict

DEFAULT_PRECISION = Fraction(1, 10**9)
"""The allowed error of values if they are floats and the file gives no precision: a share of the largest utility, or of
the largest value where there are rewards on the way."""

# Values whose common denominator has more bits than this are compared as fractions, one by one.
_MOST_BITS = 20_000


def check_policy_file(
    problem: StochasticProblem[State, Action],
    plan: Mapping[str, Any],
    claimed_value: object,
    tick: Callable[[], None] = lambda: None,
) -> PolicyVerdict:
    """Check a policy as it stands in a plan file; raises `InvalidPlanError` if it cannot be read as one.

    `plan` is the field of that name: its `states` are triples of a state, an action and a value. `precision`, if it is
    there, says how far these values may be off; else nothing if all numbers are whole numbers and fractions, and
    `DEFAULT_PRECISION` of the largest utility if not. `claimed_value` is the field `value`.

    Every state that can come up by any action is visited once. Where all equations hold exactly, time is linear in the
    number of outcomes, and so it is for a game that never comes back to a state. Otherwise the linear equations of
    some policies are solved.
    """
    return _Check(problem, plan, tick).run(number_from_json(claimed_value, "value"))


class _Check(Generic[State, Action]):
    """The entries of the file by state, and the walk through all states that can come up."""

    def __init__(
        self, problem: StochasticProblem[State, Action], plan: Mapping[str, Any], tick: Callable[[], None]
    ) -> None:
        self._problem = problem
        self._tick = tick
        entries = plan.get("states")
        if not isinstance(entries, list):
            raise InvalidPlanError(f"the field 'states' of its plan should be a list, but is {entries!r:.40}")
        self._entries: dict[str, tuple[str, Number]] = {}
        for place, entry in enumerate(entries, 1):
            if not isinstance(entry, list) or len(entry) != 3:
                raise InvalidPlanError(f"entry {place} of its policy is {entry!r:.40}, not [state, action, value]")
            state, action, value = entry
            key = json.dumps(state)
            if key in self._entries:
                raise InvalidPlanError(f"its policy has two entries for the state {key:.80}")
            self._entries[key] = json.dumps(action), number_from_json(value, f"the value of the state {key:.80}")
        self._precision: Fraction | None = None
        if "precision" in plan:
            self._precision = Fraction(number_from_json(plan["precision"], "the precision of its policy"))
            if self._precision < 0:
                raise InvalidPlanError("the precision of its policy is negative")
        # By number of a state, in the order in which they are met.
        self._states: list[State] = []
        self._number_of: dict[State, int] = {}
        self._keys: list[str] = []
        self._values: list[Number] = []  # in the file, or the utility
        self._rows: list[list[Row]] = []
        self._discount = Fraction(checked_discount(problem))
        self._most_reward = Fraction(0)
        self._names: list[list[Action]] = []
        self._chosen: list[int] = []
        self._utilities: dict[int, Fraction] = {}
        self._exact = is_exact(problem.discount())
        self._complaint = ""

    def run(self, claimed: Number) -> PolicyVerdict:
        self._walk()
        error = None
        if not self._complaint:
            self._complaint = self._missed() or self._endless() or self._left_over() or self._wrong_claim(claimed)
        if not self._complaint:
            error, self._complaint = self._proved_error()
        choosing = len(self._states) - len(self._utilities)
        return PolicyVerdict(not self._complaint, self._complaint, choosing, claimed, self._exact, error)

    def _name(self, state: int) -> str:
        return self._problem.format_state(self._states[state])

    def _walk(self) -> None:
        """Meet every state that can come up, and note its actions with exact weights."""
        problem = self._problem
        self._starts = [(chance, self._meet(state)) for chance, state in checked_initial_distribution(problem)]
        weights: dict[tuple[Number, ...], tuple[int, ...]] = {}  # most actions have the same few probabilities
        scale, rest = self._discount.denominator, self._discount.numerator
        rewarding = problem.overrides("reward")
        for number, state in enumerate(self._states):  # grows while it is walked
            self._tick()
            rows: list[Row] = []
            names: list[Action] = []
            self._rows.append(rows)
            self._names.append(names)
            self._chosen.append(0)
            if number in self._utilities:
                continue
            written = self._entries.get(self._keys[number], ("", 0))[0]
            found = []
            for action in problem.actions(state):
                outcomes = checked_outcomes(problem, state, action)
                probabilities = tuple(probability for probability, _ in outcomes)
                self._exact = self._exact and all(map(is_exact, probabilities))
                if probabilities not in weights:
                    weights[probabilities] = _whole(probabilities)
                whole = weights[probabilities]
                if json.dumps(encode_action(problem, action)) == written:
                    found.append(len(rows))
                names.append(action)
                results = [self._meet(result) for _, result in outcomes]
                total = sum(whole) * scale
                gain = Fraction(0)
                if rewarding:
                    reward = checked_reward(problem, state, action)
                    self._exact = self._exact and is_exact(reward)
                    self._most_reward = max(self._most_reward, abs(Fraction(reward)))
                    gain = total * Fraction(reward)
                shares = whole if rest == 1 else [weight * rest for weight in whole]
                rows.append((total, tuple(zip(shares, results, strict=True)), gain))
            if len(found) == 1:
                self._chosen[number] = found[0]
            else:
                some = "more than one action is" if found else "no action that applies is"
                says = f"in the state {self._name(number)} {some} written {written or 'so'}"
                self._complaint = self._complaint or says

    def _meet(self, state: State) -> int:
        """The number of a state that can come up; the first time, its value in the file is noted."""
        number = self._number_of.setdefault(state, len(self._states))
        if number < len(self._states):
            return number
        self._states.append(state)
        value: Number = 0
        if self._problem.is_terminal(state):
            self._keys.append("")
            value = checked_utility(self._problem, state)
            self._utilities[number] = Fraction(value)
        else:
            self._keys.append(json.dumps(encode_state(self._problem, state)))
            entry = self._entries.get(self._keys[number])
            if entry is None:
                says = f"it says nothing about the state {self._name(number)}, which can come up"
                self._complaint = self._complaint or says
            else:
                value = entry[1]
        self._exact = self._exact and is_exact(value)
        self._values.append(value)
        return number

    def _allowed(self) -> Fraction:
        """Return how far a value may be off."""
        if self._precision is not None:
            return self._precision
        if self._exact:
            return Fraction(0)
        largest = max(map(abs, self._utilities.values()), default=Fraction(0))
        if self._most_reward:  # what is won on the way adds up: to no more than any value says, as all are proved
            largest = max(largest, *(abs(Fraction(value)) for value in self._values))
        return DEFAULT_PRECISION * largest

    def _missed(self) -> str:
        """The first violation of conditions 1 and 2 above that makes a value wrong by more than is allowed.

        If all values are right up to some error, no mean of them is off by more, and no equation by more than twice.
        """
        most = 2 * self._allowed()
        for state, place, rise, whole in self._misses():
            if abs(rise) * most.denominator > most.numerator * whole:
                worth = Fraction(self._values[state]) + Fraction(rise) / whole
                name = self._problem.format_action(self._names[state][place])
                says = f"it says that the state {self._name(state)} is worth {self._values[state]!s:.40}"
                exactly = f"{worth!s:.40}" if self._exact else _about(worth)
                return f"{says}, but {name} is worth {exactly} there"
        return ""

    def _misses(self) -> Iterator[tuple[int, int, Any, int]]:
        """Each action that violates 1 or 2: its state and place, and by how much, as numerator and denominator.

        Both are whole numbers unless values have too many denominators.
        """
        values: Sequence[Any] = [Fraction(value) for value in self._values]
        unit = math.lcm(*(value.denominator for value in values))
        if unit.bit_length() > _MOST_BITS:
            unit = 1
        else:
            values = [value.numerator * (unit // value.denominator) for value in values]
        for state, actions in enumerate(self._rows):
            self._tick()
            here, chosen = values[state], self._chosen[state]
            for place, (total, outcomes, gain) in enumerate(actions):
                rise: Any = -total * here
                if gain:
                    rise += gain * unit
                for weight, result in outcomes:
                    rise += weight * values[result]
                if rise > 0 or (rise and place == chosen):
                    yield state, place, rise, total * unit

    def _endless(self) -> str:
        """A state from which the policy never ends the game; empty if there is none, or if all is discounted."""
        if self._discount < 1:
            return ""
        edges = (
            (state, result)
            for state, (actions, place) in enumerate(zip(self._rows, self._chosen, strict=True))
            for _, result in (actions[place][1] if actions else ())
        )
        ends = reaching(self._utilities, edges)
        stuck = next((state for state in range(len(self._rows)) if state not in ends), None)
        return "" if stuck is None else f"from the state {self._name(stuck)} on, its actions never end the game"

    def _left_over(self) -> str:
        met = set(self._keys)
        extra = next((key for key in self._entries if key not in met), None)
        where = "where nothing is chosen or which cannot come up"
        return "" if extra is None else f"it has an entry for {extra:.80}, {where}"

    def _wrong_claim(self, claimed: Number) -> str:
        begins = sum(chance * self._values[number] for chance, number in self._starts)
        says = f"it says that the game is worth {claimed!s:.40}, but its policy begins with {begins!s:.40}"
        return "" if claimed == begins else says

    def _proved_error(self) -> tuple[Fraction | None, str]:
        """A bound on the error of the game's value; or a complaint if it cannot be proved."""
        if not any(True for _ in self._misses()):
            return Fraction(0), ""
        allowed = self._allowed()
        game = ExactGame(self._rows, self._chosen, self._utilities)
        values = [Fraction(value) for value in self._values]
        bounds = prove_bounds(game, values, allowed, self._tick)
        if bounds is None:
            return None, "its values cannot be proved: no bounds on them were found"
        errors = [bounds.error(state, value) for state, value in enumerate(values)]
        worst = max(range(len(errors)), key=errors.__getitem__)
        if errors[worst] > allowed:
            return None, self._unproved(worst, bounds, allowed)
        return max(errors[number] for _, number in self._starts), ""

    def _unproved(self, state: int, bounds: ProvedBounds, allowed: Fraction) -> str:
        low, high = bounds.between(state)
        return (
            f"it says that the state {self._name(state)} is worth {self._values[state]!s:.40}, within "
            f"{_about(allowed)}; but it is proved only that its actions are worth at least {_about(low)} there, "
            f"and no policy more than {_about(high)}"
        )


def _whole(probabilities: Sequence[Number]) -> tuple[int, ...]:
    """Whole numbers in the same proportion as these."""
    fractions = [Fraction(probability) for probability in probabilities]
    unit = math.lcm(*(fraction.denominator for fraction in fractions))
    return tuple(fraction.numerator * (unit // fraction.denominator) for fraction in fractions)


def _about(number: Fraction) -> str:
    """A number, perhaps too large for a float, in twelve digits."""
    return f"{Context(prec=12).divide(Decimal(number.numerator), Decimal(number.denominator)).normalize():g}"
