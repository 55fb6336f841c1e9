"""Machines made complete, and minimal: inputs that states lack, and states that do the same."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from .reader import Machine


def completed(machine: Machine) -> Machine:
    """The machine in which an input that a state lacked leaves it as it is, with the empty output."""
    inputs = dict.fromkeys(given for row in machine.values() for given in row)
    return {state: {given: row.get(given, ((state, ""),)) for given in inputs} for state, row in machine.items()}


def merged(machine: Machine) -> tuple[Machine, Mapping[str, str]]:
    """The machine with one state, the first, of all that do the same; and by other states which one that is.

    States do the same if they have the same inputs, on each of which they may say the same with next states that do
    the same: the coarsest such partition, by refinement (Moore, 1956).
    """
    part = dict.fromkeys(machine, 0)
    count = 0
    while True:
        numbers: dict[Hashable, int] = {}
        found: dict[str, int] = {}
        for state, row in machine.items():
            does = frozenset((given, output, part[after]) for given in row for after, output in row[given])
            found[state] = numbers.setdefault((part[state], does), len(numbers))
        part = found
        if len(numbers) == count:
            break
        count = len(numbers)
    first: dict[int, str] = {}
    for state in machine:
        first.setdefault(part[state], state)
    rows = {
        state: {
            given: tuple(dict.fromkeys((first[part[after]], output) for after, output in row[given])) for given in row
        }
        for state, row in machine.items()
        if first[part[state]] == state
    }
    return rows, {state: first[part[state]] for state in machine if state not in rows}
