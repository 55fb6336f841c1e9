"""Names in a model, under the renaming of a module; and the variables and commands that are made of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import Any, TypeAlias

from attrs import frozen

from beliefsearch.errors import suggestion

from .._source import Source, cut
from .expressions import MOST_CALLS, Compiled, Function, State, applied, constant, remembered, variable
from .syntax import (
    Apply,
    Branch,
    Command,
    Constant,
    Expression,
    Literal,
    Model,
    Module,
    Renaming,
    Value,
    Variable,
    plain,
    renamed,
)

_WORDS = {"int": "a whole number", "double": "a number", "bool": "true or false"}


class Names:
    """Compiles the expressions of a model.

    As in PRISM, formulas are written out before a module is renamed: what is renamed is the contents of a formula, and
    not its name.
    """

    def __init__(self, source: Source, model: Model, given: Mapping[str, Value]) -> None:
        self._source = source
        self._formulas = model.formulas
        self._constants = model.constants
        self._known: dict[str, Compiled] = {}
        self._labels: Mapping[str, Callable[[], Compiled]] = {}
        self._under_way: list[str] = []
        self._depth = 0
        for name, value in given.items():
            self._known[name] = self._given(model.constants[name], value)
        for name in model.constants:
            self._constant(name)

    def and_more(
        self,
        source: Source,
        constants: Mapping[str, Constant],
        given: Mapping[str, Value],
        formulas: Mapping[str, Expression],
        labels: Mapping[str, Callable[[], Compiled]],
    ) -> Names:
        """The same names for the text of another source, with its own constants and formulas; and with labels."""
        found = copy(self)
        found._source, found._labels = source, labels
        found._formulas, found._constants = {**self._formulas, **formulas}, {**self._constants, **constants}
        found._known, found._under_way = dict(self._known), []
        for name, declared in {**constants, **formulas}.items():
            if name in self._known or name in self._formulas or name in labels:
                raise source.error(declared.at, f"the model itself says what {name} is; choose another name")
        for name, value in given.items():
            found._known[name] = found._given(constants[name], value)
        return found

    def declare(self, name: str, type_: str, place: int, at: int) -> None:
        """Let a name stand for the variable at a place of the state."""
        if name in self._known:
            raise self._source.error(at, f"the name {name!r} stands for something else already; rename it")
        if name in self._formulas:
            raise self._source.error(at, f"the name {name!r} stands for a formula already")
        self._known[name] = variable(type_, place)

    def number_of(self, name: str) -> int | None:
        """The place of the variable with this name; None if there is none."""
        found = self._known.get(name)
        return None if found is None else found.place

    def compiled(self, expression: Expression, renaming: Renaming = ()) -> Compiled:
        """An expression as a function of the state; raises `ProblemError` if it means nothing."""
        if isinstance(expression, Literal):
            return constant(expression.type, expression.value)
        self._depth += 1
        if self._depth > MOST_CALLS:
            raise self._source.error(expression.at, f"formulas are nested more than {MOST_CALLS} deep here")
        if isinstance(expression, Apply):
            parts = [self.compiled(argument, renaming) for argument in expression.arguments]
            found = applied(self._source, expression.at, expression.operator, parts)
        elif expression.name in self._formulas:
            found = self._formula(expression.name, renaming, expression.at)
        else:
            found = self._named(renamed(expression.name, renaming), expression.at)
        self._depth -= 1
        return found

    def boolean(self, expression: Expression, renaming: Renaming = ()) -> Compiled:
        """An expression that is true or false."""
        return self._typed(expression, renaming, ("bool",))

    def number(self, expression: Expression, renaming: Renaming = ()) -> Compiled:
        """An expression that is a number."""
        return self._typed(expression, renaming, ("double", "int"))

    def value_for(self, type_: str, expression: Expression, renaming: Renaming = ()) -> Compiled:
        """An expression whose value a variable or a constant of this type can have."""
        return self._typed(expression, renaming, ("double", "int") if type_ == "double" else (type_,))

    def fixed(self, type_: str, expression: Expression, renaming: Renaming = ()) -> Value:
        """The value of an expression of this type, before there are variables."""
        value: Value = self.value_for(type_, expression, renaming).value
        return value

    def _typed(self, expression: Expression, renaming: Renaming, types: tuple[str, ...]) -> Compiled:
        found = self.compiled(expression, renaming)
        if found.type not in types:
            said = _WORDS[found.type] if types != ("int",) or found.type == "bool" else "a double; use floor or ceil"
            raise self._source.error(expression.at, f"{_WORDS[types[0]]} should stand here, not {said}")
        return found

    def _formula(self, name: str, renaming: Renaming, at: int) -> Compiled:
        key = f"{id(renaming)} {name}" if renaming else f"formula {name}"
        return self._once(key, name, at, lambda: remembered(self.compiled(self._formulas[name], renaming)))

    def _named(self, name: str, at: int) -> Compiled:
        if name in self._formulas:  # what something else was renamed to
            return self._formula(name, (), at)
        if name in self._known:
            return self._known[name]
        if name in self._constants:
            return self._constant(name)
        if name in self._labels:
            self._known[name] = found = self._labels[name]()
            return found
        thing, known = f"nothing is called {name!r}", [*self._known, *self._formulas]
        if name.startswith('"'):
            thing, known = f"there is no label {name}", [*self._labels]
        names = [word for word in known if " " not in word]
        there = f"there are {cut(', '.join(names), 200)}" if names else "there are none"
        raise self._source.error(at, f"{thing}; {suggestion(name, names) or there}")

    def _constant(self, name: str) -> Compiled:
        declared = self._constants[name]
        value = declared.value
        if value is None:
            if name not in self._known:  # of a property file; that of a model is asked for before
                raise self._source.error(declared.at, f"{name} has no value; give --const {name}=...")
            return self._known[name]

        def made() -> Compiled:
            return constant(declared.type, self.fixed(declared.type, value))

        return self._once(name, name, declared.at, made)

    def _once(self, key: str, name: str, at: int, make: Callable[[], Compiled]) -> Compiled:
        """The meaning of a name, worked out when it is first asked for."""
        if key not in self._known:
            if key in self._under_way:
                raise self._source.error(at, f"{name!r} is defined by itself")
            self._under_way.append(key)
            self._known[key] = make()
            self._under_way.pop()
        return self._known[key]

    def _given(self, declared: Constant, value: Value) -> Compiled:
        """A constant that somebody gave; a whole number may be given as 6.0."""
        if declared.type != "bool" and not isinstance(value, bool):
            if declared.type == "double" or value == math.floor(value):
                return constant(declared.type, int(value) if declared.type == "int" else value)
        elif declared.type == "bool" and isinstance(value, bool):
            return constant("bool", value)
        raise self._source.error(
            declared.at, f"{declared.name} is {_WORDS[declared.type]}, so it cannot be {str(value).lower()}"
        )


_MISSES = 1e-9  # by so much the sum of probabilities that are floats may differ from 1


@frozen
class Assigned:
    """The next value of the variable at a place, with the range of its values."""

    place: int
    run: Function
    low: Any
    high: Any
    at: int
    reads: frozenset[int]


@frozen
class Result:
    """An outcome of a command, with its probability."""

    probability: Compiled
    assigned: tuple[Assigned, ...]
    at: int


Chances: TypeAlias = tuple[tuple[Result, Any], ...]
"""Results that may happen, each with its probability."""


@frozen
class Guarded:
    """A command: where it can be done, and its results."""

    guard: Function
    results: tuple[Result, ...]
    at: int
    chances: Chances | None
    """None if they depend on the state, or are wrong wherever the command can be done."""
    reads: frozenset[int]
    """The places of the variables on which it depends what it does, and where."""


@frozen
class Group:
    """The commands of one action: by module that takes part in it, one of each is done at the same time."""

    name: str
    parts: tuple[tuple[Guarded, ...], ...]


class Assembly:
    """The parts of a model, with all constants known.

    Raises `ProblemError`, with line and column, if what the model says cannot be.
    """

    def __init__(self, source: Source, model: Model, given: Mapping[str, Value]) -> None:
        self._source = source
        self._model = model
        self.names = Names(source, model, given)
        self.variables: list[str] = []  # their names, by place in a state
        self.ranges: list[tuple[Any, Any]] = []  # their least and greatest values; twice None for a Boolean
        self.first: list[Any] = []  # their values at the beginning
        for declared, owner in self._all_variables():
            self._measure(declared, owner)
        for place, (declared, owner) in enumerate(self._all_variables()):
            type_ = "bool" if declared.is_bool else "int"
            name = renamed(declared.name, owner.renaming if owner else ())
            self.names.declare(name, type_, place, (owner or declared).at if owner and owner.renaming else declared.at)
        for name, formula in model.formulas.items():
            if name in model.constants:
                raise source.error(formula.at, f"the name {name!r} stands for a constant and for a formula")
            self.names.compiled(formula)
        self.groups = self._grouped()

    def _all_variables(self) -> Iterator[tuple[Variable, Module | None]]:
        """The variables in order, each with its module if it has one."""
        yield from ((variable, None) for variable in self._model.globals)
        yield from ((variable, module) for module in self._model.modules for variable in module.variables)

    def _measure(self, variable: Variable, owner: Module | None) -> None:
        """Find the range and the first value of a variable."""
        renaming = owner.renaming if owner else ()
        self.variables.append(renamed(variable.name, renaming))
        start = variable.start
        if variable.low is None or variable.high is None:
            self.ranges.append((None, None))
            self.first.append(start is not None and self.names.fixed("bool", start, renaming))
            return
        low, high = (self.names.fixed("int", bound, renaming) for bound in (variable.low, variable.high))
        if low > high:
            raise self._source.error(variable.at, f"the range [{low}..{high}] of {self.variables[-1]} is empty")
        first = low if start is None else self.names.fixed("int", start, renaming)
        if not low <= first <= high:
            raise self._source.error(variable.at, f"{self.variables[-1]} begins as {first}, outside [{low}..{high}]")
        self.ranges.append((low, high))
        self.first.append(first)

    def _grouped(self) -> tuple[Group, ...]:
        """The commands of each action, in the order in which actions are met in the file."""
        parts: dict[str, dict[str, list[Guarded]]] = {}
        for module in self._model.modules:
            own = {renamed(variable.name, module.renaming) for variable in module.variables}
            for command in module.commands:
                label = renamed(command.label, module.renaming)
                compiled = self._command(command, module, own)
                parts.setdefault(label or f"({module.name})", {}).setdefault(module.name, []).append(compiled)
        for name, by_module in parts.items():
            self._assigned_once(name, list(by_module.values()))
        return tuple(Group(name, tuple(map(tuple, by_module.values()))) for name, by_module in parts.items())

    def _assigned_once(self, action: str, parts: list[list[Guarded]]) -> None:
        """Refuse modules that set the same variable under one label."""
        places: dict[int, int] = {}
        for number, commands in enumerate(parts):
            for change in (change for command in commands for result in command.results for change in result.assigned):
                if places.setdefault(change.place, number) != number:
                    name = self.variables[change.place]
                    raise self._source.error(
                        change.at, f"two modules set {name} at the same time, in the action {action}"
                    )

    def _command(self, command: Command, module: Module, own: set[str]) -> Guarded:
        renaming = module.renaming
        results = tuple(self._result(branch, module, own) for branch in command.branches)
        guard = self.names.boolean(command.guard, renaming)
        chances = None
        if all(result.probability.is_constant for result in results):
            try:
                chances = chances_of(results, command.at)
            except WrongChances as error:  # in a file for several constants, perhaps of a command for others
                if guard.is_constant and guard.value:
                    raise self._source.error(error.at, str(error)) from None
        read = [guard.reads, *(result.probability.reads for result in results)]
        read += [change.reads for result in results for change in result.assigned]
        return Guarded(guard.run, results, command.at, chances, frozenset().union(*read))

    def _result(self, branch: Branch, module: Module, own: set[str]) -> Result:
        assigned: list[Assigned] = []
        for assignment in branch.assignments:
            name = renamed(assignment.variable, module.renaming)
            place = self.names.number_of(name)
            if place is None:
                raise self._source.error(assignment.at, f"there is no variable {name!r}")
            if name not in own and place >= len(self._model.globals):
                raise self._source.error(
                    assignment.at, f"{name} is a variable of another module, which alone may set it"
                )
            if any(place == earlier.place for earlier in assigned):
                raise self._source.error(assignment.at, f"{name} is set twice")
            low, high = self.ranges[place]
            value = self.names.value_for("bool" if low is None else "int", assignment.value, module.renaming)
            assigned.append(Assigned(place, value.run, low, high, assignment.at, value.reads | {place}))
        probability = branch.probability
        chance = constant("int", 1) if probability is None else self.names.number(probability, module.renaming)
        return Result(chance, tuple(assigned), branch.at)


def chances_of(results: tuple[Result, ...], at: int, state: State = ()) -> Chances:
    """Those of `results` that may happen in a state, with their probabilities; raises `WrongChances`."""
    chances = []
    total: Any = 0
    for result in results:
        try:
            chance = plain(result.probability.run(state))
            total += chance
        except ArithmeticError as error:
            raise WrongChances(result.at, str(error)) from None
        if chance < 0:
            raise WrongChances(result.at, f"the probability is {cut(str(chance))}, which is negative")
        if chance:
            chances.append((result, chance))
    if not (abs(total - 1) <= _MISSES if isinstance(total, float) else total == 1):
        raise WrongChances(at, f"the probabilities of this command sum to {cut(str(total))}, not to 1")
    return tuple(chances)


class WrongChances(Exception):
    """Error of probabilities, with its place in the file."""

    def __init__(self, at: int, complaint: str) -> None:
        super().__init__(complaint)
        self.at = at
