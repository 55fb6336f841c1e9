"""The possible starts: states that keep all constraints, worked out part by part where constraints share no atom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice, product
from typing import TypeAlias

from beliefsearch import ProblemError
from beliefsearch.hooks import count_kept

from .grounding import Condition, GroundTask
from .relevance import renumbered

_Constraint: TypeAlias = "tuple[str, list[Condition]]"

# Larger decision diagrams are not made to count ways.
_MOST_NODES = 200_000

MOST_STARTS = 2_000_000
"""A task with more possible starts is refused: each is a state that is listed."""


def starts_of(task: GroundTask) -> Iterator[int]:
    """Yield the possible starts as numbers whose bit n says whether atom n is true.

    Raises `ProblemError` if they are too many, once somebody wants more than the first of them.
    """
    certain = sum(1 << atom for atom in task.true)
    parts = [solutions(atoms, constraints) for atoms, constraints in parts_of(task)]
    yield certain | sum(map(next, parts))  # each has one, by `complaint_about_start`
    count = count_starts(task)
    if count is None or count > MOST_STARTS:
        many = f"more than {MOST_STARTS:,}" if count is None else f"{count:,}"
        remedy = (
            "more is possible only where what is unknown falls into small parts that no effect or sensor joins, "
            "or where something is observed and nothing changes what is unknown"
        )
        raise ProblemError(f"this task has {many} possible starts, too many to be listed; {remedy}")
    lists = [[*solutions(atoms, constraints)] for atoms, constraints in parts_of(task)]
    for choice in islice(product(*lists), 1, None):
        yield certain | sum(choice)


def count_starts(task: GroundTask) -> int | None:
    """How many starts are possible; None if one part of what is unknown takes too long to be counted."""
    total = 1
    for atoms, constraints in parts_of(task):
        count = count_solutions(atoms, constraints, MOST_STARTS)
        if count is None:
            return None
        total *= count
    return total


def complaint_about_start(task: GroundTask) -> str:
    """Say why no state keeps all constraints; nothing if one does."""
    for kind, members in task.constraints:
        if not any(members) and (not members or (kind == "oneof" and len(members) > 1)):  # which all hold
            how = "not exactly one member" if members else "no member"
            return f"the start is contradictory: {how} of one of its {kind} is true"
    if any(next(solutions(*part), None) is None for part in parts_of(task)):
        return "the start is contradictory: no state keeps all that it says about what is unknown"
    return ""


def parts_of(task: GroundTask) -> list[tuple[list[int], list[_Constraint]]]:
    """The unknown atoms, with the constraints on them, such that no constraint is about two parts."""
    part_of = tied(task.unknown, ([lit >> 1 for lit in chain(*members)] for _, members in task.constraints))
    found = {id(atoms): (sorted(atoms), list[_Constraint]()) for atoms in groups_of(part_of)}
    for kind, members in task.constraints:
        touched = {literal >> 1 for member in members for literal in member}
        if touched:
            found[id(part_of[min(touched)])][1].append((kind, members))
    return [*found.values()]


def tied(atoms: Iterable[int], groups: Iterable[Iterable[int]]) -> dict[int, set[int]]:
    """By atom, those that are tied to it, one by one, by being in one of these groups together; itself included."""
    found = {atom: {atom} for atom in atoms}
    for group in groups:
        together: set[int] = set().union(*map(found.__getitem__, group))
        found.update(dict.fromkeys(together, together))
    return found


def groups_of(found: Mapping[int, set[int]]) -> list[set[int]]:
    """Return the groups of atoms that are `tied`, by their least atoms."""
    return [*{id(atoms): atoms for _, atoms in sorted(found.items())}.values()]


def solutions(atoms: list[int], constraints: list[_Constraint]) -> Iterator[int]:
    """All ways in which the atoms of a part may be true."""
    for true, free in _branches(atoms, constraints):
        for more in product(*((1 << atom, 0) for atom in free)):
            yield true | sum(more)


def count_solutions(atoms: list[int], constraints: list[_Constraint], most: int) -> int | None:
    """How many ways there are, without listing them; None if that takes too long: more than so many branches."""
    order = sweep(constraints)
    number = {atom: place for place, atom in enumerate(order)}
    rules = [(kind, [renumbered(member, number) for member in members]) for kind, members in constraints]
    count = count_kept(len(order), rules, _MOST_NODES)
    if count is not None:
        return count << len(atoms) - len(order)
    sizes = [1 << len(free) for _, free in islice(_branches(atoms, constraints), most + 1)]
    return None if len(sizes) > most else sum(sizes)


def sweep(constraints: Iterable[_Constraint]) -> list[int]:
    """The atoms in the order of their distances from one that lies far out: constraints then are about near ones."""
    around: dict[int, list[list[int]]] = defaultdict(list)
    for _, members in constraints:
        group = sorted({literal >> 1 for member in members for literal in member})
        for atom in group:
            around[atom].append(group)
    found: dict[int, None] = {}
    for first in sorted(around):
        if first not in found:
            far = _breadth_first(first, around)[-1]
            found.update(dict.fromkeys(_breadth_first(far, around)))
    return [*found]


def _breadth_first(first: int, around: Mapping[int, Iterable[Iterable[int]]]) -> list[int]:
    met = {first: None}
    order = [first]
    for atom in order:  # grows while it is walked
        new = [other for group in around[atom] for other in group if other not in met]
        met.update(dict.fromkeys(new))
        order += dict.fromkeys(new)
    return order


def _branches(atoms: list[int], constraints: list[_Constraint]) -> Iterator[tuple[int, list[int]]]:
    """The true atoms, and those that are free since all constraints are kept: depth-first, most constrained first."""
    order: dict[int, None] = {}
    for _, members in sorted(constraints, key=lambda one: (one[0] != "oneof", len(one[1]))):
        order.update(dict.fromkeys(literal >> 1 for member in members for literal in member))
    order.update(dict.fromkeys(atoms))
    names = [*order]
    kept = _Kept(constraints)

    def choices(place: int) -> list[int]:  # the last is the first to be taken
        if place == len(names):
            return []
        return [2 * names[place] + 1, 2 * names[place]]

    chosen: list[int] = []
    waiting = [choices(0)]
    while waiting:
        place = len(waiting) - 1
        if place < len(chosen):
            kept.take_back(chosen.pop())
        elif not kept.open:
            yield sum(1 << (literal >> 1) for literal in chosen if not literal & 1), names[place:]
            waiting.pop()
            continue
        if not waiting[-1]:
            waiting.pop()
            continue
        chosen.append(waiting[-1].pop())
        if kept.choose(chosen[-1]):
            waiting.append(choices(place + 1))


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
        self._about: dict[int, list[int]] = defaultdict(list)  # by atom the constraints
        for place, (_, members) in enumerate(constraints):
            for atom in {literal >> 1 for member in members for literal in member}:
                self._about[atom].append(place)
        self._is_kept = [self._whatever_comes(place) for place in range(len(constraints))]
        self.open = self._is_kept.count(False)
        """The constraints that may still be broken."""

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
        self._look_again(literal)
        return all(
            self._possible[place] and not (self._is_oneof[place] and self._certain[place] > 1)
            for place in self._about[literal >> 1]
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
        self._look_again(literal)

    def _look_again(self, literal: int) -> None:
        """Note which constraints about a literal are kept whatever is chosen next."""
        for place in self._about[literal >> 1]:
            is_kept = self._whatever_comes(place)
            self.open += self._is_kept[place] - is_kept
            self._is_kept[place] = is_kept

    def _whatever_comes(self, place: int) -> bool:
        if self._is_oneof[place]:
            return self._certain[place] == self._possible[place] == 1
        return self._certain[place] > 0
