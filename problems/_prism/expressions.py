"""Expressions as Python functions of the state, made of closures: nothing that a file says is ever run as code."""

import math
from collections.abc import Callable, Sequence
from operator import eq, ge, gt, itemgetter, le, lt, ne
from typing import Any, TypeAlias

from attrs import frozen

from beliefsearch import ProblemError

from .._source import Source
from .syntax import divided, logarithm, power, remainder, rounded, times

State: TypeAlias = tuple[Any, ...]
"""The values of all variables."""
Function: TypeAlias = Callable[[State], Any]
MOST_CALLS = 200
"""Functions may call each other so deep."""
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "*": times,
    "/": divided,
    "pow": power,
    "mod": remainder,
    "log": logarithm,
}
_WHOLE: dict[str, Callable[[Any], int]] = {"floor": math.floor, "ceil": math.ceil, "round": rounded}


@frozen
class Compiled:
    """An expression: its type, and the function from a state to its value."""

    type: str  # int, double or bool
    run: Function
    is_constant: bool = False  # whether the value is the same in every state
    place: int | None = None  # of a variable: its place in the state
    calls: int = 0  # how deep functions call each other in it
    reads: frozenset[int] = frozenset()
    """The places of the variables on which the value may depend."""

    @property
    def value(self) -> Any:
        """The value of a constant; where it cannot be worked out, the `ProblemError` that says why."""
        return self.run(())


def constant(type_: str, value: Any) -> Compiled:
    """A constant."""
    return Compiled(type_, lambda state: value, is_constant=True)


def variable(type_: str, place: int) -> Compiled:
    """The variable at a place."""
    return Compiled(type_, itemgetter(place), place=place, reads=frozenset([place]))


def remembered(found: Compiled) -> Compiled:
    """An expression that knows its value in the state it was last asked for: many commands ask for the same."""
    if found.calls < 1:
        return found
    run = found.run
    last: list[tuple[Any, Any]] = [(None, None)]

    def ask(state: State) -> Any:
        known, value = last[0]
        if known is not state:
            value = run(state)
            last[0] = (state, value)
        return value

    return Compiled(found.type, ask, calls=found.calls + 1, reads=found.reads)


def applied(source: Source, at: int, operator: str, parts: Sequence[Compiled]) -> Compiled:
    """An operator or a function, applied; raises `ProblemError` if types do not fit."""
    type_ = _type_of(source, at, operator, [part.type for part in parts])
    calls = 1 + max(part.calls for part in parts)
    if calls > MOST_CALLS:
        raise source.error(at, f"expressions and formulas are nested more than {MOST_CALLS} deep here")
    if operator in ("&", "|"):
        decisive = operator == "|"
        if any(part.is_constant and part.value is decisive for part in parts):
            return constant("bool", decisive)
        parts = [part for part in parts if not part.is_constant]
        if not parts:
            return constant("bool", not decisive)
    run = _function(source, at, operator, parts)
    if all(part.is_constant for part in parts):
        try:
            return constant(type_, run(()))
        except ProblemError:  # perhaps it is never asked for
            pass
    return Compiled(type_, run, calls=calls, reads=frozenset().union(*(part.reads for part in parts)))


def _type_of(source: Source, at: int, operator: str, types: Sequence[str]) -> str:
    """The type of the value, if those of the arguments fit."""
    numbers = all(type_ != "bool" for type_ in types)
    joined = "int" if all(type_ == "int" for type_ in types) else "double"
    if operator == "?:":
        conditions, values = types[:-1:2], (*types[1::2], types[-1])
        if any(type_ != "bool" for type_ in conditions):
            raise source.error(at, "what stands before ? must be true or false, not a number")
        if len({type_ == "bool" for type_ in values}) > 1:
            raise source.error(at, "the values of ? and : must all be numbers, or all be true or false")
        return "bool" if values[0] == "bool" else "int" if set(values) == {"int"} else "double"
    if operator in ("&", "|", "!", "=>", "<=>"):
        if any(type_ != "bool" for type_ in types):
            raise source.error(at, f"{operator} is for what is true or false, and not for numbers")
        return "bool"
    if operator in ("=", "!=") and all(type_ == "bool" for type_ in types):
        return "bool"
    if not numbers:
        raise source.error(at, f"{operator} is for numbers here, and not for what is true or false")
    if operator in _COMPARE:
        return "bool"
    if operator == "mod" and joined != "int":
        raise source.error(at, "mod is for whole numbers")
    if operator in _WHOLE:
        return "int"
    return "double" if operator in ("/", "log") else joined


def _function(source: Source, at: int, operator: str, parts: Sequence[Compiled]) -> Function:
    """The function from a state to the value."""
    runs = tuple(part.run for part in parts)
    first, last = runs[0], runs[-1]
    if operator in ("&", "|"):
        return _joined(runs, operator == "|")
    if operator == "!":
        return lambda state: not first(state)
    if operator == "=>":
        return lambda state: not first(state) or last(state)
    if operator == "<=>":
        return lambda state: first(state) == last(state)
    if operator in _COMPARE:
        compare = _COMPARE[operator]
        return lambda state: compare(first(state), last(state))
    if operator == "?:":
        return _chosen(tuple(zip(runs[:-1:2], runs[1::2], strict=True)), last)
    if operator == "+":
        return _careful(source, at, lambda state: sum([run(state) for run in runs[1:]], first(state)))
    if operator == "-":
        return lambda state: -first(state)
    if operator in ("min", "max"):
        which: Callable[..., Any] = min if operator == "min" else max
        return lambda state: which([run(state) for run in runs])
    if operator in _WHOLE:
        whole = _WHOLE[operator]
        return first if parts[0].type == "int" else lambda state: whole(first(state))
    two = _TWO[operator]
    return _careful(source, at, lambda state: two(first(state), last(state)))


def _careful(source: Source, at: int, run: Function) -> Function:
    """The same function, where a number may be impossible."""

    def careful(state: State) -> Any:
        try:
            return run(state)
        except ArithmeticError as error:
            raise source.error(at, str(error)) from None

    return careful


def _joined(runs: tuple[Function, ...], decisive: bool) -> Function:
    """All joined by `|`, where one that is true is `decisive`, or by `&`, where one that is false is."""

    def joined(state: State) -> bool:
        for run in runs:
            if run(state) == decisive:
                return decisive
        return not decisive

    return joined if len(runs) > 1 else runs[0]


def _chosen(choices: tuple[tuple[Function, Function], ...], last: Function) -> Function:
    def choice(state: State) -> Any:
        for condition, value in choices:
            if condition(state):
                return value(state)
        return last(state)

    return choice
