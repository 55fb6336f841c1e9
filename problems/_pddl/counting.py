"""The number of ways to keep constraints, which fall into parts that share no atom once some atoms are known.

R. Bayardo and J. Pehoushek, "Counting models using connected components" (2000).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

Member: TypeAlias = "frozenset[int]"
"""Literals that must all hold; empty if they do."""

Rule: TypeAlias = "tuple[str, tuple[Member, ...]]"
"""How many of the members hold: at least one (`or`), just one (`oneof`), or none (`none`)."""


class TooManyParts(Exception):
    """Counting would take too long."""


class WaysToKeep:
    """Counts assignments; each part is counted once, and of parts there are at most `most`."""

    def __init__(self, rules: Sequence[Rule], most: int) -> None:
        self._rules, self._left = rules, most
        self._place = {atom: place for place, atom in enumerate(_sweep(rules))}
        self._known: dict[frozenset[Rule], int] = {}

    def count(self, atoms: Sequence[int]) -> int:
        """Count the assignments of these atoms that keep all rules; raises `TooManyParts`."""
        return self._count(self._rules) << len(atoms) - len(self._place)

    def _count(self, rules: Iterable[Rule]) -> int:
        total = 1
        for part in _parts(rules):
            found = self._known.get(part)
            if found is None:
                found = self._known[part] = self._count_part(part)
            total *= found
            if not total:
                break
        return total

    def _count_part(self, part: frozenset[Rule]) -> int:
        self._left -= 1
        if self._left < 0:
            raise TooManyParts
        atoms = _atoms(part)
        atom = _chosen(part, self._place)
        total = 0
        for literal in (2 * atom, 2 * atom + 1):
            rules = _where(part, literal)
            if rules is not None:
                free = len(atoms) - 1 - len(_atoms(rules))
                total += self._count(rules) << free
        return total


def _where(rules: Iterable[Rule], literal: int) -> set[Rule] | None:
    """What is left of rules where a literal holds; None if one is broken."""
    found = set()
    for rule in rules:
        kind, members = rule
        if literal >> 1 not in _atoms_of(rule):
            found.add(rule)
            continue
        left = [member - {literal} for member in members if literal ^ 1 not in member]
        certain = sum(not member for member in left)
        if certain > (kind != "none") and kind != "or":
            return None
        if certain and kind == "oneof":
            kind, left = "none", [member for member in left if member]
        elif certain and kind == "or":
            kind, left = "none", []
        if left:
            found.add((kind, tuple(sorted(left, key=sorted))))
        elif kind != "none":
            return None
    return found


def _chosen(part: Iterable[Rule], place: Mapping[int, int]) -> int:
    """An atom that is as good as known, or else the first."""
    forced: set[int] = set()
    for kind, members in part:
        if kind != "none" and len(members) == 1:
            forced |= members[0]
        elif kind == "none":
            forced.update(*(member for member in members if len(member) == 1))
    if forced:
        return min(forced) >> 1
    return min(_atoms(part), key=place.__getitem__)


def _sweep(rules: Iterable[Rule]) -> list[int]:
    """The atoms in the order of their distances from one that lies far out: rules then are about a few neighbours."""
    groups = [sorted(_atoms_of(rule)) for rule in rules]
    around: dict[int, list[list[int]]] = {}
    for group in groups:
        for atom in group:
            around.setdefault(atom, []).append(group)
    found: dict[int, None] = {}
    for first in sorted(around):
        if first in found:
            continue
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


def _atoms(rules: Iterable[Rule]) -> set[int]:
    return set().union(*map(_atoms_of, rules))


@lru_cache(100_000)
def _atoms_of(rule: Rule) -> frozenset[int]:
    return frozenset(literal >> 1 for literal in chain.from_iterable(rule[1]))


def _parts(rules: Iterable[Rule]) -> list[frozenset[Rule]]:
    """The rules, such that no two parts share an atom."""
    part_of: dict[int, list[Rule]] = {}
    for rule in rules:
        atoms = _atoms_of(rule)
        others = {id(part): part for atom in atoms if (part := part_of.get(atom)) is not None}
        together = max(others.values(), key=len, default=[])
        together.append(rule)
        for other in others.values():
            if other is not together:
                together += other
                part_of.update(dict.fromkeys(_atoms(other), together))
        part_of.update(dict.fromkeys(atoms, together))
    return [frozenset(part) for part in {id(part): part for part in part_of.values()}.values()]
