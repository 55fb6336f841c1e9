"""Actions, states, percepts and numbers as JSON; and the reader of sequences of actions.

To find the action that an entry stands for, one state of the belief suffices. So reading a long plan with large beliefs
is quick. Whether the action applies in the whole belief is checked elsewhere.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from typing import Any, Generic, TypeAlias, TypeVar

from ..errors import DoesNotHoldError, InvalidPlanError
from ..model.base import Action, BaseProblem, Number, Percept, State
from ..model.belief import initial_states, successors
from ..model.exact import exact
from ..model.problem import BeliefProblem
from ..model.stochastic import StochasticProblem
from ..model.values import is_among, whole

Value = TypeVar("Value")
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
PLAN_FILE_VERSION = 1
SETTLED = "settled"
"""The kind of an empty plan: the graph of states alone shows that the answer to the question is infinite."""


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


def is_alike(text: str, known: str) -> bool:
    """Whether texts of actions differ only by case and spaces; texts of sets also by braces, commas and order."""
    one, other = (re.split(r"[\s,]+", words.strip(" {}").lower()) for words in (text, known))
    return sorted(one) == sorted(other) if known.startswith("{") else "".join(one) == "".join(other)


class ActionReader(Generic[State, Action]):
    """Finds the action of `problem` that an entry of a plan file stands for."""

    def __init__(self, problem: BaseProblem[State, Action]) -> None:
        self._problem = problem
        self._known: dict[str, Action] = {}
        self._listed: object = None
        self._written: dict[str, list[Action]] = {}  # the actions in `_listed`, by their JSON

    def read(self, entry: Json, belief: Iterable[State]) -> Action:
        """The action written as `entry` that applies in `belief`; raises `InvalidPlanError` unless there is just one.

        An action of a plan applies in every state, so the actions of one state suffice.
        """
        key = json.dumps(entry)
        applicable = self._problem.actions(next(iter(belief)))
        if key in self._known and is_among(self._known[key], applicable):
            return self._known[key]
        if not isinstance(applicable, (list, tuple)):
            # A lazy collection may be far too large to go through, but knows its members.
            for candidate in self._guesses(entry):
                if is_among(candidate, applicable) and encode_action(self._problem, candidate) == entry:
                    self._known[key] = candidate
                    return self._known[key]
        # Many states share one tuple of thousands of actions.
        if applicable is not self._listed or type(applicable) is not tuple:
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
        """Values that `entry` may be the JSON of."""
        yield _as_tuples(entry)
        if isinstance(entry, list):
            with suppress(TypeError):  # not hashable
                yield frozenset(map(_as_tuples, entry))
        if isinstance(entry, str):
            with suppress(ValueError):
                yield self._problem.parse_action(entry)


def _as_tuples(value: Json) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def read_sequence(problem: BeliefProblem[State, Action, Any], entries: Iterable[Json]) -> tuple[Action, ...]:
    """The actions that `entries` stand for; a `DoesNotHoldError` names the step of an entry that is no action there.

    The reader follows one possible course of the game. As long as only one state is possible, as in a plain problem, it
    reads each entry in the present state. After that it stays where it is, since most problems have the same actions in
    all states, and follows the course only when the state there lacks an action.
    """
    reader = _Reader(problem)
    return tuple(reader.read(entry) for entry in entries)


class _Reader(Generic[State, Action]):
    """Reader of one entry after another."""

    def __init__(self, problem: BeliefProblem[State, Action, Any]) -> None:
        self._problem = problem
        self._reader: ActionReader[State, Action] = ActionReader(problem)
        self._read: list[Action] = []
        self._meanings: dict[str, Action] = {}
        # The course of the game: its state after `_done` actions.
        self._done = 0
        self._certain = True  # whether only one course is possible
        self._come_to(initial_states(problem))

    def read(self, entry: Json) -> Action:
        if self._certain:
            self._follow()
        if self._certain:
            action = self._read_here(entry)
        else:
            key = repr(entry)
            if key not in self._meanings:
                self._meanings[key] = self._read_somewhere(entry)
            action = self._meanings[key]
        self._read.append(action)
        return action

    def _read_somewhere(self, entry: Json) -> Action:
        try:
            return self._read_here(entry)
        except InvalidPlanError:
            if self._done == len(self._read):
                raise
        self._follow()
        return self._read_here(entry)

    def _read_here(self, entry: Json) -> Action:
        try:
            return self._reader.read(entry, [self._state])
        except InvalidPlanError as error:
            raise DoesNotHoldError(f"step {len(self._read) + 1}: {error} that applies here") from None

    def _follow(self) -> None:
        """Follow the course up to the entry that is to be read."""
        for action in islice(self._read, self._done, len(self._read)):
            problem = self._problem
            if action not in problem.actions(self._state):
                text, where = problem.format_action(action), problem.format_state(self._state)
                raise DoesNotHoldError(f"step {self._done + 1}: the action {text} does not apply to {where}")
            self._come_to(successors(problem, self._state, action))
            self._done += 1

    def _come_to(self, states: Iterator[State]) -> None:
        self._state, *others = islice(states, 2)
        self._certain = self._certain and not others


def number_from_json(written: object, where: str) -> Number:
    """A number from a file, the inverse of `number_to_json`; text may also be a decimal such as `0.75`.

    Raises `InvalidPlanError`, which names `where`, if it is no finite number.
    """
    if type(written) is int or (type(written) is float and math.isfinite(written)):
        return written
    # `Fraction` reads more, but 1e999999999 would take it for ever.
    if isinstance(written, str) and re.fullmatch(r"-?\d+(/0*[1-9]\d*|\.\d+)?", written, re.ASCII):
        with suppress(ValueError):  # more digits than Python reads
            return Fraction(written)
    raise InvalidPlanError(f"{where} is {written!r:.40}, which is no number")


def number_to_json(number: Number | None) -> int | float | str | None:
    """A number as JSON: a fraction becomes text such as `303/512`; infinity and None become null."""
    if number is None or number in (math.inf, -math.inf):
        return None
    return number if isinstance(number, (int, float)) else str(number)


def answer_to_json(answer: Number | None) -> int | float | str | None:
    """The answer to a question about a stochastic problem as JSON; it may be infinite."""
    return "infinite" if answer == math.inf else number_to_json(answer if answer is None else whole(answer))


def exact_to_json(number: Number) -> int | float | str | None:
    """A number as JSON without rounding, for proofs: whole, or a fraction as text; infinity becomes null."""
    return None if number == math.inf else number_to_json(whole(exact(number)))
