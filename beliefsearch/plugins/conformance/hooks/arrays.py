"""Rules about hooks with arrays: the arrays agree with the methods that are called state by state."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ....model.base import Number
from ....model.belief import perceived
from ....model.checked import (
    checked_initial_distribution,
    checked_outcomes,
    checked_percept_distribution,
    checked_reward,
    checked_utility,
)
from ....model.hook_arrays import ChanceArrays, ChanceRows, PerceptChanceArrays
from ....model.hooks import ArrayHook, ChanceArrayHook, PerceptArrayHook
from ....model.stochastic import StochasticProblem
from ....model.values import as_number, is_exact, totals
from ..rule import Broken, Partly, Transitions, evenly, given, rule, tell_if_partly

# The most states, and the most actions and their results together, that are looked at.
_MOST_LISTED = 1 << 20
_MANY_ACTIONS = 200
_MANY_RESULTS = 2_000_000


@rule(
    "array-hook",
    "all_states() lists every canonical state once, and all_results() agrees with results()",
    ArrayHook,
    why="Large searches ask the arrays and never results(). If they differ, the answer is for another game.",
)
def check_array_hook(problem: Any, transitions: Transitions) -> None:
    """Check that the array hook agrees with the transitions given state by state."""
    listed = given(problem.all_states())
    if not isinstance(listed, Sequence):
        raise Broken(f"all_states() gave {listed!r}; it must give a sequence, such as a tuple")
    number_of = _numbers("all_states()", listed)
    canonical_of = {state: problem.canonical(state) for state in transitions}
    for canonical in canonical_of.values():
        if canonical not in number_of:
            raise Broken(f"all_states() lacks {canonical!r}, which can come up", canonical)
    rows_of: dict[Any, list[Any]] = {}  # by action: the canonical states whose rows in its array are compared
    for state, by_action in transitions.items():
        for action in by_action if canonical_of[state] == state else ():
            rows_of.setdefault(action, []).append(state)
    looked_at = _some(list(rows_of), len(listed))
    for action in looked_at:
        answer = problem.all_results(action)
        if len(answer) != len(listed):
            raise Broken(f"all_results({action!r}) has {len(answer)} rows for {len(listed)} states")
        for state in rows_of[action]:
            expected = {problem.canonical(result) for result in transitions[state][action]}
            _check_row("all_results", list(answer[number_of[state]]), listed, expected, state, action)
    tell_if_partly(looked_at, rows_of)


@rule(
    "perceived",
    "all_percepts() agrees with percepts(), of every result and of the canonical state that stands for it",
    PerceptArrayHook,
    why="Large searches ask the arrays and never percepts(). If they differ, the answer is for another game.",
)
def check_percept_array_hook(problem: Any, transitions: Transitions) -> None:
    """Check that the arrays of percepts agree with the percepts given state by state."""
    listed = given(problem.all_states())
    number_of = _numbers("all_states()", listed)
    results_of: dict[Any, dict[Any, None]] = {}  # by action: the states that it leads to
    for by_action in transitions.values():
        for action, results in by_action.items():
            results_of.setdefault(action, {}).update(dict.fromkeys(results))
    looked_at = _some(list(results_of), len(listed))
    for action in looked_at:
        values, places = problem.all_percepts(action)
        if len(places) != len(listed):
            raise Broken(f"all_percepts({action!r}) has {len(places)} rows for {len(listed)} states")
        for state in results_of[action]:
            number = number_of.get(problem.canonical(state))
            if number is None:
                continue  # a violation of "array-hook"
            expected = set(perceived(problem, state, action))
            _check_row("all_percepts", list(places[number]), values, expected, state, action)
    tell_if_partly(looked_at, results_of)


def _numbers(call: str, listed: Sequence[Any]) -> dict[Any, int]:
    """Return the numbers of the states that a call lists; raises if one is listed twice."""
    if len(listed) > _MOST_LISTED:
        raise Partly(f"not looked at: {call} lists {len(listed):,}")
    number_of = {state: number for number, state in enumerate(listed)}
    if len(number_of) < len(listed):
        twice = next(state for number, state in enumerate(listed) if number_of[state] != number)
        raise Broken(f"{call} lists the state {twice!r} more than once")
    return number_of


def _check_actions(call: str, applies: list[Any], problem: Any, state: Any) -> None:
    listed = list(problem.actions(state))
    if applies != listed:
        raise Broken(f"by {call} the actions of {state!r} are {applies!r}, by actions() {listed!r}", state)


def _some(actions: Sequence[Any], states: int) -> Sequence[Any]:
    """The actions to look at if so many states are listed."""
    return evenly(actions, max(1, min(_MANY_ACTIONS, _MANY_RESULTS // max(1, states))))


def _check_row(
    method: str, row: Sequence[int], listed: Sequence[Any], expected: set[Any], state: Any, action: Any
) -> None:
    called, what = f"{method}({action!r}) for state {state!r}", method.removeprefix("all_")
    for number in row:
        if not 0 <= number < len(listed):
            things = "states" if what == "results" else "places"
            complaint = f"{called} gives the number {number}, but {things} go from 0 to {len(listed) - 1}"
            raise Broken(complaint, state, action)
    given = {listed[number] for number in row}
    for value in given - expected:
        raise Broken(f"{called} gives {value!r}, which is not among {what}()", state, action)
    for value in expected - given:
        raise Broken(f"{called} lacks {value!r}, which is among {what}()", state, action)


@rule(
    "arrays",
    "arrays() agrees with the methods that say the same state by state",
    ChanceArrayHook,
    why="Large games are reckoned with the arrays alone. If they differ, the answer is that of another game.",
    if_sound=True,
)
def check_chance_arrays(problem: Any, transitions: Transitions) -> None:
    """Check that `arrays` agrees with the problem's other methods, in the states met."""
    arrays = given(problem.arrays(lambda states: None))
    if type(arrays) not in _CHECKS:
        raise Broken(
            f"arrays() gave {arrays!r:.80}; it must give {', '.join(form.__name__ for form in _CHECKS)} or None"
        )
    _CHECKS[type(arrays)](problem, transitions, arrays)


