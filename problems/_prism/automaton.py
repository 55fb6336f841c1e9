"""Machines and automata in files of Graphviz as models: the state and the output are variables, inputs are labels."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

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
    moves = [(state, given, found) for state, row in automaton.rows.items() for given, found in row.items()]
    open_moves = [(state, given) for state, given, found in moves if len(found) > 1 and not automaton.has_chances]
    if open_moves:
        state, given = open_moves[0]
        after = f"what follows {quoted(given)} in {quoted(state)}"
        raise ProblemError(f"{path}: {after} has no probabilities, such as `{given}/out:0.5` gives")
    states = [*automaton.rows]
    outputs = sorted({output for _, _, found in moves for _, output in found} | {*automaton.shown.values()} | {""})
    numbers = {output: number for number, output in enumerate(outputs)}
    numbered = {state: number for number, state in enumerate(states)}

    def branches(found: Mapping[tuple[str, str], Fraction]) -> Iterator[Branch]:
        for (after, output), chance in found.items():
            values = ((_STATE, numbered[after]), (_OUTPUT, numbers[output]))
            yield Branch(Literal(chance, "double", 0), tuple(Assignment(name, _whole(n), 0) for name, n in values), 0)

    commands = (
        Command(given, _is(_STATE, numbered[state]), tuple(branches(found)), 0) for state, given, found in moves
    )
    first = {_STATE: numbered[automaton.start], _OUTPUT: numbers[automaton.shown.get(automaton.start, "")]}
    called = {_STATE: _words(states), _OUTPUT: _words(outputs)}
    variables = (Variable(name, _whole(0), _whole(len(called[name]) - 1), _whole(first[name]), 0) for name in called)
    module = Module("machine", tuple(variables), tuple(commands), 0)
    kind = "dtmc" if {given for _, given, _ in moves} == {STEP} else "mdp"
    observables: tuple[Observable, ...] = ()
    outputs_tell = all(len({output for _, output in found}) == len(found) for _, _, found in moves)
    if kind == "mdp" and not outputs_tell:
        kind, observables = "pomdp", (Observable(_OUTPUT, Name(_OUTPUT, 0)),)
    labels: dict[str, list[int]] = {}
    for output, number in numbers.items():
        for label in {output, *output.split(_PARTS)} - {""}:
            labels.setdefault(label, []).append(number)
    return Model(
        type=kind,
        constants={},
        formulas={},
        labels={
            label: Apply("|", tuple(_is(_OUTPUT, number) for number in found), 0) for label, found in labels.items()
        },
        globals=(),
        modules=(module,),
        start=None,
        observables=observables,
        rewards={"steps": (RewardItem(None, TRUE, _whole(1)),)},
        called=called,
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


def _whole(value: int) -> Literal:
    return Literal(value, "int", 0)


def _is(name: str, value: int) -> Expression:
    return Apply("=", (Name(name, 0), _whole(value)), 0)
