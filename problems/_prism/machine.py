"""Successors of each state of a model: commands of its modules, joined where they share a label; and its rewards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from beliefsearch import ProblemError

from .._source import cut
from .expressions import Function, State
from .names import Assembly, Assigned, Chances, Group, Guarded, WrongChances, chances_of
from .syntax import RewardItem, plain

Outcomes: TypeAlias = tuple[tuple[Any, State], ...]
"""Pairs of a probability and a state."""
Moves: TypeAlias = Mapping[str, Outcomes]
"""By action: what may follow."""
CHANCE = "step"
"""The only action of a dtmc."""
STAY = "stay"
"""What is done where nothing can be done, while steps are counted."""


def _all_of(values: Sequence[Sequence[Any]]) -> Iterator[State]:
    """All choices of a value of each, one at a time: `product` would first list the ranges."""
    chosen, places = [each[0] for each in values], [0] * len(values)
    while True:
        yield tuple(chosen)
        for at in reversed(range(len(values))):
            if chosen[at] != values[at][-1]:
                places[at] += 1
                chosen[at] = values[at][places[at]]
                break
            chosen[at], places[at] = values[at][0], 0
        else:
            return


class Machine(Assembly):
    """A model with all constants known; see `successors`."""

    @property
    def is_chain(self) -> bool:
        """Whether it has one action, which makes all choices equally likely."""
        return self._model.type == "dtmc"

    def starts(self) -> Iterator[State]:
        """The initial states, in order of their values."""
        condition = self._model.start
        if condition is None:
            yield tuple(self.first)
            return
        holds = self.names.boolean(condition).run
        values: list[Sequence[Any]] = [
            (False, True) if low is None else range(low, high + 1) for low, high in self.ranges
        ]
        found = False
        for state in _all_of(values):
            if holds(state):
                found = True
                yield state
        if not found:
            raise self._source.error(self._model.start_at, "no state is initial")

    def choices(self, state: State) -> dict[str, Outcomes]:
        """The outcomes of each choice in `state`.

        Where several commands of a module can be done under one label, each of them is a choice of its own: the first
        is called as the label, then `go#2` and so on. Commands without a label are called after their module, in
        brackets.
        """
        found: dict[str, Outcomes] = {}
        for group in self.groups:
            for number, together in enumerate(product(*self._enabled(group, state))):
                name = f"{group.name}#{number + 1}" if number else group.name
                found[name] = self._outcomes(state, name, together)
        return found

    def _enabled(self, group: Group, state: State) -> list[list[Guarded]]:
        """The commands of an action that can be done, by module; an empty list alone if one has none."""
        enabled = []
        try:
            for commands in group.parts:
                chosen = [command for command in commands if command.guard(state)]
                if not chosen:
                    return [[]]
                enabled.append(chosen)
        except ProblemError as error:
            where = f"a guard of the action {group.name} in the state {self.text_of(state)}"
            raise ProblemError(f"{error} ({where}); put a condition before it that excludes this, and &") from None
        return enabled

    def successors(self, state: State) -> dict[str, Outcomes]:
        """The outcomes of each action that can be done in `state`.

        An action is a choice; but a dtmc has a single action, which makes all choices equally likely.
        """
        found = self.choices(state)
        if not self.is_chain or not found:
            return found
        share = Fraction(1, len(found))
        return {CHANCE: _merged((share * p, after) for outcomes in found.values() for p, after in outcomes)}

    def _outcomes(self, state: State, action: str, together: tuple[Guarded, ...]) -> Outcomes:
        """The outcomes of commands that are done at the same time."""
        found: list[tuple[Any, State]] = [(1, state)]
        for command in together:
            results = self.effects(command, state, action)
            if results == [(1, ())]:
                continue
            found = [
                (before * probability, _with(target, values))
                for before, target in found
                for probability, values in results
            ]
        return _merged(found) if len(found) > 1 else tuple(found)

    def effects(self, command: Guarded, state: State, action: str) -> list[tuple[Any, tuple[tuple[int, Any], ...]]]:
        """The effects of a command in a state, in an action: their probabilities, and the new values of variables."""
        return [
            (probability, self._assigned(state, action, result.assigned))
            for result, probability in self._chances(command, state, action)
        ]

    def _chances(self, command: Guarded, state: State, action: str) -> Chances:
        try:
            return command.chances or chances_of(command.results, command.at, state)
        except WrongChances as error:
            raise self._wrong(error.at, str(error), state, action) from None

    def _assigned(self, state: State, action: str, assigned: tuple[Assigned, ...]) -> tuple[tuple[int, Any], ...]:
        """The places and the values of the variables that change."""
        found = []
        for change in assigned:
            value = change.run(state)
            if change.low is not None and not change.low <= value <= change.high:
                name = self.variables[change.place]
                complaint = (
                    f"{name} becomes {cut(str(value))}, outside [{cut(str(change.low))}..{cut(str(change.high))}]"
                )
                raise self._wrong(change.at, complaint, state, action)
            found.append((change.place, value))
        return tuple(found)

    def _wrong(self, at: int, complaint: str, state: State, action: str) -> ProblemError:
        return self._source.error(at, f"{complaint} (action {action} in the state {self.text_of(state)})")

    def refuse_wide(self, most: int) -> None:
        """Raise `ProblemError` for a variable whose values may be larger than `most`."""
        for name, (low, high) in zip(self.variables, self.ranges, strict=True):
            if low is not None and max(-low, high) > most:
                raise ProblemError(
                    f"{self._source.path}: the range of {name} goes beyond {most:,}; choose a smaller one"
                )

    def text_of(self, state: State) -> str:
        """The values of all variables, whatever else stands behind them."""
        return " ".join(
            f"{name}={self.called(name, value)}" for name, value in zip(self.variables, state, strict=False)
        )

    def called(self, variable: str, value: Any) -> str:
        """The text of a value of a variable, or of an observable with its name."""
        names = self._model.called.get(variable)
        return text(value) if names is None else names[value]

    def state_of(self, written: Mapping[str, str]) -> State:
        """The state in which each variable has the value that is written for it; raises ValueError if there is none."""
        if written.keys() != set(self.variables):
            raise ValueError(f"a state gives each variable a value: {', '.join(self.variables)}")
        return tuple(
            self._value_of(name, written[name], bounds)
            for name, bounds in zip(self.variables, self.ranges, strict=True)
        )

    def _value_of(self, name: str, written: str, bounds: tuple[Any, Any]) -> Any:
        low, high = bounds
        if name in self._model.called:
            names = self._model.called[name]
            if written not in names:
                raise ValueError(f"nothing that {name} may be is called {written!r:.60}")
            return names.index(written)
        if low is None and written in ("true", "false"):
            return written == "true"
        digits = written.removeprefix("-")
        if low is not None and digits.isdecimal() and len(digits) < 20 and low <= int(written) <= high:
            return int(written)
        allowed = "true or false" if low is None else f"a whole number from {low} to {high}"
        raise ValueError(f"{name} is {allowed}, not {written!r}")


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


class Rewards:
    """A reward structure: what each state pays when it is left, and each choice."""

    def __init__(self, machine: Machine, items: Iterable[RewardItem]) -> None:
        self._by_label: dict[str | None, list[tuple[Function, Function]]] = {}
        self._reads: dict[str | None, frozenset[int]] = {}
        for item in items:
            guard, value = machine.names.boolean(item.guard), machine.names.number(item.value)
            self._by_label.setdefault(item.label, []).append((guard.run, value.run))
            self._reads[item.label] = self.reads(item.label) | guard.reads | value.reads

    @property
    def are_of_choices(self) -> bool:
        """Whether some are for choices, and not for states alone."""
        return any(label is not None for label in self._by_label)

    def reads(self, label: str | None) -> frozenset[int]:
        """The places of the variables that the rewards of a label read; None: those of states."""
        return self._reads.get(label, frozenset())

    def of_state(self, state: State) -> Any:
        """The pay of the state, whatever is done in it."""
        return self._sum(None, state)

    def of_choice(self, state: State, choice: str) -> Any:
        """The pay of a choice in a state."""
        return self._sum(label_of(choice), state)

    def _sum(self, label: str | None, state: State) -> Any:
        return plain(sum(value(state) for guard, value in self._by_label.get(label, ()) if guard(state)))
