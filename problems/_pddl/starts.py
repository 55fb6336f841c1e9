"""The possible starts: states that keep all constraints, worked out part by part where constraints share no atom."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import TypeAlias

from beliefsearch import ProblemError

from .grounding import Condition, GroundTask

_Constraint: TypeAlias = "tuple[str, list[Condition]]"

MOST_STARTS = 2_000_000
"""A task with more possible starts is refused: each is a state that is listed."""


def starts_of(task: GroundTask) -> Iterator[int]:
    """Yield the possible starts as numbers whose bit n says whether atom n is true.

    Raises `ProblemError` if they are too many.
    """
    certain = sum(1 << atom for atom in task.true)
    parts = []
    count = 1
    for atoms, constraints in _parts(task):
        most = MOST_STARTS // count
        parts.append([*islice(_solutions(atoms, constraints), most + 1)])
        if len(parts[-1]) > most:
            raise ProblemError(f"this task has more than {MOST_STARTS:,} possible starts, too many to be listed")
        count *= len(parts[-1])
    for choice in product(*parts):
        yield certain | sum(choice)


def check_start(task: GroundTask) -> None:
    """Raise `ProblemError` if no state keeps all constraints."""
    for atoms, constraints in _parts(task):
        if next(_solutions(atoms, constraints), None) is None:
            raise ProblemError("the start is contradictory: no state keeps all that it says about what is unknown")


def _parts(task: GroundTask) -> list[tuple[list[int], list[_Constraint]]]:
    """The unknown atoms, with the constraints on them, such that no constraint is about two parts."""
    part_of = {atom: {atom} for atom in task.unknown}
    for _, members in task.constraints:
        touched = {literal >> 1 for member in members for literal in member}
        together: set[int] = set().union(*(part_of[atom] for atom in touched))
        for atom in together:
            part_of[atom] = together
    found = {id(atoms): (sorted(atoms), list[_Constraint]()) for atoms in part_of.values()}
    for kind, members in task.constraints:
        touched = {literal >> 1 for member in members for literal in member}
        if touched:
            found[id(part_of[min(touched)])][1].append((kind, members))
        elif not _may_hold(kind, members, {}):
            raise ProblemError(f"the start is contradictory: no member of one of its {kind} is true")
    return [*found.values()]


def _solutions(atoms: list[int], constraints: list[_Constraint]) -> Iterator[int]:
    """All ways in which the atoms of a part may be true: depth-first, the most constrained ones first."""
    order: dict[int, None] = {}
    for _, members in sorted(constraints, key=lambda one: (one[0] != "oneof", len(one[1]))):
        order.update(dict.fromkeys(literal >> 1 for member in members for literal in member))
    order.update(dict.fromkeys(atoms))
    names = [*order]
    about = {atom: [one for one in constraints if any(lit >> 1 == atom for m in one[1] for lit in m)] for atom in names}
    value: dict[int, bool] = {}
    waiting: list[list[bool]] = [[False, True]]
    while waiting:
        place = len(waiting) - 1
        if place == len(names):
            yield sum(1 << atom for atom, is_true in value.items() if is_true)
            waiting.pop()
            continue
        value.pop(names[place], None)
        if not waiting[-1]:
            waiting.pop()
            continue
        value[names[place]] = waiting[-1].pop()
        if all(_may_hold(kind, members, value) for kind, members in about[names[place]]):
            waiting.append([False, True])


def _may_hold(kind: str, members: list[Condition], value: dict[int, bool]) -> bool:
    """Whether a constraint may be kept when these atoms have these values."""
    certain = possible = 0
    for member in members:
        known = [value.get(literal >> 1) for literal in member]
        wrong = any(v is not None and v == bool(lit & 1) for v, lit in zip(known, member, strict=True))
        possible += not wrong
        certain += not wrong and None not in known
    return possible >= 1 and (kind == "or" or certain <= 1)
