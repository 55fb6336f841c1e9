"""What may follow in each state of a model: commands of its modules, joined where they share a label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from attrs import frozen

from beliefsearch import ProblemError

from .expressions import Compiled, Function, State, constant
from .names import Names
from .numbers import Value, plain
from .source import Source
from .syntax import Branch, Command, Model, Module, Variable, renamed

Outcomes: TypeAlias = tuple[tuple[Any, State], ...]
"""Pairs of a probability and a state."""

CHANCE = "step"
"""The only action of a dtmc."""

_MISSES = 1e-9  # by so much the sum of probabilities that are floats may differ from 1


@frozen
class Assigned:
    """The next value of the variable at a place, with the range of its values."""

    place: int
    run: Function
    low: Any
    high: Any
    at: int


@frozen
class Result:
    """What a command may do, with some probability."""

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
    """None if they depend on the state."""


@frozen
class Group:
    """The commands of one action: by module that takes part in it, one of each is done at the same time."""

    name: str
    parts: tuple[tuple[Guarded, ...], ...]


class Machine:
    """A model with all constants known; see `successors`.

    Raises `ProblemError`, with line and column, if what the model says cannot be.
    """

    def __init__(self, source: Source, model: Model, given: Mapping[str, Value]) -> None:
        self.source = source
        self.type = model.type
        self._model = model
        self.names = Names(source, model, given)
        self.variables: list[str] = []
        self._ranges: list[tuple[Any, Any]] = []  # of a Boolean: (None, None)
        self._starts: list[Any] = []
        for variable, owner in self._all_variables():
            self._measure(variable, owner)
        for place, (variable, owner) in enumerate(self._all_variables()):
            type_ = "bool" if variable.is_bool else "int"
            name = renamed(variable.name, owner.renaming if owner else ())
            self.names.declare(name, type_, place, (owner or variable).at if owner and owner.renaming else variable.at)
        for name, formula in model.formulas.items():
            if name in model.constants:
                raise source.error(formula.at, f"the name {name!r} stands for a constant and for a formula")
            self.names.compiled(formula)
        self.groups = self._grouped()

    def starts(self) -> Iterator[State]:
        """The initial states, in order of their values."""
        condition = self._model.start
        if condition is None:
            yield tuple(self._starts)
            return
        holds = self.names.boolean(condition).run
        values = [(False, True) if low is None else range(low, high + 1) for low, high in self._ranges]
        found = False
        for state in product(*values):
            if holds(state):
                found = True
                yield state
        if not found:
            raise self.source.error(self._model.start_at, "no state is initial")

    def choices(self, state: State) -> dict[str, Outcomes]:
        """By choice in `state`: what may follow.

        Where several commands of a module can be done under one label, each of them is a choice of its own: the first
        is called as the label, then `go#2` and so on. Commands without a label are called after their module, in
        brackets.
        """
        found: dict[str, Outcomes] = {}
        for group in self.groups:
            enabled = []
            for commands in group.parts:
                chosen = [command for command in commands if command.guard(state)]
                if not chosen:
                    break
                enabled.append(chosen)
            else:
                for number, together in enumerate(product(*enabled)):
                    name = f"{group.name}#{number + 1}" if number else group.name
                    found[name] = self._outcomes(state, name, together)
        return found

    def successors(self, state: State) -> dict[str, Outcomes]:
        """By action that can be done in `state`: what may follow.

        An action is a choice; but a dtmc has a single action, which makes all choices equally likely.
        """
        found = self.choices(state)
        if self.type != "dtmc" or not found:
            return found
        share = Fraction(1, len(found))
        return {CHANCE: _merged((share * p, after) for outcomes in found.values() for p, after in outcomes)}

    def _outcomes(self, state: State, action: str, together: tuple[Guarded, ...]) -> Outcomes:
        """What follows when commands are done at the same time."""
        found: list[tuple[Any, State]] = [(1, state)]
        for command in together:
            results = [
                (probability, self._assigned(state, action, result.assigned))
                for result, probability in command.chances or self._chances(command.results, command.at, state, action)
            ]
            if results == [(1, ())]:
                continue
            found = [
                (before * probability, _with(target, values))
                for before, target in found
                for probability, values in results
            ]
        return _merged(found) if len(found) > 1 else tuple(found)

    def _chances(self, results: tuple[Result, ...], at: int, state: State = (), action: str = "") -> Chances:
        """The results of a command that may happen in a state, with their probabilities."""
        chances = []
        total: Any = 0
        for result in results:
            chance = plain(result.probability.run(state))
            if chance < 0:
                raise self._wrong(result.at, f"the probability is {chance}, which is negative", state, action)
            total += chance
            if chance:
                chances.append((result, chance))
        if not (abs(total - 1) <= _MISSES if isinstance(total, float) else total == 1):
            raise self._wrong(at, f"the probabilities of this command sum to {total}, not to 1", state, action)
        return tuple(chances)

    def _assigned(self, state: State, action: str, assigned: tuple[Assigned, ...]) -> tuple[tuple[int, Any], ...]:
        """The places and the values of the variables that change."""
        found = []
        for change in assigned:
            value = change.run(state)
            if change.low is not None and not change.low <= value <= change.high:
                name = self.variables[change.place]
                complaint = f"{name} becomes {value}, outside [{change.low}..{change.high}]"
                raise self._wrong(change.at, complaint, state, action)
            found.append((change.place, value))
        return tuple(found)

    def _wrong(self, at: int, complaint: str, state: State, action: str) -> ProblemError:
        where = f" (action {action} in the state {self.text_of(state)})" if action else ""
        return self.source.error(at, complaint + where)

    def text_of(self, state: State) -> str:
        """The values of all variables."""
        return " ".join(f"{name}={text(value)}" for name, value in zip(self.variables, state, strict=True))

    def state_of(self, written: Mapping[str, str]) -> State:
        """The state in which each variable has the value that is written for it; raises ValueError if there is none."""
        if written.keys() != set(self.variables):
            raise ValueError(f"a state gives each variable a value: {', '.join(self.variables)}")
        return tuple(
            self._value_of(name, written[name], bounds)
            for name, bounds in zip(self.variables, self._ranges, strict=True)
        )

    def _value_of(self, name: str, written: str, bounds: tuple[Any, Any]) -> Any:
        low, high = bounds
        if low is None and written in ("true", "false"):
            return written == "true"
        digits = written.removeprefix("-")
        if low is not None and digits.isdecimal() and len(digits) < 20 and low <= int(written) <= high:
            return int(written)
        allowed = "true or false" if low is None else f"a whole number from {low} to {high}"
        raise ValueError(f"{name} is {allowed}, not {written!r}")

    # Reading the model.

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
            self._ranges.append((None, None))
            self._starts.append(start is not None and self.names.fixed("bool", start, renaming))
            return
        low, high = (self.names.fixed("int", bound, renaming) for bound in (variable.low, variable.high))
        if low > high:
            raise self.source.error(variable.at, f"the range [{low}..{high}] of {self.variables[-1]} is empty")
        first = low if start is None else self.names.fixed("int", start, renaming)
        if not low <= first <= high:
            raise self.source.error(variable.at, f"{self.variables[-1]} begins as {first}, outside [{low}..{high}]")
        self._ranges.append((low, high))
        self._starts.append(first)

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
                    raise self.source.error(
                        change.at, f"two modules set {name} at the same time, in the action {action}"
                    )

    def _command(self, command: Command, module: Module, own: set[str]) -> Guarded:
        renaming = module.renaming
        results = tuple(self._result(branch, module, own) for branch in command.branches)
        guard = self.names.boolean(command.guard, renaming)
        is_fixed = all(result.probability.is_constant for result in results)
        return Guarded(guard.run, results, command.at, self._chances(results, command.at) if is_fixed else None)

    def _result(self, branch: Branch, module: Module, own: set[str]) -> Result:
        assigned = []
        for assignment in branch.assignments:
            name = renamed(assignment.variable, module.renaming)
            place = self.names.number_of(name)
            if place is None:
                raise self.source.error(assignment.at, f"there is no variable {name!r}")
            if name not in own and place >= len(self._model.globals):
                raise self.source.error(
                    assignment.at, f"{name} is a variable of another module, which alone may set it"
                )
            if any(place == earlier.place for earlier in assigned):
                raise self.source.error(assignment.at, f"{name} is set twice")
            low, high = self._ranges[place]
            value = self.names.value_for("bool" if low is None else "int", assignment.value, module.renaming)
            assigned.append(Assigned(place, value.run, low, high, assignment.at))
        probability = branch.probability
        chance = constant("int", 1) if probability is None else self.names.number(probability, module.renaming)
        return Result(chance, tuple(assigned), branch.at)


def label_of(choice: str) -> str:
    """The label of a choice; empty if its commands have none."""
    return "" if choice.startswith("(") else choice.partition("#")[0]


def text(value: Any) -> str:
    """A value as in the file."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _with(state: State, values: tuple[tuple[int, Any], ...]) -> State:
    """A state with other values at some places."""
    if not values:
        return state
    changed = list(state)
    for place, value in values:
        changed[place] = value
    return tuple(changed)


def _merged(pairs: Any) -> Outcomes:
    """Outcomes with equal states put together."""
    total: dict[State, Any] = {}
    for probability, state in pairs:
        total[state] = total[state] + probability if state in total else probability
    return tuple((plain(probability), state) for state, probability in total.items())
