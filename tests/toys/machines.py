"""Machines with inputs and outputs (Mealy machines) as problems: to know the state at the start, or the one now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from attrs import frozen

from beliefsearch import BeliefProblem

Machine: TypeAlias = Mapping[str, Mapping[str, tuple[str, str]]]
"""By state and input: the next state and the output."""
State: TypeAlias = tuple[str, str, str]
"""The state of the machine, its last output, and the state it was in at the start."""

_DOT = re.compile(
    r'\s*"?([^"\s\[]+?)"?\s*->\s*"?([^"\s\[;]+?)"?\s*\[.*?label\s*=\s*(?:"((?:[^"\\]|\\.)*)"|<(.*)>)', re.ASCII
)
_ARROW = re.compile(r"(.+?) -- (.+?) / (.*?) -> (.+)$")


def read_machine(path: Path) -> Machine:
    """A machine in a file of Graphviz, with labels `input/output`, or of lines `state -- input / output -> state`."""
    machine: dict[str, dict[str, tuple[str, str]]] = {}
    for line in path.read_text(errors="replace").splitlines():
        if arrow := _ARROW.match(line.strip()):
            state, given, output, after = arrow.groups()
        elif (edge := _DOT.match(line)) and "/" in (label := edge[3] or re.sub(r"<[^>]*>", " ", edge[4] or "")):
            state, after = edge[1], edge[2]
            given, output = (part.strip() for part in label.split("/", 1))
        else:
            continue
        machine.setdefault(state, {})[given] = after, output
        machine.setdefault(after, {})
    return machine


@frozen(eq=False)
class Told:
    """The states that say the same at one place."""

    place: int
    value: str

    def __contains__(self, state: Any) -> bool:
        return bool(state[self.place] == self.value)


@frozen
class Distinguish(BeliefProblem[State, str, str]):
    """Find out in which state a machine was at the start, by inputs that may depend on the outputs so far."""

    machine: Machine

    def initial_states(self) -> Iterable[State]:
        return [(state, "", state) for state in self.machine]

    def actions(self, state: State) -> Iterable[str]:
        return tuple(sorted(self.machine[state[0]]))

    def results(self, state: State, action: str) -> Iterable[State]:
        return ((*self.machine[state[0]][action], state[2]),)

    def percepts(self, state: State, action: str) -> Iterable[str]:
        return (state[1],)

    def is_goal(self, state: State) -> bool:
        return True

    def goal_sets(self) -> Iterable[Told]:
        return tuple(Told(2, start) for start in self.machine)


class Home(Distinguish):
    """Find out in which state a machine is now."""

    def initial_states(self) -> Iterable[State]:
        return [(state, "", "") for state in self.machine]

    def goal_sets(self) -> Iterable[Told]:
        return tuple(Told(0, state) for state in self.machine)
