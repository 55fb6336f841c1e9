"""The rules about `ArrayHook` and `PerceptArrayHook`: their rows must agree with what is given state by state.

The rule about `ChanceArrayHook`: its arrays must agree with the problem's other methods.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ....model.base import Number
from ....model.belief import perceived
from ....model.checked import checked_outcomes, checked_utility
from ....model.hooks import ArrayHook, ChanceArrayHook, PerceptArrayHook
from ....model.stochastic import StochasticProblem
from ....model.values import is_exact
from ..rule import Case, Partly, Transitions, evenly, given, rule, tell_if_partly

# More states are not looked at; and of all actions at most so many, with at most so many results together.
_MOST_LISTED = 1 << 20

_MANY_ACTIONS = 200

_MANY_RESULTS = 2_000_000


@rule(
    "array-hook",
    "all_states() lists every canonical state once, and all_results() agrees with results()",
    ArrayHook,
    why="Large searches ask the arrays and never results(). If they differ, the answer is for another game.",
)
def array_hook_complaint(problem: Any, transitions: Transitions) -> str | None:
    """Say where the array hook differs from the transitions given state by state; None if nowhere."""
    listed = given(problem.all_states())
    if not isinstance(listed, Sequence):
        return f"all_states() gave {listed!r}; it must give a sequence, such as a tuple"
    _refuse_many(listed)
    number_of = {state: number for number, state in enumerate(listed)}
    if len(number_of) < len(listed):
        twice = next(state for number, state in enumerate(listed) if number_of[state] != number)
        return f"all_states() lists {twice!r} more than once"
    canonical_of = {state: problem.canonical(state) for state in transitions}
    for canonical in canonical_of.values():
        if canonical not in number_of:
            return Case(f"all_states() lacks {canonical!r}, which can come up", canonical)
    rows_of: dict[Any, list[Any]] = {}  # by action: the canonical states that are to be looked up in its array
    for state, by_action in transitions.items():
        for action in by_action if canonical_of[state] == state else ():
            rows_of.setdefault(action, []).append(state)
    looked_at = _some(list(rows_of), len(listed))
    for action in looked_at:
        answer = problem.all_results(action)
        if len(answer) != len(listed):
            return f"all_results({action!r}) has {len(answer)} rows for {len(listed)} states"
        for state in rows_of[action]:
            expected = {problem.canonical(result) for result in transitions[state][action]}
            complaint = _row_complaint(list(answer[number_of[state]]), listed, expected)
            if complaint is not None:
                return Case(f"all_results({action!r}) for state {state!r} {complaint}", state, action)
    tell_if_partly(looked_at, rows_of)
    return None


@rule(
    "perceived",
    "all_percepts() agrees with percepts(), of every result and of the canonical state that stands for it",
    PerceptArrayHook,
    why="Large searches ask the arrays and never percepts(). If they differ, the answer is for another game.",
)
def percept_array_hook_complaint(problem: Any, transitions: Transitions) -> str | None:
    """Say where the arrays of percepts differ from the percepts given state by state; None if nowhere."""
    listed = given(problem.all_states())
    _refuse_many(listed)
    number_of = {state: number for number, state in enumerate(listed)}
    results_of: dict[Any, dict[Any, None]] = {}  # by action: the states that it leads to
    for by_action in transitions.values():
        for action, results in by_action.items():
            results_of.setdefault(action, {}).update(dict.fromkeys(results))
    looked_at = _some(list(results_of), len(listed))
    for action in looked_at:
        values, places = problem.all_percepts(action)
        if len(places) != len(listed):
            return f"all_percepts({action!r}) has {len(places)} rows for {len(listed)} states"
        for state in results_of[action]:
            number = number_of.get(problem.canonical(state))
            if number is None:
                continue  # of which the other rule tells
            expected = set(perceived(problem, state, action))
            complaint = _row_complaint(list(places[number]), values, expected, "percepts")
            if complaint is not None:
                return Case(f"all_percepts({action!r}) for state {state!r} {complaint}", state, action)
    tell_if_partly(looked_at, results_of)
    return None


def _refuse_many(listed: Sequence[Any]) -> None:
    if len(listed) > _MOST_LISTED:
        raise Partly(f"not looked at: all_states() lists {len(listed):,}")


def _some(actions: Sequence[Any], states: int) -> Sequence[Any]:
    """The actions to look at where so many states are listed."""
    return evenly(actions, max(1, min(_MANY_ACTIONS, _MANY_RESULTS // max(1, states))))


def _row_complaint(
    row: Sequence[int], listed: Sequence[Any], expected: set[Any], what: Literal["results", "percepts"] = "results"
) -> str | None:
    outside = [number for number in row if not 0 <= number < len(listed)]
    if outside:
        called = "states" if what == "results" else "places"
        return f"gives the number {outside[0]}, but {called} go from 0 to {len(listed) - 1}"
    given = {listed[number] for number in row}
    for value in given - expected:
        return f"gives {value!r}, which is not among {what}()"
    for value in expected - given:
        return f"lacks {value!r}, which is among {what}()"
    return None


@rule(
    "arrays",
    "arrays() agrees with actions(), outcomes(), is_terminal() and utility()",
    ChanceArrayHook,
    why="Large games are reckoned with the arrays alone. If they differ, the value is that of another game.",
    if_sound=True,
)
def chance_arrays_complaint(problem: Any, transitions: Transitions) -> str | None:
    """Say where `arrays` differs from the problem's other methods, in the states met; None if nowhere."""
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
            if not _equal(_plain(arrays.utilities[number]), checked_utility(problem, state)):
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
    """Return, by number of a state, the probability that it follows."""
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


def chances(problem: StochasticProblem[Any, Any], state: Any, action: Any) -> dict[Any, Number]:
    """Return, by canonical state, the probability that it follows."""
    chances: dict[Any, Number] = {}
    for probability, result in checked_outcomes(problem, state, action):
        representative = problem.canonical(result)
        chances[representative] = chances.get(representative, 0) + probability
    return chances


def same_chances(first: Mapping[Any, Number], second: Mapping[Any, Number]) -> bool:
    """Whether the same may follow, equally likely."""
    return first.keys() == second.keys() and all(_equal(chance, second[state]) for state, chance in first.items())


def _equal(first: Number, second: Number) -> bool:
    """Whether two numbers are equal; nearly so, if one is a float."""
    return first == second if is_exact(first) and is_exact(second) else math.isclose(first, second, abs_tol=1e-12)
