"""Checked answers of the array hooks: the listed states, and arrays of the numbers of results and percepts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ProblemError
from ...model.base import Action, State
from ...model.belief import perceived, successors
from ...model.hooks import ArrayHook, PerceptArrayHook
from ...model.problem import BeliefProblem
from ...model.values import is_hashable
from ..bits.numbered_model import NumberedModel
from .bitset_words import Integers


def number_listed(
    problem: BeliefProblem[State, Any, Any],
    model: NumberedModel[State, Any],
    listed: Sequence[State],
    tick: Callable[[], None],
) -> Integers:
    """Return the numbers in the model of the states that the hook lists, in its order; new states get the next ones."""
    name = f"{type(problem).__name__}.all_states()"
    if not hasattr(listed, "__len__") or not hasattr(listed, "__getitem__"):
        raise ProblemError(f"{name} gave {listed!r}; it must give a sequence of states, such as a tuple")
    numbers: dict[int, None] = {}
    for place, state in enumerate(listed):
        tick()
        if not is_hashable(state):
            raise ProblemError(f"{name} lists {state!r}, which is not hashable")
        number = model.number(state)
        numbers[number] = None
        if len(numbers) == place or model.states[number] != state:
            raise ProblemError(
                f"{name} lists {state!r}, which is there already or is not canonical; "
                "it should list each canonical state once"
            )
    return np.fromiter(numbers, dtype=np.int64, count=len(numbers))


def all_results(problem: BeliefProblem[State, Action, Any], action: Action, states: int) -> NDArray[Any]:
    """Return the hook's results of `action`, checked to be an array of places in its list of `states` states."""
    assert isinstance(problem, ArrayHook), "it has listed its states"
    name = f"{type(problem).__name__}.all_results({action!r})"
    return _checked(problem.all_results(action), states, "result", states, "states", name)


def all_percepts(
    problem: BeliefProblem[State, Action, Any], action: Action, states: int
) -> tuple[Sequence[Any], NDArray[Any]]:
    """Return the hook's percepts after `action`: values, which are hashable, and an array of places in them."""
    assert isinstance(problem, PerceptArrayHook), "the caller has checked this"
    name = f"{type(problem).__name__}.all_percepts({action!r})"
    answer = problem.all_percepts(action)
    if not isinstance(answer, tuple) or len(answer) != 2 or not isinstance(answer[0], Sequence):
        raise ProblemError(f"{name} gave {answer!r:.200}; it must give a sequence of percepts and an array of places")
    values, places = answer
    wrong = [value for value in values if not is_hashable(value)]
    if wrong:
        raise ProblemError(f"{name} gave {wrong[0]!r}, which is not hashable; use strings, tuples or frozensets")
    return values, _checked(places, states, "percept", len(values), "percepts", name)


def _checked(answer: Any, states: int, thing: str, most: int, things: str, name: str) -> NDArray[Any]:
    """Return an answer as an array; raise `ProblemError` unless it has a row a state, and numbers below `most`."""
    try:
        matrix = np.asarray(answer)
    except ValueError:  # rows of different lengths
        matrix = np.zeros(0)
    complaint = ""
    if matrix.ndim != 2 or matrix.shape[0] != states or not matrix.shape[1]:
        complaint = f"an array of shape {matrix.shape}; it should be ({states}, most {thing}s of a state)"
    elif not np.issubdtype(matrix.dtype, np.integer):
        complaint = f"an array of {matrix.dtype}; it should hold whole numbers"
    elif matrix.min() < 0 or matrix.max() >= most:
        complaint = f"numbers from {matrix.min()} to {matrix.max()}; {things} go from 0 to {most - 1}"
    if complaint:
        raise ProblemError(f"{name} gave {complaint}")
    return matrix


# A wrong hook would lead to wrong proofs. `check` compares all its answers with the definition. The searches compare
# one state for each action, which costs next to nothing.


def compare_results(
    problem: BeliefProblem[State, Action, Any],
    state: State,
    action: Action,
    given: Iterable[State],
    tick: Callable[[], None],
) -> None:
    """Raise `ProblemError` unless the results of the hook are the canonical results of the definition."""
    if set(given) != {problem.canonical(result) for result in successors(problem, state, action, tick)}:
        raise ProblemError(_disagrees(problem, "results", action, state))


def compare_outcomes(
    problem: BeliefProblem[State, Action, Any],
    state: State,
    action: Action,
    given: Mapping[State, Collection[Any]],
    tick: Callable[[], None],
) -> None:
    """Raise `ProblemError` unless the results of the hook and the percepts of each are those of the definition."""
    compare_results(problem, state, action, given, tick)
    for result in successors(problem, state, action, tick):
        if set(given[problem.canonical(result)]) != set(perceived(problem, result, action)):
            raise ProblemError(_disagrees(problem, "percepts", action, result))


def _disagrees(problem: object, what: str, action: object, state: object) -> str:
    return (
        f"{type(problem).__name__}.all_{what}({action!r}) disagrees with {what}() about state {state!r}; "
        "`beliefsearch check` finds where else"
    )