def _listed(problem: Any, transitions: Transitions, states: Sequence[Any]) -> Iterator[tuple[Any, int]]:
    """Yield the canonical states that can come up, with their numbers in a list, which must have them."""
    number_of = _numbers("arrays()", states)
    for state in dict.fromkeys(problem.canonical(state) for state in transitions):
        if state not in number_of:
            raise Broken(f"arrays() lacks the state {state!r}, which can come up", state)
        yield state, number_of[state]


def _check_layers(problem: Any, transitions: Transitions, arrays: ChanceArrays[Any, Any]) -> None:
    for state, number in _listed(problem, transitions, arrays.states):
        over = problem.is_terminal(state)
        if bool(arrays.terminal[number]) != over:
            raise Broken(f"arrays() and is_terminal({state!r}) disagree", state)
        if over:
            if not _equal(as_number(arrays.utilities[number]), checked_utility(problem, state)):
                raise Broken(f"arrays() and utility({state!r}) disagree", state)
            continue
        applies = [action for action in arrays.outcomes if _applies(arrays, action, number)]
        _check_actions("arrays()", applies, problem, state)
        layer = bisect_right(arrays.layers, number)
        following = arrays.layers[layer] if layer < len(arrays.layers) else len(arrays.states)
        for action in applies:
            row = _row(arrays, action, number)
            if not all(following <= result < len(arrays.states) for result in row):
                complaint = f"by arrays() action {action!r} leads {state!r} to a state that is in no later layer"
                raise Broken(complaint, state, action)
            if not same_chances({arrays.states[r]: p for r, p in row.items() if p}, chances(problem, state, action)):
                raise Broken(f"arrays() and outcomes({state!r}, {action!r}) disagree", state, action)


