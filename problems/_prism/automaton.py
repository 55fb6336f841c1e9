"""Machines and automata in files of Graphviz as models: the state and the output are variables, inputs are labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beliefsearch import ProblemError

from .._mealy.reader import STEP, Automaton
from .._source import quoted
from .properties import TRUE
from .syntax import (
    Apply,
    Assignment,
    Branch,
    Command,
    Expression,
    Literal,
    Model,
    Module,
    Name,
    Observable,
    RewardItem,
    Value,
    Variable,
)

_STATE, _OUTPUT = "state", "output"
_PARTS = "__"
"""Between the labels that hold at the same time, in the outputs of AALpy's machines."""


def model_of(path: object, automaton: Automaton) -> Model:
    """The model of a machine: an `mdp` if outputs tell the state all along, a `pomdp` if not, a `dtmc` without inputs.

    An output is a label, and so is each of its parts. The reward structure `steps` counts inputs.
    """
    if not automaton.start:
        raise ProblemError(f"{path}: no arrow, such as `__start0 -> s0`, says which state is the initial one")
    if not automaton.has_chances:
        for state, row in automaton.rows.items():
            for given, outcomes in row.items():
                if len(outcomes) > 1:
                    after = f"what follows {quoted(given)} in {quoted(state)}"
                    raise ProblemError(f"{path}: {after} has no probabilities, such as `{given}/out:0.5` gives")
    said = {output for row in automaton.rows.values() for outcomes in row.values() for _, output in outcomes}
    states, outputs = [*automaton.rows], sorted(said | {*automaton.shown.values()} | {""})
    numbers = {output: number for number, output in enumerate(outputs)}
    numbered = {state: number for number, state in enumerate(states)}

    def branch(after: str, output: str, chance: Value) -> Branch:
        assigned = (_set(_STATE, numbered[after]), _set(_OUTPUT, numbers[output]))
        return Branch(_number(chance, "double"), assigned, 0)

    commands = [
        Command(
            given, _is(_STATE, numbered[state]), tuple(branch(*told, chance) for told, chance in outcomes.items()), 0
        )
        for state, row in automaton.rows.items()
        for given, outcomes in row.items()
    ]
    first = numbers[automaton.shown.get(automaton.start, "")]
    module = Module(
        "machine",
        (_variable(_STATE, len(states), numbered[automaton.start]), _variable(_OUTPUT, len(outputs), first)),
        tuple(commands),
        0,
    )
    kind = "dtmc" if {given for row in automaton.rows.values() for given in row} == {STEP} else "mdp"
    observables: tuple[Observable, ...] = ()
    if kind == "mdp" and not _tells_states(automaton):
        kind, observables = "pomdp", (Observable(_OUTPUT, Name(_OUTPUT, 0)),)
    labels: dict[str, list[int]] = {}
    for output, number in numbers.items():
        for label in {output, *output.split(_PARTS)} - {""}:
            labels.setdefault(label, []).append(number)
    return Model(
        type=kind,
        constants={},
        formulas={},
        labels={label: _any_of([_is(_OUTPUT, number) for number in found]) for label, found in labels.items()},
        globals=(),
        modules=(module,),
        start=None,
        observables=observables,
        rewards={"steps": (RewardItem(None, TRUE, _number(1, "int")),)},
        called={_STATE: _words(states), _OUTPUT: _words(outputs)},
    )


def _tells_states(automaton: Automaton) -> bool:
    """Whether no input has outcomes with one output and several next states."""
    return all(
        len({output for _, output in outcomes}) == len(outcomes)
        for row in automaton.rows.values()
        for outcomes in row.values()
    )


def _words(names: Iterable[str]) -> Sequence[str]:
    """Names as they stand in a state: each one word, and another one."""
    found: dict[str, None] = {}
    for name in names:
        word = plain = "_".join(name.replace(",", " ").replace("=", " ").split()) or "none"
        number = 2
        while word in found:
            word, number = f"{plain}#{number}", number + 1
        found[word] = None
    return [*found]


def _variable(name: str, size: int, first: int) -> Variable:
    return Variable(name, _number(0, "int"), _number(size - 1, "int"), _number(first, "int"), 0)


def _number(value: Value, type_: str) -> Literal:
    return Literal(value, type_, 0)


def _is(name: str, value: int) -> Expression:
    return Apply("=", (Name(name, 0), _number(value, "int")), 0)


def _set(name: str, value: int) -> Assignment:
    return Assignment(name, _number(value, "int"), 0)


def _any_of(parts: Sequence[Expression]) -> Expression:
    return parts[0] if len(parts) == 1 else Apply("|", tuple(parts), 0)
