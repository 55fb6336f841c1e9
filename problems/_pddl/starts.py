"""The possible starts: states that keep all constraints, worked out part by part where constraints share no atom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice, product
from math import prod
from typing import TypeAlias

from beliefsearch import ProblemError

from .grounding import Condition, GroundTask

_Constraint: TypeAlias = "tuple[str, list[Condition]]"

MOST_STARTS = 2_000_000
"""A task with more possible starts is refused: each is a state that is listed."""


def starts_of(task: GroundTask) -> Iterator[int]:
    """Yield the possible starts as numbers whose bit n says whether atom n is true.

    Raises `ProblemError` if they are too many, once somebody wants more than the first of them.
    """
    certain = sum(1 << atom for atom in task.true)
    parts = [solutions(atoms, constraints) for atoms, constraints in parts_of(task)]
    yield certain | sum(map(next, parts))  # each has one, by `check_start`
    count = count_starts(task)
    if count is None or count > MOST_STARTS:
        many = f"more than {MOST_STARTS:,}" if count is None else f"{count:,}"
        raise ProblemError(f"this task has {many} possible starts, too many to be listed")
    lists = [[*solutions(atoms, constraints)] for atoms, constraints in parts_of(task)]
    for choice in islice(product(*lists), 1, None):
        yield certain | sum(choice)


def count_starts(task: GroundTask) -> int | None:
    """How many starts are possible; None if one part of what is unknown has too many solutions to be counted."""
    counts = [
        sum(1 for _ in islice(solutions(atoms, constraints), MOST_STARTS + 1)) for atoms, constraints in parts_of(task)
    ]
    return None if max(counts, default=0) > MOST_STARTS else prod(counts)


def check_start(task: GroundTask) -> None:
    """Raise `ProblemError` if no state keeps all constraints."""
    for atoms, constraints in parts_of(task):
        if next(solutions(atoms, constraints), None) is None:
            raise ProblemError("the start is contradictory: no state keeps all that it says about what is unknown")


def parts_of(task: GroundTask) -> list[tuple[list[int], list[_Constraint]]]:
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
        elif not members or (kind == "oneof" and len(members) > 1):  # which all hold
            how = "not exactly one member" if members else "no member"
            raise ProblemError(f"the start is contradictory: {how} of one of its {kind} is true")
    return [*found.values()]


def solutions(atoms: list[int], constraints: list[_Constraint]) -> Iterator[int]:
    """All ways in which the atoms of a part may be true: depth-first, the most constrained ones first."""
    order: dict[int, None] = {}
    for _, members in sorted(constraints, key=lambda one: (one[0] != "oneof", len(one[1]))):
        order.update(dict.fromkeys(literal >> 1 for member in members for literal in member))
    order.update(dict.fromkeys(atoms))
    names = [*order]
    kept = _Kept(constraints)
    chosen: list[int] = []
    waiting = [_both(names, 0)]
    while waiting:
        place = len(waiting) - 1
        if place == len(names):
            yield sum(1 << (literal >> 1) for literal in chosen if not literal & 1)
            waiting.pop()
            continue
        if place < len(chosen):
            kept.take_back(chosen.pop())
        if not waiting[-1]:
            waiting.pop()
            continue
        chosen.append(waiting[-1].pop())
        if kept.choose(chosen[-1]):
            waiting.append(_both(names, place + 1))


def _both(atoms: list[int], place: int) -> list[int]:
    """The literals of the atom at a place, the true one to be taken first; none behind the last place."""
    return [2 * atom + no for atom in atoms[place : place + 1] for no in (1, 0)]


class _Kept:
    """Whether constraints may still be kept, while literals are chosen one after the other."""

    def __init__(self, constraints: list[_Constraint]) -> None:
        self._is_oneof = [kind == "oneof" for kind, _ in constraints]
        self._possible = [len(members) for _, members in constraints]  # members that may hold
        self._certain = [sum(not member for member in members) for _, members in constraints]  # and those that do
        self._of: list[int] = []  # by member its constraint, its literals that are not chosen yet, and those that fail
        self._left: list[int] = []
        self._failed: list[int] = []
        self._with: dict[int, list[int]] = defaultdict(list)  # by literal the members with it
        for place, (_, members) in enumerate(constraints):
            for member in members:
                for literal in member:
                    self._with[literal].append(len(self._of))
                self._of.append(place)
                self._left.append(len(member))
                self._failed.append(0)

    def choose(self, literal: int) -> bool:
        """Choose a literal; say whether the constraints about it may still be kept."""
        for member in self._with[literal]:
            self._left[member] -= 1
            if not self._left[member] and not self._failed[member]:
                self._certain[self._of[member]] += 1
        for member in self._with[literal ^ 1]:
            self._left[member] -= 1
            self._failed[member] += 1
            if self._failed[member] == 1:
                self._possible[self._of[member]] -= 1
        touched = (self._of[member] for one in (literal, literal ^ 1) for member in self._with[one])
        return all(
            self._possible[place] and not (self._is_oneof[place] and self._certain[place] > 1) for place in touched
        )

    def take_back(self, literal: int) -> None:
        """Undo the last choice."""
        for member in self._with[literal ^ 1]:
            self._failed[member] -= 1
            if not self._failed[member]:
                self._possible[self._of[member]] += 1
            self._left[member] += 1
        for member in self._with[literal]:
            if not self._left[member] and not self._failed[member]:
                self._certain[self._of[member]] -= 1
            self._left[member] += 1
