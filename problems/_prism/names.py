"""What the names in a model stand for: constants, formulas and variables, under the renaming of a module."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from .._source import Source
from .expressions import MOST_CALLS, Compiled, applied, constant, remembered, variable
from .numbers import Value
from .syntax import Apply, Constant, Expression, Literal, Model, Renaming, renamed

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
        self._under_way: list[str] = []
        self._depth = 0
        for name, value in given.items():
            self._known[name] = self._given(model.constants[name], value)
        for name in model.constants:
            self._constant(name)

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
        raise self._source.error(at, f"nothing is called {name!r}")

    def _constant(self, name: str) -> Compiled:
        declared = self._constants[name]
        value = declared.value
        if value is None:
            return self._known[name]

        def made() -> Compiled:
            return constant(declared.type, self.fixed(declared.type, value))

        return self._once(name, name, declared.at, made)

    def _once(self, key: str, name: str, at: int, make: Callable[[], Compiled]) -> Compiled:
        """What a name stands for, worked out when it is first asked for."""
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