def _check_seen(problem: Any, transitions: Transitions, arrays: PerceptChanceArrays[Any, Any, Any]) -> None:
    number_of = _numbers("arrays()", arrays.states)
    from ....solvers.pomdp.array_model import model_of_arrays

    model = model_of_arrays(problem, arrays)

    def named(row: Any) -> dict[Any, Number]:
        return {model.states[number]: chance for number, chance in row}

    def going_on(pairs: Any) -> dict[Any, Number]:
        return totals((chance, state) for chance, state in pairs if not problem.is_terminal(state))

    if not same_chances(named(model.start), going_on(checked_initial_distribution(problem))):
        raise Broken("arrays() and initial_distribution() disagree")
    for state in transitions:
        if problem.is_terminal(state):
            if state in number_of:
                raise Broken(f"arrays() lists {state!r}, which is terminal", state)
            if checked_utility(problem, state):
                raise Broken(f"with arrays() a game that is over is worth 0, but not {state!r}", state)
            continue
        number = number_of.get(state)
        if number is None:
            raise Broken(f"arrays() lacks the state {state!r}, which can come up", state)
        rows = [by_state[number] for by_state in model.outcomes]
        applies = [action for action, row in zip(model.actions, rows, strict=True) if row is not None]
        _check_actions("arrays()", applies, problem, state)
        for place, row in enumerate(rows):
            action = model.actions[place]
            if row is None:
                continue
            if not same_chances(named(row), going_on(checked_outcomes(problem, state, action))):
                raise Broken(f"arrays() and outcomes({state!r}, {action!r}) disagree", state, action)
            reward = checked_reward(problem, state, action) if problem.overrides("reward") else 0
            if not _equal(model.rewards[place][number] or 0, reward):
                raise Broken(f"arrays() and reward({state!r}, {action!r}) disagree", state, action)
            for result, _ in row:
                seen = {model.percepts[percept]: chance for percept, chance in model.percept_rows[place][result]}
                arrived = model.states[result]
                expected = {o: chance for chance, o in checked_percept_distribution(problem, arrived, action)}
                if not same_chances(seen, expected):
                    complaint = f"arrays() and percept_distribution({arrived!r}, {action!r}) disagree"
                    raise Broken(complaint, arrived, action)


def _check_rows(problem: Any, transitions: Transitions, rows: ChanceRows[Any, Any]) -> None:
    for state, number in _listed(problem, transitions, rows.states):
        moves = range(rows.moves[number], rows.moves[number + 1])
        if problem.is_terminal(state):
            if moves or not _equal(rows.numbers[rows.utilities[number]], checked_utility(problem, state)):
                raise Broken(f"arrays() and utility({state!r}) disagree", state)
            continue
        actions = [rows.names[rows.actions[move]] for move in moves]
        _check_actions("arrays()", actions, problem, state)
        for move, action in zip(moves, actions, strict=True):
            entries = range(rows.outcomes[move], rows.outcomes[move + 1])
            after = {rows.states[rows.results[entry]]: rows.numbers[rows.chances[entry]] for entry in entries}
            same_reward = _equal(rows.numbers[rows.rewards[move]], checked_reward(problem, state, action))
            if not (
                same_reward and len(after) == len(entries) and same_chances(after, chances(problem, state, action))
            ):
                raise Broken(f"arrays() disagrees with outcomes() or reward() of {state!r}, {action!r}", state, action)


_CHECKS: Mapping[type, Callable[[Any, Transitions, Any], None]] = {
    ChanceArrays: _check_layers,
    PerceptChanceArrays: _check_seen,
    ChanceRows: _check_rows,
}


def _applies(arrays: Any, action: Any, number: int) -> bool:
    applicable = arrays.applicable.get(action)
    return applicable is None or bool(applicable[number])


def _row(arrays: Any, action: Any, number: int) -> dict[int, Number]:
    """Return the probability of each result, by its number."""
    numbers, probabilities = arrays.outcomes[action]
    results = numbers[number].tolist()
    # Probabilities may be broadcast: one row for all states, or one number for all outcomes.
    shares = probabilities[number if len(probabilities) > 1 else 0] if probabilities.ndim == 2 else probabilities
    spread = shares.tolist() if shares.ndim else [shares.item()]
    spread = spread * len(results) if len(spread) == 1 else spread
    return totals(zip(spread, results, strict=True))


def chances(problem: StochasticProblem[Any, Any], state: Any, action: Any) -> dict[Any, Number]:
    """Return the probability of each canonical result."""
    return totals((chance, problem.canonical(result)) for chance, result in checked_outcomes(problem, state, action))


def same_chances(first: Mapping[Any, Number], second: Mapping[Any, Number]) -> bool:
    """Whether two distributions are equal, up to rounding of floats."""
    return first.keys() == second.keys() and all(_equal(chance, second[state]) for state, chance in first.items())


def _equal(first: Number, second: Number) -> bool:
    """Whether two numbers are equal, or nearly equal if one is a float."""
    return first == second if is_exact(first) and is_exact(second) else math.isclose(first, second, abs_tol=1e-12)
