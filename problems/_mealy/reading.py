"""A machine from the edges of a graph, whose labels are `input/output`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import isclose
from typing import TypeAlias

from beliefsearch import ProblemError

from .._source import Source, quoted
from .graphviz import edges_of
from .problem import Machine
from .tokens import Token

_FORM = "a Mealy machine is read, with labels input/output such as coin/beep"
_BREAK = re.compile(r"\\([nlr\\])")
_CHANCE = re.compile(r".*:[ ]?([01](?:\.\d{0,30})?|\.\d{1,30})", re.ASCII | re.DOTALL)

_Rows: TypeAlias = dict[str, dict[str, dict[tuple[str, str], int]]]
"""By state and input, and then by next state and output: where the file says so."""


def read_machine(source: Source) -> Machine:
    """The machine in a file; raises `ProblemError`, with line and column, where it is none.

    Edges without a label, and those of a node such as `__start0`, are the arrow to the initial state, which is not
    known here. A state is a node with any other edge.
    """
    rows: _Rows = {}
    silent: dict[str, int] = {}
    for edge in edges_of(source):
        if edge.tail.rstrip("0123456789") == "__start":
            continue
        if edge.label is None or not edge.label.text.strip():
            silent.setdefault(edge.tail, edge.at)
            continue
        given, output = _divided(source, edge.label)
        for name in (edge.tail, edge.head):
            if not name:
                raise source.error(edge.at, "the name of a state is empty here")
            _check_name(source, name, edge.at)
        row = rows.setdefault(edge.tail, {})
        row.setdefault(given, {}).setdefault((edge.head, output), edge.label.at)
        rows.setdefault(edge.head, {})
    if not rows:
        raise ProblemError(f"{source.path}: there is no edge with a label; {_FORM}")
    for state in silent:
        if state in rows:
            raise source.error(silent[state], f"this edge has no label, though {quoted(state)} is a state; {_FORM}")
    for row in rows.values():
        for given, outcomes in row.items():
            if len(outcomes) > 1 and _are_chances(output for _, output in outcomes):
                at = min(outcomes.values())
                raise source.error(at, f"probabilities, as here of {quoted(given)}, are not read; {_FORM}")
    return {state: {given: tuple(row[given]) for given in row} for state, row in rows.items()}


def _divided(source: Source, label: Token) -> tuple[str, str]:
    """The input and the output of a label."""
    text = label.text
    if label.kind == "quoted":
        text = _BREAK.sub(lambda escape: "\\" if escape[1] == "\\" else "\n", text)
    before, slash, behind = text.partition("/")
    given, output = " ".join(before.split()), " ".join(behind.split())
    if not slash:
        raise source.error(label.at, f"the label {quoted(given)} has no slash; {_FORM}")
    if not given:
        raise source.error(label.at, f"the label {quoted('/' + output)} has no input before the slash; {_FORM}")
    if any("/" in line for line in behind.split("\n")[1:]):
        raise source.error(
            label.at, f"several transitions from {quoted(given)} on stand in one label; give each an edge"
        )
    for name in (given, output):
        _check_name(source, name, label.at)
    return given, output


def _check_name(source: Source, name: str, at: int) -> None:
    """Refuse what cannot be printed."""
    if not name.isprintable():  # a terminal would obey it
        raise source.error(at, f"{quoted(name)} is no name: it cannot be printed")


def _are_chances(outputs: Iterable[str]) -> bool:
    """Whether outputs end in probabilities that sum to 1: the machine is a stochastic one."""
    matches = [_CHANCE.fullmatch(output) for output in outputs]
    return all(matches) and isclose(sum(float(match[1]) for match in matches if match), 1, abs_tol=0.01)
