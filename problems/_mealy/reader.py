"""Files of Mealy machines, by the endings of their names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from beliefsearch import ProblemError

from .._source import Source, Token, quoted
from .graphviz import GraphReader
from .tables import read_fsm, read_kiss

Machine: TypeAlias = Mapping[str, Mapping[str, Sequence[tuple[str, str]]]]
"""By state and input: what may follow, each a next state and an output."""
_FORM = "a Mealy machine is read, with labels input/output such as coin/beep"
_BREAK = re.compile(r"\\([nlr\\])")
_CHANCE = re.compile(r".*:[ ]?([01](?:\.\d{0,30})?|\.\d{1,30})", re.ASCII | re.DOTALL)
_TABLES = {".fsm": read_fsm, ".kiss": read_kiss}
_Rows: TypeAlias = dict[str, dict[str, dict[tuple[str, str], int]]]
"""By state and input, and then by next state and output: where the file says so."""


def read_machine(source: Source) -> Machine:
    """The machine in a file; raises `ProblemError`, with line and column, where it is none.

    Edges without a label, and those of a node such as `__start0`, are the arrow to the initial state, which is not
    known here. A state is a node with any other edge. Files of other formats are known by their endings.
    """
    ending = source.path.suffix.lower()
    if ending in _TABLES:
        return _TABLES[ending](source)
    rows: _Rows = {}
    silent: dict[str, int] = {}
    for edge in GraphReader(source).edges():
        if edge.tail.rstrip("0123456789") == "__start":
            continue
        if edge.label is None or not edge.label.text.strip():
            silent.setdefault(edge.tail, edge.at)
            continue
        inputs, output = _divided(source, edge.label)
        for name in (edge.tail, edge.head):
            if not name:
                raise source.error(edge.at, "the name of a state is empty here")
            _check_name(source, name, edge.at)
        row = rows.setdefault(edge.tail, {})
        for given in inputs:
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


def _divided(source: Source, label: Token) -> tuple[Sequence[str], str]:
    """The inputs and the output of a label."""
    text = label.text
    if label.kind == "quoted":
        text = _BREAK.sub(lambda escape: "\\" if escape[1] == "\\" else "\n", text)
    before, divider, behind = text.partition("/")
    inputs = [before]
    lines = text.strip().split("\n")
    if label.kind == "html" and len(lines) == 2 and "/" not in lines[0] and not lines[1].lstrip().startswith("/"):
        # A line with inputs, and one with the output, where a slash is a letter: machines of TLS are drawn so.
        before, behind = lines
        divider, inputs = "\n", before.split("|")
    given, output = [" ".join(part.split()) for part in inputs], " ".join(behind.split())
    if not divider:
        raise source.error(label.at, f"the label {quoted(given[0])} has no slash; {_FORM}")
    if not all(given):
        raise source.error(label.at, f"the label {quoted('/' + output)} has no input before the slash; {_FORM}")
    if any("/" in line for line in behind.split("\n")[1:]):
        raise source.error(
            label.at, f"several transitions from {quoted(given[0])} on stand in one label; give each an edge"
        )
    for name in (*given, output):
        _check_name(source, name, label.at)
    return given, output


def _check_name(source: Source, name: str, at: int) -> None:
    """Refuse what cannot be printed."""
    if not name.isprintable():  # a terminal would obey it
        raise source.error(at, f"{quoted(name)} is no name: it cannot be printed")


def _are_chances(outputs: Iterable[str]) -> bool:
    """Whether outputs end in probabilities that sum to 1: the machine is a stochastic one."""
    matches = [_CHANCE.fullmatch(output) for output in outputs]
    return all(matches) and math.isclose(sum(float(match[1]) for match in matches if match), 1, abs_tol=0.01)
