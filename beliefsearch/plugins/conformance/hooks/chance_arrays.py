"""The rule about `ChanceArrayHook`: its arrays must agree with the problem's other methods."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from ....model.checked import checked_utility
from ....model.hooks import ChanceArrayHook
from ....model.problem import Number
from ..chances import chances, equal, same_chances
from ..rule import Case, Partly, Transitions, given, rule

# Arrays of more states than this are not looked at.
_MOST_LISTED = 1 << 20


@rule(
    "arrays",
    "arrays() agrees with actions(), outcomes(), is_terminal() and utility()",
    ChanceArrayHook,
    why="Large games are reckoned with the arrays alone. If they differ, the value is that of another game.",
    if_sound=True,
)
def chance_arrays_complaint(problem: Any, transitions: Transitions) -> str | None:
    """Where `arrays` differs from the problem's other methods, in the states met; None if nowhere."""
    arrays = given(problem.arrays())
    if len(arrays.states) > _MOST_LISTED:
        raise Partly(f"not looked at: arrays() lists {len(arrays.states):,} states")
    number_of = {state: number for number, state in enumerate(arrays.states)}
    if len(number_of) < len(arrays.states):
        twice = next(state for number, state in enumerate(arrays.states) if number_of[state] != number)
        return f"arrays() lists the state {twice!r} more than once"
    for state in dict.fromkeys(problem.canonical(state) for state in transitions):
        number = number_of.get(state)
        if number is None:
            return Case(f"arrays() lacks the state {state!r}, which can come up", state)
        over = problem.is_terminal(state)
        if bool(arrays.terminal[number]) != over:
            return Case(f"arrays() and is_terminal({state!r}) disagree", state)
        if over:
            if not equal(_plain(arrays.utilities[number]), checked_utility(problem, state)):
                return Case(f"arrays() and utility({state!r}) disagree", state)
            continue
        applies = [action for action in arrays.outcomes if _applies(arrays, action, number)]
        if applies != list(problem.actions(state)):
            listed = list(problem.actions(state))
            return Case(f"by arrays() the actions of {state!r} are {applies!r}, by actions() {listed!r}", state)
        layer = bisect_right(arrays.layers, number)
        following = arrays.layers[layer] if layer < len(arrays.layers) else len(arrays.states)
        for action in applies:
            row = _row(arrays, action, number)
            if not all(following <= result < len(arrays.states) for result in row):
                complaint = f"by arrays() action {action!r} leads {state!r} to a state that is in no later layer"
                return Case(complaint, state, action)
            if not same_chances({arrays.states[r]: p for r, p in row.items() if p}, chances(problem, state, action)):
                return Case(f"arrays() and outcomes({state!r}, {action!r}) disagree", state, action)
    return None


def _applies(arrays: Any, action: Any, number: int) -> bool:
    applicable = arrays.applicable.get(action)
    return applicable is None or bool(applicable[number])


def _row(arrays: Any, action: Any, number: int) -> dict[int, Number]:
    """By number of a state: the probability that it follows."""
    numbers, probabilities = arrays.outcomes[action]
    results = numbers[number].tolist()
    # One row of probabilities may stand for all states, one probability for all outcomes.
    shares = probabilities[number if len(probabilities) > 1 else 0] if probabilities.ndim == 2 else probabilities
    spread = shares.tolist() if shares.ndim else [shares.item()]
    spread = spread * len(results) if len(spread) == 1 else spread
    row: dict[int, Number] = {}
    for result, share in zip(results, spread, strict=True):
        row[result] = row.get(result, 0) + share
    return row


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
