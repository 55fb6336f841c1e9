"""The checker of bounds on a policy's value and on the best value, in whole numbers, compared exactly.

Let `high` be a number for each state such that

1. in every state that is not terminal, no action makes the expected `high`, discounted, and its reward together
   larger than `high`;
2. in terminal states `high` is at least the utility.

Then no policy is worth more than `high`. Under any way of playing what was won so far and the expected `high` together
never rise; if the game ends with certainty, `high` is in the end at least the expected utility (there are finitely
many states, so `high` is bounded, and the limit may be taken). With a discount below 1 what is still to come counts for
less and less, so the game need not end. Without, what is never at an end counts for nothing, whatever utilities are
negative.

In the same way a policy under which the game ends with certainty is worth at least `low`, if its actions never make
the expected `low` smaller and `low` is at most the utility in terminal states. That is the same condition on `-low`, in
the game in which nothing else can be done.

Where `high` and `low` come from is a guess (`value_bound_search.py`), which is not trusted; here it is only compared,
and that without any rounding: a float is a fraction whose denominator is a power of two, and probabilities are whole
weights with their sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import frozen

from .value_bound_search import Row, guess_above

Rows: TypeAlias = Sequence[Sequence[Row]]

# How finely bounds are guessed: parts of the largest number there is, as powers of two. The first does but where games
# are longer than 10^20 actions.
_FINENESS = (96, 192, 384, 768, 1536, 3072)
# What lies between the bounds is no reason to guess again if it is smaller than this share of what is allowed.
_ENOUGH = 16


@frozen
class ExactGame:
    """A stochastic problem with a policy; states are numbered from 0 and probabilities are whole weights.

    By state: `rows` has its actions, none if it is terminal, each as a total, pairs of a weight and a state, and the
    total times the reward; what the weights lack of the total is discounted. `chosen` is the place of the policy's
    action, or 0. Along these the game must end with certainty, unless all is discounted.
    """

    rows: Rows
    chosen: Sequence[int]
    utilities: Mapping[int, Fraction]


@frozen
class ProvedBounds:
    """Proved bounds by state: its policy attains at least `low` and no policy more than `high`, in parts of `unit`."""

    low: Sequence[int]
    high: Sequence[int]
    unit: Fraction

    def between(self, state: int) -> tuple[Fraction, Fraction]:
        """The two bounds of a state."""
        return self.low[state] / self.unit, self.high[state] / self.unit

    def error(self, state: int, value: Fraction) -> Fraction:
        """A bound on the distance of `value` from the policy's value and from the best value."""
        low, high = self.between(state)
        return max(high - value, value - low)


def prove_bounds(
    game: ExactGame, values: Sequence[Fraction], precision: Fraction, tick: Callable[[], None]
) -> ProvedBounds | None:
    """Bounds on the values of the states, as close to each other as can be found; None if none are found.

    `values` are what the states are said to be worth, where the search for bounds begins; `precision` is how close to
    them the bounds should be. They are what is proved, and may be further away.
    """
    gains = (Fraction(abs(gain), total) for actions in game.rows for total, _, gain in actions if gain)
    scale = max((*map(abs, game.utilities.values()), *gains), default=Fraction(0))
    size = scale.numerator.bit_length() - scale.denominator.bit_length()
    alone = [[actions[place]] if actions else [] for actions, place in zip(game.rows, game.chosen, strict=True)]
    found = None
    for fineness in _FINENESS:
        unit = Fraction(2) ** (fineness - size)
        high = _above(game.rows, game.chosen, game.utilities, values, unit, tick)
        opposite = {state: -utility for state, utility in game.utilities.items()}
        low = _above(_opposite(alone), [0] * len(alone), opposite, [-value for value in values], unit, tick)
        if high is None or low is None:
            continue
        found = ProvedBounds([-number for number in low], high, unit)
        widest = max((top - bottom for top, bottom in zip(high, found.low, strict=True)), default=0) / unit
        if widest * _ENOUGH <= precision:
            break
        if all(found.error(state, value) <= precision for state, value in enumerate(values)):
            break
    return found


def _above(
    rows: Rows,
    chosen: Sequence[int],
    utilities: Mapping[int, Fraction],
    values: Sequence[Fraction],
    unit: Fraction,
    tick: Callable[[], None],
) -> list[int] | None:
    """A proved upper bound on the value of every policy, times `unit`; None if the guess proves none."""
    ends = {state: _rounded_up(utility * unit) for state, utility in utilities.items()}
    scaled = [[(total, outcomes, _gain(total, gain, unit)) for total, outcomes, gain in actions] for actions in rows]
    guess = guess_above(scaled, chosen, ends, [_rounded_up(value * unit) for value in values], tick)
    if guess is None or not is_above(rows, utilities, guess, unit, tick):
        return None
    return guess


def _opposite(rows: Rows) -> Rows:
    """The rows with the opposite rewards."""
    return [[(total, outcomes, -gain) for total, outcomes, gain in actions] for actions in rows]


def _gain(total: int, gain: Fraction, unit: Fraction) -> int:
    """`gain`, which is `total` times a reward, with the reward rounded up to units."""
    return total * _rounded_up(Fraction(gain) / total * unit) if gain else 0


def _rounded_up(number: Fraction) -> int:
    return -(-number.numerator // number.denominator)


def is_above(
    rows: Rows, utilities: Mapping[int, Fraction], high: Sequence[int], unit: Fraction, tick: Callable[[], None]
) -> bool:
    """Whether conditions 1 and 2 above hold for `high` divided by `unit`."""
    for state, actions in enumerate(rows):
        tick()
        if not actions and high[state] < utilities[state] * unit:
            return False
        here = high[state]
        for total, outcomes, gain in actions:
            mean: Any = gain * unit
            for weight, result in outcomes:  # a sum() of so few takes longer
                mean += weight * high[result]
            if mean > total * here:
                return False
    return True
