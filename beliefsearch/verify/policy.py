"""The verdict on the policy in a plan file: what it attains, what no policy exceeds, and what is claimed.

The game is listed by asking the problem, and `check_values` of `checker.py` proves numbers below and above the values,
which need not be trusted. A policy holds if no value in the file is further from these than the precision allows.
Where probabilities are floats, the game meant is the one in which each is divided by their sum, exactly.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..errors import DoesNotHoldError, InvalidPlanError
from ..model.base import Action, Number, State
from ..model.stochastic import StochasticProblem
from ..model.values import is_exact
from ..plans.encoding import number_from_json
from .answer import precision_of
from .chance_game import AskedChanceGame
from .checker import UnreadableError, WrongError, check_values
from .verdict import PolicyVerdict

if TYPE_CHECKING:
    from .hints import Hints

DEFAULT_PRECISION = Fraction(1, 10**9)
"""The allowed error of values if there are floats and the file gives no precision: a share of the largest utility or
value."""


def check_policy_file(
    problem: StochasticProblem[State, Action],
    plan: Mapping[str, Any],
    claimed_value: object,
    hints: Hints,
    tick: Callable[[], None] = lambda: None,
) -> PolicyVerdict:
    """Check a policy as it stands in a plan file; raises `InvalidPlanError` if it cannot be read as one.

    `plan` is the field of that name: its `states` are triples of a state, an action and a value. `precision`, if it is
    there, says how far these values may be off; else nothing if all numbers are whole numbers and fractions, and
    `DEFAULT_PRECISION` of the largest of them if not. `claimed_value` is the field `value`.

    Time is linear in the number of outcomes where all values are exact; else it is that of `hints`, too.
    """
    claimed, entries, precision = number_from_json(claimed_value, "value"), entries_of(plan), precision_of(plan)
    game = AskedChanceGame(problem, tick)
    exact = game.exact and all(is_exact(value) for _, value in entries.values())
    if precision is None:
        largest = max([game.largest_utility, *(abs(Fraction(value)) for _, value in entries.values())])
        precision = Fraction(0) if exact else DEFAULT_PRECISION * largest
    try:
        error, complaint = _error(game, entries, claimed, precision, hints, tick), ""
    except DoesNotHoldError as failure:
        error, complaint = None, game.named(failure)
    except UnreadableError as failure:  # a value of too many digits
        raise InvalidPlanError(f"its policy cannot be checked: {game.named(failure)}") from None
    return PolicyVerdict(not complaint, complaint, game.states, claimed, exact, error)


def entries_of(plan: Mapping[str, Any]) -> dict[str, tuple[str, Number]]:
    """The action, as text, and the value of each state in the file, by its text."""
    written = plan.get("states")
    if not isinstance(written, list):
        raise InvalidPlanError(f"the field 'states' of its plan should be a list, but is {written!r:.40}")
    entries: dict[str, tuple[str, Number]] = {}
    for place, entry in enumerate(written, 1):
        if not isinstance(entry, list) or len(entry) != 3:
            raise InvalidPlanError(f"entry {place} of its policy is {entry!r:.40}, not [state, action, value]")
        key = json.dumps(entry[0])
        if key in entries:
            raise InvalidPlanError(f"its policy has two entries for the state {key:.80}")
        entries[key] = json.dumps(entry[1]), number_from_json(entry[2], f"the value of the state {key:.80}")
    return entries


def _error(
    game: AskedChanceGame,
    entries: Mapping[str, tuple[str, Number]],
    claimed: Number,
    precision: Fraction,
    hints: Hints,
    tick: Callable[[], None],
) -> Fraction:
    """A proved bound on the error of the game's value; raises `DoesNotHoldError` if there is none within precision."""
    policy = policy_of(game, entries)
    numbers = [entries[text][1] for text in game.numbers["states"]]
    values = [Fraction(number) for number in numbers]
    try:
        table = hints.values_table(game, policy, values, precision, tick)
        if table is None:
            raise DoesNotHoldError("its values cannot be proved: no bounds on them were found")
        check_values(game, {**table, "policy": policy})
    except WrongError as error:
        raise DoesNotHoldError(str(error)) from None
    low, high = ([Fraction(bound) for bound in table[name]] for name in ("low", "high"))
    errors = [max(h - v, v - b) for b, v, h in zip(low, values, high, strict=True)]
    worst = max(range(len(errors)), key=errors.__getitem__, default=-1)
    if worst >= 0 and errors[worst] > precision:
        _name_equation(game, policy, values, precision)
        _require_near(f"the state {worst}", numbers[worst], low[worst], high[worst], precision)
    least, most = (Fraction(game.start_value + sum(p * bounds[s] for s, p in game.start)) for bounds in (low, high))
    return _require_near("the game", claimed, least, most, precision)


def _require_near(what: str, said: Number, low: Fraction, high: Fraction, precision: Fraction) -> Fraction:
    """Return how far off a number may be that lies between two; raises `DoesNotHoldError` beyond the precision."""
    error = max(high - Fraction(said), Fraction(said) - low)
    if error > precision:
        within = f", within {_about(precision)}" if precision else ""
        raise DoesNotHoldError(
            f"it says that {what} is worth {said!s:.40}{within}; but it is proved only that its actions are worth at "
            f"least {_about(low)} there, and no policy more than {_about(high)}"
        )
    return error


def policy_of(game: AskedChanceGame, entries: Mapping[str, tuple[str, Number]]) -> list[int]:
    """The action of each state that can come up; raises `DoesNotHoldError` if one is missing."""
    policy: list[int] = []
    for s, text in enumerate(game.numbers["states"]):
        if text not in entries:
            raise DoesNotHoldError(f"it says nothing about the state {s}, which can come up")
        action = game.numbers["actions"].get(entries[text][0], -1)
        if action < 0 or game.rows[action][s] is None:
            raise DoesNotHoldError(f"in the state {s} no action that applies is written {entries[text][0]:.80}")
        policy.append(action)
    for text in entries:
        if text not in game.numbers["states"]:
            raise DoesNotHoldError(f"it has an entry for {text:.80}, where nothing is chosen or which cannot come up")
    return policy


def _name_equation(
    game: AskedChanceGame, policy: Sequence[int], values: Sequence[Fraction], precision: Fraction
) -> None:
    """Name an action that is worth more than its state is said to be, or one of the policy that is worth less.

    If no value were off by more than `precision`, no equation would be by more than twice that.
    """
    for s, value in enumerate(values):
        for a in game.able[s]:
            reward, total, triples = game.rows[a][s]
            worth = reward + game.discount * sum(w * values[t] for t, _, w in triples) / Fraction(total)
            if worth - value > 2 * precision or (policy[s] == a and value - worth > 2 * precision):
                says = f"it says that the state {s} is worth {_about(value)}"
                raise DoesNotHoldError(f"{says}, but action {a} is worth {_about(Fraction(worth))} there")


def _about(number: Fraction) -> str:
    """A number, perhaps too large for a float, in twelve digits."""
    return f"{Context(prec=12).divide(Decimal(number.numerator), Decimal(number.denominator)).normalize():g}"
