"""Actions as JSON: how a plan is written so that it can be read without Python."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from ..errors import InvalidPlanError
from ..model.base import Action, BaseProblem, Number, Percept, State
from ..model.exact import exact
from ..model.problem import BeliefProblem
from ..model.stochastic import StochasticProblem
from ..model.values import is_among, whole

Value = TypeVar("Value")
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
PLAN_FILE_VERSION = 1


def encode_action(problem: BaseProblem[Any, Action], action: Action) -> Json:
    """`action` as JSON: itself if JSON has such a value, a list for a tuple or a set, else its text."""
    return _encoded(action, problem.format_action)


def encode_state(problem: BaseProblem[State, Any], state: State) -> Json:
    """`state` as JSON, in the same way."""
    return _encoded(state, problem.format_state)


def encode_percept(
    problem: BeliefProblem[Any, Any, Percept] | StochasticProblem[Any, Any, Percept], percept: Percept | None
) -> Json:
    """`percept` as JSON, in the same way."""
    text: Callable[[Any], str] = problem.format_percept
    return _encoded(percept, text)


def _encoded(value: Value, text: Callable[[Value], str]) -> Json:
    try:
        return _plain(value)
    except TypeError:
        return text(value)


def _plain(value: object) -> Json:
    """`value` as JSON; raises TypeError if JSON has no such value."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(map(_plain, value), key=_by_kind_and_value)
    raise TypeError(f"{value!r} cannot be written as JSON")


def _by_kind_and_value(item: Json) -> tuple[str, float, str]:
    """A sorting key for JSON values of mixed kinds: numbers by value, all else by text."""
    if isinstance(item, (int, float)):
        return "", item, ""
    return type(item).__name__, 0, json.dumps(item)


class ActionReader(Generic[State, Action]):
    """Finds the action of `problem` that an entry of a plan file stands for."""

    def __init__(self, problem: BaseProblem[State, Action]) -> None:
        self._problem = problem
        self._known: dict[str, Action] = {}
        self._listed: object = None
        self._written: dict[str, list[Action]] = {}  # the actions listed there, by what is written for them

    def read(self, entry: Json, belief: Iterable[State]) -> Action:
        """The action written as `entry` that applies in `belief`; raises `InvalidPlanError` unless there is just one.

        An action of a plan applies to every member, so it is enough to look at the actions of one.
        """
        key = json.dumps(entry)
        applicable = self._problem.actions(next(iter(belief)))
        if key in self._known and is_among(self._known[key], applicable):
            return self._known[key]
        if not isinstance(applicable, (list, tuple)):
            # Perhaps far too many to be gone through, but able to tell whether one of them is meant.
            for candidate in self._guesses(entry):
                if is_among(candidate, applicable) and encode_action(self._problem, candidate) == entry:
                    self._known[key] = candidate
                    return self._known[key]
        if applicable is not self._listed or type(applicable) is not tuple:  # many states share one tuple of thousands
            self._listed = applicable
            self._written = {}
            for action in applicable:
                self._written.setdefault(json.dumps(encode_action(self._problem, action)), []).append(action)
        matching = list(dict.fromkeys(self._written.get(key, ())))
        if len(matching) != 1:
            raise InvalidPlanError(f"there is {'more than one' if matching else 'no'} action {key}")
        self._known[key] = matching[0]
        return matching[0]

    def _guesses(self, entry: Json) -> Iterator[Any]:
        """The actions that `entry` may stand for, judged by its form."""
        yield _as_tuples(entry)
        if isinstance(entry, list):
            with suppress(TypeError):  # not hashable
                yield frozenset(map(_as_tuples, entry))
        if isinstance(entry, str):
            with suppress(ValueError):
                yield self._problem.parse_action(entry)


def _as_tuples(value: Json) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def number_from_json(written: object, where: str) -> Number:
    """A number from a file, the inverse of `number_to_json`; text may also be a decimal such as `0.75`.

    Raises `InvalidPlanError`, which names `where`, if it is no finite number.
    """
    if type(written) is int or (type(written) is float and math.isfinite(written)):
        return written
    # Not all that a Fraction reads: 1e999999999 would keep it busy.
    if isinstance(written, str) and re.fullmatch(r"-?\d+(/0*[1-9]\d*|\.\d+)?", written, re.ASCII):
        with suppress(ValueError):  # more digits than Python reads
            return Fraction(written)
    raise InvalidPlanError(f"{where} is {written!r:.40}, which is no number")


def number_to_json(number: Number | None) -> int | float | str | None:
    """A number as JSON: a fraction becomes text such as `303/512`; infinity and None become null."""
    if number is None or number == math.inf:
        return None
    return number if isinstance(number, (int, float)) else str(number)


def exact_to_json(number: Number) -> int | float | str | None:
    """A number as JSON without rounding, for proofs: whole, or a fraction as text; infinity becomes null."""
    return None if number == math.inf else number_to_json(whole(exact(number)))
