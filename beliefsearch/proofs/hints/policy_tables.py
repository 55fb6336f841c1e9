"""Tables of policies: numbers below and above the values in a plan file, between which the truth lies.

If the values are exactly right they are both. Else bounds are guessed in whole numbers, ever more finely, until the
checker accepts them near the values; guesses are for games whose rewards and utilities are rounded up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from ...model.belief import no_tick
from ...model.reachability import steps_to
from ...verify.checker import ChanceGame, WrongError, check_values
from ...verify.numbered import written
from .value_bound_search import guess_above

# How finely bounds are guessed: parts of the largest number there is, as powers of two. The first does but where games
# are longer than 10^20 actions.
_FINENESS = (96, 192, 384, 768, 1536, 3072)
# What lies between the bounds is no reason to guess again if it is smaller than this share of what is allowed.
_ENOUGH = 16


def values_table(
    game: ChanceGame,
    policy: Sequence[int],
    values: Sequence[Fraction],
    precision: Fraction,
    tick: Callable[[], None] = no_tick,
) -> dict[str, Any] | None:
    """The table `values` of a policy; None if no bounds on its values are found.

    If the values are not exactly right, bounds are looked for that are no further from them than `precision`. Raises
    `WrongError` if the policy never ends the game from some state.
    """
    table: dict[str, Any] = {"kind": "values", "policy": list(policy)}
    if game.discount == 1:
        table["ranks"] = ranks = _ranks(game, policy)
        if None in ranks:
            raise WrongError(f"from the state {ranks.index(None)} on, its actions never end the game")
    found = None
    for low, high in _bounds(game, policy, values, tick):
        table |= {"low": list(map(written, low)), "high": list(map(written, high))}
        try:
            check_values(game, table)
        except WrongError:
            continue
        found = {**table}
        error = max((max(h - v, v - b) for b, v, h in zip(low, values, high, strict=True)), default=0)
        widest = max((h - b for b, h in zip(low, high, strict=True)), default=0)
        if error <= precision or widest * _ENOUGH <= precision:
            break
    return found


def _ranks(game: ChanceGame, policy: Sequence[int]) -> list[int | None]:
    """Rank the states by how many steps from the end they are, if all goes well; None where the policy never ends."""
    ends = [s for s in range(game.states) if game.may_end(policy[s], s)]
    steps = ((s, t) for s in range(game.states) for t, _, _ in game.rows[policy[s]][s][2])
    rank = steps_to(ends, steps)
    return [rank.get(s) for s in range(game.states)]


def _bounds(
    game: ChanceGame, policy: Sequence[int], values: Sequence[Fraction], tick: Callable[[], None]
) -> Iterator[tuple[Sequence[Fraction], Sequence[Fraction]]]:
    """Yield numbers below and above the values: these themselves, then guesses."""
    yield values, values
    if not game.states:
        return
    discount = Fraction(game.discount)
    rows: list[list[Any]] = []  # by state, each action as a total, pairs of a weight and a state, and a reward
    chosen = [game.able[s].index(policy[s]) for s in range(game.states)]
    for s in range(game.states):
        rows.append([])
        for reward, total, triples in (game.rows[a][s] for a in game.able[s]):
            outcomes = tuple([(w * discount.numerator, t) for t, _, w in triples])
            rows[s].append((total * discount.denominator, outcomes, reward))
    scale = Fraction(max((abs(reward) for actions in rows for _, _, reward in actions if reward), default=0))
    size = scale.numerator.bit_length() - scale.denominator.bit_length()
    alone = [[actions[place]] for actions, place in zip(rows, chosen, strict=True)]
    for fineness in _FINENESS:
        unit = Fraction(2) ** (fineness - size)
        high = _guess(rows, chosen, values, unit, tick)
        # What no way of playing the policy exceeds in the game with the opposite rewards is the opposite of `low`.
        low = _guess(alone, [0] * len(alone), [-value for value in values], unit, tick, sign=-1)
        if high is not None and low is not None:
            yield [-number / unit for number in low], [number / unit for number in high]


def _guess(
    rows: Sequence[Sequence[Any]],
    chosen: Sequence[int],
    values: Sequence[Fraction],
    unit: Fraction,
    tick: Callable[[], None],
    *,
    sign: int = 1,
) -> list[int] | None:
    """Guess a number above the value of every policy, times `unit`, by state; of rewards with this sign."""
    scaled = [
        [(total, outcomes, total * ceil(sign * reward * unit) if reward else 0) for total, outcomes, reward in actions]
        for actions in rows
    ]
    return guess_above(scaled, chosen, [ceil(value * unit) for value in values], tick)
