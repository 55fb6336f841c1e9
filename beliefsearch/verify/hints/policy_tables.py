"""Tables of policies: numbers below and above the values in a plan file, between which the truth is proved to lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from ...model.reachability import steps_to
from ..checker import ChanceGame, WrongError, check_values
from ..listed_game import written
from .policy_bounds import ExactGame, prove_bounds


def values_table(
    game: ChanceGame,
    policy: Sequence[int],
    values: Sequence[Fraction],
    precision: Fraction,
    tick: Callable[[], None] = lambda: None,
) -> dict[str, Any] | None:
    """The table `values` of a policy that ends the game; None if no bounds on its values are found.

    If the values are not exactly right, bounds are looked for that are no further from them than `precision`.
    """
    found: dict[str, Any] = {"kind": "values", "policy": list(policy)}
    if game.discount == 1:
        found["ranks"] = ranks_of(game, policy)
    found["low"] = found["high"] = list(map(written, values))
    try:
        check_values(game, found)
    except WrongError:
        pass
    else:
        return found
    bounds = prove_bounds(_exact_game(game, policy), [*values, Fraction(0)], precision, tick)
    if bounds is None:
        return None
    for name, numbers in (("low", bounds.low), ("high", bounds.high)):
        found[name] = [written(Fraction(numbers[s]) / bounds.unit) for s in range(game.states)]
    return found


def ranks_of(game: ChanceGame, policy: Sequence[int]) -> list[int | None]:
    """Ranks of states: how many steps from the end, if all goes well; None if the policy never ends the game."""
    ends = [s for s in range(game.states) if game.may_end(policy[s], s)]
    steps = ((s, t) for s in range(game.states) for t, _, _ in game.rows[policy[s]][s][2])
    rank = steps_to(ends, steps)
    return [rank.get(s) for s in range(game.states)]


def _exact_game(game: ChanceGame, policy: Sequence[int]) -> ExactGame:
    """The game by state; one more state, worth nothing, takes what ends it."""
    discount = Fraction(game.discount)
    rows: list[list[Any]] = []
    chosen = []
    for s in range(game.states):
        rows.append([])
        chosen.append(0)
        for a in game.able[s]:
            if a == policy[s]:
                chosen[s] = len(rows[s])
            reward, total, triples = game.rows[a][s]
            ending = total - sum(w for _, _, w in triples)
            outcomes = [(w * discount.numerator, t) for t, _, w in triples]
            outcomes += [(ending * discount.numerator, game.states)] if ending else []
            rows[s].append((total * discount.denominator, tuple(outcomes), reward * total * discount.denominator))
    return ExactGame([*rows, []], [*chosen, 0], {game.states: Fraction(0)})
