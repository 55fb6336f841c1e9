"""The rules about `ArrayHook` and `PerceptArrayHook`: their rows must agree with what is given state by state."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Literal

from ....model.belief import perceived
from ....model.hooks import ArrayHook, PerceptArrayHook
from ..rule import Case, Partly, Transitions, evenly, given, rule

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
    """Where the array hook differs from the transitions given state by state; None if nowhere."""
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
    _tell_if_partly(looked_at, rows_of)
    return None


@rule(
    "perceived",
    "all_percepts() agrees with percepts(), of every result and of the canonical state that stands for it",
    PerceptArrayHook,
    why="Large searches ask the arrays and never percepts(). If they differ, the answer is for another game.",
)
def percept_array_hook_complaint(problem: Any, transitions: Transitions) -> str | None:
    """Where the arrays of percepts differ from the percepts given state by state; None if nowhere."""
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
    _tell_if_partly(looked_at, results_of)
    return None


def _refuse_many(listed: Sequence[Any]) -> None:
    if len(listed) > _MOST_LISTED:
        raise Partly(f"not looked at: all_states() lists {len(listed):,}")


def _some(actions: Sequence[Any], states: int) -> Sequence[Any]:
    """The actions to look at where so many states are listed."""
    return evenly(actions, max(1, min(_MANY_ACTIONS, _MANY_RESULTS // max(1, states))))


def _tell_if_partly(looked_at: Sequence[Any], all_actions: Collection[Any]) -> None:
    if len(looked_at) < len(all_actions):
        raise Partly(f"for {len(looked_at):,} of {len(all_actions):,} actions")


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
